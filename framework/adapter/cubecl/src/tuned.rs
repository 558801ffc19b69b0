//! A kernel as a user of CubeCL tunes it: one tunable per config, a key, and a function that makes
//! the inputs of trials.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use cubecl::client::Client;
use cubecl::prelude::*;
use cubecl::tune::{LocalTuner, Tunable, TunableSet};
use serde::{Deserialize, Serialize};

use crate::arguments::{Arguments, Tensor};
use crate::kernels::{self, Kernel};
use crate::mutants::is_planted;
use crate::protocol::Config;

/// As users of CubeCL derive it: what the best config depends on.
#[derive(AutotuneKey, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key {
    kernel: String,
    dtypes: Vec<String>,
    shapes: Vec<Vec<i64>>,
    strides: Vec<String>,
    scalars: Vec<String>,
}

pub fn key_of(arguments: &Arguments) -> Key {
    let tensors = arguments.tensors.values();
    let mut kernel = arguments.kernel.clone();
    if is_planted("key_with_process") {
        kernel += &std::process::id().to_string();
    }
    if let times @ 1.. = FORGOTTEN.load(Ordering::Relaxed) {
        kernel += &format!(" forgotten {times} times");
    }
    let shape_of = |tensor: &Tensor| match is_planted("key_without_shapes") {
        true => Vec::new(),
        false => tensor.shape.clone(),
    };
    let dtype_of = |tensor: &Tensor| match is_planted("key_without_dtypes") {
        true => String::new(),
        false => tensor.dtype.clone(),
    };
    Key::new(
        kernel,
        tensors.clone().map(dtype_of).collect(),
        tensors.clone().map(shape_of).collect(),
        tensors
            .map(|tensor| stride_pattern(&tensor.shape, &tensor.strides))
            .collect(),
        arguments
            .key_scalars
            .iter()
            .map(|name| arguments.scalars[name].to_string())
            .collect(),
    )
}

// For a planted bug alone: whether a tunable has failed.
static HAS_FAILED: AtomicBool = AtomicBool::new(false);

// For a planted bug alone: how often everything was forgotten.
static FORGOTTEN: AtomicUsize = AtomicUsize::new(0);

/// What was tuned so far is not found again.
pub fn forget() {
    FORGOTTEN.fetch_add(1, Ordering::Relaxed);
}

/// Whether a dimension's elements lie side by side, are one, or lie apart.
fn stride_pattern(shape: &[i64], strides: &[i64]) -> String {
    if is_planted("key_without_strides") {
        return String::new();
    }
    if is_planted("key_with_exact_strides") {
        return format!("{strides:?}");
    }
    shape
        .iter()
        .zip(strides)
        .map(|(size, stride)| match stride {
            _ if *size <= 1 => '1',
            0 => '0',
            1 => '1',
            _ => 'n',
        })
        .collect()
}

pub fn text_of(config: &Config) -> String {
    let values: Vec<_> = config
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    values.join(",")
}

/// What a tunable is called; CubeCL stores a checksum of these. `sources` is for a planted bug alone.
fn name_of(config: &Config, sources: u32) -> String {
    match text_of(config) {
        _ if is_planted("nameless_tunables") => String::new(),
        text if is_planted("names_with_comments") => format!("{text} {sources}"),
        text if is_planted("names_with_process") => format!("{text} {}", std::process::id()),
        text => text,
    }
}

pub type Set = TunableSet<Key, Arguments, (), String>;
type Tuner = LocalTuner<Key, String>;

/// A tuner and the list of tunables that its results are indices into. A list that changes is another
/// program's: in one process it gets a tuner of its own, with the same name.
pub struct Tuned {
    pub tuner: &'static Tuner,
    pub set: Arc<Set>,
}

static ALL: LazyLock<Mutex<BTreeMap<String, Arc<Tuned>>>> = LazyLock::new(Mutex::default);

/// `sources` is a number for the kernel's sources, comments and all.
pub fn tuned(client: &Client, kernel: &'static Kernel, configs: &[Config], sources: u32) -> Arc<Tuned> {
    let texts: Vec<_> = configs.iter().map(text_of).collect();
    let what = format!("{} {}", kernel.name, texts.join(" "));
    let mut all = ALL.lock().expect("no holder of the lock panics");
    all.entry(what)
        .or_insert_with(|| Arc::new(make(client, kernel, configs, sources)))
        .clone()
}

fn make(client: &Client, kernel: &'static Kernel, configs: &[Config], sources: u32) -> Tuned {
    // The macro local_tuner! makes such a name of the module and what it is given.
    let name: &'static str = Box::leak(format!("tunecheck-{}", kernel.name).into_boxed_str());
    let copier = client.clone();
    // On copies of what the kernel writes: trials are not to change the caller's tensors.
    let inputs = move |_: &Key, inputs: &Arguments| match is_planted("clones_inputs") {
        true => inputs.clone(),
        false => inputs.copied(&copier, kernel.writes),
    };
    let mut set = Set::new(key_of, inputs);
    for (index, config) in configs.iter().enumerate() {
        let next = configs[(index + 1) % configs.len()].clone();
        let (client, config) = (client.clone(), config.clone());
        set = set.with(Tunable::identified(
            name_of(&config, sources),
            move |arguments: Arguments| {
                let mut launched = arguments.launched.lock().expect("no holder panics");
                // The first launch of a call is that of a stored winner, or a trial.
                let loses = is_planted("launches_a_loser") && launched.is_empty();
                let config = if loses { &next } else { &config };
                launched.push(config.clone());
                drop(launched);
                kernels::zero(&client, &arguments);
                if is_planted("one_failure_fails_all") && HAS_FAILED.load(Ordering::Relaxed) {
                    return Err("planted: another one has failed".to_string());
                }
                let launched = (kernel.launch)(&client, &arguments, config);
                HAS_FAILED.fetch_or(launched.is_err(), Ordering::Relaxed);
                launched
            },
        ));
    }
    Tuned {
        tuner: Box::leak(Box::new(Tuner::new(name))),
        set: Arc::new(set),
    }
}
