"""Bugs to plant into Inductor. Each replaces a function of its modules: docs/foreign-mutants.md."""

import os

from tunecheck_adapter.mutants import Mutant


def key_with_process(inductor):
    cache = inductor.autotune_cache.AutotuneCache
    real = cache._prepare_key
    cache._prepare_key = staticmethod(lambda filename: f"{real(filename)}{os.getpid()}")


def graph_key_without_inputs(inductor):
    """The key says only how many inputs the graph has."""

    def hashed(graph, inputs, *_):
        return f"f{len(inputs)}", []

    inductor.codecache.compiled_fx_graph_hash = hashed


def stores_nothing(inductor):
    inductor.autotune_cache.AutotuneCache.save = lambda self, *args, **named: None


def reads_nothing(inductor):
    inductor.autotune_cache.AutotuneCache.read_best = lambda self, *args: None


def no_restore(inductor):
    def clone_args(self, exclude, *args, **named):
        return list(args), named

    inductor.heuristics.CachingAutotuner.maybe_clone_args = clone_args


def keeps_the_winner_of_another_call(inductor):
    autotuner = inductor.heuristics.CachingAutotuner
    real = autotuner.autotune_to_one_config
    chosen = []

    def choose(self, *args, **named):
        if not chosen:
            real(self, *args, **named)
            chosen.append(self.launchers[0].config.kwargs)
        same = [launcher for launcher in self.launchers if launcher.config.kwargs == chosen[0]]
        self.launchers = (same or self.launchers)[:1]

    autotuner.autotune_to_one_config = choose


def launches_on_the_default_stream(inductor):
    autotuner = inductor.heuristics.CachingAutotuner
    real = autotuner.run

    def run(self, *args, stream, **named):
        return real(self, *args, stream=0, **named)

    autotuner.run = run


def forgets_after_each_call(inductor):
    autotuner = inductor.heuristics.CachingAutotuner
    real = autotuner.run

    def run(self, *args, **named):
        if hasattr(self, "all_launchers"):
            self.launchers = self.all_launchers
        elif not self.launchers:
            self.precompile()
        self.all_launchers = list(self.launchers)
        return real(self, *args, **named)

    autotuner.run = run


MUTANTS = [
    Mutant(
        "key_with_process",
        "the key has the number of the process (pytorch#132464)",
        {"invalidation.process_must_hit": "key.must_hit"},
        key_with_process,
    ),
    Mutant(
        "graph_key_without_inputs",
        "a compiled graph is used for any graph with as many inputs (tilelang#1250, tilelang#2791)",
        {
            "invalidation.shape_must_miss": "output.reference",
            "invalidation.dtype_must_miss": "output.reference",
        },
        graph_key_without_inputs,
    ),
    Mutant(
        "stores_nothing",
        "the winner is not stored (helion#2768: it is lost silently)",
        {"invalidation.process_must_hit": "key.must_hit"},
        stores_nothing,
    ),
    Mutant(
        "reads_nothing",
        "what is stored is not used (pytorch#172819, pytorch#181292)",
        {"reload.no_trial_after_restart": "reload.no_trial"},
        reads_nothing,
    ),
    Mutant(
        "no_restore",
        "configs are tried on the caller's tensors (CubeCL, cubecl#170)",
        {
            "restore.first_result_is_right": "inputs.pristine",
            "restore.two_overwritten_arguments": "output.reference",
        },
        no_restore,
    ),
    Mutant(
        "keeps_the_winner_of_another_call",
        "what a process has chosen once it uses for all calls (tilelang#1250)",
        {"invalidation.each_of_two_entries_must_hit": "winner.measured"},
        keeps_the_winner_of_another_call,
    ),
    Mutant(
        "launches_on_the_default_stream",
        "kernels are launched on the default stream, and not on the caller's",
        {"gpu.call_on_a_busy_stream": "output.reference"},
        launches_on_the_default_stream,
    ),
    Mutant(
        "forgets_after_each_call",
        "a process tunes again at each call",
        {"reload.hit_in_memory": "key.must_hit"},
        forgets_after_each_call,
    ),
]
