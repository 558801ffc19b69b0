"""FlashInfer's autotuner with the store of autotune_v2: docs/adapter-protocol.md has the protocol, adapter.info what
FlashInfer promises."""

from types import SimpleNamespace
from typing import Any

import mutants
from tunecheck_adapter import Answer, Call, serve
from tunecheck_adapter.mutants import Mutant, chosen_mutant
from tunecheck_adapter.packages import import_alone
from tunecheck_adapter.torch_tensors import watch
from tunecheck_adapter.triton_autotuner import TritonAutotuner
from told_trials import ToldTrials


class FlashInfer(TritonAutotuner):
    tuner = "flashinfer"
    packages = {"flashinfer-python": "0.7.2", "triton": "3.6.0"}
    triton_cache_below = "FLASHINFER_AUTOTUNE_CACHE_DIR"

    def plant(self, mutant: Mutant) -> None:
        """Done in load(), which imports what is changed."""

    def load(self) -> dict[str, Any]:
        # All of FlashInfer would import its operations, and the packages that compile them.
        self._autotuner = import_alone(
            "flashinfer.autotuner.autotuner", ["flashinfer", "flashinfer.jit"], "flashinfer-python"
        )
        from flashinfer import autotune_cache

        if self._mutant:
            self._mutant.plant(SimpleNamespace(autotuner=self._autotuner, cache=autotune_cache))
        self._store = autotune_cache
        self._trials = ToldTrials(self._autotuner.logger)
        self._runners: dict[str, Any] = {}  # as a module would hold them: for the process's life
        return super().load()

    def run(self, call: Call, tensors: dict[str, Any]) -> Answer:
        kernel = self.kernels[call.kernel]
        runner = self._runner_for(call)
        watch(call, {call.kernel: list(enumerate(kernel.tensors))})
        compiles = self.compiles
        inputs = [tensors[name] for name in kernel.tensors]
        numbers = {"sizes": call.sizes, "scalars": call.scalars}
        runner.key_scalars = tuple(call.scalars[name] for name in call.key_scalars)
        self._trials.begin()
        # Triton is called from Python each time, so the policy is that for programs without graphs.
        policy = self._store.MeasurementPolicy(execution_mode="eager")
        with self._store.autotune_v2(measurement_policy=policy):
            chosen, tactic = self._autotuner.AutoTuner.get().choose_one(
                f"tunecheck::{call.kernel}", [runner], self._autotuner.TuningConfig(), inputs, **numbers
            )
        chosen(inputs, tactic=tactic, **numbers)
        trials = self._trials.told(runner.config_of)
        return Answer(
            winner=runner.config_of(tactic),
            cache="miss" if trials or self.compiles > compiles else "hit",
            trials=trials,
            message=self._trials.warnings(),
        )

    def _runner_for(self, call: Call) -> Any:
        """A space is a list of tactics in the source, so another one is another runner."""
        name = f"{call.kernel} {call.configs}"
        if name not in self._runners:
            self._runners[name] = make_runner(
                self._autotuner, call.kernel, self.kernels[call.kernel], call.configs, call.default
            )
        return self._runners[name]


def make_runner(
    autotuner: Any,
    name: str,
    kernel: Any,
    configs: list[dict[str, int]],
    default: dict[str, int],
) -> Any:
    """What a user of FlashInfer writes for an operation: a tactic is a config's values, and -1 the default."""
    names = sorted(configs[0])
    known = {tuple(config[each] for each in names): config for config in configs}

    class Runner(autotuner.TunableRunner):  # type: ignore[misc,name-defined]
        key_scalars: tuple[float, ...] = ()

        def __repr__(self) -> str:
            return type(self).__name__

        def __hash__(self) -> int:
            return id(self)

        def config_of(self, tactic: Any) -> dict[str, int]:
            return default or configs[0] if tactic == -1 else known[tuple(tactic)]

        def get_valid_tactics(self, inputs: Any, profile: Any) -> list[Any]:
            return list(known)

        def validate_tactic(self, inputs: Any, tactic: Any) -> bool:
            return tactic == -1 or tuple(tactic) in known

        def get_cache_key_extras(self, inputs: Any) -> tuple[Any, ...]:
            return (tuple(str(tensor.dtype) for tensor in inputs), self.key_scalars)

        def forward(
            self, inputs: Any, tactic: Any = -1, do_preparation: bool = False, **numbers: Any
        ) -> None:
            if do_preparation:
                return
            config = {each.upper(): value for each, value in self.config_of(tactic).items()}
            sizes = numbers["sizes"]
            kernel.function[lambda meta: kernel.grid(sizes, meta)](
                *inputs,
                *kernel.arguments(sizes, numbers["scalars"]),
                *(stride for tensor in inputs for stride in tensor.stride()),
                **kernel.fixed(sizes),
                **config,
                num_warps=kernel.warps(config),
            )

    # The name of the class is a part of the key.
    return type(f"{name}_runner", (Runner,), {})()


if __name__ == "__main__":
    serve(FlashInfer(chosen_mutant(mutants.MUTANTS)))
