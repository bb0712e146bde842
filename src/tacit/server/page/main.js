// The page begins: what is served decides which views there are; the address says which one is looked at.
import { readAddress, writeAddress } from "./address.js";
import { complain, forgetComplaints, get, inCollection, useCollection, useToken } from "./api.js";
import { at, counted, languageName, make, many, option } from "./make.js";
import * as classify from "./classify.js";
import * as clusters from "./clusters.js";
import * as compare from "./compare.js";
import * as duplicates from "./duplicates.js";
import * as languages from "./languages.js";
import * as map from "./map.js";
import * as search from "./search.js";
import * as senses from "./senses.js";
import * as texts from "./texts.js";

// A view has `start(app)`, called once; `open(given)`, with what the address says; `state()`, what the address is to say.
const views = { compare, search, map, duplicates, clusters, classify, senses, languages, texts };
const started = new Set();
const app = { about: null, collections: null, collection: null, view: null, go, keep, reopen };

const tabs = () => [...document.querySelectorAll("[role=tab]")].filter((tab) => !tab.hidden);
const offered = (name) => tabs().some((tab) => tab.dataset.view === name);

// To another view, as a step that "back" takes back.
function go(name, given = {}) {
  writeAddress(name, { collection: app.collection, ...given }, { step: true });
  show(name, given);
}

// What the view that is looked at holds now, into the address.
function keep(name) {
  if (name === app.view) writeAddress(name, { collection: app.collection, ...views[name].state() }, { step: false });
}

// Another collection has other words, languages and views: the page begins anew with it.
function reopen(name, collection) {
  writeAddress(name, { collection }, { step: true });
  location.reload();
}

function show(name, given) {
  app.view = name;
  for (const tab of tabs()) {
    const chosen = tab.dataset.view === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    at(`panel-${tab.dataset.view}`).hidden = !chosen;
  }
  forgetComplaints();
  document.title = `${tabs().find((tab) => tab.dataset.view === name).textContent} · tacit`;
  if (!started.has(name)) {
    started.add(name);
    views[name].start(app);
  }
  views[name].open(given);
}

function chooseTab(name) {
  if (name !== app.view) go(name, started.has(name) ? views[name].state() : {});
}

function keys(event) {
  const all = tabs(), here = all.indexOf(event.target);
  const next = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: all.length - 1 }[event.key];
  if (here < 0 || next === undefined) return;
  event.preventDefault();
  const tab = all[(next + all.length) % all.length];
  chooseTab(tab.dataset.view);
  tab.focus(); // after a view that takes the focus for itself: the next arrow goes on from here
}

function describe() {
  const { about } = app;
  const each = about.languages.length > 1 ? ` (${about.languages.map(({ code, words }) => `${languageName(code)} ${many(words)}`).join(", ")})` : "";
  const parts = [about.words && `${counted(about.words, "word")}${each}`, about.texts && counted(about.texts, "text")];
  const holds = parts.filter(Boolean).join(", ");
  at("about").replaceChildren(...(holds ? [make("bdi", {}, about.name), `: ${holds}. `] : []), `tacit${about.version ? ` ${about.version}` : ""}.`);
}

function offer() {
  const { about, collections } = app;
  const whole = about.abilities.includes("search") && collections !== null; // an index, and a service that does long work
  const able = new Set([...about.abilities, ...(whole ? ["duplicates", "clusters"] : []),
    ...(about.classifiers?.length ? ["classify"] : []), ...(collections?.may_write || collections?.collections.length > 1 ? ["texts"] : [])]);
  for (const tab of document.querySelectorAll("[role=tab]")) tab.hidden = !able.has(tab.dataset.view);
  const select = at("collection"), all = collections?.collections ?? [];
  at("collection-field").hidden = all.length < 2;
  select.replaceChildren(...all.map(({ name, texts }) => option(name, `\u2068${name}\u2069 (${many(texts)})`, name === (app.collection ?? about.collection ?? collections.default))));
}

// What is known where a collection cannot be read: nothing but that there are others, to look at or to delete.
const UNREAD = { abilities: [], languages: [], examples: [], words: 0, texts: 0 };

async function instead(error) {
  if (error.status === 401 || !error.status) return false;
  app.collections = await get("/collections").catch(() => null);
  app.about = { ...UNREAD, collection: app.collection ?? app.collections?.default };
  return Boolean(app.collections?.may_write || app.collections?.collections.length > 1);
}

async function begin() {
  const { view, given } = readAddress();
  let unread = "";
  try {
    app.collection = given.collection ?? null;
    useCollection(app.collection);
    app.about = await get(inCollection("/about"));
    app.collections = app.about.may_write === undefined ? null : await get("/collections");
  } catch (error) {
    if (error.status === 404 && app.collection !== null) return reopen("", null); // it was deleted: what else is there?
    unread = error.message;
    if (!await instead(error)) {
      at("gate").hidden = error.status !== 401;
      if (error.status === 401) at("token").focus(); else complain("begin", unread);
      return undefined;
    }
  }
  at("gate").hidden = true;
  document.documentElement.classList.add("ready");
  describe();
  offer();
  const first = tabs()[0]?.dataset.view;
  if (!first) return complain("begin", "Nothing is served here: start it with a model, an index or --home FOLDER.");
  const name = offered(view) ? view : app.about.texts || !offered("texts") ? first : "texts";
  show(name, offered(view) ? given : {});
  return unread && complain("begin", unread);
}

document.querySelector("[role=tablist]").addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (tab) chooseTab(tab.dataset.view);
});
document.querySelector("[role=tablist]").addEventListener("keydown", keys);
addEventListener("popstate", () => {
  const { view, given } = readAddress();
  if (!app.about) return;
  if ((given.collection ?? null) !== app.collection) location.reload();
  else if (offered(view)) show(view, given);
});
at("collection").addEventListener("change", (event) => reopen(app.view === "texts" ? "search" : app.view, event.target.value));
at("gate").addEventListener("submit", (event) => {
  event.preventDefault();
  useToken(at("token").value.trim());
  begin().then(() => complain("begin", at("gate").hidden ? "" : "That token is not the one."));
});
at("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("tacit-theme", root.dataset.theme); } catch { /* until the page is closed */ }
  dispatchEvent(new Event("themed"));
});
begin();
