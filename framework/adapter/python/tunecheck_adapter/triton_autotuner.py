"""Tuners that are classes derived from Triton's Autotuner, or written like it: they stand above the
kernels of triton/kernels.py as triton.autotune does, and differ in what they keep and where."""

import sys
from pathlib import Path
from typing import Any, Callable, Mapping, Optional

from .answers import Answer, Trial
from .calls import Call
from .mutants import Mutant
from .packages import package_version
from .torch_tensors import GPU_PACKAGES, TritonCode, watch


class TritonAutotuner(TritonCode):
    """A subclass sets `tuner` and `packages`, and says in `decorator` what stands above a kernel. One
    whose tuner is called in another way than a kernel of Triton overrides `tuned_kernel` and `launch`.

    packages: by the name on PyPI, the version that the adapter was written for; the tuner's first.
    """

    packages: Mapping[str, str] = {}
    kernel_version = "triton.py"

    def __init__(self, mutant: Optional[Mutant] = None, restores: bool = True) -> None:
        super().__init__(mutant)
        self._restores = restores
        self._tuned: dict[str, Any] = {}  # as a module would hold them: for the process's life

    def decorator(self) -> Callable[..., Any]:
        """What is called as triton.autotune is: with configs, key, restore_value and reset_to_zero."""
        raise NotImplementedError

    def versions(self) -> str:
        first, *others = (
            (name, package_version(name, known, GPU_PACKAGES))
            for name, known in self.packages.items()
        )
        return ", ".join([first[1], *(f"{name} {version}" for name, version in others)])

    def load(self) -> dict[str, Any]:
        folder = str(Path(__file__).parents[1] / "triton")
        if folder not in sys.path:
            sys.path.append(folder)
        import kernels

        return kernels.KERNELS

    def run(self, call: Call, tensors: dict[str, Any]) -> Answer:
        kernel = self.kernels[call.kernel]
        tuned = self._tuned_for(call)
        watch(call, {call.kernel: list(enumerate(kernel.tensors))})
        tuned.bench_time = None  # set where it measures; some set 0 where they found times on disk
        compiles = self.compiles
        self.launch(tuned, call, tensors)
        measured = self.has_measured(tuned)
        return Answer(
            winner=_values(tuned.best_config),
            cache="miss" if measured or self.compiles > compiles else "hit",
            trials=[_trial(config, times) for config, times in tuned.configs_timings.items()]
            if measured
            else [],
        )

    def has_measured(self, tuned: Any) -> bool:
        """Whether the call that was made measured anything."""
        return bool(tuned.bench_time)

    def launch(self, tuned: Any, call: Call, tensors: dict[str, Any]) -> None:
        """The call of the user's program."""
        kernel = self.kernels[call.kernel]
        given = [tensors[name] for name in kernel.tensors]
        values = [
            *given,
            *kernel.arguments(call.sizes, call.scalars),
            *(stride for tensor in given for stride in tensor.stride()),
        ]
        launched = tuned[lambda meta: kernel.grid(call.sizes, meta)]
        if call.is_reordered:
            named = dict(zip(kernel.function.arg_names, values))
            launched(**self.in_order(call, tensors, named), **kernel.fixed(call.sizes))
        else:
            launched(*values, **kernel.fixed(call.sizes))

    def in_order(self, call: Call, tensors: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
        """The arguments by name, first the tensors in the order in which the caller names them."""
        kernel = self.kernels[call.kernel]
        first = [kernel.function.arg_names[kernel.tensors.index(name)] for name in tensors]
        others = [name for name in named if name not in first]
        return {name: named[name] for name in [*first, *others]}

    def tuned_kernel(self, call: Call, configs: list[dict[str, int]]) -> Any:
        """The decorated kernel with these configs, in Triton's names."""
        kernel = self.kernels[call.kernel]

        def hook(arguments: dict[str, Any]) -> None:
            for tensor in call.hook_zeroes:
                arguments[tensor].zero_()

        return self.decorator()(
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

    def _tuned_for(self, call: Call) -> Any:
        """A space is a list of configs in the source, so another one is another decorated kernel."""
        configs = [
            {name.upper(): value for name, value in config.items()} for config in call.configs
        ]
        name = f"{call.kernel} {configs} {call.hook_zeroes}"
        if name not in self._tuned:
            self._tuned[name] = self.tuned_kernel(call, configs)
        return self._tuned[name]


def _values(config: Any) -> dict[str, int]:
    return {name.lower(): value for name, value in config.kwargs.items()}


def _trial(config: Any, times_ms: Any) -> Trial:
    """Triton keeps the median and two quantiles, and of a config that failed infinity."""
    median_ms = times_ms[0] if isinstance(times_ms, (list, tuple)) else times_ms
    if median_ms == float("inf"):
        return Trial(_values(config), failure="out of resources, or it did not compile")
    return Trial(_values(config), median_ns=median_ms * 1e6)
