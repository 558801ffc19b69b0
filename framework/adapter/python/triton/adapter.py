"""triton.autotune: docs/adapter-protocol.md has the protocol, adapter.info what Triton promises.

adapter.py [plain] [--list | --mutant NAME]: with "plain" kernels are tuned as they are where their author has not read of
restore_value: https://triton-lang.org/main/python-api/generated/triton.autotune.html
"""

import sys
from typing import Any, Optional

import mutants
from tunecheck_adapter import Answer, Call, Trial, package_version, serve
from tunecheck_adapter.mutants import Mutant, chosen_mutant
from tunecheck_adapter.torch_tensors import GPU_PACKAGES, TritonCode, watch

KNOWN_VERSION = "3.6.0"


class Triton(TritonCode):
    tuner = "triton"

    def __init__(self, restores: bool, mutant: Optional[Mutant]) -> None:
        super().__init__(mutant)
        self._restores = restores
        self._tuned: dict[str, Any] = {}  # as a module would hold them: for the process's life

    def versions(self) -> str:
        return package_version("triton", KNOWN_VERSION, GPU_PACKAGES)

    def load(self) -> dict[str, Any]:
        import kernels

        return kernels.KERNELS

    def plant(self, mutant: Mutant) -> None:
        module = self.triton.runtime.autotuner
        module.Autotuner = mutant.plant(module.Autotuner)

    def run(self, call: Call, tensors: dict[str, Any]) -> Answer:
        kernel = self.kernels[call.kernel]
        tuned = self._autotuned(call)
        watch(call, {call.kernel: list(enumerate(kernel.tensors))})
        tuned.bench_time = None  # set where it measures
        compiles = self.compiles
        given = [tensors[name] for name in kernel.tensors]
        values = [
            *given,
            *kernel.arguments(call.sizes, call.scalars),
            *(stride for tensor in given for stride in tensor.stride()),
        ]
        launch = tuned[lambda meta: kernel.grid(call.sizes, meta)]
        if call.is_reordered:
            named = dict(zip(kernel.function.arg_names, values))
            in_order = [kernel.function.arg_names[kernel.tensors.index(name)] for name in tensors]
            first = {parameter: named.pop(parameter) for parameter in in_order}
            launch(**first, **named, **kernel.fixed(call.sizes))
        else:
            launch(*values, **kernel.fixed(call.sizes))
        measured = tuned.bench_time is not None
        return Answer(
            winner=_values(tuned.best_config),
            cache="miss" if measured or self.compiles > compiles else "hit",
            trials=[_trial(config, times) for config, times in tuned.configs_timings.items()]
            if measured
            else [],
        )

    def _autotuned(self, call: Call) -> Any:
        """The decorated kernel. A space is a list of configs in the source, so another one is
        another decorated kernel."""
        kernel = self.kernels[call.kernel]
        configs = [
            {name.upper(): value for name, value in config.items()} for config in call.configs
        ]
        name = f"{call.kernel} {configs} {call.hook_zeroes}"
        if name not in self._tuned:

            def hook(arguments: dict[str, Any]) -> None:
                for tensor in call.hook_zeroes:
                    arguments[tensor].zero_()

            self._tuned[name] = self.triton.autotune(
                [
                    self.triton.Config(
                        config,
                        num_warps=kernel.warps(config),
                        pre_hook=hook if call.hook_zeroes else None,
                    )
                    for config in configs
                ],
                key=kernel.key,
                restore_value=kernel.restore_value if self._restores else None,
                reset_to_zero=kernel.reset_to_zero if self._restores else None,
            )(kernel.function)
        return self._tuned[name]


def _values(config: Any) -> dict[str, int]:
    return {name.lower(): value for name, value in config.kwargs.items()}


def _trial(config: Any, times_ms: Any) -> Trial:
    """Triton keeps the median and two quantiles, and of a config that failed infinity."""
    median_ms = times_ms[0] if isinstance(times_ms, (list, tuple)) else times_ms
    if median_ms == float("inf"):
        return Trial(_values(config), failure="out of resources, or it did not compile")
    return Trial(_values(config), median_ns=median_ms * 1e6)


if __name__ == "__main__":
    is_plain = sys.argv[1:2] == ["plain"]
    serve(Triton(not is_plain, chosen_mutant(mutants.MUTANTS, sys.argv[1 + is_plain :])))
