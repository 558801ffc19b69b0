"""What passes in the unmutated tree, and how long it takes there."""

import json
import subprocess

from campaigns import LIKELY, PROGRAMS, likely_families, own_part
from jury import scratch_environment
from stages import Scenarios, TestProgram
from tree import Refused, checked, say

# What verdicts depend on besides the mutations.
SOURCES = ("framework", "kernels", "scenarios", "tests", "reports", "cmake", "CMakeLists.txt")

ATTEMPTS = 3


def state_of(tree):
    return checked(["git", "-C", tree.source, "ls-tree", "HEAD", "--", *SOURCES])


class Baseline:
    """measure() first. A part whose tests fail in the unmutated tree says nothing, and is left out; a family of
    scenarios that fails there ends the campaign."""

    def __init__(self, tree, folder, parts, quick, jobs):
        self.tree, self.folder, self.jobs, self.quick = tree, folder, jobs, quick
        self.parts = parts  # each test program that is asked, and what it is made of
        self.store = folder / "store"
        self.seconds = {}
        self.families = {}
        self.selection = None  # the quick one, if it is asked

    def copy_store(self, store):
        """Copies what other commands have compiled for scenarios; mutants never see the original."""
        if not self.store.exists():
            self.store.mkdir(parents=True)
            # Others may use it now: what goes away in the meantime is not needed.
            subprocess.run(["cp", "--archive", f"{store}/.", self.store], check=False, stderr=subprocess.DEVNULL)

    def measure(self):
        file = self.folder / "baseline.json"
        state = state_of(self.tree)
        if file.exists():
            known = json.loads(file.read_text())
            if known["state"] == state:
                self.seconds = known["seconds"]
        self._list_scenarios()
        with scratch_environment(self.store) as environment:
            for stage in [*map(TestProgram, self.parts), *self._scenario_stages()]:
                if stage.label not in self.seconds:
                    self._measure(stage, environment)
                    file.write_text(json.dumps({"state": state, "seconds": self.seconds}))
        self.parts = {part: files for part, files in self.parts.items() if self.seconds[f"tests/{part}"] is not None}

    def _measure(self, stage, environment):
        """What fails once may pass the next time, on a machine that others use."""
        for _ in range(ATTEMPTS):
            name, outcome = stage.first(self.tree, environment)
            if not name:
                break
            say(f"unmutated: {stage.noticed(name)}")
        self.seconds[stage.label] = round(outcome.seconds, 1) if not name else None
        say(f"unmutated: {stage.label}: {outcome.seconds:.1f} s")
        if name and isinstance(stage, Scenarios):
            raise Refused(f"{stage.noticed(name)} without any mutation\n{outcome.output[-3000:]}")
        if name:
            say(f"going on without {stage.label}: {name} fails without any mutation")

    def _list_scenarios(self):
        for name in self._listed():
            self.families.setdefault(name.partition(".")[0], []).append(name)
        if self.quick:
            self.selection = Scenarios("quick selection", self._listed("--quick"), PROGRAMS, self.jobs)

    def _listed(self, *options):
        return checked([self.tree.bin / "tunecheck", "run", "--list", *options]).split()

    def _scenario_stages(self):
        """All that is ever asked, in parts."""
        if not self.selection:
            return [self._scenarios([name]) for name in self.families]
        likely = {name for names in LIKELY.values() for name in names}
        return [self.selection, *(self._scenarios([name]) for name in self.families if name in likely)]

    def _scenarios(self, names):
        stage = Scenarios(", ".join(names), [each for name in names for each in self.families[name]], PROGRAMS,
                          self.jobs)
        if len(names) > 1:
            stage.seconds = sum(self.seconds[f"scenarios: {name}"] for name in names)
        return stage

    def scenarios_for(self, file):
        likely = [name for name in likely_families(file) if name in self.families]
        if self.selection:
            return [self._timed(self.selection), *([self._timed(self._scenarios(likely))] if likely else [])]
        rest = sorted(set(self.families) - set(likely))
        return [self._timed(self._scenarios(names)) for names in (likely, rest) if names]

    def _timed(self, stage):
        if stage.seconds is None:
            stage.seconds = self.seconds[stage.label]
        return stage

    def tests_for(self, file):
        """Orders the parts that link the file: its own first, then the quickest."""
        parts = [part for part, files in self.parts.items() if file in files]
        own = own_part(file, parts)
        parts.sort(key=lambda part: (part != own, self.seconds[f"tests/{part}"]))
        return [self._timed(TestProgram(part)) for part in parts]
