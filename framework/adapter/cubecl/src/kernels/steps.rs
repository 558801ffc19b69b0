//! Kernels of which one launch is one step: the next one begins where it ended.

use cubecl::client::Client;
use cubecl::prelude::*;

use super::element::{launch_by_dtype, narrowed, widened};
use super::elementwise::at;
use super::rows::at_row;
use super::scattering::at_3d;
use super::{Kernel, cubes, value};
use crate::arguments::{Arguments, Place, Place3d};
use crate::protocol::Config;

pub const KERNELS: &[Kernel] = &[
    Kernel {
        name: "adamw_step",
        writes: &["param", "first", "second", "step"],
        launch: adamw,
    },
    Kernel {
        name: "rope_inplace",
        writes: &["x"],
        launch: rope,
    },
    Kernel {
        name: "sort_inplace",
        writes: &["keys"],
        launch: sort,
    },
    Kernel {
        name: "scan_lookback",
        writes: &["y", "status"],
        launch: scan,
    },
    Kernel {
        name: "stencil_pingpong",
        writes: &["next"],
        launch: stencil,
    },
];

/// One cube, so that the number of the step moves on when all of its units have read it.
#[cube(launch)]
fn adamw_step<F: Float>(
    param: &mut [F],
    first: &mut [f32],
    second: &mut [f32],
    step: &mut [i64],
    grad: &[F],
    param_at: Place,
    first_at: Place,
    second_at: Place,
    step_at: Place,
    grad_at: Place,
    lr: f32,
    beta1: f32,
    beta2: f32,
    eps: f32,
    weight_decay: f32,
    n: u32,
    #[comptime] units: u32,
    #[comptime] vec: u32,
    #[comptime] is_bf16: bool,
    #[comptime] edition: u32,
) {
    let _ = edition;
    let number = u32::cast_from(step[at(&step_at, 0)]) + 1;
    sync_cube();
    let mut power1 = 1.0f32;
    let mut power2 = 1.0f32;
    for _ in 0..number {
        power1 *= beta1;
        power2 *= beta2;
    }
    for round in 0..n.div_ceil(units * vec) {
        for i in 0..vec {
            let index = (round * units + UNIT_POS) * vec + i;
            if index < n {
                let slope = widened::<F>(grad[at(&grad_at, index)], is_bf16);
                let mean = beta1 * first[at(&first_at, index)] + (1.0 - beta1) * slope;
                let square = beta2 * second[at(&second_at, index)] + (1.0 - beta2) * slope * slope;
                first[at(&first_at, index)] = mean;
                second[at(&second_at, index)] = square;
                let mut weight = widened::<F>(param[at(&param_at, index)], is_bf16);
                weight -= lr * weight_decay * weight;
                weight -= lr * (mean / (1.0 - power1)) / ((square / (1.0 - power2)).sqrt() + eps);
                param[at(&param_at, index)] = narrowed::<F>(weight, is_bf16);
            }
        }
    }
    if UNIT_POS == 0 {
        step[at(&step_at, 0)] = i64::cast_from(number);
    }
}

fn adamw(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (param, grad) = (arguments.tensor("param"), arguments.tensor("grad"));
    let (first, second) = (arguments.tensor("first"), arguments.tensor("second"));
    let step = arguments.tensor("step");
    let units = 128 / value(config, "passes");
    launch_by_dtype!(param.dtype.as_str(), adamw_step;
        client, cubes(1), CubeDim::new_1d(units), param.buffer(), first.buffer(), second.buffer(),
        step.buffer(), grad.buffer(), param.place(), first.place(), second.place(), step.place(),
        grad.place(), arguments.float("lr"), arguments.float("beta1"), arguments.float("beta2"),
        arguments.float("eps"), arguments.float("weight_decay"), param.size(0), units,
        value(config, "vec"), param.is_bf16(), arguments.edition);
    Ok(())
}

/// A unit turns `vec` pairs of a head.
#[cube(launch)]
fn rope_inplace<F: Float>(
    x: &mut [F],
    cos: &[f32],
    sin: &[f32],
    x_at: Place3d,
    cos_at: Place,
    sin_at: Place,
    tokens: u32,
    heads: u32,
    half: u32,
    #[comptime] vec: u32,
    #[comptime] is_bf16: bool,
) {
    let across = half.div_ceil(vec).max(1);
    let unit = ABSOLUTE_POS as u32;
    let (token, head) = (unit / across / heads, unit / across % heads);
    if token < tokens {
        for i in 0..vec {
            let pair = unit % across * vec + i;
            if pair < half {
                let (near, far) = (
                    at_3d(&x_at, token, head, pair),
                    at_3d(&x_at, token, head, pair + half),
                );
                let (real, other) = (widened::<F>(x[near], is_bf16), widened::<F>(x[far], is_bf16));
                let (c, s) = (
                    cos[at_row(&cos_at, token, pair)],
                    sin[at_row(&sin_at, token, pair)],
                );
                x[near] = narrowed::<F>(real * c - other * s, is_bf16);
                x[far] = narrowed::<F>(real * s + other * c, is_bf16);
            }
        }
    }
}

fn rope(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (x, cos, sin) = (
        arguments.tensor("x"),
        arguments.tensor("cos"),
        arguments.tensor("sin"),
    );
    let (vec, block) = (value(config, "vec"), 32 * value(config, "together"));
    let (tokens, heads, half) = (x.size(0), x.size(1), cos.size(1));
    let units = tokens * heads * half.div_ceil(vec).max(1);
    launch_by_dtype!(x.dtype.as_str(), rope_inplace;
        client, cubes(units.div_ceil(block)), CubeDim::new_1d(block), x.buffer(), cos.buffer(),
        sin.buffer(), x.place_3d(), cos.place(), sin.place(), tokens, heads, half, vec,
        x.is_bf16());
    Ok(())
}

/// A cube sorts a row: neighbours change places, as many times as there are columns. No unit loops more than
/// 65535 times in all: lavapipe ends a loop there.
#[cube(launch)]
fn sort_inplace<N: Numeric>(
    keys: &mut [N],
    keys_at: Place,
    rows: u32,
    cols: u32,
    #[comptime] units: u32,
    #[comptime] ordered: u32,
) {
    let _ = ordered;
    let row = CUBE_POS as u32;
    for phase in 0..cols {
        for step in 0..(cols / 2).div_ceil(units) {
            let left = 2 * (step * units + UNIT_POS) + phase % 2;
            if row < rows && left + 1 < cols {
                let (here, beside) = (at_row(&keys_at, row, left), at_row(&keys_at, row, left + 1));
                let (low, high) = (keys[here], keys[beside]);
                if low > high {
                    keys[here] = high;
                    keys[beside] = low;
                }
            }
        }
        sync_storage();
        sync_cube();
    }
}

fn sort(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let keys = arguments.tensor("keys");
    let units = value(config, "together") * value(config, "run");
    let (rows, cols) = (keys.size(0), keys.size(1));
    let ordered = value(config, "ordered");
    let (count, dim) = (cubes(rows), CubeDim::new_1d(units));
    match keys.dtype.as_str() {
        "i32" => sort_inplace::launch::<i32>(
            client,
            count,
            dim,
            keys.buffer(),
            keys.place(),
            rows,
            cols,
            units,
            ordered,
        ),
        _ => sort_inplace::launch::<f32>(
            client,
            count,
            dim,
            keys.buffer(),
            keys.place(),
            rows,
            cols,
            units,
            ordered,
        ),
    }
    Ok(())
}

/// One unit. It begins with the sum that it finds in the status, as one that goes on with the work of others does.
#[cube(launch)]
fn scan_lookback<N: Numeric>(
    x: &[N],
    y: &mut [N],
    status: &mut [i64],
    x_at: Place,
    y_at: Place,
    status_at: Place,
    n: u32,
    #[comptime] workers: u32,
    #[comptime] tile: u32,
) {
    let _ = comptime![workers + tile];
    if ABSOLUTE_POS == 0 {
        let mut sum = N::cast_from(status[at(&status_at, 0)]);
        for index in 0..n {
            sum += x[at(&x_at, index)];
            y[at(&y_at, index)] = sum;
        }
        status[at(&status_at, 0)] = i64::cast_from(sum);
    }
}

fn scan(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (x, y) = (arguments.tensor("x"), arguments.tensor("y"));
    let status = arguments.tensor("status");
    let (workers, tile) = (value(config, "workers"), value(config, "tile"));
    macro_rules! scan_of {
        ($number:ty) => {
            scan_lookback::launch::<$number>(
                client,
                cubes(1),
                CubeDim::new_1d(1),
                x.buffer(),
                y.buffer(),
                status.buffer(),
                x.place(),
                y.place(),
                status.place(),
                x.size(0),
                workers,
                tile,
            )
        };
    }
    match x.dtype.as_str() {
        "i64" => scan_of!(i64),
        _ => scan_of!(f32),
    }
    Ok(())
}

/// A unit computes an element from its neighbours.
#[cube(launch)]
fn stencil_pingpong<F: Float>(
    field: &[F],
    next: &mut [F],
    field_at: Place,
    next_at: Place,
    rate: f32,
    rows: u32,
    cols: u32,
    #[comptime] together: u32,
    #[comptime] is_bf16: bool,
) {
    let _ = together;
    let unit = ABSOLUTE_POS as u32;
    if unit < rows * cols {
        let (row, col) = (unit / cols, unit % cols);
        let here = widened::<F>(field[at_row(&field_at, row, col)], is_bf16);
        let mut flow = 0.0f32;
        if row > 0 {
            flow += widened::<F>(field[at_row(&field_at, row - 1, col)], is_bf16) - here;
        }
        if row + 1 < rows {
            flow += widened::<F>(field[at_row(&field_at, row + 1, col)], is_bf16) - here;
        }
        if col > 0 {
            flow += widened::<F>(field[at_row(&field_at, row, col - 1)], is_bf16) - here;
        }
        if col + 1 < cols {
            flow += widened::<F>(field[at_row(&field_at, row, col + 1)], is_bf16) - here;
        }
        next[at_row(&next_at, row, col)] = narrowed::<F>(here + rate * flow, is_bf16);
    }
}

fn stencil(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (field, next) = (arguments.tensor("field"), arguments.tensor("next"));
    let (rows, cols, block) = (field.size(0), field.size(1), value(config, "tile").min(256));
    launch_by_dtype!(field.dtype.as_str(), stencil_pingpong;
        client, cubes((rows * cols).div_ceil(block)), CubeDim::new_1d(block), field.buffer(),
        next.buffer(), field.place(), next.place(), arguments.float("rate"), rows, cols,
        value(config, "together"), field.is_bf16());
    Ok(())
}
