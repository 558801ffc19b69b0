//! A kernel as a user of CubeCL tunes it: one tunable per config, a key, and a function that makes
//! the inputs of trials.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use cubecl::client::Client;
use cubecl::prelude::*;
use cubecl::tune::{LocalTuner, Tunable, TunableSet};
use serde::{Deserialize, Serialize};

use crate::arguments::Arguments;
use crate::kernels::Kernel;
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

fn key_of(arguments: &Arguments) -> Key {
    let tensors = arguments.tensors.values();
    Key::new(
        arguments.kernel.clone(),
        tensors.clone().map(|tensor| tensor.dtype.clone()).collect(),
        tensors.clone().map(|tensor| tensor.shape.clone()).collect(),
        tensors.map(|tensor| stride_pattern(&tensor.shape, &tensor.strides)).collect(),
        arguments.key_scalars.iter().map(|name| arguments.scalars[name].to_string()).collect(),
    )
}

/// Whether a dimension's elements lie side by side, are one, or lie apart.
fn stride_pattern(shape: &[i64], strides: &[i64]) -> String {
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
    let values: Vec<_> = config.iter().map(|(name, value)| format!("{name}={value}")).collect();
    values.join(",")
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

pub fn tuned(client: &Client, kernel: &'static Kernel, configs: &[Config]) -> Arc<Tuned> {
    let texts: Vec<_> = configs.iter().map(text_of).collect();
    let what = format!("{} {}", kernel.name, texts.join(" "));
    let mut all = ALL.lock().expect("no holder of the lock panics");
    all.entry(what).or_insert_with(|| Arc::new(make(client, kernel, configs))).clone()
}

fn make(client: &Client, kernel: &'static Kernel, configs: &[Config]) -> Tuned {
    // The macro local_tuner! makes such a name of the module and what it is given.
    let name: &'static str = Box::leak(format!("tunecheck-{}", kernel.name).into_boxed_str());
    let copier = client.clone();
    // On copies of what the kernel writes: trials are not to change the caller's tensors.
    let inputs = move |_: &Key, inputs: &Arguments| inputs.copied(&copier, kernel.writes);
    let mut set = Set::new(key_of, inputs);
    for config in configs {
        let (client, config) = (client.clone(), config.clone());
        set = set.with(Tunable::identified(text_of(&config), move |arguments: Arguments| {
            arguments.launched.lock().expect("no holder panics").push(config.clone());
            (kernel.launch)(&client, &arguments, &config)
        }));
    }
    Tuned {
        tuner: Box::leak(Box::new(Tuner::new(name))),
        set: Arc::new(set),
    }
}
