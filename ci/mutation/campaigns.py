"""What is mutated, and what must notice it."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Campaign:
    name: str
    number: int  # of mutations that count, unless --number says otherwise
    folders: tuple
    left_out: dict  # globs of sources, and why
    alone: tuple  # the targets of these sources


CAMPAIGNS = {
    "scenarios": Campaign(
        "scenarios", 200, ("framework/tuner", "framework/backend"),
        {"framework/backend/gpu/*": "it runs on a GPU alone",
         "framework/tuner/cache_command/*": "no scenario calls it"},
        ("tunecheck_tuner", "tunecheck_backend")),
    "tests": Campaign(
        "tests", 300, ("framework/observe", "framework/harness", "framework/judge", "framework/gate"),
        {"framework/observe/gpu/cuda/*": "it runs on a GPU alone"},
        ("tunecheck_observe", "tunecheck_observe_light", "tunecheck_runtime_spy", "tunecheck-cxx-spy",
         "tunecheck_harness", "tunecheck-runner", "tunecheck_judge", "tunecheck_gate_rule", "tunecheck_gate_measure",
         "tunecheck_gate_history")),
}

# What a run of scenarios with the reference tuner starts or loads on a CPU.
PROGRAMS = ["tunecheck", "tunecheck-runner", "tunecheck-adapter-reference", "tunecheck-cxx-spy", "tunecheck-probe",
            "tunecheck-faults"]

# The families of scenarios that are most likely to notice something; the others come after them.
LIKELY = {
    "framework/backend/sim/": ["quality"],
    "framework/backend/": ["reload", "validity", "invalidation"],
    "framework/tuner/key/": ["invalidation", "reload"],
    "framework/tuner/search/": ["quality"],
    "framework/tuner/store/": ["faults", "growth", "reload", "concurrency"],
    "framework/tuner/trial/": ["validity", "quality"],
    "framework/tuner/": ["reload", "validity", "concurrency"],
    "framework/observe/faults/": ["faults"],
    "framework/": ["reload", "validity", "faults"],
}


def likely_families(file):
    """The longest beginning of the file's path decides."""
    return LIKELY[max((folder for folder in LIKELY if file.startswith(folder)), key=len)]


def own_part(file, parts):
    """The test program that is named after the source's folder, if there is one."""
    folders = file.split("/")[1:-1]
    names = ["_".join(folders[:length]) for length in range(len(folders), 0, -1)]
    return next((name for name in names if name in parts), None)
