// Numbers: packed arrays as they come from Python, texts of values, steps of axes.

const TYPES = { float32: Float32Array, uint16: Uint16Array, uint32: Uint32Array };
const NOT_KNOWN = 65535;

/** Values of a packed array, row after row, with its shape. */
export function decode(packed) {
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const raw = new TYPES[packed.type](bytes.buffer);
  if (packed.step === undefined) return { values: raw, shape: packed.shape };
  const values = new Float32Array(raw.length);
  for (let k = 0; k < raw.length; k++) {
    values[k] = raw[k] === NOT_KNOWN ? NaN : packed.offset + packed.step * raw[k];
  }
  return { values, shape: packed.shape };
}

/** A number with some significant digits, with an exponent only where it is needed. */
export function numberText(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 1e-4 || size >= 1e7) return value.toExponential(digits - 1);
  const decimals = Math.max(digits - 1 - Math.floor(Math.log10(size)), 0);
  return value.toFixed(decimals).replace("-", "\u2212");
}

/** A value with its unit. */
export function quantityText(value, unit, digits = 4) {
  const tight = unit === "°" || unit === "";
  return numberText(value, digits) + (tight ? unit : `\u00a0${unit}`);
}

/** The largest of 1, 2, 5 times a power of ten that is not above a value. */
export function roundBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}

/** Round places between two ends, about as many as asked for. */
export function ticks(low, high, count) {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

/** The same for angles in degrees over a good part of a turn. */
export function angleTicks(low, high, count) {
  const rough = (high - low) / Math.max(count, 1);
  const step = [15, 30, 45, 60, 90, 180, 360, 720].find((s) => s >= rough * 0.999);
  if (!step || rough < 8) return ticks(low, high, count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

/** Texts of places on an axis, all with as many decimals as their step needs. */
export function tickTexts(places) {
  const step = places.length > 1 ? Math.abs(places[1] - places[0]) : Math.abs(places[0]) || 1;
  const large = Math.max(...places.map(Math.abs));
  if (large >= 1e6 || (large < 1e-3 && large > 0)) {
    return places.map((place) => (place === 0 ? "0" : place.toExponential(1)));
  }
  let decimals = 0;
  while (decimals < 8 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6 * step * 10 ** decimals) decimals++;
  return places.map((place) => (Math.abs(place) < 1e-9 * step ? 0 : place).toFixed(decimals).replace("-", "\u2212"));
}

/** Where a value stands in rising values: the number of the last that is not above it. */
export function placeOf(values, value) {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

const PLASMA = [
  [240, 249, 33], [253, 202, 38], [251, 159, 58], [237, 121, 83], [216, 87, 107],
  [189, 55, 134], [156, 23, 158], [114, 1, 168], [70, 3, 159], [13, 8, 135],
];

/** Colour of a share of the scale, 0 to 1: dark is high on light paper, bright on dark. */
export function colourOf(share, dark) {
  const at = Math.min(Math.max(dark ? 1 - 0.85 * share : 0.1 + 0.9 * share, 0), 1) * (PLASMA.length - 1);
  const k = Math.min(Math.floor(at), PLASMA.length - 2);
  const part = at - k;
  const mixed = PLASMA[k].map((c, i) => Math.round(c + part * (PLASMA[k + 1][i] - c)));
  return `rgb(${mixed.join(",")})`;
}
