"""The verdict about one mutation."""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time

CAUGHT, TIMED_OUT, SURVIVED = "caught", "timed out", "survived"
BROKEN, SAME = "does not compile", "same code"
COUNTED = (CAUGHT, TIMED_OUT, SURVIVED)


@contextlib.contextmanager
def scratch_environment(store, linked=None):
    """A temporary folder, and a compile store: `linked`, if it is given, which then holds what `store` holds.
    Nothing that is done there outlasts it."""
    folder = tempfile.mkdtemp(prefix="tunecheck-mutate-")
    os.chmod(folder, 0o1777)  # some tests run programs as another user
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("GTEST_", "TUNECHECK_"))}
    environment["TMPDIR"] = folder
    environment["TUNECHECK_COMPILE_STORE"] = str(linked or store)
    try:
        if linked:
            shutil.rmtree(linked, ignore_errors=True)
            subprocess.run(["cp", "--archive", "--link", store, linked], check=True)
        yield environment
    finally:
        subprocess.run(["chmod", "--recursive", "u+rwX", folder], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(folder, ignore_errors=True)
        if linked:
            shutil.rmtree(linked, ignore_errors=True)


class Jury:
    """stages_for(file) are asked in order, until one notices something."""

    def __init__(self, tree, stages_for, store):
        self.tree, self.stages_for, self.store = tree, stages_for, store

    def record(self, mutation):
        """What is stored of it, except for the campaign's own fields."""
        begun, once = time.monotonic(), []
        clean = self.tree.clean_digests(mutation.file)
        with self.tree.mutated(mutation):
            verdict, by = self._verdict(mutation.file, clean, once)
        record = {"file": mutation.file, "line": mutation.line, "column": mutation.column,
                  "before": mutation.before, "after": mutation.after, "text": mutation.text,
                  "verdict": verdict, "by": by, "seconds": round(time.monotonic() - begun, 1)}
        return {**record, "once": once} if once else record

    def _verdict(self, file, clean, once):
        objects = self.tree.objects_of(file)
        if not self.tree.build(objects):
            return BROKEN, ""
        if self.tree.digests(objects) == clean:
            return SAME, ""
        with scratch_environment(self.store, self.tree.folder / "store-of-mutant") as environment:
            for stage in self.stages_for(file):
                if not self.tree.build(stage.targets()):
                    return BROKEN, ""
                if found := self._asked(stage, environment, once):
                    return found
        return SURVIVED, ""

    def _asked(self, stage, environment, once):
        """The verdict, or None if the stage notices nothing."""
        name, outcome = stage.first(self.tree, environment)
        if outcome.ended_for not in ("", "stopped"):
            return TIMED_OUT, f"{stage.label}: {outcome.ended_for}"
        if not name:
            return None
        if stage.again(self.tree, environment, name):
            return CAUGHT, stage.noticed(name)
        once.append(stage.noticed(name))
        return None
