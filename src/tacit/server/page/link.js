// Link the texts of this collection with those of another one.
import { byId, element, formatCount, formatFixed, option } from "./dom.js";
import { Decisions } from "./decisions.js";
import { JobList } from "./job_list.js";
import { renderPair } from "./pairs.js";

let app;

export function init(page) {
  app = page;
  const others = app.collections.collections.filter(({ name, error }) => name !== app.about.collection && !error);
  byId("link-other").replaceChildren(...others.map(({ name }) => option(name, name)));
  byId("link-form").hidden = !others.length;
  if (!others.length) byId("link-status").textContent = "Upload a second list of texts in Your texts: this view finds its matches.";
  const decisions = new Decisions(byId("link-tools"), {
    files: [["links.csv", "Export as CSV"]], decide: (changes) => list.run(changes),
    scope: () => ({ other: byId("link-other").value }),
  });
  const list = new JobList("link", {
    path: "/link", title: "Linking", summarize,
    createBody: () => ({ other: byId("link-other").value, many: byId("link-many").checked, ...decisions.request() }),
    renderItem: (pair) => element("li", {}, renderPair(pair)),
    onDone: (job) => decisions.onDone(job),
  });
  for (const id of ["link-other", "link-many"]) byId(id).addEventListener("change", () => { list.reset(); decisions.reset(); app.saveState("link"); });
}

export function summarize({ found, precision, recall }) {
  const parts = [`${formatCount(found, "link")}, best first.`];
  if (precision.length === 1) parts.push(`Estimated precision ${formatFixed(precision[0], 2)}.`);
  return [...parts, ...describeIntervals(precision, recall)].join(" ");
}

// With judgements: intervals of precision and recall.
export const describeIntervals = (precision, recall) => [["Precision", precision], ["Recall", recall]].filter(([, values]) => values.length === 2)
  .map(([name, [low, high]]) => `${name} ${formatFixed(low, 2)} to ${formatFixed(high, 2)} (90 %).`);

export const getState = () => ({ with: byId("link-other").value, many: byId("link-many").checked ? "1" : "" });

export function open(params) {
  if ([...byId("link-other").options].some(({ value }) => value === params.with)) byId("link-other").value = params.with;
  byId("link-many").checked = params.many === "1";
}
