"""Units for other programs: a machine as a file that solvers load by the FMI standard, no Python
inside, no compiler needed to write one."""
