//! Kernels that add to what their output holds.

use cubecl::client::Client;
use cubecl::prelude::*;

use super::element::{launch_by_dtype, widened};
use super::elementwise::at;
use super::rows::at_row;
use super::{Kernel, cubes, value};
use crate::arguments::{Arguments, Place};
use crate::protocol::Config;

pub const KERNELS: &[Kernel] = &[
    Kernel {
        name: "histogram_accumulate",
        writes: &["counts"],
        launch: histogram,
    },
    Kernel {
        name: "gemm_splitk",
        writes: &["c"],
        launch: splitk,
    },
];

#[cube(launch)]
fn histogram_accumulate(
    values: &[i32],
    counts: &[Atomic<i32>],
    values_at: Place,
    counts_at: Place,
    n: u32,
    bins: u32,
    #[comptime] copies: u32,
    #[comptime] unroll: u32,
) {
    let _ = copies;
    let first = ABSOLUTE_POS as u32 * unroll;
    for i in 0..unroll {
        let index = first + i;
        if index < n {
            let bin = values[at(&values_at, index)];
            if bin >= 0 && bin < bins as i32 {
                counts[at(&counts_at, bin as u32)].fetch_add(1);
            }
        }
    }
}

fn histogram(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (values, counts) = (arguments.tensor("values"), arguments.tensor("counts"));
    let (copies, unroll) = (value(config, "copies"), value(config, "unroll"));
    let n = values.size(0);
    let block = 32 * copies;
    histogram_accumulate::launch(
        client,
        cubes(n.div_ceil(block * unroll)),
        CubeDim::new_1d(block),
        values.buffer(),
        counts.buffer(),
        values.place(),
        counts.place(),
        n,
        counts.size(0),
        copies,
        unroll,
    );
    Ok(())
}

/// A unit sums `split_k` slices, one after the other, and adds each to C.
#[cube(launch)]
fn gemm_splitk<F: Float>(
    a: &[F],
    b: &[F],
    c: &mut [f32],
    a_at: Place,
    b_at: Place,
    c_at: Place,
    m: u32,
    n: u32,
    k: u32,
    #[comptime] split_k: u32,
    #[comptime] tile_m: u32,
    #[comptime] tile_n: u32,
    #[comptime] is_bf16: bool,
) {
    let _ = comptime![tile_m + tile_n];
    let index = ABSOLUTE_POS as u32;
    if index < m * n {
        let (row, col) = (index / n, index % n);
        let slice = k.div_ceil(split_k);
        for s in 0..split_k {
            let mut sum = 0.0f32;
            for p in min(s * slice, k)..min((s + 1) * slice, k) {
                let left = widened::<F>(a[at_row(&a_at, row, p)], is_bf16);
                sum += left * widened::<F>(b[at_row(&b_at, p, col)], is_bf16);
            }
            c[at_row(&c_at, row, col)] += sum;
        }
    }
}

fn splitk(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (a, b, c) = (
        arguments.tensor("a"),
        arguments.tensor("b"),
        arguments.tensor("c"),
    );
    let (tile_m, tile_n) = (value(config, "tile_m"), value(config, "tile_n"));
    let (m, n) = (c.size(0), c.size(1));
    launch_by_dtype!(a.dtype.as_str(), gemm_splitk;
        client, cubes((m * n).div_ceil(tile_n)), CubeDim::new_1d(tile_n), a.buffer(), b.buffer(),
        c.buffer(), a.place(), b.place(), c.place(), m, n, a.size(1), value(config, "split_k"),
        tile_m, tile_n, a.is_bf16());
    Ok(())
}
