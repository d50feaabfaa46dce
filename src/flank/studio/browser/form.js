// The form: a field for every key of the spec, sliders for numbers, and what is said of a field.

import { choice, entry, told } from "./fields.js";
import { make } from "./parts.js";

const WIDE = globalThis.matchMedia("(min-width: 761px)"); // else one block is open at first
const MARKS = ["error", "warning", "note"];

export class Form {
  /** `changed(path, text, settled)` is told what is typed and moved; settled when it rests. */
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    this.fields = new Map();
    this.blocks = new Map();
  }

  build(blocks) {
    this.fields.clear();
    this.blocks.clear();
    this.place.replaceChildren(...blocks.map((block) => this.block(block)));
  }

  block({ path, meaning, fields, given }) {
    const heading = make("summary", {}, make("span", { class: "block-name" }, path || "machine"));
    const inside = make("div", { class: "fields" }, ...fields.map((field) => this.field(field)));
    if (meaning) inside.prepend(make("p", { class: "meaning" }, meaning));
    const open = given && !["errors", "tolerances"].includes(path) && (WIDE.matches || path === "");
    const details = make("details", { "data-block": path, open }, heading, inside);
    this.blocks.set(path, details);
    return details;
  }

  field(given) {
    const id = `field-${given.path}`;
    const label = make("label", { for: id, title: given.path }, given.name.replaceAll("_", " "));
    const input = given.choices.length ? choice(given, id) : entry(given, id);
    input.addEventListener("input", () => this.typed(given.path, false));
    input.addEventListener("change", () => this.typed(given.path, true));
    const problem = make("p", { class: "problem", id: `${id}-problem` });
    const meaning = make("p", { class: "meaning", id: `${id}-meaning` }, told(given));
    const holder = make("div", { class: "field", "data-path": given.path }, label, input);
    const field = { given, holder, input, problem, base: given.value, slider: null, ends: null };
    this.fields.set(given.path, field);
    if (given.slider) this.addSlider(field, given.slider);
    holder.append(meaning, problem);
    return holder;
  }

  addSlider(field, ends) {
    const { given, holder, input } = field;
    field.ends = ends;
    if (!field.slider) {
      const slider = make("input", { type: "range", "aria-label": `${given.path.replaceAll(/[._]/g, " ")}, slider` });
      slider.addEventListener("input", () => this.slid(field, false));
      slider.addEventListener("change", () => this.slid(field, true));
      field.reach = make("span", { class: "reach" });
      input.after(slider, field.reach);
      field.slider = slider;
    }
    field.slider.min = ends.low;
    field.slider.max = ends.high;
    field.slider.step = ends.step;
    field.slider.value = ends.value;
    field.slider.setAttribute("aria-valuetext", input.value);
    field.reach.textContent = `${short(ends.low, ends)} to ${short(ends.high, ends)} ${ends.unit}`;
    holder.classList.add("with-slider");
  }

  slid(field, settled) {
    const text = `${short(Number(field.slider.value), field.ends)} ${field.ends.unit}`.trim();
    field.input.value = text;
    field.slider.setAttribute("aria-valuetext", text);
    this.changed(field.given.path, text, settled);
  }

  typed(path, settled) {
    this.changed(path, this.fields.get(path).input.value.trim(), settled);
  }

  /** Texts of the whole form: those of the spec with changes over them. */
  show(changes) {
    for (const [path, field] of this.fields) {
      const text = changes[path] ?? field.base;
      if (field.input.value !== text) field.input.value = text;
      field.holder.classList.toggle("changed", path in changes);
      const number = Number.parseFloat(text);
      if (field.slider && Number.isFinite(number)) field.slider.value = number;
    }
  }

  /** What the studio read: sliders for new numbers, and ends that hold theirs. */
  read(fields, moving) {
    for (const [path, { slider }] of Object.entries(fields)) {
      const field = this.fields.get(path);
      if (!field || !slider || path === moving) continue;
      const { ends } = field;
      if (!ends || ends.unit !== slider.unit || slider.value < ends.low || slider.value > ends.high) this.addSlider(field, slider);
    }
  }

  /** The field or the block that a key is about, or the nearest above it. */
  nearest(key) {
    for (let path = key; path; path = path.replace(/\.?[^.]*$/, "")) {
      if (this.fields.has(path)) return this.fields.get(path).holder;
      if (this.blocks.has(path)) return this.blocks.get(path);
    }
    return null;
  }

  /** Nothing is said of any field. */
  clear(kinds = MARKS) {
    for (const holder of [...[...this.fields.values()].map((field) => field.holder), ...this.blocks.values()]) holder.classList.remove(...kinds, kinds.includes("error") ? "refused" : "kept");
    for (const field of this.fields.values()) {
      field.problem.textContent = "";
      field.input.removeAttribute("aria-invalid");
      field.input.setAttribute("aria-describedby", `${field.input.id}-meaning`);
    }
  }

  light(key, severity, text, refused = false) {
    const holder = this.nearest(key);
    if (!holder) return;
    holder.classList.add(severity, ...(refused ? ["refused"] : []));
    const field = this.fields.get(holder.dataset.path);
    if (!field) return;
    field.problem.append(field.problem.textContent ? ` ${text}` : text);
    field.input.setAttribute("aria-describedby", `${field.input.id}-problem`);
    if (refused) field.input.setAttribute("aria-invalid", "true");
  }

  go(key) {
    const holder = this.nearest(key);
    if (!holder) return;
    for (let at = holder; at; at = at.parentElement.closest("details")) if (at.tagName === "DETAILS") at.open = true;
    holder.scrollIntoView({ block: "center" });
    (holder.querySelector("input, select, summary") || holder).focus();
  }

  find(words) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [path, details] of this.blocks) {
      let found = 0;
      for (const holder of details.querySelectorAll(".field")) {
        const text = `${holder.dataset.path} ${holder.querySelector("label").textContent} ${holder.querySelector(".meaning").textContent}`.toLowerCase();
        holder.hidden = !wanted.every((word) => text.includes(word));
        found += holder.hidden ? 0 : 1;
      }
      details.hidden = found === 0 && path !== "";
      if (wanted.length && found) details.open = true;
    }
  }
}

/** A number with the digits of its slider's step. */
function short(number, { step }) {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = number.toFixed(Math.min(digits, 15));
  return digits ? text.replace(/\.?0+$/, "") || "0" : text;
}
