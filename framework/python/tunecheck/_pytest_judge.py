"""What the evidence of a watch says of each test in each pass.

Nothing here is asked of the tests or of a tuner: sections, tunings, compilers and findings are those of
watch.json.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable
from dataclasses import dataclass

from .results.watch import Watch, WatchFinding, WatchPlace, WatchRun, WatchSection, WatchSectionTuning


@dataclass(frozen=True)
class Verdict:
    """Why a test fails in a pass, in the judge's words."""

    word: str  # of tunecheck watch, or what the test asked for
    text: str
    expected: str
    observed: str
    evidence: str
    kernel: str = ""
    file: str = ""
    line: int = 0
    details: tuple[str, ...] = ()


def place_text(place: WatchPlace) -> str:
    return f"{place.file}:{place.line}" if place.line else place.file


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _tuning_text(tuning: WatchSectionTuning) -> str:
    place = place_text(tuning.place)
    where = f" ({place})" if place else ""
    return f"{tuning.kernel}{where}: {_count(len(tuning.codes), 'code')}, {_count(tuning.launches, 'launch', 'launches')} in all"


class Judge:
    """Made of a watch that is over. `cold_runs` is 1 where the first run found empty cache folders, else 0."""

    def __init__(self, watch: Watch, folder: str, cold_runs: int, allowed: Iterable[str]) -> None:
        self._watch = watch
        self._folder = folder
        self._cold_runs = cold_runs
        self._allowed = set(allowed)
        self._sections: dict[tuple[int, str], list[WatchSection]] = collections.defaultdict(list)
        for section in watch.sections:
            self._sections[section.run, section.name].append(section)
        self._placed: set[int] = set()  # findings that some test was told

    def of_test(self, run: int, test: str, asks: dict[str, bool]) -> list[Verdict]:
        """Of one test in one pass, with what it asks: a name, and whether in the cold pass too."""
        sections = self._sections.get((run, test), [])
        if not sections:
            return [self._blind(run, word, "no evidence of this test was kept") for word in asks]
        verdicts = []
        if run >= self._cold_runs and self._cold_runs > 0:
            verdicts += self._compiled(run, sections) + self._again(run, sections)
        verdicts += self._found(run, sections)
        for word, cold in asks.items():
            if word == "tuned_once":
                verdicts += self._tuned_once(run, sections)
            elif cold or run >= self._cold_runs:
                ask = self._no_compile if word == "no_compile" else self._no_tuning
                verdicts += ask(run, sections)
        # What a test asks for is said once.
        words = {verdict.word for verdict in verdicts}
        covered = {"COMPILED": "no_compile", "AGAIN": "no_tuning"}
        return [each for each in verdicts if covered.get(each.word) not in words]

    def of_none(self, expects_evidence: bool = True) -> list[tuple[int, Verdict]]:
        """What fails and belongs to no test, after all tests were asked; each with its pass. Without
        `expects_evidence`, nothing was to be seen."""
        verdicts = []
        names = [run.name for run in self._watch.runs]
        for number, run in enumerate(self._watch.runs):
            own = sum(s.compiles for s in self._watch.sections if s.run == number)
            unclear = max((s.unclear_compiles for s in self._watch.sections if s.run == number), default=0)
            outside = run.compiles - own
            if number >= self._cold_runs > 0 and outside > 0 and "COMPILED" not in self._allowed:
                where = "outside of any test" if not unclear else "outside of tests, or in one of several at once"
                verdicts.append(
                    (
                        number,
                        Verdict(
                            "COMPILED",
                            f"a warm start compiles {where}",
                            "no compiler",
                            _count(outside, "compiler"),
                            self._evidence(number),
                            details=self._details_of("COMPILED"),
                        ),
                    )
                )
        for number, finding in enumerate(self._watch.findings):
            if self._fails(finding) and number not in self._placed and finding.word not in ("COMPILED",):
                verdicts.append((names.index(finding.run), self._of_finding(finding)))
        if expects_evidence and not any(run.compiles or run.launches for run in self._watch.runs):
            notes = tuple(self._watch.notes)
            observed = "neither a compiler nor a launch of a kernel"
            text = "nothing was seen, so that nothing is known"
            verdicts.append((0, Verdict("NOT TRUSTED", text, "evidence", observed, self._folder, details=notes)))
        return verdicts

    def unclear(self) -> list[str]:
        """A line for each finding that the evidence does not decide."""
        return [
            f"unclear {each.word} {each.kernel} ({place_text(each.place)}): {each.text}"
            for each in self._watch.findings
            if not each.certain
        ]

    def _fails(self, finding: WatchFinding) -> bool:
        return finding.certain and not finding.allowed and finding.word not in self._allowed

    def _evidence(self, run: int, sections: list[WatchSection] | None = None) -> str:
        text = f"{self._folder}/run-{run + 1}/evidence.jsonl"
        if sections:
            text += f", from {sections[0].from_ns / 1e9:.3f} s to {sections[-1].to_ns / 1e9:.3f} s"
        return text

    def _details_of(self, word: str) -> tuple[str, ...]:
        return tuple(line for each in self._watch.findings if each.word == word for line in each.details)

    def _compiled(self, run: int, sections: list[WatchSection]) -> list[Verdict]:
        if "COMPILED" in self._allowed:
            return []
        return self._compilers("COMPILED", "a warm start compiles", run, sections)

    def _compilers(self, word: str, text: str, run: int, sections: list[WatchSection]) -> list[Verdict]:
        count = sum(section.compiles for section in sections)
        if count == 0:
            return []
        commands = tuple(command for section in sections for command in section.commands)
        observed = _count(count, "compiler") + (f", first {commands[0]}" if commands else "")
        return [
            Verdict(word, text, "no compiler", observed, self._evidence(run, sections), details=commands[1:])
        ]

    def _again(self, run: int, sections: list[WatchSection]) -> list[Verdict]:
        if "AGAIN" in self._allowed:
            return []
        tunings = [t for s in sections for t in s.tunings if t.certain]
        if tunings:
            self._place({"AGAIN"}, run, {tuning.kernel for tuning in tunings})
        return self._tunings("AGAIN", "tuned again in a warm start", "no tuning", run, sections, tunings)

    def _tunings(
        self,
        word: str,
        text: str,
        expected: str,
        run: int,
        sections: list[WatchSection],
        tunings: list[WatchSectionTuning],
    ) -> list[Verdict]:
        if not tunings:
            return []
        first = tunings[0]
        return [
            Verdict(
                word,
                text,
                expected,
                _tuning_text(first),
                self._evidence(run, sections),
                first.kernel,
                first.place.file,
                first.place.line,
                tuple(_tuning_text(tuning) for tuning in tunings[1:]),
            )
        ]

    def _place(self, words: set[str], run: int, kernels: set[str]) -> None:
        for number, finding in enumerate(self._watch.findings):
            if finding.word in words and finding.kernel in kernels:
                self._placed.add(number)

    def _found(self, run: int, sections: list[WatchSection]) -> list[Verdict]:
        """Findings of kernels that this test tuned, or, of those of other starts, launched."""
        verdicts = []
        launched = {name for section in sections for name in section.kernels}
        tuned = {(t.kernel, place_text(t.place)) for s in sections for t in s.tunings}
        for number, finding in enumerate(self._watch.findings):
            if finding.word in ("COMPILED", "AGAIN") or not self._fails(finding):
                continue
            if finding.run != self._watch.runs[run].name:
                continue
            if finding.word in ("WRONG", "SPOILT"):
                is_own = (finding.kernel, place_text(finding.place)) in tuned
            else:
                is_own = finding.kernel in launched
            if is_own:
                self._placed.add(number)
                verdicts.append(self._of_finding(finding, sections))
        return verdicts

    def _of_finding(self, finding: WatchFinding, sections: list[WatchSection] | None = None) -> Verdict:
        run = [each.name for each in self._watch.runs].index(finding.run)
        expected = {
            "WRONG": "what one clean launch of the winner leaves",
            "SPOILT": "trials that find what the first one found",
            "CHANGED": "the code that the cold start settled on",
            "RANKS": "one code in all processes",
            "STALE": "code of the sources as they are now",
            "LATE": "no tuning inside a capture",
            "EVERY_STEP": "one tuning for all values of the number",
            "AGAIN": "no tuning",
        }.get(finding.word, "nothing of the kind")
        return Verdict(
            finding.word,
            finding.text,
            expected,
            finding.details[0] if finding.details else finding.text,
            self._evidence(run, sections),
            finding.kernel,
            finding.place.file,
            finding.place.line,
            tuple(finding.details[1:]),
        )

    def _blind(self, run: int, word: str, why: str, sections: list[WatchSection] | None = None) -> Verdict:
        return Verdict(word, "nothing can be said of it", "evidence", why, self._evidence(run, sections))

    def _no_compile(self, run: int, sections: list[WatchSection]) -> list[Verdict]:
        word = "no_compile"
        of_run: WatchRun = self._watch.runs[run]
        if not of_run.compilers_seen and of_run.compilers_seen is not None:
            return [self._blind(run, word, "compilers are not seen on this machine", sections)]
        verdicts = self._compilers(word, "the test compiles", run, sections)
        unclear = sum(section.unclear_compiles for section in sections)
        if not verdicts and unclear:
            why = f"{_count(unclear, 'compiler')} while several tests were under way: nobody knows whose"
            return [self._blind(run, word, why, sections)]
        return verdicts

    def _no_tuning(self, run: int, sections: list[WatchSection]) -> list[Verdict]:
        word = "no_tuning"
        tunings = [tuning for section in sections for tuning in section.tunings]
        certain = [tuning for tuning in tunings if tuning.certain]
        if certain:
            return self._tunings(word, "the test tunes", "no tuning", run, sections, certain)
        if tunings:
            why = _tuning_text(tunings[0]) + "; whether that is a tuning is not certain"
            return [self._blind(run, word, why, sections)]
        if not any(section.kernels for section in sections):
            return [self._blind(run, word, "no launch of a kernel was looked at", sections)]
        return []

    def _tuned_once(self, run: int, sections: list[WatchSection]) -> list[Verdict]:
        word = "tuned_once"
        tunings = [tuning for section in sections for tuning in section.tunings]
        certain = [tuning for tuning in tunings if tuning.certain]
        if run >= self._cold_runs > 0:
            return self._tunings(word, "tuned again in a later start", "no tuning", run, sections, certain)
        counts = collections.Counter((tuning.kernel, tuning.shapes) for tuning in certain)
        often = [tuning for tuning in certain if counts[tuning.kernel, tuning.shapes] > 1]
        if often:
            times = counts[often[0].kernel, often[0].shapes]
            return self._tunings(word, f"tuned {times} times", "one tuning", run, sections, often)
        if not certain:
            why = "no tuning was seen"
            if tunings:
                why = _tuning_text(tunings[0]) + "; whether that is a tuning is not certain"
            return [self._blind(run, word, why, sections)]
        return []
