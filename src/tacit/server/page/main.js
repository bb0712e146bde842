// Start the page: what the service has loaded decides which tabs are visible, the URL fragment which one is open.
import { clearErrors, get, setCollection, setToken, showError, withCollection } from "./api.js";
import { byId, element, formatCount, formatNumber, languageName, option, setLanguageNames } from "./dom.js";
import { readUrlState, writeUrlState } from "./url_state.js";
import * as classify from "./classify.js";
import * as texts from "./collections.js";
import * as compare from "./compare.js";
import * as duplicates from "./duplicates.js";
import * as languages from "./languages.js";
import * as link from "./link.js";
import * as map from "./map.js";
import * as search from "./search.js";
import * as senses from "./senses.js";
import * as themes from "./themes.js";

// A view has `init(app)`, called once; `open(params)`, with the values of the URL; and `getState()`, the values for the URL.
const views = { compare, search, map, themes, duplicates, link, classify, senses, languages, texts };
const initialized = new Set();
const app = { about: null, collections: null, collection: null, view: null, openView, saveState, switchCollection };

const visibleTabs = () => [...document.querySelectorAll("[role=tab]")].filter((tab) => !tab.hidden);
const isTabVisible = (name) => visibleTabs().some((tab) => tab.dataset.view === name);

// Opens another view; the back button returns.
function openView(name, params = {}) {
  writeUrlState(name, { collection: app.collection, ...params }, { push: true });
  showView(name, params);
}

// Writes the state of the open view to the URL.
function saveState(name) {
  if (name === app.view) writeUrlState(name, { collection: app.collection, ...views[name].getState() }, { push: false });
}

// Loads the page again: another collection has other words, languages and views.
function switchCollection(name, collection) {
  writeUrlState(name, { collection }, { push: true });
  location.reload();
}

function showView(name, params) {
  app.view = name;
  for (const tab of visibleTabs()) {
    const isSelected = tab.dataset.view === name;
    tab.setAttribute("aria-selected", String(isSelected));
    tab.tabIndex = isSelected ? 0 : -1;
    byId(`panel-${tab.dataset.view}`).hidden = !isSelected;
  }
  clearErrors();
  document.title = `${visibleTabs().find((tab) => tab.dataset.view === name).textContent} · tacit`;
  if (!initialized.has(name)) {
    initialized.add(name);
    views[name].init(app);
  }
  views[name].open(params);
}

function selectTab(name) {
  if (name !== app.view) openView(name, initialized.has(name) ? views[name].getState() : {});
}

function onTabKey(event) {
  const tabs = visibleTabs(), position = tabs.indexOf(event.target);
  const next = { ArrowRight: position + 1, ArrowLeft: position - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (position < 0 || next === undefined) return;
  event.preventDefault();
  const tab = tabs[(next + tabs.length) % tabs.length];
  selectTab(tab.dataset.view);
  tab.focus(); // a view may have taken the focus, and the next arrow key starts here
}

function renderFooter() {
  const { about } = app;
  const byLanguage = about.languages.length > 1 ? ` (${about.languages.map(({ code, words }) => `${languageName(code)} ${formatNumber(words)}`).join(", ")})` : "";
  const counts = [about.words && `${formatCount(about.words, "word")}${byLanguage}`, about.texts && formatCount(about.texts, "text")];
  const summary = counts.filter(Boolean).join(", ");
  byId("about").replaceChildren(...(summary ? [element("bdi", {}, about.name), `: ${summary}. `] : []), `tacit${about.version ? ` ${about.version}` : ""}.`);
}

function showTabs() {
  const { about, collections } = app;
  const available = new Set([...about.abilities, ...(about.abilities.includes("search") ? ["themes", "duplicates", "link"] : []),
    ...(about.classifiers?.length ? ["classify"] : []), ...(collections.may_write || collections.collections.length > 1 ? ["texts"] : [])]);
  for (const tab of document.querySelectorAll("[role=tab]")) tab.hidden = !available.has(tab.dataset.view);
  const current = app.collection ?? about.collection ?? collections.default;
  const listed = collections.collections.filter(({ name, error }) => !error || name === current);
  byId("collection-field").hidden = listed.length < 2;
  byId("collection").replaceChildren(...listed.map(({ name, texts: n }) => option(name, `\u2068${name}\u2069${n === null ? "" : ` (${formatNumber(n)})`}`, name === current)));
}

async function loadCollections() {
  app.collections = await get("/collections");
  setLanguageNames(app.collections.language_names);
}

const EMPTY_ABOUT = { abilities: [], languages: [], examples: [], words: 0, texts: 0 };

// After a collection could not be loaded: lists the collections, so that it can be deleted and another one opened.
async function loadCollectionsOnly(error) {
  if (error.status === 401 || !error.status) return false;
  await loadCollections().catch(() => {});
  app.about = { ...EMPTY_ABOUT, collection: app.collection ?? app.collections?.default };
  const unreadable = app.collections?.collections.find(({ name }) => name === app.about.collection);
  if (unreadable) unreadable.error ??= error.message;
  return Boolean(app.collections?.may_write || app.collections?.collections.length > 1);
}

async function initialize() {
  const { view, params } = readUrlState();
  let loadError = "";
  try {
    app.collection = params.collection ?? null;
    setCollection(app.collection);
    app.about = await get(withCollection("/about"));
    await loadCollections();
  } catch (error) {
    if (error.status === 404 && app.collection !== null) return switchCollection("", null); // it was deleted
    loadError = error.message;
    if (!await loadCollectionsOnly(error)) {
      byId("token-form").hidden = error.status !== 401;
      if (error.status === 401) byId("token").focus(); else showError("start", loadError);
      return undefined;
    }
  }
  byId("token-form").hidden = true;
  renderFooter();
  showTabs();
  const first = visibleTabs()[0]?.dataset.view;
  if (!first) return showError("start", "No model or index is loaded: start with --model, --index or --home.");
  const name = isTabVisible(view) ? view : app.about.texts || !isTabVisible("texts") ? first : "texts";
  showView(name, isTabVisible(view) ? params : {});
  return loadError && showError("start", loadError);
}

document.querySelector("[role=tablist]").addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (tab) selectTab(tab.dataset.view);
});
document.querySelector("[role=tablist]").addEventListener("keydown", onTabKey);
addEventListener("popstate", () => {
  const { view, params } = readUrlState();
  if (!app.about) return;
  if ((params.collection ?? null) !== app.collection) location.reload();
  else if (isTabVisible(view)) showView(view, params);
});
byId("collection").addEventListener("change", (event) => switchCollection(app.view === "texts" ? "search" : app.view, event.target.value));
byId("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  setToken(byId("token").value.trim());
  initialize().then(() => showError("start", byId("token-form").hidden ? "" : "Invalid token."));
});
byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  try { localStorage.setItem("tacit-theme", root.dataset.theme); } catch { /* kept until the page is closed */ }
  dispatchEvent(new Event("themed"));
});
initialize().finally(() => { byId("opening").hidden = true; });
