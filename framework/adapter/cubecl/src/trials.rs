//! What CubeCL says of its trials: "decisions", which a program asks for in its cubecl.toml.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;

use serde_json::Value;

use crate::mutants::is_planted;
use crate::protocol::{Config, Trial};
use crate::tuned::{Key, text_of};

const FILE: &str = "decisions.jsonl";

static READ: Mutex<usize> = Mutex::new(0);
static WAITING: Mutex<Vec<Value>> = Mutex::new(Vec::new());

/// Before CubeCL reads its settings, which it looks for in the working folder. Compiled kernels are kept where CubeCL
/// can keep them: those in CUDA C++, and not those in WGSL.
pub fn begin(backend: &str) -> std::io::Result<()> {
    std::env::set_current_dir(std::env::temp_dir())?;
    let decisions = format!("[autotune.decisions]\nfile = \"{FILE}\"\n");
    let kept = "[compilation]\ncache = true\n";
    let settings = match backend {
        "cuda" => decisions + kept,
        _ => decisions,
    };
    fs::write("cubecl.toml", settings)
}

/// The trials of a tuning of this key since the last time; of each config that was launched, with how
/// often it was. Empty if nothing was tuned.
pub fn take(key: &Key, launched: &[Config]) -> Vec<Trial> {
    read_more();
    let Ok(wanted) = serde_json::to_value(key) else {
        return Vec::new();
    };
    let mut waiting = WAITING.lock().expect("no holder panics");
    let Some(place) = waiting.iter().position(|decision| decision["key"] == wanted) else {
        return Vec::new();
    };
    let decision = waiting.remove(place);
    let mut reps: BTreeMap<String, (u64, &Config)> = BTreeMap::new();
    for config in launched {
        reps.entry(text_of(config)).or_insert((0, config)).0 += 1;
    }
    let results = decision["results"].as_array().cloned().unwrap_or_default();
    results
        .iter()
        .filter_map(|result| trial_of(&result["outcome"], &reps))
        .collect()
}

fn read_more() {
    let mut read = READ.lock().expect("no holder panics");
    let Ok(text) = fs::read_to_string(FILE) else {
        return;
    };
    let new = &text[*read..];
    let end = new.rfind('\n').map_or(0, |last| last + 1);
    let lines = new[..end]
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    WAITING.lock().expect("no holder panics").extend(lines);
    *read += end;
}

fn trial_of(outcome: &Value, reps: &BTreeMap<String, (u64, &Config)>) -> Option<Trial> {
    if let Some(good) = outcome.get("Ok") {
        let (times, config) = reps.get(good["name"].as_str()?)?;
        let median = &good["computation"]["median"];
        let median_ns = median["secs"].as_f64()? * 1e9 + median["nanos"].as_f64()?;
        let config = (*config).clone();
        return Some(Trial {
            config,
            failure: String::new(),
            median_ns,
            reps: *times,
        });
    }
    if is_planted("failures_forgotten") {
        return None;
    }
    // An error of a kind, such as "Unknown", about a tunable.
    let (kind, error) = outcome.get("Err")?.as_object()?.iter().next()?;
    let (_, config) = reps.get(error["name"].as_str()?)?;
    let failure = error["err"].as_str().unwrap_or(kind).to_string();
    Some(Trial {
        config: (*config).clone(),
        failure,
        median_ns: 0.0,
        reps: 0,
    })
}
