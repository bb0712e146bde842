// Exact and near copies of texts, in groups with a representative.
import { byId, button, element, formatCount, formatNumber } from "./dom.js";
import { Decisions } from "./decisions.js";
import { renderColumns, renderText } from "./hits.js";
import { JobList } from "./job_list.js";
import { describeIntervals } from "./link.js";
import { renderEvidence } from "./pairs.js";

const MAX_TEXTS = 5; // of a group, before the rest is opened
const DECISIONS = { representative: "kept", removed: "copy", review: "to review" };

let app;

export function init(page) {
  app = page;
  const decisions = new Decisions(byId("duplicates-tools"), {
    files: [["duplicates.csv", "Export the groups as CSV"], ["clean.csv", "Export the texts without copies"]],
    decide: (changes) => list.run(changes),
  });
  const list = new JobList("duplicates", {
    path: "/dedupe", title: `Comparing ${formatNumber(app.about.texts)} texts`, summarize, createBody: () => decisions.request(),
    renderItem: renderGroup, onDone: (job) => decisions.onDone(job),
  });
}

function summarize({ found, texts, removed, precision, recall }) {
  if (!found) return `No copies among ${formatCount(texts, "text")}.`;
  const head = `${formatCount(found, "group")} of copies; ${formatCount(removed, "text")} of ${formatNumber(texts)} can be removed. The collection is not changed.`;
  return [head, ...describeIntervals(precision, recall)].join(" ");
}

function renderGroup({ members }) {
  const [first] = members;
  const compare = ({ text }) => button("Compare with the first", () => app.openView("compare", { a: first.text, b: text }), { className: "link", aria: { label: `Compare with the first: ${text.slice(0, 60)}` } });
  const renderMember = (member, i) => element("li", {},
    element("div", {}, ...renderText(member.text), ...(member.reason ? [renderEvidence(member)] : []), ...renderColumns(member.columns)),
    element("span", { className: `decision ${member.decision}` }, DECISIONS[member.decision]), i && member.text !== first.text ? compare(member) : "");
  const rows = members.map(renderMember), rest = rows.slice(MAX_TEXTS);
  const more = rest.length ? [element("details", {}, element("summary", {}, `${formatNumber(rest.length)} more`), element("ul", {}, ...rest))] : [];
  return element("li", {}, element("h3", {}, formatCount(members.length, "text")), element("ul", {}, ...rows.slice(0, MAX_TEXTS)), ...more);
}

export const getState = () => ({});
export function open() {}
