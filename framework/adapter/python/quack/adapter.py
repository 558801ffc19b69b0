"""quack's Autotuner: docs/adapter-protocol.md has the protocol, adapter.info what quack promises."""

from inspect import Parameter, Signature
from typing import Any, Callable

from tunecheck_adapter import Call, serve
from tunecheck_adapter.packages import import_alone
from tunecheck_adapter.triton_autotuner import TritonAutotuner


class Quack(TritonAutotuner):
    tuner = "quack"
    packages = {"quack-kernels": "0.6.5", "triton": "3.6.0"}
    triton_cache_below = "QUACK_CACHE_DIR"

    def load(self) -> dict[str, Any]:
        # All of quack would import its kernels, and the compiler of these (nvidia-cutlass-dsl).
        self._autotuner = import_alone("quack.autotuner", ["quack", "quack.cache"], "quack-kernels")
        return super().load()

    def tuned_kernel(self, call: Call, configs: list[dict[str, int]]) -> Any:
        kernel = self.kernels[call.kernel]
        testing = self.triton.testing
        return self._autotuner.autotune(
            [self._autotuner.AutotuneConfig(**config) for config in configs],
            key=kernel.key,
            restore_value=[self.parameter(kernel, name) for name in kernel.restore_value],
            do_bench=lambda function, quantiles: testing.do_bench(
                function, warmup=5, rep=25, quantiles=quantiles
            ),
        )(user_function(call.kernel, kernel))

    @staticmethod
    def parameter(kernel: Any, tensor: str) -> str:
        return kernel.function.arg_names[kernel.tensors.index(tensor)]

    def launch(self, tuned: Any, call: Call, tensors: dict[str, Any]) -> None:
        kernel = self.kernels[call.kernel]
        numbers = {**call.sizes, "sizes": call.sizes, "scalars": call.scalars}
        if call.is_reordered:
            named = {self.parameter(kernel, name): tensor for name, tensor in tensors.items()}
            tuned(**named, **numbers)
        else:
            tuned(*(tensors[name] for name in kernel.tensors), **numbers)


def user_function(name: str, kernel: Any) -> Callable[..., None]:
    """What is tuned is a function that launches a kernel with a config: its tensors, then by name the
    sizes and the scalars. quack reads the names of its parameters."""
    parameters = kernel.function.arg_names[: len(kernel.tensors)]

    def launch(
        *given: Any, sizes: dict[str, int], scalars: dict[str, float], **named: Any
    ) -> None:
        tensors = [*given, *(named.pop(parameter) for parameter in parameters[len(given) :])]
        config = {key: value for key, value in named.items() if key not in sizes}
        kernel.function[lambda meta: kernel.grid(sizes, meta)](
            *tensors,
            *kernel.arguments(sizes, scalars),
            *(stride for tensor in tensors for stride in tensor.stride()),
            **kernel.fixed(sizes),
            **config,
            num_warps=kernel.warps(config),
        )

    launch.__name__ = name
    launch.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(parameter, Parameter.POSITIONAL_OR_KEYWORD) for parameter in parameters]
    )
    return launch


if __name__ == "__main__":
    serve(Quack())
