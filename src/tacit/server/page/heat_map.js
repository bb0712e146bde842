// The contributions of all word pairs to a score, as a table that can be explored with the arrow keys.
import { FULL_COLOR_AT, byId, colorStrength, element, formatFixed, truncateWord } from "./dom.js";

const MAX_WORDS = 60; // shown per text; the sums include all
const N_TOP_PAIRS = 6;
const PART_NAMES = { latent: "latent similarity", alignment: "word alignment" };

export function drawHeatMap(result) {
  const { words_a: rows, words_b: columns } = result;
  const grid = element("table", { className: "heat", aria: { role: "grid", label: "Contribution of each word pair to the score" } });
  grid.append(renderHead(columns), renderBody(result), renderFoot(result));
  grid.addEventListener("keydown", (event) => moveFocus(event, grid));
  for (const type of ["pointerover", "focusin"]) grid.addEventListener(type, (event) => highlightHeaders(event, grid, result));
  byId("heat-map").replaceChildren(grid);
  byId("cell-note").textContent = rows.length > MAX_WORDS || columns.length > MAX_WORDS
    ? `Only the first ${MAX_WORDS} words of each text are shown; the sums include all.` : "";
  byId("heat-key").replaceChildren("Color scale, the same for all texts:", ...[0.01, 0.05, 0.1, FULL_COLOR_AT].map((value) =>
    element("span", { className: "swatch", style: { "--strength": colorStrength(value).toFixed(2) } }, value === FULL_COLOR_AT ? `${value} and more` : String(value))));
  listTopPairs(result);
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

function renderHead(columns) {
  const names = columns.slice(0, MAX_WORDS).map((word) => element("th", { scope: "col" }, element("span", { title: word, dir: "auto" }, word)));
  return element("thead", {}, element("tr", {}, element("td", { className: "sum" }), ...names, element("th", { scope: "col", className: "sum" }, element("span", {}, "sum"))));
}

function renderBody(result) {
  const rows = result.table.slice(0, MAX_WORDS).map((values, i) => element("tr", {},
    element("th", { scope: "row", title: result.words_a[i], dir: "auto" }, result.words_a[i]),
    ...values.slice(0, MAX_WORDS).map((value, j) => renderCell(result, i, j, value)),
    element("td", { className: "sum" }, formatFixed(sum(values), 2))));
  const first = rows[0]?.querySelector("td[data-value]");
  if (first) first.tabIndex = 0;
  return element("tbody", {}, ...rows);
}

// "x and y raise the score by 0.123"
function describePair(result, i, j, value) {
  return `${truncateWord(result.words_a[i])} and ${truncateWord(result.words_b[j])} ${value < 0 ? "lower" : "raise"} the score by ${formatFixed(Math.abs(value), 3)}`;
}

function renderCell(result, i, j, value) {
  const strength = colorStrength(value);
  const names = [value < 0 ? "minus" : "plus", strength < 0.12 ? "faint" : ""];
  return element("td", {
    className: names.join(" ").trim(), tabIndex: -1, data: { value, i, j }, style: { "--strength": strength.toFixed(3) },
    aria: { label: describePair(result, i, j, value), role: "gridcell" },
  }, Math.abs(value) < 0.005 ? "·" : formatFixed(value, 2));
}

function renderFoot(result) {
  const sums = result.words_b.slice(0, MAX_WORDS).map((_, j) => element("td", { className: "sum" }, formatFixed(sum(result.table.map((row) => row[j])), 2)));
  return element("tfoot", {}, element("tr", {}, element("th", { scope: "row", className: "sum" }, "sum"), ...sums,
    element("td", { className: "total" }, formatFixed(result.score, 2))));
}

function moveFocus(event, grid) {
  const steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  const step = steps[event.key], { i, j } = event.target.dataset;
  if (!step || i === undefined) return;
  event.preventDefault();
  const next = grid.querySelector(`[data-i="${Number(i) + step[0]}"][data-j="${Number(j) + step[1]}"]`);
  if (!next) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

// Highlights the words of the cell under the pointer or with the focus, and describes its contribution.
function highlightHeaders(event, grid, result) {
  const { i, j } = event.target.closest("td")?.dataset ?? {};
  for (const header of grid.querySelectorAll(".highlighted")) header.classList.remove("highlighted");
  if (i === undefined) return;
  grid.tBodies[0].rows[i].cells[0].classList.add("highlighted");
  grid.tHead.rows[0].cells[Number(j) + 1].classList.add("highlighted");
  const parts = Object.entries(result.parts).map(([name, table]) => `${formatFixed(table[i][j], 3)} ${PART_NAMES[name] ?? name}`);
  byId("cell-note").textContent = describePair(result, i, j, result.table[i][j]) + (parts.length > 1 ? ` (${parts.join(", ")})` : "");
}

function listTopPairs(result) {
  const pairs = result.table.flatMap((row, i) => row.map((value, j) => [result.words_a[i], result.words_b[j], value]));
  pairs.sort((a, b) => Math.abs(b[2]) - Math.abs(a[2]));
  byId("top-pairs").replaceChildren(...pairs.slice(0, N_TOP_PAIRS).filter(([, , value]) => Math.abs(value) >= 0.005).map(([a, b, value]) =>
    element("li", { className: value < 0 ? "minus" : "" }, a === b ? truncateWord(a) : `${truncateWord(a)} ~ ${truncateWord(b)}`, element("span", {}, formatFixed(value, 2)))));
}
