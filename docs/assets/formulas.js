// Formulas come from Markdown as elements of the class "arithmatex" whose text is \( ... \) or
// \[ ... \]. KaTeX draws them here; one that it cannot read is shown in red with its source.
for (const element of document.querySelectorAll(".arithmatex")) {
  const source = element.textContent.trim();
  katex.render(source.slice(2, -2), element, {
    displayMode: source.startsWith("\\["),
    throwOnError: false,
  });
}
