// Where the points are, and which of them is near: a grid of cells, each with its points one after another.

const LEAST = 16, MOST = 512; // cells a side

export class Points {
  // `xy` holds pairs within the square from -1 to 1, `group` the number of each point's group.
  constructor(xy, group) {
    Object.assign(this, { xy, group, count: group.length });
    this.side = Math.min(MOST, Math.max(LEAST, Math.round(Math.sqrt(this.count / 4))));
    this.sort();
  }

  cell(value) { return Math.min(this.side - 1, Math.max(0, Math.floor((value + 1) / 2 * this.side))); }

  sort() {
    const { count, side, xy } = this, at = new Uint32Array(count);
    this.starts = new Uint32Array(side * side + 1);
    for (let i = 0; i < count; i++) this.starts[(at[i] = this.cell(xy[2 * i + 1]) * side + this.cell(xy[2 * i])) + 1] += 1;
    for (let cell = 0; cell < side * side; cell++) this.starts[cell + 1] += this.starts[cell];
    const next = this.starts.slice();
    this.order = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.order[next[at[i]]++] = i;
  }

  // Calls `visit` with the points of every cell that the box touches.
  within(left, bottom, right, top, visit) {
    const first = this.cell(left), last = this.cell(right);
    for (let row = this.cell(bottom); row <= this.cell(top); row++) {
      const end = this.starts[row * this.side + last + 1];
      for (let place = this.starts[row * this.side + first]; place < end; place++) visit(this.order[place]);
    }
  }

  // The point nearest to a place of the plane, of those that `may` be meant; -1 where none is within reach.
  nearest(x, y, reach, may) {
    let best = -1, least = reach * reach;
    this.within(x - reach, y - reach, x + reach, y + reach, (p) => {
      const far = (this.xy[2 * p] - x) ** 2 + (this.xy[2 * p + 1] - y) ** 2;
      if ((far < least || (far === least && p < best)) && may(p)) [best, least] = [p, far];
    });
    return best;
  }

  // The points inside a closed line, by the crossings of a ray to the right.
  inside(line) {
    const xs = line.map(([x]) => x), ys = line.map(([, y]) => y), found = [];
    this.within(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), (p) => {
      if (encloses(line, this.xy[2 * p], this.xy[2 * p + 1])) found.push(p);
    });
    return found.sort((a, b) => a - b);
  }
}

function encloses(line, x, y) {
  let within = false;
  for (let i = 0, j = line.length - 1; i < line.length; j = i++) {
    const [ax, ay] = line[i], [bx, by] = line[j];
    if (ay > y !== by > y && x < (bx - ax) * (y - ay) / (by - ay) + ax) within = !within;
  }
  return within;
}
