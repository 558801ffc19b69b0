"""What TileLang tells its user of trials: a line on the terminal for each config that it measured, a message in its log
for each that failed."""

import logging
import re
import threading
from typing import Any

from tunecheck_adapter import Trial, config_text

_MEASURED = re.compile(r"Tuned Latency (\S+) with config (\{.*\}) at index (\d+)")
_FAILED = re.compile(r"(?:config|for config) (\{[^}]*\})")


class ToldErrors(logging.Handler):
    """What TileLang logs as an error while a call is made, of whichever thread: a user reads it on the terminal."""

    def __init__(self, logger: logging.Logger) -> None:
        super().__init__(logging.ERROR)
        self._texts: list[str] = []
        logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        raised = record.exc_info[1] if record.exc_info else None
        self._texts.append(f"{record.getMessage()}: {raised}" if raised else record.getMessage())

    def take(self) -> str:
        """Its words for an entry that it could not write are put into those of the protocol."""
        texts, self._texts = self._texts, []
        text = "; ".join(texts)
        return f"not stored: {text}" if "autotune result save" in text else text


class ToldTrials(logging.Handler):
    """begin() before a call, told() after it, in one thread at a time. Listens to the module
    tilelang.autotuner.tuner, whose lines come from whichever thread tunes."""

    def __init__(self, tuner: Any) -> None:
        super().__init__(logging.DEBUG)
        self._lines: list[str] = []
        self._configs: dict[str, dict[str, int]] = {}
        self._noting = threading.Lock()
        tuner.logger.addHandler(self)
        progress = tuner.tqdm

        class Listening(progress):  # type: ignore[misc,valid-type]
            @classmethod
            def write(cls, text: str, *arguments: Any, **named: Any) -> None:
                self._note(text)
                progress.write(text, *arguments, **named)

        tuner.tqdm = Listening

    def emit(self, record: logging.LogRecord) -> None:
        self._note(record.getMessage())

    def _note(self, text: str) -> None:
        with self._noting:
            self._lines.append(text)

    def begin(self, configs: list[dict[str, int]]) -> None:
        with self._noting:
            self._lines.clear()
        self._configs = {str(config): config for config in configs}

    def told(self) -> list[Trial]:
        with self._noting:
            lines = list(self._lines)
        trials: dict[str, Trial] = {}
        for line in lines:
            measured = _MEASURED.match(line)
            failed = None if measured else _FAILED.search(line)
            found = measured[2] if measured else failed[1] if failed else ""
            config = self._configs.get(found)
            if config is None:
                continue
            trial = (
                Trial(config, median_ns=float(measured[1]) * 1e6)
                if measured
                else Trial(config, failure=line.splitlines()[0])
            )
            trials.setdefault(config_text(config), trial)
        return list(trials.values())
