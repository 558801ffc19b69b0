//! Kernels that write where an index says.

use cubecl::client::Client;
use cubecl::prelude::*;

use super::element::{launch_by_dtype, widened};
use super::elementwise::at;
use super::rows::at_row;
use super::{Kernel, cubes, value};
use crate::arguments::{Arguments, Place, Place3d};
use crate::protocol::Config;

pub const KERNELS: &[Kernel] = &[
    Kernel {
        name: "embedding_grad",
        writes: &["grad_weight"],
        launch: embedding,
    },
    Kernel {
        name: "moe_scatter_add",
        writes: &["out"],
        launch: scatter,
    },
    Kernel {
        name: "kv_cache_append",
        writes: &["keys", "values", "position", "arrived"],
        launch: append,
    },
];

/// Where an element of a tensor with three dimensions lies.
#[cube]
pub fn at_3d(place: &Place3d, outer: u32, middle: u32, inner: u32) -> usize {
    (place.offset + place.outer * outer as i32 + place.middle * middle as i32 + place.inner * inner as i32)
        as usize
}

/// A unit sums `unroll` columns of a row: those of the tokens that are the row's.
#[cube(launch)]
fn embedding_grad<F: Float, I: Int>(
    grad_out: &[F],
    index: &[I],
    grad_weight: &mut [f32],
    grad_at: Place,
    index_at: Place,
    weight_at: Place,
    tokens: u32,
    vocabulary: u32,
    dim: u32,
    #[comptime] unroll: u32,
    #[comptime] is_bf16: bool,
) {
    let across = dim.div_ceil(unroll);
    let unit = ABSOLUTE_POS as u32;
    let row = unit / across.max(1);
    if row < vocabulary {
        for i in 0..unroll {
            let col = unit % across * unroll + i;
            if col < dim {
                let mut sum = grad_weight[at_row(&weight_at, row, col)];
                for token in 0..tokens {
                    if i32::cast_from(index[at(&index_at, token)]) == row as i32 {
                        sum += widened::<F>(grad_out[at_row(&grad_at, token, col)], is_bf16);
                    }
                }
                grad_weight[at_row(&weight_at, row, col)] = sum;
            }
        }
    }
}

fn embedding(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (grad, index) = (arguments.tensor("grad_out"), arguments.tensor("index"));
    let weight = arguments.tensor("grad_weight");
    let (block, unroll) = (value(config, "block").min(256), value(config, "unroll"));
    let (vocabulary, dim) = (weight.size(0), weight.size(1));
    let count = cubes((vocabulary * dim.div_ceil(unroll)).div_ceil(block));
    let dim_of_cube = CubeDim::new_1d(block);
    macro_rules! with_index {
        ($index:ty) => {
            launch_by_dtype!(grad.dtype.as_str(), embedding_grad, $index;
                client, count, dim_of_cube, grad.buffer(), index.buffer(), weight.buffer(),
                grad.place(), index.place(), weight.place(), grad.size(0), vocabulary, dim,
                unroll, grad.is_bf16())
        };
    }
    match index.dtype.as_str() {
        "i64" => with_index!(i64),
        _ => with_index!(i32),
    }
    Ok(())
}

/// A unit adds up a column of a token: the rows of x that are the token's. `ahead` rows are looked at together.
#[cube(launch)]
fn moe_scatter_add<F: Float, I: Int>(
    x: &[F],
    weight: &[f32],
    index: &[I],
    out: &mut [f32],
    x_at: Place,
    weight_at: Place,
    index_at: Place,
    out_at: Place,
    rows: u32,
    tokens: u32,
    dim: u32,
    #[comptime] together: u32,
    #[comptime] is_bf16: bool,
) {
    let unit = ABSOLUTE_POS as u32;
    if unit < tokens * dim {
        let (token, col) = (unit / dim, unit % dim);
        let mut sum = out[at_row(&out_at, token, col)];
        for step in 0..rows.div_ceil(together) {
            for i in 0..together {
                let row = step * together + i;
                if row < rows {
                    if i32::cast_from(index[at(&index_at, row)]) == token as i32 {
                        let element = widened::<F>(x[at_row(&x_at, row, col)], is_bf16);
                        sum += weight[at(&weight_at, row)] * element;
                    }
                }
            }
        }
        out[at_row(&out_at, token, col)] = sum;
    }
}

fn scatter(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (x, weight) = (arguments.tensor("x"), arguments.tensor("weight"));
    let (index, out) = (arguments.tensor("index"), arguments.tensor("out"));
    let (block, together) = (value(config, "block").min(256), value(config, "ahead").max(1));
    let (tokens, dim) = (out.size(0), out.size(1));
    let count = cubes((tokens * dim).div_ceil(block));
    let dim_of_cube = CubeDim::new_1d(block);
    macro_rules! with_index {
        ($index:ty) => {
            launch_by_dtype!(x.dtype.as_str(), moe_scatter_add, $index;
                client, count, dim_of_cube, x.buffer(), weight.buffer(), index.buffer(), out.buffer(),
                x.place(), weight.place(), index.place(), out.place(), x.size(0), tokens, dim,
                together, x.is_bf16())
        };
    }
    match index.dtype.as_str() {
        "i64" => with_index!(i64),
        _ => with_index!(i32),
    }
    Ok(())
}

/// A cube appends the rows of a batch, and its first unit then moves the position on. Elements are copied as they are,
/// so a bf16 needs no other code than an f16.
#[cube(launch)]
fn kv_cache_append<F: Float>(
    keys: &mut [F],
    values: &mut [F],
    new_keys: &[F],
    new_values: &[F],
    position: &mut [i32],
    arrived: &mut [i32],
    keys_at: Place3d,
    values_at: Place3d,
    new_keys_at: Place3d,
    new_values_at: Place3d,
    position_at: Place,
    arrived_at: Place,
    batches: u32,
    capacity: u32,
    steps: u32,
    dim: u32,
    #[comptime] units: u32,
    #[comptime] tile_dim: u32,
) {
    let _ = tile_dim;
    let batch = CUBE_POS as u32;
    let mut first = 0i32;
    if batch < batches {
        first = position[at(&position_at, batch)];
    }
    sync_cube();
    if batch < batches && first >= 0 {
        for step in 0..(steps * dim).div_ceil(units) {
            let element = step * units + UNIT_POS;
            if element < steps * dim {
                let (row, col) = (element / dim, element % dim);
                let slot = first as u32 + row;
                if slot < capacity {
                    keys[at_3d(&keys_at, batch, slot, col)] = new_keys[at_3d(&new_keys_at, batch, row, col)];
                    values[at_3d(&values_at, batch, slot, col)] =
                        new_values[at_3d(&new_values_at, batch, row, col)];
                }
            }
        }
        if UNIT_POS == 0 {
            arrived[at(&arrived_at, batch)] += 1;
            if dim > 0 && (first as u32) < capacity {
                position[at(&position_at, batch)] = min(first as u32 + steps, capacity) as i32;
            }
        }
    }
}

fn append(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (keys, values) = (arguments.tensor("keys"), arguments.tensor("values"));
    let (new_keys, new_values) = (arguments.tensor("new_keys"), arguments.tensor("new_values"));
    let (position, arrived) = (arguments.tensor("position"), arguments.tensor("arrived"));
    let units = value(config, "rows") * 4;
    launch_by_dtype!(keys.dtype.as_str(), kv_cache_append;
        client, cubes(keys.size(0)), CubeDim::new_1d(units), keys.buffer(), values.buffer(),
        new_keys.buffer(), new_values.buffer(), position.buffer(), arrived.buffer(),
        keys.place_3d(), values.place_3d(), new_keys.place_3d(), new_values.place_3d(),
        position.place(), arrived.place(), keys.size(0), keys.size(1), new_keys.size(1),
        keys.size(2), units, value(config, "tile_dim"));
    Ok(())
}
