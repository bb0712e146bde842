// Pointer, touch, wheel and keyboard input of the map.

const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const CLICK_TOLERANCE = 6; // pixels that a pointer may move during a click

export function attachInput(map) {
  const { canvas } = map, tools = map.root.querySelector(".map-tools");
  const commands = { in: () => zoomBy(map, 1.6), out: () => zoomBy(map, 1 / 1.6), all: () => showAll(map), lasso: () => setLasso(map, !map.isLasso) };
  tools.addEventListener("click", (event) => commands[event.target.closest("button")?.dataset.do]?.());
  const handlers = { keydown: onKey, pointerdown: onPointerDown, pointermove: onPointerMove, pointerup: onPointerUp, pointercancel: onPointerUp, wheel: onWheel };
  for (const [type, handle] of Object.entries(handlers)) canvas.addEventListener(type, (event) => handle(map, event), { passive: false });
  let typing;
  map.input.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => map.search(map.input.value), 200); });
  const onThemeChange = () => { map.colors = null; map.draw(); };
  addEventListener("themed", onThemeChange);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onThemeChange);
  new ResizeObserver(() => map.draw()).observe(canvas); // also called once at the start, and when the map becomes visible
}

function zoomBy(map, factor, x, y) {
  map.camera.zoomBy(factor, x, y);
  map.draw();
}

function showAll(map) {
  map.camera.showAll();
  map.draw();
}

function setLasso(map, on) {
  map.isLasso = on;
  map.root.querySelector("[data-do=lasso]").setAttribute("aria-pressed", String(on));
}

function onKey(map, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    "+": () => zoomBy(map, 1.4), "=": () => zoomBy(map, 1.4), "-": () => zoomBy(map, 1 / 1.4), 0: () => showAll(map),
    Enter: () => map.details.runAction(0), s: () => map.selectPolygon(visibleArea(map)), Escape: () => map.clear(),
  };
  if (STEPS[event.key]) {
    const next = map.neighborOf(...STEPS[event.key]);
    if (next >= 0) map.selectPoint(next, { pin: true });
    map.keepInView();
  } else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
}

const visibleArea = ({ camera }) => [[0, 0], [camera.width, 0], [camera.width, camera.height], [0, camera.height]].map(([x, y]) => camera.toPlane(x, y));

function onPointerDown(map, event) {
  map.canvas.setPointerCapture(event.pointerId);
  map.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
  if (map.pointers.size === 1) map.distance = 0;
  map.lasso = (map.isLasso || event.shiftKey) && map.pointers.size === 1 ? [map.camera.toPlane(event.offsetX, event.offsetY)] : null;
}

function onPointerMove(map, event) {
  const position = [event.offsetX, event.offsetY], before = map.pointers.get(event.pointerId);
  if (!before) return void (map.isPinned || map.selectPoint(map.pointAt(...position)));
  map.distance += Math.hypot(position[0] - before[0], position[1] - before[1]);
  map.pointers.set(event.pointerId, position);
  const other = [...map.pointers].find(([id]) => id !== event.pointerId)?.[1];
  if (other) pinch(map, before, position, other);
  else if (map.lasso) map.polygon = map.lasso = [...map.lasso, map.camera.toPlane(...position)];
  else map.camera.pan(position[0] - before[0], position[1] - before[1]);
  return map.draw();
}

function pinch(map, before, position, other) {
  const distance = (point) => Math.max(1, Math.hypot(point[0] - other[0], point[1] - other[1]));
  map.lasso = null;
  map.camera.pan((position[0] - before[0]) / 2, (position[1] - before[1]) / 2);
  map.camera.zoomBy(distance(position) / distance(before), (position[0] + other[0]) / 2, (position[1] + other[1]) / 2);
}

// A click or tap selects the point under it, or clears the selection if there is none.
function onPointerUp(map, event) {
  const { lasso } = map;
  if (!map.pointers.delete(event.pointerId) || event.type === "pointercancel") return;
  map.lasso = null;
  if (map.distance < CLICK_TOLERANCE) map.selectPoint(map.pointAt(event.offsetX, event.offsetY), { pin: true });
  else if (lasso && lasso.length > 2) {
    setLasso(map, false);
    map.selectPolygon(lasso);
  }
}

function onWheel(map, event) {
  event.preventDefault();
  zoomBy(map, Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
}
