// Search while typing; each hit shows which words match, and can be compared, copied or shown on the map.
import { debounceLatest, post } from "./api.js";
import { exportHits } from "./csv_export.js";
import { byId, element, formatCount, formatNumber, languageName, renderExamples, renderLanguageChoice, truncate } from "./dom.js";
import { Filters } from "./filters.js";
import { renderHit } from "./hits.js";

const PAGE_SIZE = 10, EXAMPLE_SIZE = 3, NO_GOOD_MATCH = "no good match";

let app, filters, theme = {}, similarId = null, hits = [], answeredState = null; // the state that the hits belong to
const update = debounceLatest({ name: "search", region: byId("results"), work: search, clear: () => render(null), wait: 140 });
const showMore = debounceLatest({ name: "search", region: byId("results"), work: loadMore });

export function init(page) {
  app = page;
  const { about } = app;
  filters = new Filters(byId("filters"), () => onChange());
  byId("query").addEventListener("input", () => { similarId = null; onChange(); });
  renderLanguageChoice("query-language", about.languages, onChange);
  const examples = about.examples.filter((_, i) => i % Math.ceil(about.examples.length / 4) === 0);
  renderExamples("search-examples", examples, (text) => app.openView("search", { q: text }));
  const notes = app.collections.collections.find(({ name }) => name === about.collection)?.notes ?? [];
  byId("search-notes").replaceChildren(...notes.map((note) => element("p", { dir: "auto" }, note)));
  byId("theme-filter").addEventListener("click", () => { theme = {}; onChange(); });
  byId("more").addEventListener("click", () => showMore());
  byId("export").addEventListener("click", () => exportHits(createRequest(), app.about).catch((error) => { byId("search-status").textContent = error.message; }));
}

export const getState = () => ({ q: byId("query").value, like: similarId, language: byId("query-language").value, where: filters.serialize(), ...theme });

export function open(params) {
  byId("query").value = params.q ?? (params.like ? "" : byId("query").value);
  similarId = params.like ?? null;
  byId("query-language").value = params.language ?? "";
  filters.parse(params.where);
  theme = params.job ? { job: params.job, theme: params.theme, name: params.name } : {};
  if (!similarId && !byId("query").value) byId("query").focus();
  if (JSON.stringify(getState()) !== answeredState) onChange();
}

function onChange() {
  app.saveState("search");
  update();
}

// The request for the current fields, or null if there is nothing to search for.
function createRequest() {
  const filtering = { counts: true, ...filters.where(), ...(theme.job ? { theme: { job: theme.job, theme: theme.theme } } : {}) };
  if (similarId !== null) return { path: "/similar", body: { id: similarId, k: PAGE_SIZE, ...filtering } };
  const query = truncate(byId("query").value.trim(), app.about.limits.explained);
  if (!query.text) return createExampleRequest();
  const language = byId("query-language").value;
  return { path: "/search", body: { query: query.text, k: PAGE_SIZE, ...(language ? { language } : {}), ...filtering }, query };
}

// Before anything is typed: the texts most similar to one of the collection.
function createExampleRequest() {
  const text = app.about.examples.reduce((a, b) => (a && a.length <= b.length ? a : b), "");
  if (!text || theme.job) return null;
  return { path: "/search", body: { query: text, k: EXAMPLE_SIZE + 1, counts: true, ...filters.where() }, query: truncate(text, app.about.limits.explained), isExample: true };
}

async function search(signal) {
  byId("theme-filter").hidden = !theme.job;
  byId("theme-filter").textContent = `Theme: ${theme.name} ✕`;
  const request = createRequest(), state = JSON.stringify(getState());
  if (!request) return () => render(null);
  const started = performance.now();
  const page = await post(request.path, request.body, signal);
  if (request.isExample) page.hits = page.hits.filter(({ text }) => text !== request.body.query).slice(0, EXAMPLE_SIZE);
  return () => { render(page, request, Math.max(1, Math.round(performance.now() - started))); answeredState = state; };
}

async function loadMore(signal) {
  const request = createRequest();
  if (!request) return () => render(null);
  const page = await post(request.path, { ...request.body, counts: false, offset: hits.length }, signal);
  return () => {
    const first = byId("hits").children.length;
    appendHits(page, request);
    byId("hits").children[first]?.querySelector("button, a, summary")?.focus();
  };
}

function render(page, request, milliseconds) {
  [hits, answeredState] = [[], null];
  byId("hits").replaceChildren();
  byId("more").hidden = byId("export").hidden = true;
  byId("search-examples").hidden = byId("search-notes").hidden = Boolean(page && !request.isExample);
  byId("query-language").options[0].textContent = page?.language ? `detected: ${languageName(page.language)}` : "detected";
  filters.render(page?.counts ?? null);
  byId("search-status").textContent = page ? statusText(page, request, milliseconds) : formatCount(app.about.texts, "text");
  const isUnrelated = page?.match === NO_GOOD_MATCH && request.query && !request.isExample;
  byId("no-match").hidden = !isUnrelated;
  byId("no-match").textContent = isUnrelated ? `Nothing like this here.${page.hits.length ? " The nearest texts are listed below." : ""}` : "";
  if (page) appendHits(page, request);
}

function statusText(page, { query, isExample }, milliseconds) {
  const searched = formatCount(page.searched ?? app.about.texts, "text");
  if (isExample) return `An example, until you type: the texts most similar to “${truncate(query.text, 90).text}” among ${searched}.`;
  const note = query?.isTruncated ? ` Only the first ${formatNumber(app.about.limits.explained)} of ${formatNumber(query.total)} characters were used.` : "";
  if (!page.hits.length) return `No similar text among ${searched}.${note}`;
  const target = query ? "" : ` to text ${similarId}`;
  const unknown = page.unknown_words?.length ? ` No text has ${page.unknown_words.map((word) => `“${word}”`).join(", ")}.` : "";
  return `Most similar${target} of ${searched}, found in ${formatNumber(milliseconds)} ms.${unknown}${note}`;
}

function appendHits(page, request) {
  hits.push(...page.hits);
  const actions = {
    compare: (text) => app.openView("compare", { a: request.query?.text ?? text, b: text }),
    similar: (id) => app.openView("search", { like: id }),
    map: app.about.abilities.includes("map") ? (id) => app.openView("map", { q: request.query?.text, like: similarId, at: id }) : null,
    query: request.query?.text ?? null,
  };
  byId("hits").append(...page.hits.map((hit) => renderHit(hit, actions)));
  byId("more").hidden = request.isExample || !page.more;
  byId("export").hidden = request.isExample || !hits.length;
}
