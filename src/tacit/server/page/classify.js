// The class of texts, by a classifier that the service was given.
import { ask, latest } from "./api.js";
import { at, button, cut, fixed, make, option } from "./make.js";

const LINES = 50;

let app;
const update = latest({ name: "classify", region: at("classified"), work: classify, clear: () => tell([], null), wait: 250 });

export function start(given) {
  app = given;
  const names = app.about.classifiers;
  at("classifier-of").hidden = names.length < 2;
  at("classifier").replaceChildren(...names.map((name) => option(name, name)));
  at("classifier").addEventListener("change", () => changed());
  at("classify-text").addEventListener("input", () => changed());
  at("classify-tries").replaceChildren(...app.about.examples.slice(0, 4).map((text) => button(cut(text, 90).text, () => app.go("classify", { text }), { dir: "auto" })));
}

export const state = () => ({ text: at("classify-text").value, by: app.about.classifiers.length > 1 ? at("classifier").value : null });

export function open(given) {
  if (given.text !== undefined) at("classify-text").value = given.text;
  if (app.about.classifiers.includes(given.by)) at("classifier").value = given.by;
  if (!at("classify-text").value) at("classify-text").focus();
  changed();
}

function changed() {
  app.keep("classify");
  update();
}

async function classify(signal) {
  const texts = at("classify-text").value.split("\n").map((line) => line.trim()).filter(Boolean);
  const asked = texts.slice(0, LINES).map((text) => cut(text, app.about.limits.text).text);
  const found = asked.length ? await ask("/classify", { texts: asked, classifier: at("classifier").value }, signal) : null;
  return () => tell(asked, found, texts.length);
}

function tell(texts, found, all = 0) {
  at("classify-status").textContent = all > LINES ? `The first ${LINES} of ${all} lines.` : "";
  at("classified").replaceChildren(...texts.map((text, i) => make("li", {},
    make("h3", { dir: "auto" }, String(found.labels[i]), make("span", {}, shares(found.classes, found.probabilities[i]))), make("p", { dir: "auto" }, text))));
}

function shares(classes, probabilities) {
  const all = classes.map((name, i) => [name, probabilities[i]]).sort((a, b) => b[1] - a[1]).slice(0, 3);
  return all.map(([name, share]) => `${name} ${fixed(100 * share, 0)} %`).join(" · ");
}
