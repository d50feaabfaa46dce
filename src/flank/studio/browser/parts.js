// Elements and small things of the page. Texts are set as texts: none of a spec is ever markup.

export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

export const byId = (id) => document.getElementById(id);

/** Rows of [title, number, unit] into a table. */
export function fillFigures(table, rows) {
  table.replaceChildren(...rows.map(([title, number, unit]) => make(
    "tr", {}, make("th", { scope: "row" }, title), make("td", { class: "number" }, number), make("td", {}, unit),
  )));
}

/** Sentences as paragraphs. */
export function fillSentences(place, sentences, kind = "warning") {
  place.replaceChildren(...sentences.map((text) => make("p", { class: kind }, sentence(text))));
}

/** With a capital, unless it begins with a key of the spec. */
export function sentence(text) {
  const begun = /^\w+[._:]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
