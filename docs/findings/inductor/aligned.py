"""Where the tensor of the call begins, behind a multiple of 64 bytes, and where those of the trials do."""

import os
import sys
import tempfile

import torch

trials = set()


def main():
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    clone_args = CachingAutotuner.maybe_clone_args

    def recorded(self, exclude, *args, **named):
        cloned, named = clone_args(self, exclude, *args, **named)
        changed = zip(self.fn.arg_names, cloned)
        trials.update(each.data_ptr() % 64 for name, each in changed if name in self.mutated_arg_names)
        return cloned, named

    CachingAutotuner.maybe_clone_args = recorded
    function = torch.compile(lambda y: y.add_(1.0), mode="max-autotune-no-cudagraphs")
    y = torch.zeros((1 << 16) + 1, device="cuda")[1:]
    function(y)
    torch.cuda.synchronize()
    print("the call:", y.data_ptr() % 64, "trials:", sorted(trials))
    sys.exit(0 not in trials)


with tempfile.TemporaryDirectory() as folder:
    os.environ |= {"TORCHINDUCTOR_CACHE_DIR": folder, "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    main()
