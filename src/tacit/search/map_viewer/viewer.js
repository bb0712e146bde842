// A collection as points: near means alike. Pointer, fingers or keys.
// The page of the service and the file that `tacit map` writes both show it.
import { Camera } from "./camera.js";
import { giveHands } from "./input.js";
import { byLevel, placeLabels } from "./labels.js";
import { DIM, makePainter } from "./renderers.js";
import { Points } from "./points.js";
import { Told, element } from "./point_details.js";

const FRAME = `
  <div class="map-frame">
    <div class="map-side">
      <input type="search" aria-label="Find texts on the map" autocomplete="off" spellcheck="false" dir="auto">
      <p class="map-count" role="status"></p>
      <details><summary>Groups</summary><ol></ol></details>
    </div>
    <div class="map-field">
      <canvas class="map-dots" aria-hidden="true"></canvas>
      <canvas id="map" tabindex="0" role="application" aria-label="Map of the collection. Arrow keys go from point to point, Enter opens one, plus and minus zoom, 0 shows all, S selects what is in view, Escape lets go."></canvas>
      <div class="map-tools">
        <button type="button" data-do="lasso" aria-pressed="false" aria-label="Draw around texts to select them" title="Draw around texts"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 3c4.4 0 7.5 2 7.5 4.8S14.4 12.6 10 12.6 2.5 10.6 2.5 7.8 5.6 3 10 3zm-4.5 8.8c-1 1.2-.6 2.400.6 2.6 1.4.3 1 2.3-.8 2.6"/></svg></button>
        <button type="button" data-do="in" aria-label="Zoom in">+</button><button type="button" data-do="out" aria-label="Zoom out">−</button><button type="button" data-do="all" aria-label="Show all">⤢</button>
      </div>
    </div>
  </div>
  <div id="map-text" class="map-text" role="region" aria-label="The text chosen on the map" aria-live="polite"></div>`;
const REACH = 22; // pixels around the pointer in which a point is meant

// `data` has xy, group, groups (names) and labels. `textOf(number)` gives, or promises, the id, text and group of a
// point; `find(words)` the numbers of the points meant; `select(line, numbers)` the words and texts of a selection;
// `actions` are [name, function of what textOf gave] for a point.
export class MapView {
  constructor(root, data, { textOf, find, select, actions = [], painter = null }) {
    root.innerHTML = FRAME; // fixed text; what comes from the collection is set as text
    const part = (selector) => root.querySelector(selector);
    Object.assign(this, { root, canvas: part("#map"), input: part("input"), count: part(".map-count"), list: part("ol"), find, select, actions });
    this.points = new Points(data.xy, data.group);
    this.groups = data.groups;
    this.labels = byLevel(data.labels);
    this.camera = new Camera(this.canvas);
    this.painter = makePainter(part(".map-dots"), this.points, painter);
    this.dots = this.painter.canvas;
    this.painter.lost = () => this.draw();
    this.pen = this.canvas.getContext("2d");
    this.told = new Told(part("#map-text"), { textOf, actions });
    this.tools = part(".map-tools");
    this.fingers = new Map();
    Object.assign(this, { chosen: -1, pinned: false, onlyGroup: -1, found: null, order: null, asked: 0, moved: 0, frame: 0, line: null, lasso: false });
    this.shade();
    this.legend(part("details"));
    giveHands(this);
    this.tellCount();
    this.canvas.dataset.points = this.points.count;
    this.canvas.dataset.painter = this.painter.name;
  }

  // What is meant: all, the points found or drawn around, those of a group, or those that are both.
  lit(i) { return (!this.found || this.found[i] === 1) && (this.onlyGroup < 0 || this.points.group[i] === this.onlyGroup); }

  shade() {
    this.shades = this.points.group.map((group, i) => (this.lit(i) ? group : group + DIM));
    this.draw();
  }

  mean(numbers) {
    this.found = numbers && new Uint8Array(this.points.count);
    for (const number of numbers ?? []) this.found[number] = 1;
    this.order = numbers && numbers.length <= 200 ? numbers : null;
    this.tellCount();
    this.shade();
  }

  tellCount() {
    const all = this.points.count, found = this.found ? this.found.reduce((a, b) => a + b, 0) : all;
    this.count.textContent = (this.found ? `${found.toLocaleString("en")} of ` : "") + `${all.toLocaleString("en")} ${all === 1 ? "text" : "texts"}`;
  }

  legend(details) {
    const sizes = this.groups.map(() => 0);
    for (const group of this.points.group) sizes[group] += 1;
    details.hidden = this.groups.length < 2;
    details.open = this.root.clientWidth >= 760;
    for (const number of this.groups.keys()) {
      const button = element("button", { type: "button" }), name = this.groups[number];
      button.append(element("i"), element("span", { textContent: name, title: name, dir: "auto" }), element("b", { textContent: sizes[number].toLocaleString("en") }));
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => this.onlyThe(this.onlyGroup === number ? -1 : number));
      const item = element("li", { hidden: !sizes[number] });
      item.append(button);
      this.list.append(item);
    }
  }

  onlyThe(group) {
    this.onlyGroup = group;
    this.list.querySelectorAll("button").forEach((one, number) => one.setAttribute("aria-pressed", String(number === group)));
    this.shade();
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  paint() {
    const ratio = Math.min(devicePixelRatio || 1, 2), { camera, canvas, dots, pen } = this, { width, height } = camera;
    if (!width) return;
    for (const one of [canvas, dots]) if (one.width !== Math.round(width * ratio)) one.width = Math.round(width * ratio);
    for (const one of [canvas, dots]) if (one.height !== Math.round(height * ratio)) one.height = Math.round(height * ratio);
    if (!this.colours) this.paintColours();
    this.painter.paint({ x: camera.x, y: camera.y, scale: camera.scale * ratio }, this.size() * ratio, this.shades, this.colours);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const [beside, lineWidth] = this.size() < 6 ? [1.5, 0.7] : [2.5, 1.5]; // many small rings must not hide their points
    for (const number of this.order ?? []) this.ring(number, this.size() / 2 + beside, lineWidth);
    this.names(width, height);
    if (this.chosen >= 0) this.ring(this.chosen, this.size() / 2 + 5, 2.5);
    if (this.line) this.loop();
    canvas.dataset.frames = Number(canvas.dataset.frames ?? 0) + 1;
  }

  // Large enough to be seen and hit; the nearer one looks the larger.
  size() { return Math.max(3, Math.min(11, 150 / Math.sqrt(this.points.count) * Math.sqrt(this.camera.zoom))); }

  paintColours() {
    const style = getComputedStyle(this.canvas), dark = isDark();
    Object.assign(this, { ink: style.color, behind: getComputedStyle(this.canvas.parentElement).backgroundColor });
    this.pen.font = this.font = `600 13px ${style.fontFamily}`;
    const many = this.points.count > 5000, full = this.groups.map((_, number) => [...colourOf(number, dark), many ? 0.7 : 0.85]);
    this.colours = [];
    full.forEach(([red, green, blue, share], number) => {
      this.colours[number] = [red, green, blue, share];
      this.colours[number + DIM] = [red, green, blue, 0.12];
      this.list.children[number].querySelector("i").style.background = `rgb(${red} ${green} ${blue})`;
    });
  }

  names(width, height) {
    const { pen, camera, tools } = this;
    this.covered ??= { width: width - tools.offsetLeft + 4, height: height - tools.offsetTop + 12 };
    Object.assign(pen, { font: this.font, textAlign: "center", lineJoin: "round", lineWidth: 4, strokeStyle: this.behind, fillStyle: this.ink });
    for (const { x, y, name } of placeLabels(pen, this.labels, camera, width, height, this.covered)) {
      pen.strokeText(name, x, y);
      pen.fillText(name, x, y);
    }
  }

  place(number) { return [this.points.xy[2 * number], this.points.xy[2 * number + 1]]; }

  ring(number, radius, lineWidth) {
    const { pen } = this;
    pen.beginPath();
    pen.arc(...this.camera.toScreen(...this.place(number)), radius, 0, 7);
    Object.assign(pen, { lineWidth, strokeStyle: this.ink });
    pen.stroke();
  }

  loop() {
    const { pen } = this;
    pen.beginPath();
    this.line.forEach(([x, y]) => pen.lineTo(...this.camera.toScreen(x, y)));
    pen.closePath();
    Object.assign(pen, { lineWidth: 1.5, strokeStyle: this.ink, fillStyle: "rgb(128 128 128 / .15)" });
    pen.fill();
    pen.stroke();
  }

  under(x, y) { return this.points.nearest(...this.camera.toPlane(x, y), REACH / this.camera.scale, (p) => this.lit(p)); }

  choose(number, { pin = false } = {}) {
    this.pinned = pin && number >= 0;
    if (number < 0 && !pin) return;
    if (number !== this.chosen || pin) this.told.point(number, pin);
    this.chosen = number;
    this.draw();
  }

  // The point, its text beside it, and those that were found around it: what another view of the page asks for.
  lookAt(number) {
    this.camera.frame([this.place(number), ...(this.order ?? []).slice(0, 10).map((one) => this.place(one))]);
    this.choose(number, { pin: true });
  }

  async search(words) {
    const mine = ++this.asked;
    if (this.line) this.told.hint(); // what was drawn around is selected no more
    this.input.value = words;
    this.root.setAttribute("aria-busy", "true");
    let numbers = null;
    try {
      numbers = words.trim() ? await this.find(words.trim()) : null;
    } catch (error) {
      if (mine === this.asked) this.told.failed(error.message, () => this.search(words));
    }
    if (mine !== this.asked) return;
    this.root.setAttribute("aria-busy", "false");
    this.line = null;
    this.mean(numbers);
  }

  async selected(line) {
    const numbers = this.points.inside(line).filter((p) => this.onlyGroup < 0 || this.points.group[p] === this.onlyGroup);
    const mine = ++this.asked;
    this.line = line;
    this.input.value = "";
    this.mean(numbers);
    this.choose(-1, { pin: true });
    await this.told.selection(numbers.length, () => this.select(line, numbers, this.onlyGroup), () => mine === this.asked, (number) => this.lookAt(number));
  }

  letGo() {
    this.asked += 1;
    Object.assign(this, { line: null, order: null });
    this.input.value = "";
    this.choose(-1, { pin: true });
    this.mean(null);
  }

  // From the point chosen to the nearest one that lies more in the direction than beside it.
  step(dx, dy) {
    if (this.chosen < 0) return this.points.nearest(this.camera.x, this.camera.y, 2.9, (p) => this.lit(p));
    const [x, y] = this.place(this.chosen), { xy } = this.points;
    let best = -1, least = Infinity;
    for (let p = 0; p < this.points.count; p++) {
      const along = dx * (xy[2 * p] - x) + dy * (xy[2 * p + 1] - y), beside = Math.abs(dy * (xy[2 * p] - x) - dx * (xy[2 * p + 1] - y));
      const far = along + 2 * beside;
      if (along > 1e-6 && beside <= along && far < least && p !== this.chosen && this.lit(p)) [best, least] = [p, far];
    }
    return best;
  }

  keepInView() {
    if (this.chosen < 0) return;
    const { camera } = this, [x, y] = camera.toScreen(...this.place(this.chosen));
    if (x < 20 || y < 20 || x > camera.width - 20 || y > camera.height - 20) [camera.x, camera.y] = this.place(this.chosen);
    this.draw();
  }
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

// Hues a golden angle apart; red, green and blue from 0 to 255.
export function colourOf(number, dark) {
  const hue = number * 137.508 % 360, [full, light] = dark ? [0.48, 0.64] : [0.52, 0.42];
  const part = (n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (light - full * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}
