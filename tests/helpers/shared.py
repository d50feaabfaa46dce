"""What takes long and several tests read: computed once, whichever worker needs it first."""

import fcntl
import os
import pickle


def shared_folder(tmp_path_factory):
    """A folder that all workers of a test run have in common."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


def computed_once(tmp_path_factory, name, compute):
    """What `compute` gives, by the first worker that asks for `name`; the others wait for it."""
    folder = shared_folder(tmp_path_factory)
    kept = folder / f"{name}.pickle"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            kept.write_bytes(pickle.dumps(compute()))
        return pickle.loads(kept.read_bytes())
