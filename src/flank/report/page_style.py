"""How a report looks, on a screen and on paper."""

CSS = """
:root { color-scheme: light dark; --paper: #fff; --text: #222; --quiet: #555; --line: #e4e7eb;
  --strong: #1f5a94; --doubt: #fdf4e7; --doubt-edge: #d17a1f; --bad: #fcebea; --bad-edge: #b3261e;
  --code: #f5f6f8; }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #15181c; --text: #e8eaed; --quiet: #a3acb8; --line: #2c323a; --strong: #7db8f0;
    --doubt: #33291a; --doubt-edge: #d99a4e; --bad: #3a1f1e; --bad-edge: #ef8a80; --code: #1e2329; }
  figure img { background: #fff; border-radius: 4px; }
}
body { margin: 0; background: var(--paper); color: var(--text); font: 16px/1.5 system-ui,
  "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.2rem 1.5rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: .95rem; margin: 0 0 .4rem; color: var(--quiet); font-weight: 600; }
p, ul { margin: .4rem 0; max-width: 46rem; }
ul { padding-left: 1.2rem; }
.kind { margin: 0 0 .2rem; color: var(--strong); font-weight: 600; }
.lead { font-size: 1.05rem; margin-top: .9rem; }
.alert { border-left: 4px solid var(--doubt-edge); background: var(--doubt); padding: .7rem 1rem;
  margin: 1.1rem 0; }
.alert h2 { margin: 0 0 .2rem; font-size: 1rem; }
.alert p { margin: .2rem 0; }
.failure { border-color: var(--bad-edge); background: var(--bad); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .28rem .9rem .28rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: baseline; }
th { font-weight: 400; }
td.number { text-align: right; padding-left: 1.2rem; padding-right: .45rem; white-space: nowrap; }
.scroll { overflow-x: auto; }
.grid thead th { color: var(--quiet); font-size: .9rem; }
.grid thead th.number { text-align: right; padding-left: 1.2rem; padding-right: .45rem; }
.grid td.words { padding-left: .9rem; }
.grid td.words:first-child { padding-left: 0; }
.grid.dense { font-size: .74rem; }
.grid.dense td, .grid.dense thead th { padding-left: .35rem; padding-right: .35rem;
  font-size: 1em; }
.grid.dense td.words { white-space: nowrap; }
figure { margin: 2rem 0 0; }
figure img { display: block; width: 100%; height: auto; }
@media screen {
  [data-flank-drawn] > .still img, [data-flank-drawn] > .still.whole { display: none; }
}
section[data-flank-part] { margin-top: 1.6rem; }
.verdict { border: 1px solid var(--line); border-left: 4px solid #3b8f4f; border-radius: 4px;
  padding: .6rem 1rem; margin: 1.1rem 0; }
.verdict.amber { border-left-color: var(--doubt-edge); }
.verdict.red { border-left-color: var(--bad-edge); }
.verdict h2 { margin: 0; font-size: 1rem; }
figcaption { color: var(--quiet); font-size: .9rem; margin-top: .35rem; max-width: 46rem; }
.columns { display: flex; flex-wrap: wrap; gap: 1.5rem 4rem; font-size: .92rem; }
.version { color: var(--quiet); font-size: .9rem; margin-top: 1rem; }
details { margin-top: 1.6rem; }
summary { cursor: pointer; font-weight: 600; }
pre { background: var(--code); padding: .9rem 1rem; overflow-x: auto;
  font: .82rem/1.45 ui-monospace, "DejaVu Sans Mono", Consolas, monospace; white-space: pre-wrap; }
@page { margin: 15mm; }
@media print {
  body { font-size: 10.5pt; }
  main { padding: 0; max-width: none; }
  figure, table, .alert { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
"""
