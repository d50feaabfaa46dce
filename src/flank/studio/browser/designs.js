// A design: requirements of a kind, and the shortlist that is found for them.

import { mount } from "./drawing.js";
import { Fields } from "./fields.js";
import { Job } from "./jobs.js";
import { byId, make, sentence } from "./parts.js";

export class Design extends Job {
  constructor({ forms, design, open }) {
    super("design", () => {
      this.fields.light([]);
      return design(byId("design-kind").value, this.fields.texts);
    });
    this.open = open;
    this.drawn = [];
    byId("design").addEventListener("toggle", () => {
      if (byId("design").open && !this.kinds) forms();
    });
    byId("design-kind").addEventListener("change", () => this.build());
  }

  /** What may be asked of each kind. */
  forms({ kinds }) {
    this.kinds = kinds;
    byId("design-kind").replaceChildren(...Object.keys(kinds).map((name) => make("option", { value: name }, name)));
    this.build();
  }

  build() {
    const { fields, meaning } = this.kinds[byId("design-kind").value];
    byId("design-meaning").textContent = meaning;
    this.fields = new Fields(byId("design-fields"), "design", fields);
  }

  refused(problems) {
    const other = this.fields.light(problems);
    this.end(other.map(sentence).join(" ") || "Some requirements cannot be; see their fields.");
  }

  take(told) {
    this.end("");
    byId("designs").hidden = false;
    byId("designs-title").textContent = `${told.title}: ${told.columns.length} found`;
    byId("designs-counted").textContent = told.counted;
    const head = make("tr", {}, make("th", {}, "Quantity"), ...told.columns.map((name, place) => this.heading(name, told.titles[place], place)), make("th", {}, "Unit"));
    const rows = told.rows.map(([title, values, unit]) => make(
      "tr", {}, make("th", { scope: "row" }, title), ...values.map((value) => make("td", { class: "number" }, value)), make("td", {}, unit),
    ));
    byId("designs-table").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
    byId("designs-notes").replaceChildren(...told.notes.map((note) => make("p", { class: "meaning" }, sentence(note))));
    this.draw(told);
    const more = told.fell - told.falls.length;
    byId("designs-falls").replaceChildren(
      ...told.falls.map(([count, reason, beyond, words]) => make("tr", {}, make("td", { class: "number" }, count), make("th", { scope: "row" }, reason), make("td", {}, beyond), make("td", {}, words))),
      ...(more > 0 ? [make("tr", {}, make("td", {}), make("td", { colspan: 3 }, `and ${more} more reasons, in the report`))] : []),
    );
    byId("designs-name").value = `${byId("design-kind").value}-designs`;
  }

  heading(name, title, place) {
    const open = make("button", { type: "button", "aria-label": `Open ${name}`, title, onclick: () => this.open(place) }, "Open");
    return make("th", { scope: "col" }, `${name} `, open);
  }

  /** Of each a picture, and below it the rules that it is nearest to. */
  draw({ pictures, columns, margins }) {
    for (const each of this.drawn) each.unmount();
    const places = columns.map((name, place) => make("div", { class: "panel" }, make("h3", {}, `${name}: least margins`), make("ul", { class: "margins" }, ...margins[place].map((text) => make("li", {}, text))), make("div")));
    byId("designs-pictures").replaceChildren(...places);
    this.drawn = pictures.map((picture, place) => mount(places[place].lastChild, picture));
  }
}
