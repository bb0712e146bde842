// Groups of similar texts, each with its distinctive words.
import { byId, button, element, formatCount, formatNumber, truncateWord } from "./dom.js";
import { GroupList } from "./group_list.js";

let app;

export function init(page) {
  app = page;
  new GroupList("clusters", {
    path: "/clusters",
    createBody: () => ({ n_clusters: Number(byId("cluster-count").value) || null }),
    title: `Grouping ${formatNumber(app.about.texts)} texts`,
    summarize: ({ found }) => `${formatCount(found, "group")}, the largest first. In each group, the most typical texts come first.`,
    renderHeader,
    renderAction: ({ ids, texts }, i) => button("More like this", () => app.openView("search", { like: ids[i] }), { className: "link", aria: { label: `More like this: ${texts[i].slice(0, 60)}` } }),
  });
  byId("cluster-count").addEventListener("input", () => app.saveState("clusters"));
}

function renderHeader({ said, unsaid, size }) {
  const joinWords = (words) => words.slice(0, 6).map(({ word }) => truncateWord(word)).join(", ");
  return element("div", {}, element("h3", {}, element("bdi", {}, joinWords(said) || "No distinctive words"), element("span", {}, formatCount(size, "text"))),
    ...(unsaid?.length ? [element("p", { className: "muted" }, "Related words not used: ", element("bdi", {}, joinWords(unsaid)))] : []));
}

export const getState = () => ({ n: byId("cluster-count").value });

export function open(params) {
  if (params.n) byId("cluster-count").value = params.n;
}
