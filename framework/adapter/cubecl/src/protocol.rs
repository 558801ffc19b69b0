//! The lines of the protocol: docs/adapter-protocol.md says what each field means.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub const PROTOCOL: u32 = 2;

/// A config: values by the parameter's name.
pub type Config = BTreeMap<String, i64>;

#[derive(Deserialize, Clone, Debug)]
pub struct Tensor {
    pub name: String,
    pub file: String,
    pub byte_offset: u64,
    pub dtype: String,
    pub shape: Vec<i64>,
    pub strides: Vec<i64>,
}

#[derive(Deserialize, Clone, Debug)]
pub struct ConfigOfCall {
    pub values: Config,
}

#[derive(Deserialize, Clone, Debug)]
pub struct Names {
    pub tensors: Vec<String>,
}

#[derive(Deserialize, Clone, Debug)]
pub struct Burst {
    pub calls: usize,
    pub keys: i64,
    pub scalar: String,
}

#[derive(Deserialize, Clone, Debug)]
pub struct Call {
    pub kernel: String,
    #[serde(default)]
    pub kernel_folder: String,
    /// What the scenario adds to the options of a compiler.
    #[serde(default)]
    pub compile_options: Vec<String>,
    pub tensors: Vec<Tensor>,
    pub scalars: BTreeMap<String, f64>,
    pub arguments: Names,
    pub reset_to_zero: Vec<String>,
    pub key_scalars: Vec<String>,
    pub configs: Vec<ConfigOfCall>,
    /// What a hook of the caller zeroes before each launch.
    #[serde(default)]
    pub hook_zeroes: Vec<String>,
    #[serde(default)]
    pub environment: BTreeMap<String, Option<String>>,
    pub burst: Option<Burst>,
}

#[derive(Deserialize, Debug)]
#[serde(tag = "request", rename_all = "lowercase")]
pub enum Request {
    Hello {
        #[serde(default = "first_protocol")]
        protocol: u32,
        #[serde(default)]
        backend: String,
    },
    Call(Box<Call>),
    Calls {
        calls: Vec<Call>,
    },
    Quit,
}

fn first_protocol() -> u32 {
    1
}

#[derive(Serialize, Clone, Debug, Default)]
pub struct Trial {
    pub config: Config,
    pub failure: String,
    pub median_ns: f64,
    pub reps: u64,
}

#[derive(Serialize, Clone, Debug)]
pub struct CallAnswer {
    pub answer: &'static str,
    pub outcome: &'static str,
    pub message: String,
    pub winner: Option<Config>,
    pub cache: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trials: Option<Vec<Trial>>,
}

impl CallAnswer {
    pub fn done(winner: Config, cache: &'static str, message: String) -> Self {
        Self {
            answer: "call",
            outcome: "done",
            message,
            winner: Some(winner),
            cache,
            trials: None,
        }
    }

    pub fn failed(message: String) -> Self {
        Self {
            answer: "call",
            outcome: "failed",
            message,
            winner: None,
            cache: "miss",
            trials: None,
        }
    }
}
