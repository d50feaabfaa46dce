"""From requirements to machines, and whether a machine may be released: figures, rules, verdicts.

    figure.py       a named figure of a machine, computed when it is asked for
    rule.py         a rule as data: figure, relation, limit, sentence, remedy, source
    remedy.py       by how much a key of the spec is to be moved so that a rule is kept
    registry.py     figures and rules by kind of machine
    verdict.py      `judge(machine)`: figures, findings, margins, a light
    loads.py        static solves that several figures read

    optimization.py  `optimize(problem)`: keys of a spec varied until figures of analyses, by real
                     runs, are as good as can be within limits; made of `vary.py` (keys and their
                     bounds), `asked_figures.py` (figures by name), `problem.py` (what is wanted,
                     and trials of it), `search.py` and, for two objectives, `pareto.py`

A folder a machine holds its figures and its rules; what several machines share stands in `pins/`.
"""
