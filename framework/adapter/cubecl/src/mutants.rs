//! Bugs to plant into how CubeCL is used here, each modelled on one that a real tuner had:
//! docs/foreign-mutants.md.

use std::sync::OnceLock;

use serde_json::{Value, json};

/// A planted bug: its name, what it does wrong, and the scenario whose check must fail.
struct Mutant {
    name: &'static str,
    summary: &'static str,
    scenario: &'static str,
    check: &'static str,
}

const fn mutant(
    name: &'static str,
    summary: &'static str,
    scenario: &'static str,
    check: &'static str,
) -> Mutant {
    Mutant {
        name,
        summary,
        scenario,
        check,
    }
}

const MUTANTS: &[Mutant] = &[
    mutant(
        "clones_inputs",
        "trials write the caller's memory, because the inputs that are made for them are clones (cubecl#170)",
        "restore.first_result_is_right",
        "output.reference",
    ),
    mutant(
        "key_without_shapes",
        "the key has no shapes (tilelang#1250)",
        "invalidation.shape_must_miss",
        "key.must_miss",
    ),
    mutant(
        "key_without_dtypes",
        "the key has no dtypes (tilelang#2791)",
        "invalidation.dtype_must_miss",
        "key.must_miss",
    ),
    mutant(
        "key_without_strides",
        "the key has no stride patterns (FlyDSL before FlyDSL#783)",
        "invalidation.stride_class_must_miss",
        "key.must_miss",
    ),
    mutant(
        "key_with_exact_strides",
        "the key has the strides themselves, so that each padding is tuned (FlyDSL rounds them)",
        "invalidation.other_strides_of_the_class_must_hit",
        "key.must_hit",
    ),
    mutant(
        "key_with_process",
        "the key has the number of the process (pytorch#132464)",
        "invalidation.process_must_hit",
        "key.must_hit",
    ),
    mutant(
        "names_with_process",
        "tunables are called after the process, so that the checksum of their names always differs",
        "invalidation.process_must_hit",
        "key.must_hit",
    ),
    mutant(
        "names_with_comments",
        "tunables are called after their sources, comments and all (Inductor before it stripped them)",
        "invalidation.comment_must_hit",
        "key.must_hit",
    ),
    mutant(
        "nameless_tunables",
        "tunables have no names, so that the checksum is the same for each list of them (flashinfer#3449)",
        "invalidation.space_value_added_must_miss",
        "key.must_miss",
    ),
    mutant(
        "launches_a_loser",
        "what is launched for a stored winner is the tunable behind it in the list (flashinfer#3449)",
        "reload.no_trial_after_restart",
        "reload.same_winner",
    ),
    mutant(
        "stores_nothing",
        "winners are kept in memory alone, and nobody is told (helion#2768)",
        "invalidation.process_must_hit",
        "key.must_hit",
    ),
    mutant(
        "tunes_every_call",
        "what was tuned in a process is forgotten before the next call (fla#1147)",
        "turn.steps_do_not_tune",
        "tuning.in_turn",
    ),
    mutant(
        "leaks_each_call",
        "each call keeps memory for good (as a cache of arguments that is never emptied)",
        "growth.keys_in_memory",
        "memory.flat",
    ),
    mutant(
        "one_failure_fails_all",
        "once a tunable has failed, each later one fails (pytorch#95542)",
        "validity.refused_launch_costs_one_trial",
        "tuning.survives",
    ),
    mutant(
        "failures_forgotten",
        "a tunable that failed is not among the trials that are reported (helion#984)",
        "validity.refused_launch_costs_one_trial",
        "failure.recorded",
    ),
    mutant(
        "says_hit",
        "the adapter calls a tuning a hit",
        "invalidation.process_must_hit",
        "report.agrees",
    ),
];

static PLANTED: OnceLock<&'static str> = OnceLock::new();

pub fn is_planted(name: &str) -> bool {
    PLANTED.get().is_some_and(|planted| *planted == name)
}

/// "CubeCL", or with a planted bug "CubeCL:NAME".
pub fn tuner_name() -> String {
    PLANTED
        .get()
        .map_or("CubeCL".to_string(), |planted| format!("CubeCL:{planted}"))
}

/// Does what the command line asks for, but for serving. The status with which the process ends, if it
/// has nothing to serve.
pub fn read_arguments(arguments: &[String]) -> Option<i32> {
    match arguments {
        [] => None,
        [list] if list == "--list" => {
            let all: Vec<Value> = MUTANTS
                .iter()
                .map(|each| {
                    json!({"name": each.name, "summary": each.summary,
                           "caught_by": {each.scenario: each.check}})
                })
                .collect();
            println!("{}", json!(all));
            Some(0)
        }
        [option, name] if option == "--mutant" => {
            let Some(found) = MUTANTS.iter().find(|each| each.name == name) else {
                eprintln!("there is no mutant \"{name}\"; see --list");
                return Some(3);
            };
            let _ = PLANTED.set(found.name);
            None
        }
        _ => {
            eprintln!("expected --list, --mutant NAME or nothing, found: {arguments:?}");
            Some(3)
        }
    }
}
