// The map of the collection: drawn by the service on the first visit, shown by the viewer that `tacit map` also uses.
import { debounceLatest, get, getBytes, post, withCollection } from "./api.js";
import { byId, button, element, formatNumber, truncate } from "./dom.js";
import { MapView } from "./map/viewer.js";

const POLL_MS = 700;

let app, view = null, pointByRow = null, target = {}, firstText = null;
const rowById = new Map(); // of the texts found last
const load = debounceLatest({ name: "map", region: byId("map-view"), work: loadMap, clear: showRetry });

export function init(page) { app = page; }

export const getState = () => ({ q: target.q, like: target.like, at: target.at });

export function open(params) {
  target = params;
  if (view) showTarget(); else load();
}

async function loadMap(signal) {
  const container = byId("map-progress"), bar = element("progress", { max: 1, aria: { label: "Drawing the map" } });
  const title = `Drawing ${formatNumber(app.about.texts)} points …`, status = element("span", {}, title);
  container.replaceChildren(bar, status);
  container.hidden = false;
  let head = await get(withCollection("/map"), signal);
  while (head.done !== undefined) {
    bar.value = head.done;
    status.textContent = `${title} ${Math.round(100 * head.done)} %`;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    head = await get(withCollection("/map"), signal);
  }
  const data = unpack(head, await getBytes(withCollection("/map/points"), signal));
  return () => {
    container.hidden = true;
    pointByRow = new Map(Array.from(data.rows, (row, number) => [row, number]));
    view = new MapView(byId("map-view"), data, { textOf: getPoint, find: findQuery, select: selectPoints, actions: pointActions(), painter: target.painter ?? null });
    view.input.placeholder = "Search by meaning";
    showTarget();
  };
}

function unpack({ points, groups, labels }, bytes) {
  return { xy: new Float32Array(bytes, 0, 2 * points), rows: new Uint32Array(bytes, 8 * points, points), group: new Uint8Array(bytes, 12 * points, points), groups, labels };
}

function showRetry() {
  byId("map-progress").replaceChildren(element("span", {}, "The map could not be drawn."), button("Try again", () => load(), { className: "outlined" }));
  byId("map-progress").hidden = false;
}

// Shows what the URL asks for: the texts similar to a query or a text, and one of them.
async function showTarget() {
  const params = target;
  view.draw();
  if (params.q) await view.search(params.q);
  else if (params.like) view.highlight(await findPoints("/similar", { id: params.like }).catch(() => null));
  const number = pointByRow.get(rowById.get(params.at));
  if (number === undefined) return;
  target = params;
  app.saveState("map");
  view.lookAt(number);
}

async function findPoints(path, body) {
  const { hits } = await post(path, { ...body, k: app.about.limits.results, explain: false });
  rowById.clear();
  for (const { id, row } of hits) rowById.set(id, row);
  return hits.map(({ row }) => pointByRow.get(row)).filter((number) => number !== undefined);
}

async function findQuery(query) {
  target = { q: query };
  app.saveState("map");
  return findPoints("/search", { query: truncate(query, app.about.limits.explained).text });
}

const getPoint = (number) => get(withCollection(`/map/points/${number}`));

async function selectPoints(line, _, group) {
  return post("/map/selection", { line, group: group < 0 ? null : group });
}

function pointActions() {
  return [
    ["More like this", ({ id }) => app.openView("search", { like: id })],
    ["Compare", compare],
  ];
}

// The first press selects a text, the second one compares another text with it.
function compare({ text }) {
  if (firstText !== null && firstText !== text) {
    const a = firstText;
    firstText = null;
    app.openView("compare", { a, b: text });
    return;
  }
  firstText = text;
  byId("map-text").append(element("p", { className: "map-first-text", aria: { role: "status" } }, "First text selected. Choose another point and press Compare."));
}
