// What pointer, fingers, wheel and keys do to a map.

const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STILL = 6; // pixels a finger may tremble

export function giveHands(map) {
  const { canvas } = map, tools = map.root.querySelector(".map-tools");
  const acts = { in: () => nearer(map, 1.6), out: () => nearer(map, 1 / 1.6), all: () => showAll(map), lasso: () => setLasso(map, !map.lasso) };
  tools.addEventListener("click", (event) => acts[event.target.closest("button")?.dataset.do]?.());
  const events = { keydown: onKey, pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: onUp, wheel: onWheel };
  for (const [kind, act] of Object.entries(events)) canvas.addEventListener(kind, (event) => act(map, event), { passive: false });
  let typing;
  map.input.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => map.search(map.input.value), 200); });
  const themed = () => { map.colours = null; map.draw(); };
  addEventListener("themed", themed);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themed);
  new ResizeObserver(() => map.draw()).observe(canvas); // a first time too, and when it comes into sight
}

function nearer(map, factor, x, y) {
  map.camera.nearer(factor, x, y);
  map.draw();
}

function showAll(map) {
  map.camera.showAll();
  map.draw();
}

function setLasso(map, on) {
  map.lasso = on;
  map.root.querySelector("[data-do=lasso]").setAttribute("aria-pressed", String(on));
}

function onKey(map, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    "+": () => nearer(map, 1.4), "=": () => nearer(map, 1.4), "-": () => nearer(map, 1 / 1.4), 0: () => showAll(map),
    Enter: () => map.told.act(0), s: () => map.selected(inView(map)), Escape: () => map.letGo(),
  };
  if (STEPS[event.key]) {
    const next = map.step(...STEPS[event.key]);
    if (next >= 0) map.choose(next, { pin: true });
    map.keepInView();
  } else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
}

const inView = ({ camera }) => [[0, 0], [camera.width, 0], [camera.width, camera.height], [0, camera.height]].map(([x, y]) => camera.toPlane(x, y));

function onDown(map, event) {
  map.canvas.setPointerCapture(event.pointerId);
  map.fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
  if (map.fingers.size === 1) map.moved = 0;
  map.drawing = (map.lasso || event.shiftKey) && map.fingers.size === 1 ? [map.camera.toPlane(event.offsetX, event.offsetY)] : null;
}

function onMove(map, event) {
  const here = [event.offsetX, event.offsetY], before = map.fingers.get(event.pointerId);
  if (!before) return void (map.pinned || map.choose(map.under(...here)));
  map.moved += Math.hypot(here[0] - before[0], here[1] - before[1]);
  map.fingers.set(event.pointerId, here);
  const other = [...map.fingers].find(([id]) => id !== event.pointerId)?.[1];
  if (other) pinch(map, before, here, other);
  else if (map.drawing) map.line = [...map.drawing, map.camera.toPlane(...here)], map.drawing = map.line;
  else map.camera.pan(here[0] - before[0], here[1] - before[1]);
  return map.draw();
}

function pinch(map, before, here, other) {
  const apart = (a) => Math.max(1, Math.hypot(a[0] - other[0], a[1] - other[1]));
  map.drawing = null;
  map.camera.pan((here[0] - before[0]) / 2, (here[1] - before[1]) / 2);
  map.camera.nearer(apart(here) / apart(before), (here[0] + other[0]) / 2, (here[1] + other[1]) / 2);
}

// A click or a tap takes the point under it, whatever was told last; beside all points it lets go.
function onUp(map, event) {
  const drawn = map.drawing;
  if (!map.fingers.delete(event.pointerId) || event.type === "pointercancel") return;
  map.drawing = null;
  if (map.moved < STILL) map.choose(map.under(event.offsetX, event.offsetY), { pin: true });
  else if (drawn && drawn.length > 2) {
    setLasso(map, false);
    map.selected(drawn);
  }
}

function onWheel(map, event) {
  event.preventDefault();
  nearer(map, Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
}
