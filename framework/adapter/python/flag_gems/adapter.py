"""FlagGems' LibTuner: docs/adapter-protocol.md has the protocol, adapter.info what FlagGems promises."""

from typing import Any, Callable

from tunecheck_adapter import serve
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


if __name__ == "__main__":
    serve(FlagGems())
