// A mechanism in space, projected along a direction of view that can be turned.

import { FILLED, LINES } from "./mechanism.js";

const AROUND = 48; // corners of a circle of revolution
const TRANSLUCENT = { race: 0.28, cage: 0.3, body: 0.3, ring: 0.3, eccentric: 0.25 };

/** Rotation that looks at the plane of two axes: to the right and upwards. */
export function looking(axes) {
  const rows = axes.map((axis) => [0, 1, 2].map((k) => (k === axis ? 1 : 0)));
  const [r, u] = rows;
  return [r, u, [r[1] * u[2] - r[2] * u[1], r[2] * u[0] - r[0] * u[2], r[0] * u[1] - r[1] * u[0]]];
}

/** The view turned about the paper's upright and level axes. */
export function turnedView(view, right, up) {
  const [c, s, d, t] = [Math.cos(right), Math.sin(right), Math.cos(up), Math.sin(up)];
  const mix = (a, p, b, q) => a.map((value, k) => p * value + q * b[k]);
  const first = [mix(view[0], c, view[2], -s), view[1], mix(view[2], c, view[0], s)];
  return [first[0], mix(first[1], d, first[2], -t), mix(first[2], d, first[1], t)];
}

export function project(view, p) {
  return view.map((row) => row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
}

function matrixOf(pose, at) {
  const [w, x, y, z] = pose.subarray(at + 3, at + 7);
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ];
}

function placedPoint(mechanism, row, m, x, y, z) {
  const p = mechanism.pose;
  const at = row * 7;
  return [
    p[at] + m[0] * x + m[1] * y + m[2] * z,
    p[at + 1] + m[3] * x + m[4] * y + m[5] * z,
    p[at + 2] + m[6] * x + m[7] * y + m[8] * z,
  ];
}

/** Lines of an outline on the paper, in m, with their mean depth. */
function linesOf(mechanism, outline, view, flat) {
  const m = matrixOf(mechanism.pose, outline.row * 7);
  const put = (x, y, z) => project(view, placedPoint(mechanism, outline.row, m, x, y, z));
  const points = outline.points;
  if (!outline.revolved) {
    const line = [];
    for (let k = 0; k < points.length; k += 3) line.push(put(points[k], points[k + 1], points[k + 2]));
    return [line];
  }
  if (flat || outline.kind === "ball") return silhouette(mechanism, outline, view, m);
  const lines = [];
  for (let k = 0; k < points.length; k += 3) {
    const ring = [];
    for (let i = 0; i < AROUND; i++) {
      const angle = (2 * Math.PI * i) / AROUND;
      ring.push(put(points[k] * Math.cos(angle), points[k] * Math.sin(angle), points[k + 2]));
    }
    lines.push(ring);
  }
  return lines;
}

/** The middle of what is filled, and how far it reaches from there, in m. */
export function extent(mechanism) {
  const upright = looking([0, 1]);
  const filled = mechanism.outlines.filter(({ kind }) => FILLED.includes(kind));
  const points = (filled.length ? filled : mechanism.outlines).flatMap((outline) => linesOf(mechanism, outline, upright, false).flat());
  const ends = [0, 1, 2].map((k) => points.reduce(([low, high], p) => [Math.min(low, p[k]), Math.max(high, p[k])], [Infinity, -Infinity]));
  const middle = ends.map(([low, high]) => (low + high) / 2);
  return { middle, reach: Math.max(...points.map((p) => Math.hypot(p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]))) };
}

/** A body of revolution cut in the plane of the paper. */
function silhouette(mechanism, outline, view, m) {
  const centre = project(view, placedPoint(mechanism, outline.row, m, 0, 0, 0));
  const tip = project(view, placedPoint(mechanism, outline.row, m, 0, 0, 1));
  let axis = [tip[0] - centre[0], tip[1] - centre[1]];
  const length = Math.hypot(...axis);
  axis = length > 1e-6 ? axis.map((value) => value / length) : [0, 1];
  const { points } = outline;
  const side = (sign) => {
    const line = [];
    for (let k = 0; k < points.length; k += 3) {
      line.push([
        centre[0] - axis[1] * points[k] * sign + axis[0] * points[k + 2],
        centre[1] + axis[0] * points[k] * sign + axis[1] * points[k + 2],
        centre[2],
      ]);
    }
    return line;
  };
  const ends = Math.max(Math.abs(points[0]), Math.abs(points[points.length - 3]));
  return ends < 1e-9 ? [[...side(1), ...side(-1).reverse()]] : [side(1), side(-1)];
}

/** All outlines of a layer; without a layer all of them, what is behind first. */
export function drawSpace(context, mechanism, view, panel, look) {
  const flat = panel.layer !== "";
  const shown = flat ? mechanism.inLayer(panel.layer) : mechanism.outlines;
  const parts = shown
    .filter((outline) => FILLED.includes(outline.kind) || LINES.includes(outline.kind) || (outline.kind === "hole" && !outline.revolved))
    .map((outline) => ({ outline, lines: linesOf(mechanism, outline, panel.turn, flat) }));
  if (!flat) {
    const depth = ({ outline, lines }) => (outline.kind === "ball" ? lines[0][0][2] : -1e3);
    parts.sort((a, b) => depth(a) - depth(b));
  }
  for (const { outline, lines } of parts) {
    context.beginPath();
    for (const line of lines) {
      line.forEach((p, k) => context[k ? "lineTo" : "moveTo"](view.x + view.scale * p[0], view.y - view.scale * p[1]));
      if (outline.closed) context.closePath();
    }
    const kind = outline.kind === "hole" ? "body" : outline.kind;
    context.lineWidth = FILLED.includes(kind) ? 0.9 : 1.3;
    context.setLineDash(kind.endsWith("shaft") || kind === "axle" ? [8, 3, 2, 3] : kind === "guide" ? [1, 4] : []);
    if (FILLED.includes(kind) && outline.kind !== "hole" && (flat || !outline.revolved || kind === "ball")) {
      context.globalAlpha = flat || kind === "ball" ? 1 : 0.35;
      context.fillStyle = look.fill(kind);
      context.fill();
    } else if (outline.kind === "hole" && flat) {
      context.fillStyle = look.paper;
      context.fill();
    }
    context.globalAlpha = flat || !outline.revolved || kind === "ball" ? 1 : TRANSLUCENT[kind] || 0.5;
    if (!flat && outline.revolved && kind !== "ball") context.globalAlpha = 0.75;
    context.strokeStyle = look.stroke(kind);
    context.stroke();
    context.globalAlpha = 1;
    context.setLineDash([]);
    if (kind === "ball" && outline.revolved && panel.layer !== "side") {
      const at = outline.row * 7;
      const p = project(panel.turn, mechanism.pose.subarray(at, at + 3));
      context.fillStyle = look.ink;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(outline.name.replace("ball ", ""), view.x + view.scale * p[0], view.y - view.scale * p[1]);
    }
  }
}
