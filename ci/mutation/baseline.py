"""What passes in the unmutated tree, and how long it takes there."""

import json
import pathlib
import subprocess

from campaigns import LIKELY, PROGRAMS, likely_families, own_part
from jury import scratch_environment
from stages import Scenarios, TestProgram
from tree import Refused, say
from workers import at_once

ATTEMPTS = 3
MOST_LEFT_OUT = 0.1  # of the scenarios


class Baseline:
    """measure() first, with the cores of the machine. What fails in the unmutated tree, be it a part's tests or a
    scenario, says nothing, and is left out; if that is much, the campaign is refused. `jobs` is how many scenarios
    a mutant's run has at once."""

    def __init__(self, tree, parts, quick, jobs, cores):
        self.tree, self.jobs, self.cores, self.quick = tree, jobs, cores, quick
        self.parts = parts  # each test program that is asked, and what it is made of
        self.store = tree.folder / "store"
        self.seconds = {}  # of each test program and each scenario; None for one that fails
        self.families = {}
        self.selection = None  # the quick one, if it is asked

    def copy_store(self, store):
        """Copies what other commands have compiled for scenarios; mutants never see the original."""
        if not self.store.exists():
            self.store.mkdir(parents=True)
            # Others may use it now: what goes away in the meantime is not needed.
            subprocess.run(["cp", "--archive", f"{store}/.", self.store], check=False, stderr=subprocess.DEVNULL)

    def measure(self):
        file = self.tree.folder / "baseline.json"
        state = self.tree.state()
        known = json.loads(file.read_text()) if file.exists() else {}
        if known.get("state") == state:
            self.seconds = known["seconds"]
        programs = [stage for stage in map(TestProgram, self.parts) if stage.label not in self.seconds]
        for label, seconds in at_once([lambda stage=stage: self._measure(stage) for stage in programs], self.cores):
            self.seconds[label] = seconds
        self._measure_scenarios()
        file.write_text(json.dumps({"state": state, "seconds": self.seconds}))
        self.parts = {part: files for part, files in self.parts.items() if self.seconds[f"tests/{part}"] is not None}
        self._sort_scenarios()

    def _measure(self, stage):
        """The label of a test program, and its seconds. What fails once may pass the next time, on a machine that
        others use."""
        with scratch_environment(self.store) as environment:
            for _ in range(ATTEMPTS):
                name, outcome = stage.first(self.tree, environment)
                if not name:
                    break
                say(f"unmutated: {stage.noticed(name)}")
        say(f"unmutated: {stage.label}: {outcome.seconds:.1f} s")
        if name:
            say(f"going on without {stage.label}: {name} fails without any mutation")
        return stage.label, None if name else round(outcome.seconds, 1)

    def _measure_scenarios(self):
        """All of them at once; those that fail again, with fewer at once each time."""
        open_ones = [name for name in self._asked_ones() if name not in self.seconds]
        whole, jobs = len(open_ones), self.cores
        for _ in range(ATTEMPTS):
            if not open_ones:
                break
            with scratch_environment(self.store) as environment:
                run = Scenarios("all", open_ones, PROGRAMS, jobs)
                outcome = run.to_the_end(self.tree, environment)
                seconds = run.seconds_of_each(pathlib.Path(environment["TMPDIR"]) / "out" / "result.json")
            if not seconds and len(open_ones) == whole:
                raise Refused(f"no scenario passes without any mutation\n{outcome.output[-3000:]}")
            self.seconds.update(seconds)
            say(f"unmutated: {len(seconds)} of {len(open_ones)} scenarios: {outcome.seconds:.1f} s")
            open_ones = [name for name in open_ones if name not in seconds]
            jobs = max(1, jobs // 4)
        if len(open_ones) > MOST_LEFT_OUT * whole:
            raise Refused(f"without any mutation these fail: {' '.join(open_ones)}\n{outcome.output[-3000:]}")
        for name in open_ones:
            self.seconds[name] = None
            say(f"going on without scenario {name}: it fails without any mutation")

    def _asked_ones(self):
        """All that is ever asked."""
        names = self.tree.listed_scenarios()
        if not self.quick:
            return names
        likely = {family for families in LIKELY.values() for family in families}
        quick = set(self.tree.listed_scenarios("--quick"))
        return [name for name in names if name in quick or name.partition(".")[0] in likely]

    def _sort_scenarios(self):
        passing = [name for name in self._asked_ones() if self.seconds[name] is not None]
        for name in passing:
            self.families.setdefault(name.partition(".")[0], []).append(name)
        if self.quick:
            chosen = set(self.tree.listed_scenarios("--quick"))
            self.selection = self._scenarios("quick selection", [name for name in passing if name in chosen])

    def _scenarios(self, label, names):
        stage = Scenarios(label, names, PROGRAMS, self.jobs)
        stage.seconds = sum(self.seconds[name] for name in names)
        return stage

    def _of_families(self, families):
        return self._scenarios(", ".join(families), [each for name in families for each in self.families[name]])

    def scenarios_for(self, file):
        likely = [name for name in likely_families(file) if name in self.families]
        rest = [] if self.selection else sorted(set(self.families) - set(likely))
        stages = [self._of_families(names) for names in (likely, rest) if names]
        return [self.selection, *stages] if self.selection else stages

    def tests_for(self, file):
        """Orders the parts that link the file: its own first, then the quickest."""
        parts = [part for part, files in self.parts.items() if file in files]
        own = own_part(file, parts)
        parts.sort(key=lambda part: (part != own, self.seconds[f"tests/{part}"]))
        return [self._timed(TestProgram(part)) for part in parts]

    def _timed(self, stage):
        stage.seconds = self.seconds[stage.label]
        return stage
