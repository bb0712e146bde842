// Groups of the collection's texts, each named by the words that set it apart.
import { Bundles } from "./bundles.js";
import { at, brief, button, counted, make, many } from "./make.js";

let app, bundles;

export function start(given) {
  app = given;
  bundles = new Bundles("clusters", {
    path: "/clusters", question: () => ({ n_clusters: Number(at("cluster-count").value) || null }), what: `Grouping ${many(app.about.texts)} texts`,
    told: ({ found }) => `${counted(found, "group")}, the largest first; in each the most typical texts first.`,
    head, act: ({ ids, texts }, i) => button("More like this", () => app.go("search", { like: ids[i] }), { className: "link", aria: { label: `More like this: ${texts[i].slice(0, 60)}` } }),
  });
  at("cluster-count").addEventListener("input", () => app.keep("clusters"));
}

function head({ said, unsaid, size }) {
  const words = (list) => list.slice(0, 6).map(({ word }) => brief(word)).join(", ");
  return make("div", {}, make("h3", {}, make("bdi", {}, words(said) || "without words of their own"), make("span", {}, counted(size, "text"))),
    ...(unsaid?.length ? [make("p", { className: "soft" }, "about, without saying it: ", make("bdi", {}, words(unsaid)))] : []));
}

export const state = () => ({ n: at("cluster-count").value });

export function open(given) {
  if (given.n) at("cluster-count").value = given.n;
}
