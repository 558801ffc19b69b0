"""What FlashInfer tells of trials: messages for developers (FLASHINFER_LOGGING_LEVEL=debug)."""

import ast
import logging
import re
import threading
from typing import Any, Callable

from tunecheck_adapter import Trial, config_text

_MEASURED = re.compile(r"\[Autotuner\]: profiling \w+ (.+), shapes=.*, avg_time (\S+)$")
_FAILED = re.compile(r"\[Autotuner\]: Failed when profiling \w+ (.+), shapes=.*? Error occurred: (.*)$")


class ToldTrials(logging.Handler):
    """begin() before a call, told() after it, in the same thread."""

    def __init__(self, logger: logging.Logger) -> None:
        super().__init__(logging.DEBUG)
        self._here = threading.local()
        logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        records = getattr(self._here, "records", None)
        if records is not None:
            records.append((record.levelno, record.getMessage().replace("\n", " ")))

    def begin(self) -> None:
        self._here.records = []

    def told(self, config_of: Callable[[Any], dict[str, int]]) -> list[Trial]:
        trials: dict[str, Trial] = {}
        for _, text in self._here.records:
            measured, failed = _MEASURED.match(text), _FAILED.match(text)
            found = measured or failed
            if found is None:
                continue
            config = config_of(ast.literal_eval(found[1]))
            trials[config_text(config)] = (
                Trial(config, median_ns=float(measured[2]) * 1e6)
                if measured
                else Trial(config, failure=found[2][:300])
            )
        return list(trials.values())

    def warnings(self) -> str:
        """What a user reads; its words for an entry that it could not write are put into those of the protocol."""
        text = "; ".join(text for level, text in self._here.records if level >= logging.WARNING)
        return f"not stored: {text}" if "Failed to persist" in text else text
