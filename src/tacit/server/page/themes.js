// What the collection is about: themes with names, quotes and sub-themes, and a report.
import { showError } from "./api.js";
import { saveJobFile } from "./csv_export.js";
import { byId, button, element, formatCount, formatFixed, formatNumber } from "./dom.js";
import { renderText } from "./hits.js";
import { JobList } from "./job_list.js";
import { runJob } from "./jobs.js";

let app, list, nTexts = 0;

export function init(page) {
  app = page;
  list = new JobList("themes", {
    path: "/themes", title: `Finding the themes of ${formatNumber(app.about.texts)} texts`, summarize, renderItem: renderTheme,
    createBody: () => ({}), getItems: ({ themes }) => themes, onDone: showTools,
  });
  const slider = byId("theme-count"), field = byId("theme-count-field");
  slider.addEventListener("input", () => { field.value = slider.value; });
  slider.addEventListener("change", () => list.run({ n_themes: Number(slider.value) }));
  field.addEventListener("change", () => { if (field.reportValidity()) list.run({ n_themes: Number(field.value) }); });
  byId("themes-export").addEventListener("click", () => saveJobFile(list.job.id, "themes.csv").catch((error) => showError("themes", error.message)));
  byId("themes-report").addEventListener("click", () => writeReport());
}

export const getState = () => ({});
export function open() {}

function summarize({ n_texts: n, n_themes: nThemes, other, stability, notes }) {
  nTexts = n;
  const parts = [`${formatCount(nThemes, "theme")} in ${formatCount(n, "text")}, the largest first.`];
  if (other) parts.push(`${formatCount(other, "text")} (${percent(other)}) ${other === 1 ? "fits" : "fit"} none.`);
  if (stability !== null) parts.push(`Stability ${formatFixed(stability, 2)} of 1: agreement of these themes with models of half the texts.`);
  return [...parts, ...notes.map((note) => `${note}.`)].join(" ");
}

const percent = (n) => `${formatFixed(100 * n / Math.max(1, nTexts), 0)} %`;

function showTools({ result }) {
  for (const id of ["theme-count", "theme-count-field"]) byId(id).value = result.n_themes; // the slider ends at 30
  byId("themes-tools").hidden = false;
}

// The report has the themes of this view, with their names.
async function writeReport() {
  const press = byId("themes-report");
  press.disabled = true;
  showError("themes", "");
  try {
    const job = await runJob(byId("themes-job"), "/report", { job: list.job.id }, "Writing the report");
    await saveJobFile(job.id, "report.html");
  } catch (error) {
    showError("themes", error.message);
  }
  press.disabled = false;
}

function renderTheme(theme) {
  const { id, name, n_texts: n, quotes, subthemes, texts } = theme, job = list.job.id;
  return element("li", {}, renderName(theme),
    element("i", { className: "share", style: { "--score": n / Math.max(1, nTexts) } }),
    ...quotes.slice(0, 1).map(renderQuote),
    button("Search in this theme", () => app.openView("search", { q: "", job, theme: id, name }), { className: "link", aria: { label: `Search in this theme: ${name}` } }),
    ...disclose("More quotes", quotes.slice(1).map(renderQuote)),
    ...disclose(formatCount(subthemes.length, "sub-theme"), subthemes.map((part) => element("div", { className: "subtheme" }, renderName(part), ...part.quotes.slice(0, 1).map(renderQuote)))),
    ...disclose(texts.length < n ? `First ${texts.length} texts` : "Texts", [element("ul", {}, ...texts.map(renderThemeText))]));
}

const renderQuote = (text) => element("q", { dir: "auto" }, text);

const disclose = (label, children) => (children.length ? [element("details", {}, element("summary", {}, label), ...children)] : []);

const renderThemeText = ({ id, text }) => element("li", {}, element("div", {}, ...renderText(text)),
  button("More like this", () => app.openView("search", { like: id }), { className: "link", aria: { label: `More like this: ${text.slice(0, 60)}` } }));

// The name of a theme, which can be changed.
function renderName({ id, name, n_texts: n, is_mixed: isMixed }) {
  const title = element("bdi", {}, name), count = element("span", {}, `${isMixed ? "mixed topics · " : ""}${formatCount(n, "text")}, ${percent(n)}`);
  const rename = button("Rename", () => {
    const input = element("input", { value: title.textContent, required: true, maxLength: 200, dir: "auto", aria: { label: `New name of ${title.textContent}` } });
    const form = element("form", { className: "row" }, input, element("button", { className: "solid" }, "Save"));
    form.addEventListener("submit", (event) => { event.preventDefault(); list.run({ names: { [id]: input.value } }); });
    head.replaceWith(form);
    input.focus();
  }, { className: "link", aria: { label: `Rename ${name}` } });
  const head = element("h3", {}, element("span", { className: "theme-name" }, title, " ", rename), count);
  return head;
}
