// Pairs of texts side by side, with their score and the evidence for it.
import { element, formatFixed } from "./dom.js";
import { renderColumns, renderText } from "./hits.js";

export function renderPair(pair) {
  return element("div", { className: "text-pair" }, ...["a", "b"].map((side) => renderSide(pair, side)), renderEvidence(pair));
}

const renderSide = (pair, side) => element("div", {},
  ...renderText(pair[`text_${side}`]), element("p", { className: "muted" }, element("code", { title: "ID" }, pair[`id_${side}`])), ...renderColumns(pair[`columns_${side}`]));

export const renderEvidence = ({ score, reason }) => element("p", { className: "reason" }, ...(score === null ? [] : [element("b", {}, formatFixed(score, 2)), " "]), reason);
