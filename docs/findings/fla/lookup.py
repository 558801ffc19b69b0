"""Which config files FLA uses, by its modes. Needs no GPU: nothing is measured or launched, since a
stand-in takes the place of both. The key, the lookup and the config are FLA's."""

import os
import subprocess
import sys
import tempfile

MODES = ("disabled", "strict", "fuzzy", "full")
CASES = {
    "the same call": {},
    "other numbers": {"n": 3},
    "another dtype": {"dtype": "float16"},
    "a file of Triton 1.0.0": {"triton_version": "1.0.0"},
    "a config that is not listed": {"blocks": (256, 512)},
    "a config with a pre_hook": {"hook": True},
}


def ask(folder, n=65536, dtype="float32", triton_version="3.6.0", blocks=(128, 256), hook=False):
    """What is launched for a call, where a file says that 128 won for 65536 elements of f32."""
    import config_file
    import torch
    import triton
    import triton.language as tl
    from fla.ops.utils.cache import fla_cache_autotune

    def axpy(x, y, n, BLOCK: tl.constexpr):
        pass

    config_file.write(folder, block=128, triton_version=triton_version)
    hooks, measured = [], []
    configs = [
        triton.Config({"BLOCK": block}, pre_hook=hooks.append if hook else None) for block in blocks
    ]
    tuned = fla_cache_autotune(configs, key=["n"])(triton.jit(axpy))

    def bench(*arguments, config, **named):
        measured.append(config)
        return [config.kwargs["BLOCK"]] * 3

    tuned._bench = bench
    tuned.fn = type("Launched", (), {"run": lambda self, *arguments, **named: None})()
    x = torch.ones(4, dtype=getattr(torch, dtype))
    tuned.run(x, x, n, grid=(1,), warmup=False)
    found = "measured" if measured else "from the file"
    return f"{tuned.best_config.kwargs['BLOCK']} {found}{', hook run' if hooks else ''}"


def main():
    if len(sys.argv) == 3:
        print(ask(sys.argv[1], **CASES[sys.argv[2]]))
        return 0
    answers = {}
    for case in CASES:
        for mode in MODES:  # FLA reads its mode when it is imported
            with tempfile.TemporaryDirectory() as folder:
                environment = {"FLA_CACHE_MODE": mode, "FLA_CONFIG_DIR": f"{folder}/fla_configs"}
                done = subprocess.run(
                    [sys.executable, __file__, folder, case],
                    env={**os.environ, **environment},
                    capture_output=True,
                    text=True,
                )
            lines = done.stdout.splitlines() or done.stderr.splitlines()
            answers[case, mode] = lines[-1] if lines else ""
        print(f"{case}: " + "; ".join(f"{mode}: {answers[case, mode]}" for mode in MODES))
    expected = {
        ("other numbers", "fuzzy"): "128 from the file",
        ("a file of Triton 1.0.0", "strict"): "128 from the file",
        ("a config that is not listed", "strict"): "128 from the file",
        ("a config with a pre_hook", "strict"): "128 from the file",
    }
    return any(answers[key] != answer for key, answer in expected.items())


if __name__ == "__main__":
    sys.exit(main())
