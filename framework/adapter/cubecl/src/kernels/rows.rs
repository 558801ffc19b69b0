//! Kernels of matrices.

use cubecl::client::Client;
use cubecl::prelude::*;

use super::element::{launch_by_dtype, narrowed, widened};
use super::elementwise::at;
use super::{Kernel, cubes, value};
use crate::arguments::{Arguments, Place};
use crate::protocol::Config;

pub const KERNELS: &[Kernel] = &[
    Kernel {
        name: "rmsnorm",
        writes: &["out"],
        launch: rms,
    },
    Kernel {
        name: "fused_add_rmsnorm",
        writes: &["input", "residual"],
        launch: fused,
    },
    Kernel {
        name: "softmax_inplace",
        writes: &["x"],
        launch: softmax,
    },
    Kernel {
        name: "transpose_strided",
        writes: &["out"],
        launch: transpose,
    },
    Kernel {
        name: "lane_sum",
        writes: &["y"],
        launch: lanes,
    },
    Kernel {
        name: "gemm_beta",
        writes: &["c"],
        launch: gemm,
    },
];

/// Where an element of a matrix lies.
#[cube]
pub fn at_row(place: &Place, row: u32, col: u32) -> usize {
    (place.offset + place.outer * row as i32 + place.inner * col as i32) as usize
}

/// The sum of what each unit of the cube has, in shared memory; for all units.
#[cube]
fn sum_of_cube(part: f32, #[comptime] block: u32) -> f32 {
    let mut parts = Shared::new_slice(comptime![block as usize]);
    parts[UNIT_POS as usize] = part;
    sync_cube();
    let mut sum = 0.0f32;
    for i in 0..block {
        sum += parts[i as usize];
    }
    sum
}

#[cube(launch)]
fn rmsnorm(
    input: &[f32],
    weight: &[f32],
    out: &mut [f32],
    in_at: Place,
    weight_at: Place,
    out_at: Place,
    eps: f32,
    cols: u32,
    rows: u32,
    #[comptime] block: u32,
    #[comptime] vec: u32,
    #[comptime] edition: u32,
) {
    let _ = edition;
    let row = CUBE_POS as u32;
    let steps = cols.div_ceil(block * vec);
    let mut squares = 0.0f32;
    if row < rows {
        for step in 0..steps {
            for i in 0..vec {
                let col = (step * block + UNIT_POS) * vec + i;
                if col < cols {
                    let x = input[at_row(&in_at, row, col)];
                    squares += x * x;
                }
            }
        }
    }
    let total = sum_of_cube(squares, block);
    if row < rows {
        let scale = 1.0 / (total / cols as f32 + eps).sqrt();
        for step in 0..steps {
            for i in 0..vec {
                let col = (step * block + UNIT_POS) * vec + i;
                if col < cols {
                    out[at_row(&out_at, row, col)] =
                        input[at_row(&in_at, row, col)] * scale * weight[at(&weight_at, col)];
                }
            }
        }
    }
}

fn rms(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (input, weight) = (arguments.tensor("input"), arguments.tensor("weight"));
    let out = arguments.tensor("out");
    let block = value(config, "block");
    rmsnorm::launch(
        client,
        cubes(out.size(0)),
        CubeDim::new_1d(block),
        input.buffer(),
        weight.buffer(),
        out.buffer(),
        input.place(),
        weight.place(),
        out.place(),
        arguments.float("eps"),
        out.size(1),
        out.size(0),
        block,
        value(config, "vec"),
        arguments.edition,
    );
    Ok(())
}

#[cube(launch)]
fn fused_add_rmsnorm(
    input: &mut [f32],
    residual: &mut [f32],
    weight: &[f32],
    in_at: Place,
    residual_at: Place,
    weight_at: Place,
    eps: f32,
    cols: u32,
    rows: u32,
    #[comptime] block: u32,
    #[comptime] vec: u32,
) {
    let row = CUBE_POS as u32;
    let steps = cols.div_ceil(block * vec);
    let mut squares = 0.0f32;
    if row < rows {
        for step in 0..steps {
            for i in 0..vec {
                let col = (step * block + UNIT_POS) * vec + i;
                if col < cols {
                    let place = at_row(&residual_at, row, col);
                    let sum = residual[place] + input[at_row(&in_at, row, col)];
                    residual[place] = sum;
                    squares += sum * sum;
                }
            }
        }
    }
    let total = sum_of_cube(squares, block);
    if row < rows {
        let scale = 1.0 / (total / cols as f32 + eps).sqrt();
        for step in 0..steps {
            for i in 0..vec {
                let col = (step * block + UNIT_POS) * vec + i;
                if col < cols {
                    input[at_row(&in_at, row, col)] =
                        residual[at_row(&residual_at, row, col)] * scale * weight[at(&weight_at, col)];
                }
            }
        }
    }
}

fn fused(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (input, weight) = (arguments.tensor("input"), arguments.tensor("weight"));
    let residual = arguments.tensor("residual");
    let block = value(config, "block");
    fused_add_rmsnorm::launch(
        client,
        cubes(input.size(0)),
        CubeDim::new_1d(block),
        input.buffer(),
        residual.buffer(),
        weight.buffer(),
        input.place(),
        residual.place(),
        weight.place(),
        arguments.float("eps"),
        input.size(1),
        input.size(0),
        block,
        value(config, "vec"),
    );
    Ok(())
}

#[cube]
fn max_of_cube(part: f32, #[comptime] block: u32) -> f32 {
    let mut parts = Shared::new_slice(comptime![block as usize]);
    parts[UNIT_POS as usize] = part;
    sync_cube();
    let mut largest = parts[0];
    for i in 1..block {
        largest = max(largest, parts[i as usize]);
    }
    largest
}

/// Where it keeps them, a row's powers are read once more instead of being computed again: that needs elements that hold
/// them exactly.
#[cube(launch)]
fn softmax_inplace<F: Float>(
    x: &mut [F],
    x_at: Place,
    cols: u32,
    rows: u32,
    #[comptime] keeps: bool,
    #[comptime] lanes: u32,
    #[comptime] is_bf16: bool,
) {
    let row = CUBE_POS as u32;
    let steps = cols.div_ceil(lanes);
    let mut largest = f32::new(-3.4e38);
    if row < rows {
        for step in 0..steps {
            let col = step * lanes + UNIT_POS;
            if col < cols {
                largest = max(largest, widened::<F>(x[at_row(&x_at, row, col)], is_bf16));
            }
        }
    }
    let most = max_of_cube(largest, lanes);
    let mut part = 0.0f32;
    if row < rows {
        for step in 0..steps {
            let col = step * lanes + UNIT_POS;
            if col < cols {
                let place = at_row(&x_at, row, col);
                let power = (widened::<F>(x[place], is_bf16) - most).exp();
                part += power;
                if comptime![keeps] {
                    x[place] = narrowed::<F>(power, is_bf16);
                }
            }
        }
    }
    let sum = sum_of_cube(part, lanes);
    if row < rows {
        for step in 0..steps {
            let col = step * lanes + UNIT_POS;
            if col < cols {
                let place = at_row(&x_at, row, col);
                let mut power = widened::<F>(x[place], is_bf16);
                if comptime![!keeps] {
                    power = (power - most).exp();
                }
                x[place] = narrowed::<F>(power / sum, is_bf16);
            }
        }
    }
}

fn softmax(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (x, lanes) = (arguments.tensor("x"), value(config, "lanes"));
    let keeps = value(config, "keep") == 1 && x.dtype == "f32";
    launch_by_dtype!(x.dtype.as_str(), softmax_inplace;
        client, cubes(x.size(0)), CubeDim::new_1d(lanes), x.buffer(), x.place(),
        x.size(1), x.size(0), keeps, lanes, x.is_bf16());
    Ok(())
}

#[cube(launch)]
fn transpose_strided(
    input: &[f32],
    out: &mut [f32],
    in_at: Place,
    out_at: Place,
    rows: u32,
    cols: u32,
    across: u32,
    #[comptime] tile_rows: u32,
    #[comptime] tile_cols: u32,
) {
    let tile = CUBE_POS as u32;
    let first_row = tile / across * tile_rows;
    let first_col = tile % across * tile_cols;
    let steps = comptime![(tile_rows * tile_cols).div_ceil(64)];
    for step in 0..steps {
        let element = step * 64 + UNIT_POS;
        let row = first_row + element / tile_cols;
        let col = first_col + element % tile_cols;
        if element < tile_rows * tile_cols && row < rows && col < cols {
            out[at_row(&out_at, col, row)] = input[at_row(&in_at, row, col)];
        }
    }
}

fn transpose(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (input, out) = (arguments.tensor("in"), arguments.tensor("out"));
    let (tile_rows, tile_cols) = (value(config, "tile_rows"), value(config, "tile_cols"));
    let (rows, cols) = (input.size(0), input.size(1));
    let across = cols.div_ceil(tile_cols).max(1);
    transpose_strided::launch(
        client,
        cubes(across * rows.div_ceil(tile_rows)),
        CubeDim::new_1d(64),
        input.buffer(),
        out.buffer(),
        input.place(),
        out.place(),
        rows,
        cols,
        across,
        tile_rows,
        tile_cols,
    );
    Ok(())
}

/// Each config adds a row up in another order.
#[cube(launch)]
fn lane_sum(
    x: &[f32],
    y: &mut [f32],
    x_at: Place,
    y_at: Place,
    rows: u32,
    cols: u32,
    #[comptime] lanes: u32,
) {
    let row = ABSOLUTE_POS as u32;
    if row < rows {
        let whole = cols / lanes;
        let mut sum = 0.0f32;
        for lane in 0..lanes {
            let mut part = 0.0f32;
            for step in 0..whole {
                part += x[at_row(&x_at, row, step * lanes + lane)];
            }
            sum += part;
        }
        for col in whole * lanes..cols {
            sum += x[at_row(&x_at, row, col)];
        }
        y[at(&y_at, row)] = sum;
    }
}

fn lanes(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (x, y) = (arguments.tensor("x"), arguments.tensor("y"));
    lane_sum::launch(
        client,
        cubes(y.size(0).div_ceil(64)),
        CubeDim::new_1d(64),
        x.buffer(),
        y.buffer(),
        x.place(),
        y.place(),
        x.size(0),
        x.size(1),
        value(config, "lanes"),
    );
    Ok(())
}

/// A unit computes `micro` columns of C; tiles say how the units of a cube lie.
#[cube(launch)]
fn gemm_beta<F: Float>(
    a: &[F],
    b: &[F],
    c: &mut [F],
    a_at: Place,
    b_at: Place,
    c_at: Place,
    alpha: f32,
    beta: f32,
    m: u32,
    n: u32,
    k: u32,
    #[comptime] micro: u32,
    #[comptime] tile_k: u32,
    #[comptime] tile_m: u32,
    #[comptime] tile_n: u32,
    #[comptime] is_bf16: bool,
) {
    let across = n.div_ceil(tile_n);
    let tile = CUBE_POS as u32;
    let units = comptime![tile_n / micro];
    let first_col = tile % across * tile_n + UNIT_POS % units * micro;
    let rows_at_once = comptime![(64 / units).max(1)];
    for step in 0..tile_m.div_ceil(rows_at_once) {
        let row = tile / across * tile_m + step * rows_at_once + UNIT_POS / units;
        for i in 0..micro {
            let col = first_col + i;
            if row < m && col < n {
                let mut sum = 0.0f32;
                for slice in 0..k.div_ceil(tile_k) {
                    for p in slice * tile_k..min((slice + 1) * tile_k, k) {
                        let left = widened::<F>(a[at_row(&a_at, row, p)], is_bf16);
                        sum += left * widened::<F>(b[at_row(&b_at, p, col)], is_bf16);
                    }
                }
                let place = at_row(&c_at, row, col);
                let before = widened::<F>(c[place], is_bf16);
                c[place] = narrowed::<F>(alpha * sum + beta * before, is_bf16);
            }
        }
    }
}

fn gemm(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (a, b, c) = (
        arguments.tensor("a"),
        arguments.tensor("b"),
        arguments.tensor("c"),
    );
    let (tile_m, tile_n) = (value(config, "tile_m"), value(config, "tile_n"));
    let micro = value(config, "micro");
    let units = tile_n / micro;
    let count = cubes(c.size(0).div_ceil(tile_m) * c.size(1).div_ceil(tile_n));
    let dim = CubeDim::new_1d(units * (64 / units).max(1));
    launch_by_dtype!(c.dtype.as_str(), gemm_beta;
        client, count, dim, a.buffer(), b.buffer(), c.buffer(), a.place(), b.place(), c.place(),
        arguments.float("alpha"), arguments.float("beta"), c.size(0), c.size(1), a.size(1),
        micro, value(config, "tile_k"), tile_m, tile_n, c.is_bf16());
    Ok(())
}
