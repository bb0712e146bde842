// Map of a collection: points, labels, search, selection. Used by the page of the service and by `tacit map`.
import { Camera } from "./camera.js";
import { attachInput } from "./input.js";
import { byLevel, placeLabels } from "./labels.js";
import { DIM, createRenderer } from "./renderers.js";
import { Points } from "./points.js";
import { PointDetails, element } from "./point_details.js";

const FRAME = `
  <div class="map-frame">
    <div class="map-side">
      <input type="search" aria-label="Find texts on the map" autocomplete="off" spellcheck="false" dir="auto">
      <p class="map-count" role="status"></p>
      <details><summary>Groups</summary><ol></ol></details>
    </div>
    <div class="map-field">
      <canvas class="map-dots" aria-hidden="true"></canvas>
      <canvas id="map" tabindex="0" role="application" aria-label="Map of the collection. Arrow keys move between points, Enter opens a point, plus and minus zoom, 0 shows all points, S selects the visible points, Escape clears the selection."></canvas>
      <div class="map-tools">
        <button type="button" data-do="lasso" aria-pressed="false" aria-label="Select texts by drawing around them" title="Select an area"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 3c4.4 0 7.5 2 7.5 4.8S14.4 12.6 10 12.6 2.5 10.6 2.5 7.8 5.6 3 10 3zm-4.5 8.8c-1 1.2-.6 2.400.6 2.6 1.4.3 1 2.3-.8 2.6"/></svg></button>
        <button type="button" data-do="in" aria-label="Zoom in">+</button><button type="button" data-do="out" aria-label="Zoom out">−</button><button type="button" data-do="all" aria-label="Show all">⤢</button>
      </div>
    </div>
  </div>
  <div id="map-text" class="map-text" role="region" aria-label="Selected text" aria-live="polite"></div>`;
// Colors that are easy to tell apart, one for each group, with a contrast of at least 3 to the background.
const PALETTES = {
  light: ["#2f66c8", "#d0690a", "#2f8f3a", "#c22f3d", "#8a4fc0", "#7a4a26", "#dd5fa6", "#858c00", "#0b8ca1", "#1d2f73", "#6b7680", "#7b1550"],
  dark: ["#5b93f0", "#f39a3d", "#4fb85a", "#ef5f66", "#b285ec", "#b98455", "#f590c8", "#c5c840", "#3fc5d8", "#e9e5db", "#8b969f", "#c23a7a"],
};
const HOVER_RADIUS = 22; // pixels around the pointer in which a point is selected

// `data` has xy, group, groups (names) and labels. These functions return values or promises: `textOf(point)` the id,
// text and group of a point, `find(words)` the points that match a search, `select(polygon, points, group)` the words
// and texts of a selection. `actions` are [name, function] for a point; the function receives what textOf returned.
export class MapView {
  constructor(root, data, { textOf, find, select, actions = [], painter = null }) {
    root.innerHTML = FRAME; // a constant; texts of the collection are only set as textContent
    const part = (selector) => root.querySelector(selector);
    Object.assign(this, { root, canvas: part("#map"), input: part("input"), count: part(".map-count"), list: part("ol"), find, loadSelection: select, actions });
    this.points = new Points(data.xy, data.group);
    this.groups = data.groups;
    this.labels = byLevel(data.labels);
    this.camera = new Camera(this.canvas);
    this.renderer = createRenderer(part(".map-dots"), this.points, painter);
    this.dots = this.renderer.canvas;
    this.renderer.onRestore = () => this.draw();
    this.context = this.canvas.getContext("2d");
    this.details = new PointDetails(part("#map-text"), { textOf, actions });
    this.tools = part(".map-tools");
    this.pointers = new Map();
    Object.assign(this, { selected: -1, isPinned: false, activeGroup: -1, matches: null, order: null, requestId: 0, distance: 0, frame: 0, polygon: null, lasso: null, isLasso: false });
    this.updateShades();
    this.buildLegend(part("details"));
    attachInput(this);
    this.showCount();
    this.canvas.dataset.points = this.points.count;
    this.canvas.dataset.painter = this.renderer.name;
  }

  // Whether a point is part of the search result or selection, and of the selected group.
  isHighlighted(i) { return (!this.matches || this.matches[i] === 1) && (this.activeGroup < 0 || this.points.group[i] === this.activeGroup); }

  updateShades() {
    this.shades = this.points.group.map((group, i) => (this.isHighlighted(i) ? group : group + DIM));
    this.draw();
  }

  highlight(numbers) {
    this.matches = numbers && new Uint8Array(this.points.count);
    for (const number of numbers ?? []) this.matches[number] = 1;
    this.order = numbers && numbers.length <= 200 ? numbers : null;
    this.showCount();
    this.updateShades();
  }

  showCount() {
    const all = this.points.count, found = this.matches ? this.matches.reduce((a, b) => a + b, 0) : all;
    this.count.textContent = (this.matches ? `${found.toLocaleString("en")} of ` : "") + `${all.toLocaleString("en")} ${all === 1 ? "text" : "texts"}`;
  }

  buildLegend(details) {
    const sizes = this.groups.map(() => 0);
    for (const group of this.points.group) sizes[group] += 1;
    details.hidden = this.groups.length < 2;
    details.open = this.root.clientWidth >= 760;
    for (const number of this.groups.keys()) {
      const button = element("button", { type: "button" }), name = this.groups[number];
      button.append(element("i"), element("span", { textContent: name, title: name, dir: "auto" }), element("b", { textContent: sizes[number].toLocaleString("en") }));
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => this.filterGroup(this.activeGroup === number ? -1 : number));
      const item = element("li", { hidden: !sizes[number] });
      item.append(button);
      this.list.append(item);
    }
  }

  filterGroup(group) {
    this.activeGroup = group;
    this.list.querySelectorAll("button").forEach((button, number) => button.setAttribute("aria-pressed", String(number === group)));
    this.updateShades();
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.render());
  }

  render() {
    const ratio = Math.min(devicePixelRatio || 1, 2), { camera, canvas, dots, context } = this, { width, height } = camera;
    if (!width) return;
    for (const layer of [canvas, dots]) if (layer.width !== Math.round(width * ratio)) layer.width = Math.round(width * ratio);
    for (const layer of [canvas, dots]) if (layer.height !== Math.round(height * ratio)) layer.height = Math.round(height * ratio);
    if (!this.colors) this.updateColors();
    this.renderer.render({ x: camera.x, y: camera.y, scale: camera.scale * ratio }, this.size() * ratio, this.shades, this.colors);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const [gap, lineWidth] = this.size() < 6 ? [1.5, 0.7] : [2.5, 1.5]; // small rings, so that they do not hide the points
    for (const number of this.order ?? []) this.drawRing(number, this.size() / 2 + gap, lineWidth);
    this.drawLabels(width, height);
    if (this.selected >= 0) this.drawRing(this.selected, this.size() / 2 + 5, 2.5);
    if (this.polygon) this.drawPolygon();
    canvas.dataset.frames = Number(canvas.dataset.frames ?? 0) + 1;
  }

  // Size of the points in pixels; it grows with the zoom.
  size() { return Math.max(3, Math.min(11, 150 / Math.sqrt(this.points.count) * Math.sqrt(this.camera.zoom))); }

  updateColors() {
    const style = getComputedStyle(this.canvas), dark = isDark();
    Object.assign(this, { foreground: style.color, background: getComputedStyle(this.canvas.parentElement).backgroundColor });
    this.context.font = this.font = `600 13px ${style.fontFamily}`;
    const many = this.points.count > 5000, full = this.groups.map((_, number) => [...groupColor(number, dark), many ? 0.7 : 0.85]);
    this.colors = [];
    full.forEach(([red, green, blue, share], number) => {
      this.colors[number] = [red, green, blue, share];
      this.colors[number + DIM] = [red, green, blue, 0.12];
      this.list.children[number].querySelector("i").style.background = `rgb(${red} ${green} ${blue})`;
    });
  }

  drawLabels(width, height) {
    const { context, camera, tools } = this;
    this.reserved ??= { width: width - tools.offsetLeft + 4, height: height - tools.offsetTop + 12 };
    Object.assign(context, { font: this.font, textAlign: "center", lineJoin: "round", lineWidth: 4, strokeStyle: this.background, fillStyle: this.foreground });
    for (const { x, y, name } of placeLabels(context, this.labels, camera, width, height, this.reserved, (...box) => this.points.countWithin(...box))) {
      context.strokeText(name, x, y);
      context.fillText(name, x, y);
    }
  }

  position(number) { return [this.points.xy[2 * number], this.points.xy[2 * number + 1]]; }

  drawRing(number, radius, lineWidth) {
    const { context } = this;
    context.beginPath();
    context.arc(...this.camera.toScreen(...this.position(number)), radius, 0, 7);
    Object.assign(context, { lineWidth, strokeStyle: this.foreground });
    context.stroke();
  }

  drawPolygon() {
    const { context } = this;
    context.beginPath();
    this.polygon.forEach(([x, y]) => context.lineTo(...this.camera.toScreen(x, y)));
    context.closePath();
    Object.assign(context, { lineWidth: 1.5, strokeStyle: this.foreground, fillStyle: "rgb(128 128 128 / .15)" });
    context.fill();
    context.stroke();
  }

  pointAt(x, y) { return this.points.nearest(...this.camera.toPlane(x, y), HOVER_RADIUS / this.camera.scale, (p) => this.isHighlighted(p)); }

  selectPoint(number, { pin = false } = {}) {
    this.isPinned = pin && number >= 0;
    if (number < 0 && !pin) return;
    if (number !== this.selected || pin) this.details.show(number, pin);
    this.selected = number;
    this.draw();
  }

  // Shows a point and its text, together with the first points of the search result.
  lookAt(number) {
    this.camera.fitTo([this.position(number), ...(this.order ?? []).slice(0, 10).map((other) => this.position(other))]);
    this.selectPoint(number, { pin: true });
  }

  async search(words) {
    const id = ++this.requestId;
    if (this.polygon) this.details.showHint(); // the selected area is cleared
    this.input.value = words;
    this.root.setAttribute("aria-busy", "true");
    let numbers = null;
    try {
      numbers = words.trim() ? await this.find(words.trim()) : null;
    } catch (error) {
      if (id === this.requestId) this.details.showError(error.message, () => this.search(words));
    }
    if (id !== this.requestId) return;
    this.root.setAttribute("aria-busy", "false");
    this.polygon = null;
    this.highlight(numbers);
  }

  async selectPolygon(polygon) {
    const numbers = this.points.inside(polygon).filter((p) => this.activeGroup < 0 || this.points.group[p] === this.activeGroup);
    const id = ++this.requestId;
    this.polygon = polygon;
    this.input.value = "";
    this.highlight(numbers);
    this.selectPoint(-1, { pin: true });
    await this.details.selection(numbers.length, () => this.loadSelection(polygon, numbers, this.activeGroup), () => id === this.requestId, (number) => this.lookAt(number));
  }

  clear() {
    this.requestId += 1;
    Object.assign(this, { polygon: null, order: null });
    this.input.value = "";
    this.selectPoint(-1, { pin: true });
    this.highlight(null);
  }

  // Returns the nearest point in a direction from the selected one.
  neighborOf(dx, dy) {
    if (this.selected < 0) return this.points.nearest(this.camera.x, this.camera.y, 2.9, (p) => this.isHighlighted(p));
    const [x, y] = this.position(this.selected), { xy } = this.points;
    let nearest = -1, minimum = Infinity;
    for (let p = 0; p < this.points.count; p++) {
      const along = dx * (xy[2 * p] - x) + dy * (xy[2 * p + 1] - y), gap = Math.abs(dy * (xy[2 * p] - x) - dx * (xy[2 * p + 1] - y));
      const distance = along + 2 * gap;
      if (along > 1e-6 && gap <= along && distance < minimum && p !== this.selected && this.isHighlighted(p)) [nearest, minimum] = [p, distance];
    }
    return nearest;
  }

  keepInView() {
    if (this.selected < 0) return;
    const { camera } = this, [x, y] = camera.toScreen(...this.position(this.selected));
    if (x < 20 || y < 20 || x > camera.width - 20 || y > camera.height - 20) [camera.x, camera.y] = this.position(this.selected);
    this.draw();
  }
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

// Returns red, green and blue from 0 to 255; groups beyond the palette, of maps stored by earlier versions, are gray.
export function groupColor(number, dark) {
  const color = PALETTES[dark ? "dark" : "light"][number] ?? "#8b9196";
  return [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
}
