"""triton.autotune: docs/adapter-protocol.md has the protocol, adapter.info what Triton promises.

adapter.py [plain] [--list | --mutant NAME]: with "plain" kernels are tuned as they are where their author has not read of
restore_value: https://triton-lang.org/main/python-api/generated/triton.autotune.html
"""

import sys
from typing import Any, Callable

import mutants
from tunecheck_adapter import serve
from tunecheck_adapter.mutants import Mutant, chosen_mutant
from tunecheck_adapter.triton_autotuner import TritonAutotuner


class Triton(TritonAutotuner):
    tuner = "triton"
    packages = {"triton": "3.6.0"}

    def decorator(self) -> Callable[..., Any]:
        return self.triton.autotune

    def plant(self, mutant: Mutant) -> None:
        module = self.triton.runtime.autotuner
        module.Autotuner = mutant.plant(module.Autotuner)


if __name__ == "__main__":
    is_plain = sys.argv[1:2] == ["plain"]
    mutant = chosen_mutant(mutants.MUTANTS, sys.argv[1 + is_plain :])
    serve(Triton(mutant, restores=not is_plain))
