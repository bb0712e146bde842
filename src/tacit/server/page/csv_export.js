// Save results as files: hits as CSV, and what a job of the service has written.
import { getBlob, post } from "./api.js";

const MAX_HITS = 1_000; // `tacit search` exports more

export async function exportHits(request, about) {
  if (!request) return;
  const hits = [], k = about.limits.results;
  for (let more = true; more && hits.length < MAX_HITS;) {
    const page = await post(request.path, { ...request.body, k, offset: hits.length, counts: false, explain: false });
    hits.push(...page.hits);
    more = page.more && page.hits.length > 0;
  }
  saveText("tacit.csv", toCsv(...tabulate(hits.slice(0, MAX_HITS))));
}

// Returns the columns and the rows of a table of hits.
function tabulate(hits) {
  const names = [...new Set(hits.flatMap(({ columns }) => Object.keys(columns ?? {})))];
  const rows = hits.map((hit, i) => [i + 1, hit.id, hit.text, hit.score, hit.match ?? "", hit.percentile, ...names.map((name) => hit.columns?.[name] ?? "")]);
  return [["rank", "id", "text", "score", "match", "percentile", ...names], rows];
}

export const toCsv = (columns, rows) => [columns, ...rows].map((row) => row.map(formatCell).join(",")).join("\r\n");

// A cell that a spreadsheet would run as a formula gets an apostrophe, unless it is a number.
function formatCell(value) {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// Saves a file that a job of the service has written.
export async function saveJobFile(jobId, name) { saveBlob(name, await getBlob(`/jobs/${jobId}/files/${name}`)); }

export const saveText = (name, text) => saveBlob(name, new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));

function saveBlob(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
