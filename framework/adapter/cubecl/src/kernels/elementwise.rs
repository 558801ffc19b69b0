//! Kernels of which each element is computed by itself.

use cubecl::client::Client;
use cubecl::prelude::*;

use super::{Kernel, cubes, value};
use crate::arguments::{Arguments, Place};
use crate::protocol::Config;

pub const KERNELS: &[Kernel] = &[
    Kernel { name: "axpy_inplace", writes: &["y"], launch: axpy },
];

/// Where element `index` of a vector lies.
#[cube]
pub fn at(place: &Place, index: u32) -> usize {
    (place.offset + place.inner * index as i32) as usize
}

#[cube(launch)]
fn axpy_inplace(
    x: &[f32],
    x_at: Place,
    y: &mut [f32],
    y_at: Place,
    alpha: f32,
    n: u32,
    #[comptime] unroll: u32,
) {
    let first = ABSOLUTE_POS as u32 * unroll;
    for i in 0..unroll {
        let index = first + i;
        if index < n {
            y[at(&y_at, index)] = alpha * x[at(&x_at, index)] + y[at(&y_at, index)];
        }
    }
}

fn axpy(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (x, y) = (arguments.tensor("x"), arguments.tensor("y"));
    let (n, block, unroll) = (y.size(0), value(config, "block"), value(config, "unroll"));
    axpy_inplace::launch(
        client,
        cubes(n.div_ceil(block * unroll)),
        CubeDim::new_1d(block),
        x.buffer(),
        x.place(),
        y.buffer(),
        y.place(),
        arguments.float("alpha"),
        n,
        unroll,
    );
    Ok(())
}
