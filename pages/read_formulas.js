// Reads [[source, display], ...] from standard input and writes for each formula what the site's
// KaTeX has to say against it, "" if nothing.
const path = require("node:path");
const katex = require(path.join(__dirname, "../docs/assets/katex/katex.min.js"));

function problem([source, displayMode]) {
  const said = [];
  const strict = (code, message) => {
    said.push(`${code}: ${message}`);
    return "ignore";
  };
  try {
    katex.renderToString(source, { displayMode, strict });
  } catch (error) {
    said.push(error.message);
  }
  return said.join("; ");
}

const formulas = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(formulas.map(problem)));
