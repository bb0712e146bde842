// The page begins: what is served decides which panels there are.
import { complain, get, useToken } from "./api.js";
import { at, many } from "./make.js";
import * as compare from "./compare.js";
import * as languages from "./languages.js";
import * as map from "./map.js";
import * as search from "./search.js";
import * as senses from "./senses.js";

const panels = { compare, search, map, senses, languages };
const started = new Set();
let about;

const tabs = () => [...document.querySelectorAll("[role=tab]")].filter((tab) => !tab.hidden);

export function show(name, given) {
  for (const tab of tabs()) {
    const chosen = tab.dataset.ability === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    at(`panel-${tab.dataset.ability}`).hidden = !chosen;
  }
  complain("");
  history.replaceState(null, "", `#${name}`);
  if (!started.has(name)) {
    started.add(name);
    panels[name].start(about, show);
  }
  panels[name].shown?.(given);
}

function keys(event) {
  const all = tabs(), here = all.indexOf(event.target);
  const next = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: all.length - 1 }[event.key];
  if (here < 0 || next === undefined) return;
  event.preventDefault();
  const tab = all[(next + all.length) % all.length];
  tab.focus();
  show(tab.dataset.ability);
}

function describe() {
  const each = about.languages.length > 1 ? ` (${about.languages.map(({ code, words }) => `${code} ${many(words)}`).join(", ")})` : "";
  const parts = [about.words && `${many(about.words)} words${each}`, about.texts && `${many(about.texts)} texts`];
  const holds = parts.filter(Boolean).join(", ");
  at("about").textContent = `${about.name}${holds ? `: ${holds}` : ""}. tacit ${about.version}.`;
}

async function begin() {
  try {
    about = await get("/about");
  } catch (error) {
    at("gate").hidden = error.status !== 401;
    if (error.status === 401) at("token").focus(); else complain(error.message);
    return;
  }
  at("gate").hidden = true;
  for (const tab of document.querySelectorAll("[role=tab]")) tab.hidden = !about.abilities.includes(tab.dataset.ability);
  describe();
  const wanted = location.hash.slice(1);
  show(about.abilities.includes(wanted) ? wanted : about.abilities[0]);
}

document.querySelector("[role=tablist]").addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (tab) show(tab.dataset.ability);
});
document.querySelector("[role=tablist]").addEventListener("keydown", keys);
addEventListener("hashchange", () => {
  const wanted = location.hash.slice(1);
  if (about?.abilities.includes(wanted)) show(wanted);
});
at("gate").addEventListener("submit", (event) => {
  event.preventDefault();
  useToken(at("token").value.trim());
  begin().then(() => { if (!at("gate").hidden) complain("That token is not the one."); });
});
at("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("tacit-theme", root.dataset.theme); } catch { /* until the page is closed */ }
  dispatchEvent(new Event("themed"));
});
begin();
