// A mechanism: outlines and poses decoded, and drawn in the plane of the paper.

import { decode } from "./numbers.js";

export const FILLED = ["body", "ring", "pin", "roller", "eccentric", "sun", "race", "cage", "ball"];
export const LINES = ["guide", "pitch circle", "outer track", "inner track", "outer shaft", "inner shaft", "axle"];
const DASHES = { guide: [1, 4], "pitch circle": [1, 4], "outer shaft": [8, 3, 2, 3], "inner shaft": [8, 3, 2, 3], axle: [8, 3, 2, 3] };
const WIDTHS = { guide: 0.8, "pitch circle": 0.8, "outer track": 1.4, "inner track": 1.4 };
const PRECISE = 0.2; // px by which a thinned polygon may miss its points

export class Mechanism {
  constructor(data) {
    this.data = data;
    this.spatial = data.spatial;
    this.axes = data.spatial ? 3 : 2;
    const polygons = split(decode(data.polygons.point).values, decode(data.polygons.count).values, this.axes);
    const given = data.outlines;
    const polygon = decode(given.polygon).values;
    const place = decode(given.place).values;
    const row = decode(given.row).values;
    const word = (name, k) => given[name].names[given[name].of[k]];
    this.outlines = Array.from(polygon, (number, k) => ({
      name: word("name", k),
      kind: word("kind", k),
      layer: word("layer", k),
      row: row[k],
      closed: Boolean(given.closed[k]),
      revolved: Boolean(given.revolved[k]),
      points: moved(polygons[number], place.subarray(k * this.axes, (k + 1) * this.axes), this.axes),
    }));
    this.rows = 1 + Math.max(...row);
    this.take(data);
    this.paths = new Map();
    this.operations = new Map();
  }

  /** Poses, forces and modes, as they change while the shapes stay. */
  take(data) {
    this.data = data;
    const poses = decode(data.poses);
    this.poses = poses.values;
    [this.frames, , this.width] = poses.shape;
    this.frameInfo = data.frames;
    this.frameValues = decode(data.frames.values).values;
    this.framePlaces = data.frames.places ? decode(data.frames.places).values : null;
    this.modes = (data.modes || []).map((mode) => ({ title: mode.title, motion: decode(mode.motion).values }));
    this.forces = data.forces ? new Forces(data.forces, this.axes, this.frames) : null;
    this.pose = new Float64Array(this.rows * this.width);
    this.radius = this.reach();
  }

  reach() {
    let largest = 0;
    this.setPose(0);
    for (const outline of this.outlines) {
      if (!FILLED.includes(outline.kind) && !LINES.includes(outline.kind)) continue;
      const at = outline.row * this.width;
      const centre = Math.hypot(...this.pose.subarray(at, at + this.axes));
      for (let k = 0; k < outline.points.length; k += this.axes) {
        let size = 0;
        for (let i = 0; i < this.axes; i++) size += outline.points[k + i] ** 2;
        if (Math.sqrt(size) + centre > largest) largest = Math.min(Math.sqrt(size) + centre, Infinity);
      }
    }
    return largest || 1e-3;
  }

  /** Poses at a frame, between two frames, or off the first one by a mode. */
  setPose(frame, mode = -1, swing = 0) {
    const first = Math.min(Math.max(Math.floor(frame), 0), this.frames - 1);
    const second = Math.min(first + 1, this.frames - 1);
    const part = frame - first;
    const size = this.rows * this.width;
    for (let k = 0; k < size; k++) {
      const before = this.poses[first * size + k];
      this.pose[k] = before + part * (this.poses[second * size + k] - before);
    }
    if (this.spatial) {
      for (let row = 0; row < this.rows; row++) this.blendRotation(first, second, part, row);
    }
    if (mode >= 0) this.addMode(this.modes[mode].motion, swing);
  }

  blendRotation(first, second, part, row) {
    const at = row * 7 + 3;
    const a = first * this.rows * 7 + at;
    const b = second * this.rows * 7 + at;
    let dot = 0;
    for (let k = 0; k < 4; k++) dot += this.poses[a + k] * this.poses[b + k];
    const sign = dot < 0 ? -1 : 1;
    let size = 0;
    for (let k = 0; k < 4; k++) {
      this.pose[at + k] = (1 - part) * this.poses[a + k] + part * sign * this.poses[b + k];
      size += this.pose[at + k] ** 2;
    }
    for (let k = 0; k < 4; k++) this.pose[at + k] /= Math.sqrt(size);
  }

  addMode(motion, swing) {
    for (let row = 0; row < this.rows; row++) {
      const at = row * this.width;
      for (let k = 0; k < 3; k++) {
        this.pose[at + k] += swing * motion[row * (this.spatial ? 6 : 3) + k];
      }
      if (!this.spatial) continue;
      const [w, x, y, z] = this.pose.subarray(at + 3, at + 7);
      const [p, q, r] = [3, 4, 5].map((k) => 0.5 * swing * motion[row * 6 + k]);
      const turned = [w - p * x - q * y - r * z, x + p * w + q * z - r * y, y + q * w + r * x - p * z, z + r * w + p * y - q * x];
      const size = Math.hypot(...turned);
      turned.forEach((value, k) => { this.pose[at + 3 + k] = value / size; });
    }
  }

  inLayer(layer) {
    return this.outlines.filter((outline) => outline.layer === "" || outline.layer === layer);
  }

  /** What is drawn of a layer, from the first to the last; outlines of one row are one path. */
  operationsOf(layer) {
    if (!this.operations.has(layer)) this.operations.set(layer, operations(this.inLayer(layer)));
    return this.operations.get(layer);
  }

  pathOf(parts, scale) {
    const bucket = Math.ceil(Math.log2(scale));
    const key = parts;
    let known = this.paths.get(key);
    if (!known || known.bucket !== bucket) {
      const path = new Path2D();
      for (const outline of parts) trace(path, thinned(outline.points, PRECISE / 2 ** bucket), outline.closed);
      known = { bucket, path };
      this.paths.set(key, known);
    }
    return known.path;
  }

  /** The transform of a row in a view of the plane. */
  transform(row, view) {
    const at = row * this.width;
    const [x, y, angle] = this.pose.subarray(at, at + 3);
    const c = Math.cos(angle) * view.scale;
    const s = Math.sin(angle) * view.scale;
    return [c, -s, -s, -c, view.x + view.scale * x, view.y - view.scale * y];
  }

  drawPlane(context, view, layer, look) {
    for (const operation of this.operationsOf(layer)) {
      if (operation.mark) this.drawMark(context, view, operation, look);
      else this.drawPath(context, view, operation, look);
    }
  }

  drawPath(context, view, operation, look) {
    context.save();
    context.globalAlpha = 1;
    let path;
    if (operation.rows.length === 1) {
      path = this.pathOf(operation.rows[0].parts, view.scale);
      context.transform(...this.transform(operation.rows[0].row, view));
      context.lineWidth = operation.width / view.scale;
      context.setLineDash((DASHES[operation.kind] || []).map((d) => d / view.scale));
    } else {
      path = new Path2D();
      for (const { row, parts } of operation.rows) {
        path.addPath(this.pathOf(parts, view.scale), new DOMMatrix(this.transform(row, view)));
      }
      context.lineWidth = operation.width;
    }
    if (operation.filled) {
      context.fillStyle = look.fill(operation.kind);
      context.fill(path, operation.holes ? "evenodd" : "nonzero");
    }
    context.strokeStyle = look.stroke(operation.kind);
    context.stroke(path);
    context.restore();
  }

  drawMark(context, view, operation, look) {
    const { outline } = operation;
    const [a, b, c, d, e, f] = this.transform(outline.row, view);
    const x = a * outline.points[0] + c * outline.points[1] + e;
    const y = b * outline.points[0] + d * outline.points[1] + f;
    context.strokeStyle = context.fillStyle = look.ink;
    context.lineWidth = 1;
    context.beginPath();
    if (outline.kind === "axis") {
      context.moveTo(x - 6, y);
      context.lineTo(x + 6, y);
      context.moveTo(x, y - 6);
      context.lineTo(x, y + 6);
      context.stroke();
    } else {
      context.arc(x, y, 2.2, 0, 7);
      context.fill();
    }
  }

  /** Middle of an outline where it stands now, in the plane. */
  middle(outline) {
    let [x, y] = [0, 0];
    const count = outline.points.length / 2;
    for (let k = 0; k < count; k++) {
      x += outline.points[2 * k] / count;
      y += outline.points[2 * k + 1] / count;
    }
    const at = outline.row * 3;
    const [px, py, angle] = this.pose.subarray(at, at + 3);
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    return [px + c * x - s * y, py + s * x + c * y];
  }
}

/** What contacts carry, frame by frame. */
export class Forces {
  constructor(data, axes, frames) {
    this.groups = data.groups;
    this.layers = data.layers;
    this.axes = axes;
    for (const name of ["group", "number", "layer", "count", "contact", "point", "force"]) {
      this[name] = decode(data[name]).values;
    }
    this.pressure = data.pressure ? decode(data.pressure).values : null;
    this.largestForce = data.largest_force;
    this.largestPressure = data.largest_pressure;
    this.start = [0];
    for (const count of this.count) this.start.push(this.start[this.start.length - 1] + count);
    this.atFirst = this.count.length === 1 && frames > 1; // of the first frame, no other is known
  }

  /** Entries at a frame; between two frames contacts of both are mixed, others fade. */
  at(frame) {
    if (this.atFirst && frame > 0.01) return [];
    const last = this.count.length - 1;
    const first = Math.min(Math.max(Math.floor(frame), 0), last);
    const part = Math.min(frame, last) - first;
    const entries = new Map();
    this.add(entries, first, 1 - part);
    if (part > 1e-6) this.add(entries, Math.min(first + 1, last), part);
    return [...entries.values()];
  }

  add(entries, frame, share) {
    const n = this.axes;
    for (let k = this.start[frame]; k < this.start[frame + 1]; k++) {
      const contact = this.contact[k];
      const pressure = this.pressure ? this.pressure[k] : NaN;
      const known = entries.get(contact);
      if (known) {
        for (let i = 0; i < n; i++) {
          known.point[i] = (1 - share) * known.point[i] + share * this.point[n * k + i];
          known.force[i] += share * this.force[n * k + i];
        }
        known.pressure += share * pressure;
        known.size = Math.hypot(...known.force);
        continue;
      }
      const force = Array.from(this.force.subarray(n * k, n * k + n), (value) => share * value);
      entries.set(contact, {
        contact,
        group: this.groups[this.group[contact]],
        number: this.number[contact],
        layer: this.layers[this.layer[contact]],
        point: Array.from(this.point.subarray(n * k, n * k + n)),
        force,
        size: Math.hypot(...force),
        pressure: share * pressure,
      });
    }
  }
}

function split(values, counts, axes) {
  let end = 0;
  return Array.from(counts, (count) => values.subarray(end, (end += count * axes)));
}

function moved(points, place, axes) {
  return Float32Array.from(points, (value, k) => value + place[k % axes]);
}

function operations(outlines) {
  const made = [];
  let open = null;
  for (const outline of outlines) {
    if (outline.kind === "hole") {
      if (open) addTo(open, outline, true);
    } else if (FILLED.includes(outline.kind)) {
      if (!open || open.kind !== outline.kind || !joins(open, outline)) {
        open = { kind: outline.kind, filled: true, holes: false, rows: [], width: 0.9 };
        made.push(open);
      }
      addTo(open, outline, false);
    } else if (LINES.includes(outline.kind)) {
      made.push({ kind: outline.kind, filled: false, rows: [{ row: outline.row, parts: [outline] }], width: WIDTHS[outline.kind] || 1 });
    } else if (outline.kind === "axis" || outline.kind === "centre") {
      made.push({ mark: true, outline });
    }
  }
  // dotted circles above the parts, guides behind them, marks on top
  const order = (operation) => (operation.mark ? 3 : operation.kind === "pitch circle" ? 2 : operation.kind === "guide" ? 0 : 1);
  return made.map((operation, k) => [operation, k]).sort((a, b) => order(a[0]) - order(b[0]) || a[1] - b[1]).map(([operation]) => operation);
}

function joins(open, outline) {
  return !open.holes && open.rows.length === 1 && open.rows[0].row === outline.row;
}

function addTo(open, outline, isHole) {
  open.holes = open.holes || isHole;
  const found = open.rows.find((each) => each.row === outline.row);
  if (found) found.parts.push(outline);
  else open.rows.push({ row: outline.row, parts: [outline] });
}

function trace(path, points, closed) {
  path.moveTo(points[0], points[1]);
  for (let k = 2; k < points.length; k += 2) path.lineTo(points[k], points[k + 1]);
  if (closed) path.closePath();
}

/** A polygon without points that lie near the chord of their neighbours (Douglas and Peucker). */
export function thinned(points, near) {
  const count = points.length / 2;
  if (count < 40) return points;
  const keep = new Uint8Array(count);
  const half = count >> 1;
  keep[0] = keep[half] = keep[count - 1] = 1;
  const open = [[0, half], [half, count - 1]];
  while (open.length) {
    const [a, b] = open.pop();
    const dx = points[2 * b] - points[2 * a];
    const dy = points[2 * b + 1] - points[2 * a + 1];
    const length = Math.hypot(dx, dy) || 1e-30;
    let [farthest, at] = [near, -1];
    for (let k = a + 1; k < b; k++) {
      const away = Math.abs((points[2 * k] - points[2 * a]) * dy - (points[2 * k + 1] - points[2 * a + 1]) * dx) / length;
      if (away > farthest) [farthest, at] = [away, k];
    }
    if (at < 0) continue;
    keep[at] = 1;
    open.push([a, at], [at, b]);
  }
  const left = [];
  for (let k = 0; k < count; k++) if (keep[k]) left.push(points[2 * k], points[2 * k + 1]);
  return left;
}
