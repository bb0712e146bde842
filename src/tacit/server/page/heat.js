// The table of what each pair of words adds, as a grid that arrow keys walk through.
import { FULL, at, brief, fixed, make, strengthOf } from "./make.js";

const MOST = 60; // words a side that are drawn as cells; the sums still count all

export function draw(found) {
  const { words_a: rows, words_b: columns } = found;
  const grid = make("table", { className: "heat", aria: { role: "grid", label: "What each pair of words adds to the score" } });
  grid.append(head(columns), body(found), foot(found));
  grid.addEventListener("keydown", (event) => walk(event, grid));
  for (const kind of ["pointerover", "focusin"]) grid.addEventListener(kind, (event) => light(event, grid, found));
  at("heat").replaceChildren(grid);
  at("cell-note").textContent = rows.length > MOST || columns.length > MOST
    ? `Only the first ${MOST} words of each text are drawn; the sums are of all.` : "";
  at("heat-key").replaceChildren("The colour is the same for every pair of texts:", ...[0.01, 0.05, 0.1, FULL].map((value) =>
    make("span", { className: "swatch", style: { "--strength": strengthOf(value).toFixed(2) } }, value === FULL ? `${FULL} and more` : String(value))));
  reasons(found);
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

function head(columns) {
  const names = columns.slice(0, MOST).map((word) => make("th", { scope: "col" }, make("span", { title: word, dir: "auto" }, word)));
  return make("thead", {}, make("tr", {}, make("td", { className: "sum" }), ...names, make("th", { scope: "col", className: "sum" }, make("span", {}, "sum"))));
}

function body(found) {
  const lines = found.table.slice(0, MOST).map((values, i) => make("tr", {},
    make("th", { scope: "row", title: found.words_a[i], dir: "auto" }, found.words_a[i]),
    ...values.slice(0, MOST).map((value, j) => cell(found, i, j, value)),
    make("td", { className: "sum" }, fixed(sum(values), 2))));
  const first = lines[0]?.querySelector("td[data-value]");
  if (first) first.tabIndex = 0;
  return make("tbody", {}, ...lines);
}

function cell(found, i, j, value) {
  const strength = strengthOf(value);
  const names = [value < 0 ? "minus" : "plus", strength < 0.12 ? "faint" : ""];
  const label = `${brief(found.words_a[i])} and ${brief(found.words_b[j])}: ${value < 0 ? "take away" : "add"} ${fixed(Math.abs(value), 3)}`;
  return make("td", {
    className: names.join(" ").trim(), tabIndex: -1, data: { value, i, j }, style: { "--strength": strength.toFixed(3) },
    aria: { label, role: "gridcell" },
  }, Math.abs(value) < 0.005 ? "·" : fixed(value, 2));
}

function foot(found) {
  const sums = found.words_b.slice(0, MOST).map((_, j) => make("td", { className: "sum" }, fixed(sum(found.table.map((row) => row[j])), 2)));
  return make("tfoot", {}, make("tr", {}, make("th", { scope: "row", className: "sum" }, "sum"), ...sums,
    make("td", { className: "total" }, fixed(found.score, 2))));
}

function walk(event, grid) {
  const steps = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  const step = steps[event.key], here = event.target.dataset;
  if (!step || here.i === undefined) return;
  event.preventDefault();
  const next = grid.querySelector(`[data-i="${Number(here.i) + step[0]}"][data-j="${Number(here.j) + step[1]}"]`);
  if (!next) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function light(event, grid, found) {
  const { i, j } = event.target.closest("td")?.dataset ?? {};
  for (const lit of grid.querySelectorAll(".lit")) lit.classList.remove("lit");
  if (i === undefined) return;
  grid.tBodies[0].rows[i].cells[0].classList.add("lit");
  grid.tHead.rows[0].cells[Number(j) + 1].classList.add("lit");
  const value = found.table[i][j];
  const names = { latent: "by their vectors", alignment: "as partners" };
  const parts = Object.entries(found.parts).map(([name, table]) => `${fixed(table[i][j], 3)} ${names[name] ?? name}`);
  at("cell-note").textContent = `${brief(found.words_a[i])} and ${brief(found.words_b[j])} ${value < 0 ? "take away" : "add"} ${fixed(Math.abs(value), 3)}`
    + (parts.length > 1 ? ` (${parts.join(", ")})` : "");
}

function reasons(found) {
  const pairs = found.table.flatMap((row, i) => row.map((value, j) => [found.words_a[i], found.words_b[j], value]));
  pairs.sort((a, b) => Math.abs(b[2]) - Math.abs(a[2]));
  at("reasons").replaceChildren(...pairs.slice(0, 6).filter(([, , value]) => Math.abs(value) >= 0.005).map(([a, b, value]) =>
    make("li", { className: value < 0 ? "minus" : "" }, a === b ? brief(a) : `${brief(a)} ~ ${brief(b)}`, make("span", {}, fixed(value, 2)))));
}
