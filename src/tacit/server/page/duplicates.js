// Groups of near-duplicate texts.
import { byId, button, element, formatCount, formatFixed, formatNumber } from "./dom.js";
import { GroupList } from "./group_list.js";

let app;

export function init(page) {
  app = page;
  new GroupList("duplicates", {
    path: "/duplicates",
    createBody: () => ({ threshold: Number(byId("threshold").value) }),
    title: `Comparing ${formatNumber(app.about.texts)} texts`,
    summarize: ({ found }) => (found ? `${formatCount(found, "group")} of near-duplicates, the largest first.` : "No near-duplicates with this score. A lower minimum score finds more."),
    renderHeader: ({ score, size, texts }) => element("h3", {}, formatCount(size ?? texts.length, "text"), element("span", {}, `score ${formatFixed(score, 2)} or more`)),
    renderAction: ({ texts }, i) => (i ? button("Compare with the first", () => app.openView("compare", { a: texts[0], b: texts[i] }), { className: "link", aria: { label: `Compare with the first: ${texts[i].slice(0, 60)}` } }) : null),
  });
  byId("threshold").addEventListener("input", () => { showThreshold(); app.saveState("duplicates"); });
}

const showThreshold = () => { byId("threshold-value").textContent = formatFixed(Number(byId("threshold").value), 2); };

export const getState = () => ({ threshold: byId("threshold").value });

export function open(params) {
  if (params.threshold) byId("threshold").value = params.threshold;
  showThreshold();
}
