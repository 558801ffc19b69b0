"""What is mutated, and what must notice it."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Campaign:
    name: str
    number: int  # of mutations that count, unless --number says otherwise
    folders: tuple
    left_out: dict  # globs of sources, and why
    alone: tuple  # the targets of these sources
    left_out_calls: dict = dataclasses.field(default_factory=dict)  # functions whose arguments stay, and why
    left_out_code: dict = dataclasses.field(default_factory=dict)  # functions and tables that stay, by file, and why


MESSAGE = "it only makes the text of a message, whose words no scenario reads"
OTHERS = "the judge calls it for adapters of other tuners, and GPUs do"
PROCESSOR = "it reads what processor this is: no scenario has a second one"

CAMPAIGNS = {
    "scenarios": Campaign(
        "scenarios", 200, ("framework/tuner", "framework/backend"),
        {"framework/backend/gpu/*": "it runs on a GPU alone",
         "framework/tuner/cache_command/*": "no scenario calls it"},
        ("tunecheck_tuner", "tunecheck_backend"),
        {"failure": MESSAGE},
        {"framework/tuner/trial/trial.cpp": {"summarise_failures": MESSAGE},
         "framework/tuner/trial/trial_runner.cpp": {"text": MESSAGE},
         "framework/tuner/key/key.cpp": {"shortened": MESSAGE, "without_common_start": MESSAGE,
                                         "what_changed": MESSAGE},
         "framework/tuner/key/key_axes.cpp": {"axes_as_markdown": "a page of the documentation is compared with it"},
         "framework/tuner/request.cpp": {"of": "programs that link the tuner call it; an adapter is told all sizes"},
         "framework/backend/backend.cpp": {"describe": MESSAGE},
         "framework/backend/cpu/shared_object.cpp": {"complaint": MESSAGE},
         "framework/backend/kernel_options.cpp": {"kernel_build": OTHERS, "options_of_arch": OTHERS},
         "framework/backend/cpu/arch.cpp": {"saved_states": PROCESSOR, "read_cpuid": PROCESSOR,
                                            "extensions": PROCESSOR, "inspect_cpu": PROCESSOR}}),
    "tests": Campaign(
        "tests", 300, ("framework/observe", "framework/harness", "framework/judge", "framework/gate"),
        {"framework/observe/gpu/cuda/*": "it runs on a GPU alone"},
        ("tunecheck_observe", "tunecheck_observe_light", "tunecheck_runtime_spy", "tunecheck-cxx-spy",
         "tunecheck_gpu_light", "tunecheck-hip-probe", "tunecheck_harness", "tunecheck-runner", "tunecheck_judge",
         "tunecheck_gate_rule", "tunecheck_gate_measure", "tunecheck_gate_history"),
        left_out_code={"framework/gate/rule/noise.cpp": {"noise_models": "figures of machines that are simulated: "
                                                                         "other figures are other machines"}}),
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
    "framework/tuner/trial/": ["validity", "restore", "quality"],
    "framework/tuner/": ["reload", "validity", "growth", "invalidation", "concurrency"],
    "framework/observe/faults/": ["faults"],
    "framework/": ["reload", "validity", "faults"],
}


def likely_families(file):
    """The longest beginning of the file's path decides."""
    return LIKELY[max((folder for folder in LIKELY if file.startswith(folder)), key=len)]


# Where the tests of a source have the name of another folder.
TESTED_BY = {"framework/harness/kernel/proof_": "proof"}


def own_part(file, parts):
    """The test program that is named after the source's folder, if there is one."""
    for beginning, part in TESTED_BY.items():
        if file.startswith(beginning) and part in parts:
            return part
    folders = file.split("/")[1:-1]
    names = ["_".join(folders[:length]) for length in range(len(folders), 0, -1)]
    return next((name for name in names if name in parts), None)
