//! tunecheck's kernels in CubeCL. A config's values are comptime: each config is code of its own.

use cubecl::client::Client;
use cubecl::prelude::*;

use crate::arguments::Arguments;
use crate::protocol::Config;

mod elementwise;
mod rows;

/// How a kernel is launched with a config: an Err is a config that cannot run, as a tunable says it.
pub type Launch = fn(&Client, &Arguments, &Config) -> Result<(), String>;

/// A kernel, and the tensors that it writes.
pub struct Kernel {
    pub name: &'static str,
    pub writes: &'static [&'static str],
    pub launch: Launch,
}

pub fn find(name: &str) -> Option<&'static Kernel> {
    elementwise::KERNELS.iter().chain(rows::KERNELS).find(|kernel| kernel.name == name)
}

/// As many cubes as there are pieces, and one more, so that a launch of nothing is a launch.
pub fn cubes(pieces: u32) -> CubeCount {
    CubeCount::Static(pieces.max(1), 1, 1)
}

pub fn value(config: &Config, name: &str) -> u32 {
    config[name] as u32
}
