// The visible part of the plane: its center, the zoom, and conversion between plane and screen.

const MIN_ZOOM = 0.8, MAX_ZOOM = 400;

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

  // Zooms in or out; the point of the plane at this position of the screen stays there.
  zoomBy(factor, x = this.width / 2, y = this.height / 2) {
    const before = this.toPlane(x, y);
    this.zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, this.zoom * factor));
    const after = this.toPlane(x, y);
    this.x += before[0] - after[0];
    this.y += before[1] - after[1];
  }

  // Shows all of these points, at a zoom of at most 12.
  fitTo(points) {
    const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
    const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const spanX = Math.max(right - left, 1e-6) / this.width, spanY = Math.max(top - bottom, 1e-6) / this.height;
    [this.x, this.y] = [(left + right) / 2, (bottom + top) / 2];
    this.zoom = Math.min(12, Math.max(1, 0.8 / Math.max(spanX, spanY) / (0.47 * Math.min(this.width, this.height))));
  }
}
