//! tunecheck's kernels in CubeCL. A config's values are comptime: each config is code of its own.

use cubecl::client::Client;
use cubecl::prelude::*;

use crate::arguments::{Arguments, Place, Tensor, size_of_dtype};
use crate::protocol::Config;

mod accumulating;
mod element;
mod elementwise;
mod faulty;
mod rows;
mod scattering;
mod statistics;
mod steps;

/// How a kernel is launched with a config: an Err is a config that cannot run, as a tunable says it.
pub type Launch = fn(&Client, &Arguments, &Config) -> Result<(), String>;

/// A kernel, and the tensors that it writes.
pub struct Kernel {
    pub name: &'static str,
    pub writes: &'static [&'static str],
    pub launch: Launch,
}

pub fn find(name: &str) -> Option<&'static Kernel> {
    let all = [
        elementwise::KERNELS,
        faulty::KERNELS,
        rows::KERNELS,
        accumulating::KERNELS,
        scattering::KERNELS,
        statistics::KERNELS,
        steps::KERNELS,
    ];
    all.into_iter().flatten().find(|kernel| kernel.name == name)
}

/// As many cubes as there are pieces, and at least one, so that a launch of nothing is a launch.
/// WebGPU allows 65535 in a dimension.
pub fn cubes(pieces: u32) -> CubeCount {
    let across = pieces.clamp(1, 32768);
    CubeCount::Static(across, pieces.div_ceil(across).max(1), 1)
}

pub fn value(config: &Config, name: &str) -> u32 {
    config[name] as u32
}

#[cube(launch)]
fn fill_zero(out: &mut [u32], out_at: Place, rows: u32, cols: u32, #[comptime] words: u32) {
    let index = ABSOLUTE_POS as u32;
    if index < rows * cols {
        let element = rows::at_row(&out_at, index / cols, index % cols);
        for word in 0..words {
            out[element * words as usize + word as usize] = 0u32;
        }
    }
}

/// Zeroes what a kernel adds to, and what the caller wants zeroed: elements alone, whatever their strides. All of these
/// have whole words.
/// CubeCL has no such setting, and its users write it where they launch.
pub fn zero(client: &Client, arguments: &Arguments) {
    for name in arguments.zeroed.iter() {
        let tensor: &Tensor = arguments.tensor(name);
        let (rows, cols) = match tensor.shape.len() {
            0 | 1 => (1, tensor.size(0)),
            _ => (tensor.size(0), tensor.size(1)),
        };
        fill_zero::launch(
            client,
            cubes((rows * cols).div_ceil(64)),
            CubeDim::new_1d(64),
            tensor.buffer(),
            tensor.place(),
            rows,
            cols,
            (size_of_dtype(&tensor.dtype) / 4) as u32,
        );
    }
}
