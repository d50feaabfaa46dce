// Tables of a page that copy into a spreadsheet.

import { element } from "./stage.js";

/** Cells with tabs between them, minus signs and digits as spreadsheets read them. */
export function tabbed(table) {
  const rows = [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim().replace(/[\t\n]+/g, " ").replace(/\u2212/g, "-")));
  return rows.map((row) => row.join("\t")).join("\n");
}

/** A button before a table that copies it; it says so where a browser does not allow that. */
export function addCopyButton(table) {
  const button = element("button", { type: "button", class: "flank-copy" }, "Copy table");
  button.addEventListener("click", async () => {
    const done = await copy(tabbed(table));
    button.textContent = done ? "Copied" : "Not allowed here: select and copy";
    setTimeout(() => { button.textContent = "Copy table"; }, 2500);
  });
  const place = table.closest(".scroll") || table;
  place.before(button);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** The old way, which pages from a file may go too. */
function copySelected(text) {
  const area = element("textarea", { class: "flank-aside", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  let done = false;
  try {
    done = document.execCommand("copy");
  } catch {
    done = false;
  }
  area.remove();
  return done;
}
