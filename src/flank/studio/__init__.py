"""A page on this computer: a machine's spec under sliders, its picture and answers beside it.

    server.py    `serve`: a socket of this computer, a token, the browser, Ctrl-C
    guard.py     what is let in: host, origin, token, sizes
    app.py       routes, and the socket of a tab
    tab.py       one tab: what it asks, and what it is told
    jobs.py      what takes long in a tab: an analysis, a design, a study, a dossier, parts
    designs.py   forms of requirements, shortlists
    studies.py   studies into a folder, and what is known of them meanwhile
    preparing.py what is computed once and kept: kernels, finite elements
    worker.py    a thread that does the newest job and drops the one before
    sources.py   where a spec comes from: a preset, a file below the start folder, a text
    form.py      the fields of a spec with unit, limits, meaning and slider
    answers.py   pictures, loads, findings and results as plain data
    saving.py    specs and reports into the start folder

The page itself is plain files in `browser/`. It holds no machine: it sends the keys that differ
from the spec that was opened, and a number by which stale answers are known.
"""
