// The points of the map in a grid of cells, to find points near a position or within an area.

const MIN_SIDE = 16, MAX_SIDE = 512; // cells per side

export class Points {
  // `xy` has pairs of coordinates from -1 to 1, `group` the number of each point's group.
  constructor(xy, group) {
    Object.assign(this, { xy, group, count: group.length });
    this.side = Math.min(MAX_SIDE, Math.max(MIN_SIDE, Math.round(Math.sqrt(this.count / 4))));
    this.buildGrid();
  }

  cell(value) { return Math.min(this.side - 1, Math.max(0, Math.floor((value + 1) / 2 * this.side))); }

  buildGrid() {
    const { count, side, xy } = this, cellOf = new Uint32Array(count);
    this.starts = new Uint32Array(side * side + 1);
    for (let i = 0; i < count; i++) this.starts[(cellOf[i] = this.cell(xy[2 * i + 1]) * side + this.cell(xy[2 * i])) + 1] += 1;
    for (let cell = 0; cell < side * side; cell++) this.starts[cell + 1] += this.starts[cell];
    const next = this.starts.slice();
    this.order = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.order[next[cellOf[i]]++] = i;
  }

  // Calls `visit` with the points of every cell that overlaps the box.
  within(left, bottom, right, top, visit) {
    const first = this.cell(left), last = this.cell(right);
    for (let row = this.cell(bottom); row <= this.cell(top); row++) {
      const end = this.starts[row * this.side + last + 1];
      for (let i = this.starts[row * this.side + first]; i < end; i++) visit(this.order[i]);
    }
  }

  // Returns the number of points in a box.
  countWithin(left, bottom, right, top) {
    let n = 0;
    this.within(left, bottom, right, top, (p) => {
      const x = this.xy[2 * p], y = this.xy[2 * p + 1];
      n += x >= left && x <= right && y >= bottom && y <= top;
    });
    return n;
  }

  // Returns the nearest point at most `radius` away for which `accept` is true, or -1.
  nearest(x, y, radius, accept) {
    let nearest = -1, minimum = radius * radius;
    this.within(x - radius, y - radius, x + radius, y + radius, (p) => {
      const distance = (this.xy[2 * p] - x) ** 2 + (this.xy[2 * p + 1] - y) ** 2;
      if ((distance < minimum || (distance === minimum && p < nearest)) && accept(p)) [nearest, minimum] = [p, distance];
    });
    return nearest;
  }

  // Returns the points inside a polygon.
  inside(polygon) {
    const xs = polygon.map(([x]) => x), ys = polygon.map(([, y]) => y), points = [];
    this.within(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), (p) => {
      if (isInside(polygon, this.xy[2 * p], this.xy[2 * p + 1])) points.push(p);
    });
    return points.sort((a, b) => a - b);
  }
}

// Counts the crossings of a ray to the right.
function isInside(polygon, x, y) {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [ax, ay] = polygon[i], [bx, by] = polygon[j];
    if (ay > y !== by > y && x < (bx - ax) * (y - ay) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
