// A study: what varies and how, what every sample is asked, and what is known while it runs.

import { mount } from "./drawing.js";
import { choice, entry, Fields, told } from "./fields.js";
import { Job } from "./jobs.js";
import { byId, make, sentence } from "./parts.js";

const FIGURES = ["Figure", "As drawn", "Mean", "Deviation", "5 % below", "95 % below", "Unit"];
const AS_THE_KEY = "as the key";
const YIELDS = ["Limit", "Samples within", "Yield, %", "From", "To"];

export class Study extends Job {
  constructor({ form, study }) {
    super("study", () => study(byId("study-name").value.trim(), this.spec));
    this.wanted = form;
    this.study = study;
    this.shown = null;
    byId("study").addEventListener("toggle", () => this.ask());
    byId("study-add").addEventListener("click", () => this.add());
    byId("study-analysis").addEventListener("change", () => this.limits());
    byId("study-resume").addEventListener("click", () => this.begin(study(byId("study-known").value, null)));
  }

  /** Another spec is open: its form is asked for when it is looked at. */
  stale(name) {
    this.form = null;
    this.count = 0;
    byId("study-varies").replaceChildren();
    byId("study-name").value = `${name}-study`;
    this.ask();
  }

  ask() {
    if (byId("study").open && !this.form) this.wanted();
  }

  build(form) {
    const first = !this.form;
    this.form = form;
    byId("study-known").replaceChildren(...form.studies.map((name) => make("option", { value: name }, name)));
    byId("study-known").closest(".pair").hidden = !form.studies.length;
    if (!first) return;
    byId("study-analysis").replaceChildren(...form.analyses.map(({ name }) => make("option", { value: name }, name)));
    if (form.analyses.some(({ name }) => name === "hysteresis")) byId("study-analysis").value = "hysteresis";
    this.fields = new Fields(byId("study-fields"), "study", form.fields);
    this.fields.fields.get("samples").input.value = "200";
    this.limits();
    this.add();
  }

  limits() {
    const chosen = this.form.analyses.find(({ name }) => name === byId("study-analysis").value);
    const options = (chosen?.figures || []).map(({ name, title, unit }) => make("option", { value: name }, unit ? `${title}, ${unit}` : title));
    byId("study-figure").replaceChildren(make("option", { value: "" }, "(none)"), ...options);
  }

  /** One more key that varies. */
  add() {
    this.count += 1;
    const word = `varies-${this.count}`;
    const key = make("select", { class: "flank-select key", "aria-label": `Varies, ${this.count}` }, ...this.form.variables.map(({ path, title, unit }) => make("option", { value: path, title }, unit ? `${path} (${unit})` : path)));
    const distribution = make("select", { class: "flank-select distribution", "aria-label": `Distribution, ${this.count}` }, ...Object.keys(this.form.uses).map((name) => make("option", { value: name }, name)));
    const title = make("p", { class: "meaning" });
    const amounts = make("div", { class: "amounts" });
    const remove = make("button", { type: "button", "aria-label": `Remove ${this.count}`, onclick: () => row.remove() }, "Remove");
    const row = make("div", { class: "varied" }, key, distribution, remove, title, amounts);
    const variable = () => this.form.variables.find(({ path }) => path === key.value);
    const ask = () => {
      title.textContent = sentence(variable().title);
      amounts.replaceChildren(...this.amounts(word, distribution.value, variable()));
    };
    key.addEventListener("change", ask);
    distribution.addEventListener("change", ask);
    ask();
    byId("study-varies").append(row);
  }

  /** What a distribution takes, in the unit of the key; shares and batches are of errors. */
  amounts(word, distribution, { path: key, unit }) {
    const used = [...this.form.uses[distribution], ...(key.startsWith("errors.") ? ["share", "within"] : [])];
    return this.form.amounts.filter(({ path }) => used.includes(path)).map((known) => {
      const given = known.unit === AS_THE_KEY ? { ...known, unit, example: "" } : known;
      const id = `${word}-${given.path}`;
      const input = given.choices.length ? choice(given, id) : entry(given, id);
      input.dataset.amount = given.path;
      return make("div", { class: "amount" }, make("label", { for: id }, given.name), input, make("p", { class: "meaning", id: `${id}-meaning` }, told(given)));
    });
  }

  /** The study as texts by keys. */
  get spec() {
    const varies = {};
    for (const row of byId("study-varies").children) {
      const amounts = [...row.querySelectorAll("[data-amount]")].map((input) => [input.dataset.amount, input.value.trim()]);
      varies[row.querySelector(".key").value] = { distribution: row.querySelector(".distribution").value, ...Object.fromEntries(amounts) };
    }
    const figure = byId("study-figure").value;
    const limit = { at_least: byId("study-least").value.trim(), at_most: byId("study-most").value.trim() };
    const limits = figure && (limit.at_least || limit.at_most) ? { [figure]: limit } : {};
    return { varies, asks: byId("study-analysis").value, limits, fields: this.fields.texts };
  }

  refused(problems) {
    const other = this.fields ? this.fields.light(problems) : problems;
    this.end(other.map(sentence).join(" ") || "Some of it cannot be; see the fields.");
    this.wanted();
  }

  tell(message) {
    super.tell(message);
    if (message.known) this.show(message.known);
  }

  take(message) {
    this.show(message);
    this.end(`Saved as ${message.name} in ${message.folder}, with its report. ${message.words.map(sentence).join(" ")}`);
    this.wanted();
  }

  cancelled() {
    this.end("Stopped; what is computed is kept, and “Go on” goes on with it.");
    this.wanted();
  }

  show({ title, samples, states, curves, figures, yields }) {
    byId("study-result").hidden = false;
    const known = Object.entries(states).map(([word, count]) => `${count} ${word}`).join(", ");
    byId("study-title").textContent = `${title}: ${samples} samples, ${known}`;
    byId("study-figures").replaceChildren(...table(FIGURES, figures));
    byId("study-yields").replaceChildren(...(yields.length ? table(YIELDS, yields) : []));
    const drawn = { title, curves };
    if (this.shown) this.shown.update(drawn);
    else if (curves.length) this.shown = mount(byId("study-curves"), drawn);
  }
}

function table(headings, rows) {
  const last = headings.length - 1;
  const number = (column) => (column > 0 && (column < last || headings[last] !== "Unit") ? "number" : null);
  return [
    make("thead", {}, make("tr", {}, ...headings.map((text, column) => make("th", { scope: "col", class: number(column) }, text)))),
    make("tbody", {}, ...rows.map(([first, ...rest]) => make("tr", {}, make("th", { scope: "row" }, first), ...rest.map((text, k) => make("td", { class: number(k + 1) }, text))))),
  ];
}
