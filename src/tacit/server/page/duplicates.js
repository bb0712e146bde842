// Texts of the collection that say nearly the same, in groups.
import { Bundles } from "./bundles.js";
import { at, button, counted, fixed, make, many } from "./make.js";

let app, bundles;

export function start(given) {
  app = given;
  bundles = new Bundles("duplicates", {
    path: "/duplicates", question: () => ({ threshold: Number(at("threshold").value) }), what: `Comparing ${many(app.about.texts)} texts`,
    told: ({ found }) => (found ? `${counted(found, "group")} of texts alike, the largest first.` : "No two texts are that alike. A lower score finds more."),
    head: ({ score, size, texts }) => make("h3", {}, counted(size ?? texts.length, "text"), make("span", {}, `${fixed(score, 2)} or more`)),
    act: ({ texts }, i) => (i ? button("Compare with the first", () => app.go("compare", { a: texts[0], b: texts[i] }), { className: "link", aria: { label: `Compare with the first: ${texts[i].slice(0, 60)}` } }) : null),
  });
  at("threshold").addEventListener("input", () => { tellThreshold(); app.keep("duplicates"); });
}

const tellThreshold = () => { at("threshold-value").textContent = fixed(Number(at("threshold").value), 2); };

export const state = () => ({ threshold: at("threshold").value });

export function open(given) {
  if (given.threshold) at("threshold").value = given.threshold;
  tellThreshold();
}
