// What was found, as a file for a spreadsheet.
import { ask } from "./api.js";

const MOST = 1_000; // texts of a file: beyond, `tacit search` writes all

export async function exportHits(wanted, about) {
  if (!wanted) return;
  const hits = [], k = about.limits.results;
  for (let more = true; more && hits.length < MOST;) {
    const found = await ask(wanted.path, { ...wanted.asked, k, offset: hits.length, counts: false, explain: false });
    hits.push(...found.hits);
    more = found.more && found.hits.length > 0;
  }
  download("tacit.csv", asCsv(hits.slice(0, MOST)));
}

export function asCsv(hits) {
  const names = [...new Set(hits.flatMap(({ columns }) => Object.keys(columns ?? {})))];
  const rows = hits.map((hit, place) => [place + 1, hit.score, hit.percentile, hit.id, hit.text, ...names.map((name) => hit.columns?.[name] ?? "")]);
  return [["rank", "score", "percentile", "id", "text", ...names], ...rows].map((row) => row.map(cell).join(",")).join("\r\n");
}

// A spreadsheet runs what begins like a formula: it gets an apostrophe, unless it is a number.
function cell(value) {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
