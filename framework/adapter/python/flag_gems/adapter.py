"""FlagGems' LibTuner: docs/adapter-protocol.md has the protocol, adapter.info what FlagGems promises."""

from typing import Any, Callable

from tunecheck_adapter import Answer, Call, serve
from tunecheck_adapter.triton_autotuner import TritonAutotuner


class FlagGems(TritonAutotuner):
    tuner = "flag_gems"
    packages = {"flag_gems": "5.0.2", "triton": "3.6.0"}
    triton_cache_below = "FLAGGEMS_CACHE_DIR"

    def load(self) -> dict[str, Any]:
        from flag_gems.utils import libtuner

        self._libtuner = libtuner
        return super().load()

    def decorator(self) -> Callable[..., Any]:
        return self._libtuner

    def tuned_kernel(self, call: Call, configs: list[dict[str, int]]) -> Any:
        tuned = super().tuned_kernel(call, configs)
        benchmark = tuned._bench

        def counted(*given: Any, **named: Any) -> Any:
            self._measured += 1
            return benchmark(*given, **named)

        tuned._bench = counted
        return tuned

    def run(self, call: Call, tensors: dict[str, Any]) -> Answer:
        self._measured = 0
        return super().run(call, tensors)

    def has_measured(self, tuned: Any) -> bool:
        # It has a time for the choice among times that it found in its database, too.
        return self._measured > 0


if __name__ == "__main__":
    serve(FlagGems())
