"""FLA's fla_cache_autotune: docs/adapter-protocol.md has the protocol, adapter.info what FLA promises."""

import os
from pathlib import Path
from typing import Any, Callable

import config_files
from tunecheck_adapter import Answer, Call, serve
from tunecheck_adapter.packages import import_alone
from tunecheck_adapter.triton_autotuner import TritonAutotuner


class Fla(TritonAutotuner):
    tuner = "fla"
    packages = {"fla-core": "0.6.0", "triton": "3.6.0"}

    def load(self) -> dict[str, Any]:
        self._timings = Path(os.environ["TRITON_CACHE_DIR"])
        self._configs = self._timings / "fla_configs"
        os.environ["FLA_CONFIG_DIR"] = str(self._configs)
        # All of FLA would import its kernels, for ten seconds in each process.
        self._cache = import_alone(
            "fla.ops.utils.cache", ["fla", "fla.ops", "fla.ops.utils"], "fla-core"
        )
        from fla.utils import autotune_cache_kwargs

        self._cached_on_disk = autotune_cache_kwargs
        return super().load()

    def decorator(self) -> Callable[..., Any]:
        # As FLA's own kernels are decorated.
        return lambda configs, **named: self._cache.fla_cache_autotune(
            configs, **named, **self._cached_on_disk
        )

    def run(self, call: Call, tensors: dict[str, Any]) -> Answer:
        answer = super().run(call, tensors)
        if answer.trials:
            answer.message = config_files.extract(
                self._timings,
                self._configs,
                self._cache.AutotuneKey.key_hash,
                self.triton.__version__,
            )
        return answer


if __name__ == "__main__":
    serve(Fla())
