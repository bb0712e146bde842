// The map of the collection: asked for when it is first looked at, drawn by the viewer that `tacit map` writes too.
import { ask, get, getBytes, inCollection, latest } from "./api.js";
import { MapView } from "./map/viewer.js";
import { at, button, cut, make, many } from "./make.js";

const LOOK = 700; // milliseconds between two looks at a map that is being drawn

let app, view = null, numbers = null, wanted = {}, kept = null;
const load = latest({ name: "map", region: at("map-view"), work: draw, clear: offerAgain });

export function start(given) { app = given; }

export const state = () => ({ q: wanted.q, like: wanted.like, at: wanted.at });

export function open(given) {
  wanted = given;
  if (view) look(); else load();
}

async function draw(signal) {
  const progress = at("map-progress"), bar = make("progress", { max: 1, aria: { label: "Drawing the map" } });
  const told = make("span", {}, `Drawing ${many(app.about.texts)} points …`);
  progress.replaceChildren(bar, told);
  progress.hidden = false;
  let head = await get(inCollection("/map"), signal);
  while (head.done !== undefined) {
    bar.value = head.done;
    told.textContent = `Drawing ${many(app.about.texts)} points … ${Math.round(100 * head.done)} %`;
    await new Promise((soon) => setTimeout(soon, LOOK));
    head = await get(inCollection("/map"), signal);
  }
  const data = unpack(head, await getBytes(inCollection("/map/points"), signal));
  return () => {
    progress.hidden = true;
    numbers = new Map(Array.from(data.rows, (row, number) => [row, number]));
    view = new MapView(at("map-view"), data, { textOf, find, select, actions: actions(), painter: wanted.painter ?? null });
    view.input.placeholder = "Find by meaning …";
    look();
  };
}

function unpack({ points, groups, labels }, bytes) {
  return { xy: new Float32Array(bytes, 0, 2 * points), rows: new Uint32Array(bytes, 8 * points, points), group: new Uint8Array(bytes, 12 * points, points), groups, labels };
}

function offerAgain() {
  at("map-progress").replaceChildren(make("span", {}, "The map could not be drawn."), button("Try again", () => load(), { className: "outlined" }));
  at("map-progress").hidden = false;
}

// What another view asked to see: the texts like a query or a text, and one of them.
async function look() {
  const given = wanted;
  view.draw();
  if (given.q) await view.search(given.q);
  else if (given.like) view.mean(await found("/similar", { id: given.like }).catch(() => null));
  const number = numbers.get(rowOf.get(given.at));
  if (number === undefined) return;
  wanted = given;
  app.keep("map");
  view.lookAt(number);
}

const rowOf = new Map(); // of the texts found last, by id

async function found(path, question) {
  const { hits } = await ask(path, { ...question, k: app.about.limits.results, explain: false });
  rowOf.clear();
  for (const { id, row } of hits) rowOf.set(id, row);
  return hits.map(({ row }) => numbers.get(row)).filter((number) => number !== undefined);
}

async function find(words) {
  wanted = { q: words };
  app.keep("map");
  return found("/search", { query: cut(words, app.about.limits.explained).text });
}

const textOf = (number) => get(inCollection(`/map/points/${number}`));

async function select(line, _, group) {
  return ask("/map/selection", { line, group: group < 0 ? null : group });
}

function actions() {
  return [
    ["More like this", ({ id, text }) => app.go("search", app.collections === null ? { q: text } : { like: id })],
    ["Compare it", compare],
  ];
}

// The first press keeps a text, the second compares another with it.
function compare({ text }) {
  if (kept !== null && kept !== text) {
    const other = kept;
    kept = null;
    app.go("compare", { a: other, b: text });
    return;
  }
  kept = text;
  at("map-text").append(make("p", { className: "map-kept", aria: { role: "status" } }, "Kept. Choose another point and compare it with this one."));
}
