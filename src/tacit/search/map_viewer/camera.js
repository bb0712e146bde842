// Which part of the plane is seen: its middle, how near, and the way from the plane to the screen and back.

const FARTHEST = 0.8, NEAREST = 400;

export class Camera {
  constructor(canvas) {
    this.canvas = canvas;
    this.showAll();
  }

  showAll() { Object.assign(this, { x: 0, y: 0, zoom: 1 }); }
  get width() { return this.canvas.clientWidth; }
  get height() { return this.canvas.clientHeight; }
  get scale() { return 0.47 * Math.min(this.width, this.height) * this.zoom; }
  toScreen(x, y) { return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale]; }
  toPlane(x, y) { return [(x - this.width / 2) / this.scale + this.x, (this.height / 2 - y) / this.scale + this.y]; }

  pan(dx, dy) {
    this.x = Math.min(1.2, Math.max(-1.2, this.x - dx / this.scale));
    this.y = Math.min(1.2, Math.max(-1.2, this.y + dy / this.scale));
  }

  // Nearer or farther; what is at this place of the screen stays there.
  nearer(factor, x = this.width / 2, y = this.height / 2) {
    const before = this.toPlane(x, y);
    this.zoom = Math.min(NEAREST, Math.max(FARTHEST, this.zoom * factor));
    const after = this.toPlane(x, y);
    this.x += before[0] - after[0];
    this.y += before[1] - after[1];
  }

  // As near as shows all of these places, and not nearer than is of use.
  frame(places) {
    const xs = places.map(([x]) => x), ys = places.map(([, y]) => y);
    const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const wide = Math.max(right - left, 1e-6) / this.width, high = Math.max(top - bottom, 1e-6) / this.height;
    [this.x, this.y] = [(left + right) / 2, (bottom + top) / 2];
    this.zoom = Math.min(12, Math.max(1, 0.8 / Math.max(wide, high) / (0.47 * Math.min(this.width, this.height))));
  }
}
