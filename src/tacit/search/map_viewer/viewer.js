// A collection as points: near means alike. Pointer, fingers or keys.
// The page of the service and the file that `tacit map` writes both show it.

const SIDE = 128; // the square is cut into so many cells a side, to find the nearest point quickly
const HINT = "What means something alike lies together. Point at a dot to read it.";
const FRAME = `
  <div class="map-frame">
    <canvas id="map" tabindex="0" role="application" aria-describedby="map-text" aria-label="Map of the collection. Arrow keys go from point to point, plus and minus zoom, 0 shows all."></canvas>
    <div class="map-side">
      <input type="search" placeholder="Find texts that say …" aria-label="Find texts on the map" hidden>
      <p aria-live="polite"></p>
      <details><summary>Groups</summary><ol></ol></details>
    </div>
    <div class="map-tools"><button type="button" aria-label="Zoom in">+</button><button type="button" aria-label="Zoom out">−</button><button type="button" aria-label="Show all">⤢</button></div>
  </div>
  <div id="map-text" class="map-text" role="status"><p>${HINT}</p></div>`;

export const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const cellOf = (value) => Math.min(SIDE - 1, Math.max(0, Math.floor((value + 1) / 2 * SIDE)));
const element = (name, properties) => Object.assign(document.createElement(name), properties);

// `data` has points and group in base64 and the groups' names. `textOf(number)` gives, or promises, the id, the text
// and the group of a point; `open(text)`, where given, is what a click does; `texts`, where given, can be looked through.
export class MapView {
  constructor(root, data, { textOf, open = null, texts = null }) {
    root.innerHTML = FRAME; // fixed text; what comes from the collection is set as text below
    const part = (selector) => root.querySelector(selector);
    Object.assign(this, { canvas: part("canvas"), find: part("input"), count: part(".map-side p"), told: part(".map-text"), textOf, open });
    this.pen = this.canvas.getContext("2d");
    this.view = { x: 0, y: 0, zoom: 1 };
    this.fingers = new Map();
    Object.assign(this, { chosen: -1, onlyGroup: -1, found: null, asked: 0, moved: 0, frame: 0 });
    this.unpack(data);
    this.legend(part("details"), part("ol"));
    this.lookThrough(texts);
    this.listen(root.querySelectorAll(".map-tools button"));
    this.tellCount();
    this.canvas.dataset.points = this.group.length;
  }

  unpack(data) {
    const raw = new DataView(bytes(data.points).buffer);
    this.points = Float32Array.from({ length: raw.byteLength / 2 }, (_, i) => raw.getInt16(2 * i, true) / 32767);
    this.group = bytes(data.group);
    this.groups = data.groups.map((name) => ({ name, members: [] }));
    this.cells = new Map();
    this.group.forEach((number, i) => {
      this.groups[number].members.push(i);
      const key = cellOf(this.points[2 * i]) * SIDE + cellOf(this.points[2 * i + 1]);
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key).push(i);
    });
    for (const one of this.groups) {
      const middle = (axis) => one.members.map((i) => this.points[2 * i + axis]).sort((a, b) => a - b)[one.members.length >> 1];
      [one.x, one.y] = [middle(0), middle(1)];
    }
  }

  // What is shown: all, the points found, those of a group, or those that are both.
  lit(i) { return (!this.found || this.found[i]) && (this.onlyGroup < 0 || this.group[i] === this.onlyGroup); }

  tellCount() {
    const all = this.group.length, found = this.found ? this.found.reduce((a, b) => a + b, 0) : all;
    this.count.textContent = (found < all ? `${found.toLocaleString("en")} of ` : "") + `${all.toLocaleString("en")} texts`;
  }

  legend(details, list) {
    details.hidden = this.groups.length < 2;
    this.groups.forEach(({ name, members }, number) => {
      const item = element("li"), button = element("button", { type: "button" });
      button.append(element("i"), element("span", { textContent: name, title: name }), element("b", { textContent: members.length.toLocaleString("en") }));
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        this.onlyGroup = this.onlyGroup === number ? -1 : number;
        list.querySelectorAll("button").forEach((one, k) => one.setAttribute("aria-pressed", String(k === this.onlyGroup)));
        this.draw();
      });
      item.append(button);
      list.append(item);
    });
    this.dots = list.querySelectorAll("i");
  }

  lookThrough(texts) {
    this.find.hidden = !texts;
    if (!texts) return;
    const lower = texts.map((text) => text.toLowerCase());
    this.find.addEventListener("input", () => {
      const words = this.find.value.toLowerCase().split(/\s+/).filter(Boolean);
      this.found = words.length ? Uint8Array.from(lower, (text) => words.every((word) => text.includes(word))) : null;
      this.tellCount();
      this.draw();
    });
  }

  scale() { return 0.47 * Math.min(this.canvas.clientWidth, this.canvas.clientHeight) * this.view.zoom; }
  toScreen(i) {
    return [this.canvas.clientWidth / 2 + (this.points[2 * i] - this.view.x) * this.scale(), this.canvas.clientHeight / 2 - (this.points[2 * i + 1] - this.view.y) * this.scale()];
  }
  toPlane(x, y) {
    return [(x - this.canvas.clientWidth / 2) / this.scale() + this.view.x, (this.canvas.clientHeight / 2 - y) / this.scale() + this.view.y];
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  paint() {
    const ratio = devicePixelRatio || 1, { canvas, pen, groups } = this, [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width) return;
    [canvas.width, canvas.height] = [width * ratio, height * ratio];
    pen.scale(ratio, ratio);
    this.ink = getComputedStyle(canvas).color;
    this.behind = getComputedStyle(canvas.parentElement).backgroundColor;
    groups.forEach((one, number) => {
      pen.fillStyle = this.dots[number].style.background = colour(number);
      this.dotsOf(one.members, width, height);
    });
    pen.globalAlpha = 1;
    this.names(width, height);
    if (this.chosen >= 0) this.ring();
  }

  dotsOf(members, width, height) {
    const { pen, points, view } = this, all = this.group.length, scale = this.scale();
    const size = Math.max(1.6, Math.min(11, 144 / Math.sqrt(all) * Math.sqrt(view.zoom)));
    for (const i of members) {
      const x = width / 2 + (points[2 * i] - view.x) * scale, y = height / 2 - (points[2 * i + 1] - view.y) * scale;
      if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
      pen.globalAlpha = this.lit(i) ? (all > 5000 ? 0.5 : 0.75) : 0.08;
      if (size < 3) pen.fillRect(x - size / 2, y - size / 2, size, size);
      else { pen.beginPath(); pen.arc(x, y, size / 2, 0, 7); pen.fill(); }
    }
  }

  names(width, height) {
    const { pen } = this, taken = [];
    pen.font = `600 13px ${getComputedStyle(document.body).fontFamily}`;
    Object.assign(pen, { textAlign: "center", lineJoin: "round", lineWidth: 4, strokeStyle: this.behind, fillStyle: this.ink });
    for (const one of [...this.groups].sort((a, b) => b.members.length - a.members.length)) {
      if (!one.members.length) continue;
      const x = width / 2 + (one.x - this.view.x) * this.scale(), y = height / 2 - (one.y - this.view.y) * this.scale();
      const half = pen.measureText(one.name).width / 2 + 4;
      if (x - half < 0 || x + half > width || y < 12 || y > height - 8) continue;
      if (taken.some(([a, b, other]) => Math.abs(x - a) < half + other && Math.abs(y - b) < 20)) continue;
      taken.push([x, y, half]);
      pen.strokeText(one.name, x, y);
      pen.fillText(one.name, x, y);
    }
  }

  ring() {
    this.pen.beginPath();
    this.pen.arc(...this.toScreen(this.chosen), 8, 0, 7);
    Object.assign(this.pen, { lineWidth: 2.5, strokeStyle: this.ink });
    this.pen.stroke();
  }

  nearest(x, y, reach) {
    const steps = Math.min(SIDE, Math.ceil(reach / 2 * SIDE)), [cx, cy] = [cellOf(x), cellOf(y)];
    let best = -1, least = reach * reach;
    for (let i = Math.max(0, cx - steps); i <= Math.min(SIDE - 1, cx + steps); i++) {
      for (let j = Math.max(0, cy - steps); j <= Math.min(SIDE - 1, cy + steps); j++) {
        for (const p of this.cells.get(i * SIDE + j) ?? []) {
          const far = (this.points[2 * p] - x) ** 2 + (this.points[2 * p + 1] - y) ** 2;
          if (far < least && this.lit(p)) [best, least] = [p, far];
        }
      }
    }
    return best;
  }

  async choose(number) {
    if (number === this.chosen || number < 0) return;
    this.chosen = number;
    this.draw();
    const mine = ++this.asked;
    await new Promise((soon) => setTimeout(soon, 60)); // a pointer on its way passes many points
    const found = mine === this.asked && await this.textOf(number);
    if (!found || mine !== this.asked) return;
    const about = element("p", { textContent: `${found.id} · ${found.group}` });
    if (this.open) about.append(" · ", element("button", { type: "button", textContent: "texts like it", onclick: () => this.open(found.text) }));
    this.told.replaceChildren(element("p", { className: "text", dir: "auto", textContent: found.text }), about);
  }

  // The text of the point itself is asked for: the one told last may be another's.
  async openPoint(number) {
    const found = this.open && number >= 0 && await this.textOf(number);
    if (found) this.open(found.text);
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const before = this.toPlane(x, y);
    this.view.zoom = Math.min(200, Math.max(0.8, this.view.zoom * factor));
    const after = this.toPlane(x, y);
    this.view.x += before[0] - after[0];
    this.view.y += before[1] - after[1];
    this.draw();
  }

  showAll() {
    this.view = { x: 0, y: 0, zoom: 1 };
    this.draw();
  }

  // From the point chosen to the nearest one that lies more in the direction than beside it.
  step(dx, dy) {
    if (this.chosen < 0) return this.nearest(this.view.x, this.view.y, 2.9);
    const { points } = this, [x, y] = [points[2 * this.chosen], points[2 * this.chosen + 1]];
    let best = -1, least = Infinity;
    for (let p = 0; p < this.group.length; p++) {
      const [ax, ay] = [points[2 * p] - x, points[2 * p + 1] - y];
      const along = ax * dx + ay * dy, beside = Math.abs(ax * dy) + Math.abs(ay * dx), far = along + 2 * beside;
      if (along > 1e-6 && beside <= along && far < least && p !== this.chosen && this.lit(p)) [best, least] = [p, far];
    }
    return best;
  }

  keepInView() {
    if (this.chosen < 0) return;
    const [x, y] = this.toScreen(this.chosen), { clientWidth, clientHeight } = this.canvas;
    if (x < 20 || y < 20 || x > clientWidth - 20 || y > clientHeight - 20) [this.view.x, this.view.y] = this.points.slice(2 * this.chosen, 2 * this.chosen + 2);
    this.draw();
  }

  listen([zoomIn, zoomOut, showAll]) {
    zoomIn.addEventListener("click", () => this.zoom(1.6));
    zoomOut.addEventListener("click", () => this.zoom(1 / 1.6));
    showAll.addEventListener("click", () => this.showAll());
    const events = { keydown: "onKey", pointerdown: "onDown", pointermove: "onMove", pointerup: "onUp", pointercancel: "onUp", wheel: "onWheel" };
    for (const [kind, name] of Object.entries(events)) this.canvas.addEventListener(kind, (event) => this[name](event), { passive: false });
    addEventListener("themed", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas); // a first time too, and when it comes into sight
  }

  onKey(event) {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (steps[event.key]) { this.choose(this.step(...steps[event.key])); this.keepInView(); }
    else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.showAll();
    else if (event.key === "Enter") this.openPoint(this.chosen);
    else return;
    event.preventDefault();
  }

  onDown(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    this.moved = 0;
  }

  onMove(event) {
    const here = [event.offsetX, event.offsetY], before = this.fingers.get(event.pointerId);
    if (!before) return void this.choose(this.nearest(...this.toPlane(...here), 18 / this.scale()));
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = (a) => Math.max(1, Math.hypot(a[0] - other[0], a[1] - other[1]));
      this.zoom(apart(here) / apart(before), (here[0] + other[0]) / 2, (here[1] + other[1]) / 2);
    } else {
      this.view.x -= (here[0] - before[0]) / this.scale();
      this.view.y += (here[1] - before[1]) / this.scale();
      this.draw();
    }
    this.moved += Math.hypot(here[0] - before[0], here[1] - before[1]);
    this.fingers.set(event.pointerId, here);
  }

  onUp(event) {
    if (!this.fingers.delete(event.pointerId) || event.type === "pointercancel" || this.moved >= 6) return;
    const found = this.nearest(...this.toPlane(event.offsetX, event.offsetY), 24 / this.scale());
    this.choose(found);
    if (event.pointerType === "mouse") this.openPoint(found); // a finger reads first: the text below has a button
  }

  onWheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
  }
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

const colour = (number) => `hsl(${number * 137.508 % 360} ${isDark() ? "48% 64%" : "52% 42%"})`;
