// The collection, searched while one types; every result says why it is there and can be acted on.
import { ask, latest } from "./api.js";
import { exportHits } from "./export.js";
import { Filters } from "./filters.js";
import { hitItem } from "./hits.js";
import { at, button, counted, cut, languageName, make, many, option } from "./make.js";

const PAGE = 10;

let app, filters, like = null, shown = [], answered = null; // the question that the hits belong to
const update = latest({ name: "search", region: at("results"), work: search, clear: () => tell(null), wait: 140 });
const further = latest({ name: "search", region: at("results"), work: more });

export function start(given) {
  app = given;
  const { about } = app, codes = about.languages.length > 1 ? about.languages.map(({ code }) => code) : [];
  filters = new Filters(at("filters"), () => changed());
  at("query").addEventListener("input", () => { like = null; changed(); });
  at("query-language-of").hidden = !codes.length;
  at("query-language").replaceChildren(option("", "detected"), ...codes.map((code) => option(code, languageName(code))));
  at("query-language").addEventListener("change", () => changed());
  const spread = about.examples.filter((_, i) => i % Math.ceil(about.examples.length / 4) === 0);
  at("search-tries").replaceChildren(...spread.map((text) => button(cut(text, 90).text, () => app.go("search", { q: text }), { dir: "auto" })));
  const notes = app.collections?.collections.find(({ name }) => name === about.collection)?.notes ?? [];
  at("search-notes").replaceChildren(...notes.map((note) => make("p", { dir: "auto" }, note)));
  at("more").addEventListener("click", () => further());
  at("export").addEventListener("click", () => exportHits(question(), app.about).catch((error) => { at("search-status").textContent = error.message; }));
}

export const state = () => ({ q: at("query").value, like, language: at("query-language").value, where: filters.written() });

export function open(given) {
  at("query").value = given.q ?? (given.like ? "" : at("query").value);
  like = given.like ?? null;
  at("query-language").value = given.language ?? "";
  filters.read(given.where);
  if (!like) at("query").focus();
  if (JSON.stringify(state()) !== answered) changed();
}

function changed() {
  app.keep("search");
  update();
}

// What the fields ask; null where they ask nothing.
function question() {
  const narrowed = app.collections === null ? {} : { counts: true, ...filters.where() };
  if (like !== null) return { path: "/similar", asked: { id: like, k: PAGE, ...narrowed } };
  const query = cut(at("query").value.trim(), app.about.limits.explained);
  if (!query.text) return null;
  const language = at("query-language").value;
  return { path: "/search", asked: { query: query.text, k: PAGE, ...(language ? { language } : {}), ...narrowed }, query };
}

async function search(signal) {
  const wanted = question(), mine = JSON.stringify(state());
  if (!wanted) return () => tell(null);
  const started = performance.now();
  const found = await ask(wanted.path, wanted.asked, signal);
  return () => { tell(found, wanted, Math.max(1, Math.round(performance.now() - started))); answered = mine; };
}

async function more(signal) {
  const wanted = question();
  if (!wanted) return () => tell(null);
  const found = await ask(wanted.path, { ...wanted.asked, counts: false, offset: shown.length }, signal);
  return () => {
    const first = at("hits").children.length;
    add(found, wanted);
    at("hits").children[first]?.querySelector("button, a")?.focus();
  };
}

function tell(found, wanted, took) {
  [shown, answered] = [[], null];
  at("hits").replaceChildren();
  at("more").hidden = at("export").hidden = true;
  at("search-tries").hidden = at("search-notes").hidden = Boolean(found);
  at("query-language").options[0].textContent = found?.language ? `detected: ${languageName(found.language)}` : "detected";
  filters.offer(found?.counts ?? null);
  at("search-status").textContent = found ? told(found, wanted, took) : counted(app.about.texts, "text");
  if (found) add(found, wanted);
}

function told({ hits, searched }, { query }, took) {
  const among = searched === undefined ? many(app.about.texts) : many(searched);
  const short = query?.short ? ` Only the first ${many(app.about.limits.explained)} of ${many(query.all)} characters were searched for.` : "";
  if (!hits.length) return `Nothing like it among ${among} texts.${short}`;
  const of = query ? "like it" : `like the text ${like}`;
  return `The texts most ${of} among ${among}, in ${many(took)} ms.${short}`;
}

function add(found, wanted) {
  shown.push(...found.hits);
  const actions = {
    compare: (text) => app.go("compare", { a: wanted.query?.text ?? text, b: text }),
    similar: app.collections === null ? null : (id) => app.go("search", { like: id }),
    map: app.about.abilities.includes("map") ? (id) => app.go("map", { q: wanted.query?.text, like, at: id }) : null,
    query: wanted.query?.text ?? null,
  };
  at("hits").append(...found.hits.map((hit) => hitItem(hit, actions)));
  at("more").hidden = !found.more;
  at("export").hidden = !shown.length;
}
