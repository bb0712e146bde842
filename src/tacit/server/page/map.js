// The collection as points: near means alike. Pointer, fingers or keys.
import { complain, get } from "./api.js";
import { at, make, many } from "./make.js";

const canvas = at("map"), pen = canvas.getContext("2d");
const view = { x: 0, y: 0, zoom: 1 };
const fingers = new Map();
let points, group, groups, cells, chosen = -1, openSearch, wanted = 0, frame = 0;

export async function start(about, show) {
  openSearch = (text) => show("search", text);
  at("map-progress").hidden = false;
  try {
    let found = await get("/map");
    while (found.done !== undefined) {
      at("map-progress").textContent = `Drawing ${many(about.texts)} points … ${Math.round(100 * found.done)} %`;
      await new Promise((soon) => setTimeout(soon, 700));
      found = await get("/map");
    }
    unpack(found);
  } catch (error) {
    complain(error.message);
  }
  at("map-progress").hidden = true;
  canvas.dataset.points = points ? points.length / 2 : 0;
  draw();
}

export const shown = () => draw();

function bytes(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

const SIDE = 128; // the square is cut into so many cells a side, to find the nearest point quickly

function unpack(found) {
  const raw = new DataView(bytes(found.points).buffer);
  points = new Float32Array(raw.byteLength / 2);
  for (let i = 0; i < points.length; i++) points[i] = raw.getInt16(2 * i, true) / 32767;
  group = bytes(found.group);
  groups = found.groups.map((name) => ({ name, members: [] }));
  cells = new Map();
  for (let i = 0; i < group.length; i++) {
    groups[group[i]].members.push(i);
    const key = cellOf(points[2 * i]) * SIDE + cellOf(points[2 * i + 1]);
    if (!cells.has(key)) cells.set(key, []);
    cells.get(key).push(i);
  }
  for (const one of groups) {
    const middle = (axis) => one.members.map((i) => points[2 * i + axis]).sort((a, b) => a - b)[one.members.length >> 1];
    one.x = middle(0);
    one.y = middle(1);
  }
}

const cellOf = (value) => Math.min(SIDE - 1, Math.max(0, Math.floor((value + 1) / 2 * SIDE)));
const scale = () => 0.47 * Math.min(canvas.clientWidth, canvas.clientHeight) * view.zoom;
const toScreen = (x, y) => [canvas.clientWidth / 2 + (x - view.x) * scale(), canvas.clientHeight / 2 - (y - view.y) * scale()];
const toPlane = (x, y) => [(x - canvas.clientWidth / 2) / scale() + view.x, (canvas.clientHeight / 2 - y) / scale() + view.y];

function draw() {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(paint);
}

function paint() {
  const ratio = devicePixelRatio || 1, [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (!points || !width) return;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  pen.scale(ratio, ratio);
  const style = getComputedStyle(canvas), dark = isDark();
  const size = Math.max(1.2, Math.min(9, 90 / Math.sqrt(group.length) * Math.sqrt(view.zoom) * 1.6));
  pen.globalAlpha = group.length > 5000 ? 0.5 : 0.75;
  groups.forEach((one, number) => {
    pen.fillStyle = colour(number, dark);
    for (const i of one.members) {
      const [x, y] = toScreen(points[2 * i], points[2 * i + 1]);
      if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
      if (size < 3) pen.fillRect(x - size / 2, y - size / 2, size, size);
      else { pen.beginPath(); pen.arc(x, y, size / 2, 0, 7); pen.fill(); }
    }
  });
  pen.globalAlpha = 1;
  names(style, width, height);
  if (chosen >= 0) ring(style);
}

function names(style, width, height) {
  const taken = [];
  pen.font = `600 13px ${getComputedStyle(document.body).fontFamily}`;
  pen.textAlign = "center";
  pen.lineJoin = "round";
  pen.lineWidth = 4;
  for (const one of [...groups].sort((a, b) => b.members.length - a.members.length)) {
    if (!one.members.length) continue;
    const [x, y] = toScreen(one.x, one.y), half = pen.measureText(one.name).width / 2 + 4;
    if (x - half < 0 || x + half > width || y < 12 || y > height - 8) continue;
    if (taken.some(([a, b, other]) => Math.abs(x - a) < half + other && Math.abs(y - b) < 20)) continue;
    taken.push([x, y, half]);
    pen.strokeStyle = getComputedStyle(canvas.parentElement).backgroundColor;
    pen.strokeText(one.name, x, y);
    pen.fillStyle = style.color;
    pen.fillText(one.name, x, y);
  }
}

function ring(style) {
  const [x, y] = toScreen(points[2 * chosen], points[2 * chosen + 1]);
  pen.beginPath();
  pen.arc(x, y, 8, 0, 7);
  pen.lineWidth = 2.5;
  pen.strokeStyle = style.color;
  pen.stroke();
}

function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

const colour = (number, dark) => `hsl(${number * 137.508 % 360} ${dark ? 48 : 52}% ${dark ? 64 : 42}%)`;

function nearest(x, y, reach) {
  const steps = Math.min(SIDE, Math.ceil(reach / 2 * SIDE)), [cx, cy] = [cellOf(x), cellOf(y)];
  let best = -1, least = reach * reach;
  for (let i = Math.max(0, cx - steps); i <= Math.min(SIDE - 1, cx + steps); i++) {
    for (let j = Math.max(0, cy - steps); j <= Math.min(SIDE - 1, cy + steps); j++) {
      for (const p of cells.get(i * SIDE + j) ?? []) {
        const far = (points[2 * p] - x) ** 2 + (points[2 * p + 1] - y) ** 2;
        if (far < least) [best, least] = [p, far];
      }
    }
  }
  return best;
}

async function choose(number) {
  if (number === chosen || number < 0) return;
  chosen = number;
  draw();
  const mine = ++wanted;
  await new Promise((soon) => setTimeout(soon, 60));
  if (mine !== wanted) return;
  try {
    const found = await get(`/map/${number}`);
    if (mine !== wanted) return;
    at("map-text").replaceChildren(make("p", { className: "text" }, found.text),
      make("p", { className: "soft" }, `${found.id} · ${found.group} · click or Enter: texts like it`));
    canvas.dataset.text = found.text;
  } catch (error) {
    complain(error.message);
  }
}

function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const before = toPlane(x, y);
  view.zoom = Math.min(200, Math.max(0.8, view.zoom * factor));
  const after = toPlane(x, y);
  view.x += before[0] - after[0];
  view.y += before[1] - after[1];
  draw();
}

// From the point chosen to the nearest one that lies more in the direction than beside it.
function step(dx, dy) {
  if (chosen < 0) return nearest(view.x, view.y, 2.9);
  const [x, y] = [points[2 * chosen], points[2 * chosen + 1]];
  let best = -1, least = Infinity;
  for (let p = 0; p < group.length; p++) {
    const [ax, ay] = [points[2 * p] - x, points[2 * p + 1] - y];
    const along = ax * dx + ay * dy, beside = Math.abs(ax * dy) + Math.abs(ay * dx);
    if (along <= 1e-6 || beside > along || p === chosen) continue;
    const far = along + 2 * beside;
    if (far < least) [best, least] = [p, far];
  }
  return best;
}

function keepInView() {
  if (chosen < 0) return;
  const [x, y] = toScreen(points[2 * chosen], points[2 * chosen + 1]);
  if (x < 20 || y < 20 || x > canvas.clientWidth - 20 || y > canvas.clientHeight - 20) [view.x, view.y] = [points[2 * chosen], points[2 * chosen + 1]];
  draw();
}

const search = () => { if (chosen >= 0 && canvas.dataset.text) openSearch(canvas.dataset.text); };

canvas.addEventListener("keydown", (event) => {
  if (!points) return;
  const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  if (steps[event.key]) { choose(step(...steps[event.key])); keepInView(); }
  else if (event.key === "+" || event.key === "=") zoom(1.4);
  else if (event.key === "-") zoom(1 / 1.4);
  else if (event.key === "0") all();
  else if (event.key === "Enter") search();
  else return;
  event.preventDefault();
});

let moved = 0;
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
  moved = 0;
});
canvas.addEventListener("pointermove", (event) => {
  if (!points) return;
  const here = [event.offsetX, event.offsetY], before = fingers.get(event.pointerId);
  if (!before) return void choose(nearest(...toPlane(...here), 18 / scale()));
  const others = [...fingers].filter(([id]) => id !== event.pointerId);
  if (others.length) {
    const other = others[0][1], apart = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]);
    zoom(apart(here) / Math.max(1, apart(before)), (here[0] + other[0]) / 2, (here[1] + other[1]) / 2);
  } else {
    view.x -= (here[0] - before[0]) / scale();
    view.y += (here[1] - before[1]) / scale();
    draw();
  }
  moved += Math.hypot(here[0] - before[0], here[1] - before[1]);
  fingers.set(event.pointerId, here);
});
for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => {
  const tapped = fingers.delete(event.pointerId) && kind === "pointerup" && moved < 6 && points;
  if (!tapped) return;
  const found = nearest(...toPlane(event.offsetX, event.offsetY), 24 / scale());
  if (found === chosen && found >= 0 && event.pointerType === "mouse") search(); else choose(found);
});
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  if (points) zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
}, { passive: false });

function all() {
  Object.assign(view, { x: 0, y: 0, zoom: 1 });
  draw();
}
at("zoom-in").addEventListener("click", () => zoom(1.6));
at("zoom-out").addEventListener("click", () => zoom(1 / 1.6));
at("zoom-all").addEventListener("click", all);
for (const kind of ["resize", "themed"]) addEventListener(kind, draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
