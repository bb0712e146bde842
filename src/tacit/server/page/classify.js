// Classify texts with a loaded classifier.
import { debounceLatest, post } from "./api.js";
import { byId, element, formatFixed, option, renderExamples, truncate } from "./dom.js";

const MAX_LINES = 50;

let app;
const update = debounceLatest({ name: "classify", region: byId("classified"), work: classify, clear: () => render([], null), wait: 250 });

export function init(page) {
  app = page;
  const names = app.about.classifiers;
  byId("classifier-field").hidden = names.length < 2;
  byId("classifier").replaceChildren(...names.map((name) => option(name, name)));
  byId("classifier").addEventListener("change", () => onChange());
  byId("classify-text").addEventListener("input", () => onChange());
  renderExamples("classify-examples", app.about.examples.slice(0, 4), (text) => app.openView("classify", { text }));
}

export const getState = () => ({ text: byId("classify-text").value, by: app.about.classifiers.length > 1 ? byId("classifier").value : null });

export function open(params) {
  if (params.text !== undefined) byId("classify-text").value = params.text;
  if (app.about.classifiers.includes(params.by)) byId("classifier").value = params.by;
  if (!byId("classify-text").value) byId("classify-text").focus();
  onChange();
}

function onChange() {
  app.saveState("classify");
  update();
}

async function classify(signal) {
  const lines = byId("classify-text").value.split("\n").map((line) => line.trim()).filter(Boolean);
  const texts = lines.slice(0, MAX_LINES).map((line) => truncate(line, app.about.limits.text).text);
  const response = texts.length ? await post("/classify", { texts, classifier: byId("classifier").value }, signal) : null;
  return () => render(texts, response, lines.length);
}

function render(texts, response, nLines = 0) {
  byId("classify-status").textContent = nLines > MAX_LINES ? `Only the first ${MAX_LINES} of ${nLines} lines are classified.` : "";
  byId("classified").replaceChildren(...texts.map((text, i) => element("li", {},
    element("h3", { dir: "auto" }, String(response.labels[i]), element("span", {}, formatProbabilities(response.classes, response.probabilities[i]))),
    element("p", { dir: "auto" }, text))));
}

function formatProbabilities(classes, probabilities) {
  const highest = classes.map((name, i) => [name, probabilities[i]]).sort((a, b) => b[1] - a[1]).slice(0, 3);
  return highest.map(([name, probability]) => `${name} ${formatFixed(100 * probability, 0)} %`).join(" · ");
}
