// What stands beside the form: findings, curves, variants.

import { mount } from "./drawing.js";
import { byId, fillFigures, make, sentence } from "./parts.js";

export class Findings {
  constructor(form, apply) {
    this.form = form;
    this.apply = apply; // takes changes of a remedy
    this.list = byId("findings");
  }

  take({ headline, findings }) {
    byId("headline").textContent = headline;
    this.items = findings.map((found) => this.item(found));
    this.list.replaceChildren(...this.items);
    this.form.clear();
    for (const found of [...findings].reverse()) this.form.light(found.key, found.severity, sentence(found.message));
  }

  item({ severity, message, measured, key }) {
    const item = make("li", { class: severity }, make("span", { class: "severity" }, severity), ` ${sentence(message)} `);
    if (measured) item.append(make("span", { class: "measured" }, `${sentence(measured)} `));
    if (key) item.append(make("button", { type: "button", class: "link", onclick: () => this.form.go(key) }, key));
    return item;
  }

  remedy({ place, words, changes }) {
    const item = this.items?.[place];
    if (!item || item.querySelector(".remedy")) return;
    const line = make("div", { class: "remedy" }, sentence(words));
    const pairs = Object.entries(changes);
    if (pairs.length) {
      const text = pairs.map(([key, value]) => `${key}: ${value || "left out"}`).join(", ");
      line.append(make("button", { type: "button", onclick: () => this.apply(changes) }, `Apply ${text}`));
    }
    item.append(line);
  }
}

/** Curves that follow the spec, those of pinned variants beside them. */
export class Curves {
  constructor(place, toggles, wished) {
    this.place = place;
    this.toggles = toggles;
    this.wished = wished; // told when others are wanted
    this.panels = new Map();
    this.wanted = new Set();
    this.variants = [];
  }

  build(live) {
    this.wanted = new Set(live);
    this.panels.clear();
    this.place.replaceChildren();
    this.toggles.replaceChildren(...live.map((name) => {
      const box = make("input", { type: "checkbox", checked: true });
      box.addEventListener("change", () => {
        if (box.checked) this.wanted.add(name);
        else {
          this.wanted.delete(name);
          this.drop(name);
        }
        this.wished();
      });
      return make("label", {}, box, ` ${name.replaceAll("-", " ")}`);
    }));
    for (const name of ["load-distribution", ...live]) this.panel(name);
  }

  panel(name) {
    const state = make("p", { class: "state" }, "not computed yet");
    const figures = make("table");
    const holder = make("div", { class: "panel", "data-curve": name }, make("h2", {}, name.replaceAll("-", " ")), state, figures);
    const inside = make("div");
    holder.append(inside);
    holder.hidden = true;
    this.place.append(holder);
    this.panels.set(name, { holder, state, figures, inside, shown: null, told: null });
  }

  drop(name) {
    const panel = this.panels.get(name);
    panel.shown?.unmount();
    panel.shown = panel.told = null;
    panel.inside.replaceChildren();
    panel.holder.hidden = true;
  }

  stale(except = []) {
    for (const [name, panel] of this.panels) {
      if (panel.told && !except.includes(name)) panel.state.textContent = "of an earlier spec";
    }
  }

  take(told) {
    const panel = this.panels.get(told.analysis);
    if (!panel || (told.analysis !== "load-distribution" && !this.wanted.has(told.analysis))) return;
    panel.told = told;
    panel.holder.hidden = !told.document.curves.length;
    panel.state.textContent = told.complete ? "" : told.outcome;
    if (told.analysis !== "load-distribution") fillFigures(panel.figures, told.compared.filter(({ chief }) => chief).map(({ title, text, unit }) => [title, text, unit]));
    const document = { title: told.title, curves: told.document.curves };
    if (panel.shown) panel.shown.update(document, { compare: this.others(told.analysis) });
    else panel.shown = mount(panel.inside, document, { name: "now", compare: this.others(told.analysis) });
  }

  others(analysis) {
    return this.variants.filter(({ told }) => told[analysis]).map(({ name, told }) => ({ title: name, document: told[analysis].document }));
  }

  compare(variants) {
    this.variants = variants;
    for (const [name, panel] of this.panels) panel.shown?.update({}, { compare: this.others(name) });
  }

  /** What is known of the spec as it stands. */
  get known() {
    const fresh = [...this.panels].filter(([, { told, state }]) => told && !state.textContent);
    return Object.fromEntries(fresh.map(([name, { told }]) => [name, told]));
  }
}

/** Specs that were pinned, their figures side by side. */
export class Variants {
  constructor(place, back, changed) {
    this.place = place;
    this.table = place.querySelector("table");
    this.back = back; // goes back to a variant's changes
    this.changed = changed;
    this.all = [];
    this.count = 0;
  }

  clear() {
    this.all = [];
    this.count = 0;
    this.changed(this.all);
  }

  pin(changes, told) {
    this.count += 1;
    this.all.push({ name: `variant ${this.count}`, changes: { ...changes }, told: { ...told } });
    this.changed(this.all);
  }

  remove(variant) {
    this.all = this.all.filter((each) => each !== variant);
    this.changed(this.all);
  }

  /** What is known of the spec as it stands; variants that are the same learn it, too. */
  show(now, changes) {
    this.place.hidden = this.all.length === 0;
    if (this.place.hidden) return;
    const text = JSON.stringify(changes);
    for (const each of this.all) if (JSON.stringify(each.changes) === text) Object.assign(each.told, now);
    const columns = [{ name: "now", told: now }, ...this.all];
    const rows = new Map();
    columns.forEach(({ told }, column) => {
      for (const { compared } of Object.values(told)) {
        for (const figure of compared) {
          const row = rows.get(figure.name) || { ...figure, texts: [] };
          row.texts[column] = figure.text;
          rows.set(figure.name, row);
        }
      }
    });
    const head = make("tr", {}, make("th", {}, "Figure"), ...columns.map((each, column) => this.heading(each, column)), make("th", {}, "Unit"));
    const body = [];
    let group = "";
    for (const row of rows.values()) {
      const [analysis] = row.name.split(".");
      if (analysis !== group) body.push(make("tr", { class: "group" }, make("th", { colspan: columns.length + 2 }, analysis.replaceAll("-", " "))));
      group = analysis;
      body.push(make(
        "tr", {}, make("th", { scope: "row" }, row.title),
        ...columns.map((_, column) => make("td", { class: "number" }, row.texts[column] || "")), make("td", {}, row.unit),
      ));
    }
    const last = make("tr", { class: "changes" }, make("th", { scope: "row" }, "Changed"), make("td", {}), ...this.all.map((each) => make("td", {}, listed(each.changes))), make("td"));
    this.table.replaceChildren(make("thead", {}, head), make("tbody", {}, ...body, last));
  }

  heading(each, column) {
    const heading = make("th", { scope: "col" }, each.name);
    if (column === 0) return heading;
    heading.append(
      make("button", { type: "button", "aria-label": `Go back to ${each.name}`, onclick: () => this.back(each) }, "Go back"),
      make("button", { type: "button", "aria-label": `Remove ${each.name}`, onclick: () => this.remove(each) }, "Remove"),
    );
    return heading;
  }
}

function listed(changes) {
  return Object.entries(changes).map(([key, value]) => `${key}: ${value || "left out"}`).join(", ") || "nothing";
}
