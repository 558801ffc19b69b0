//! Kernels that keep statistics of what they see, in place.

use cubecl::client::Client;
use cubecl::prelude::*;

use super::element::{launch_by_dtype, narrowed, widened};
use super::elementwise::at;
use super::rows::at_row;
use super::{Kernel, cubes, value};
use crate::arguments::{Arguments, Place};
use crate::protocol::Config;

pub const KERNELS: &[Kernel] = &[
    Kernel {
        name: "amax_history",
        writes: &["history", "scale", "partial"],
        launch: amax,
    },
    Kernel {
        name: "batchnorm_running_stats",
        writes: &["running_mean", "running_var", "y"],
        launch: batchnorm,
    },
    Kernel {
        name: "layernorm_backward",
        writes: &["dx", "dgamma", "dbeta"],
        launch: layernorm,
    },
];

/// One cube. `partial` holds the bits of the largest value that was seen so far: they are in the order of the values.
#[cube(launch)]
fn amax_history<F: Float>(
    x: &[F],
    history: &mut [f32],
    scale: &mut [f32],
    partial: &[Atomic<u32>],
    x_at: Place,
    history_at: Place,
    scale_at: Place,
    partial_at: Place,
    fp8_max: f32,
    n: u32,
    length: u32,
    #[comptime] units: u32,
    #[comptime] unroll: u32,
    #[comptime] is_bf16: bool,
) {
    let mut largest = 0.0f32;
    for step in 0..n.div_ceil(units * unroll) {
        for i in 0..unroll {
            let index = (step * units + UNIT_POS) * unroll + i;
            if index < n {
                largest = max(largest, widened::<F>(x[at(&x_at, index)], is_bf16).abs());
            }
        }
    }
    partial[at(&partial_at, 0)].fetch_max(u32::reinterpret(largest));
    sync_storage();
    sync_cube();
    if UNIT_POS == 0 && length > 0 {
        let mut most = f32::reinterpret(partial[at(&partial_at, 0)].load());
        let newest = most;
        for i in 1..length {
            let place = length - i;
            let older = history[at(&history_at, place - 1)];
            history[at(&history_at, place)] = older;
            most = max(most, older);
        }
        history[at(&history_at, 0)] = newest;
        if most > 0.0 {
            scale[at(&scale_at, 0)] = fp8_max / most;
        }
    }
}

fn amax(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (x, history) = (arguments.tensor("x"), arguments.tensor("history"));
    let (scale, partial) = (arguments.tensor("scale"), arguments.tensor("partial"));
    let units = value(config, "block").min(256);
    launch_by_dtype!(x.dtype.as_str(), amax_history;
        client, cubes(1), CubeDim::new_1d(units), x.buffer(), history.buffer(), scale.buffer(),
        partial.buffer(), x.place(), history.place(), scale.place(), partial.place(),
        arguments.float("fp8_max"), x.size(0), history.size(0), units, value(config, "unroll"),
        x.is_bf16());
    Ok(())
}

/// A unit takes a channel, `chunk` rows at a time.
#[cube(launch)]
fn batchnorm_running_stats<F: Float>(
    x: &[F],
    weight: &[f32],
    bias: &[f32],
    running_mean: &mut [f32],
    running_var: &mut [f32],
    y: &mut [F],
    x_at: Place,
    weight_at: Place,
    bias_at: Place,
    mean_at: Place,
    var_at: Place,
    y_at: Place,
    momentum: f32,
    eps: f32,
    rows: u32,
    channels: u32,
    #[comptime] chunk: u32,
    #[comptime] is_bf16: bool,
) {
    let _ = chunk;
    let channel = ABSOLUTE_POS as u32;
    if channel < channels && rows > 0 {
        let mut sum = 0.0f32;
        for row in 0..rows {
            sum += widened::<F>(x[at_row(&x_at, row, channel)], is_bf16);
        }
        let mean = sum / rows as f32;
        let mut squares = 0.0f32;
        for row in 0..rows {
            let apart = widened::<F>(x[at_row(&x_at, row, channel)], is_bf16) - mean;
            squares += apart * apart;
        }
        let scale = weight[at(&weight_at, channel)] / (squares / rows as f32 + eps).sqrt();
        let shift = bias[at(&bias_at, channel)];
        for row in 0..rows {
            let apart = widened::<F>(x[at_row(&x_at, row, channel)], is_bf16) - mean;
            y[at_row(&y_at, row, channel)] = narrowed::<F>(apart * scale + shift, is_bf16);
        }
        let mut unbiased = 0.0f32;
        if rows > 1 {
            unbiased = squares / (rows - 1) as f32;
        }
        let kept = 1.0 - momentum;
        let mean_place = at(&mean_at, channel);
        running_mean[mean_place] = kept * running_mean[mean_place] + momentum * mean;
        let var_place = at(&var_at, channel);
        running_var[var_place] = kept * running_var[var_place] + momentum * unbiased;
    }
}

fn batchnorm(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (x, weight) = (arguments.tensor("x"), arguments.tensor("weight"));
    let (bias, y) = (arguments.tensor("bias"), arguments.tensor("y"));
    let (mean, var) = (arguments.tensor("running_mean"), arguments.tensor("running_var"));
    let block = value(config, "strip").min(256);
    let channels = x.size(1);
    launch_by_dtype!(x.dtype.as_str(), batchnorm_running_stats;
        client, cubes(channels.div_ceil(block)), CubeDim::new_1d(block), x.buffer(), weight.buffer(),
        bias.buffer(), mean.buffer(), var.buffer(), y.buffer(), x.place(), weight.place(),
        bias.place(), mean.place(), var.place(), y.place(), arguments.float("momentum"),
        arguments.float("eps"), x.size(0), channels, value(config, "chunk"), x.is_bf16());
    Ok(())
}

/// The first units take a row each, for dx; and the first ones a column each, for both sums.
#[cube(launch)]
fn layernorm_backward<F: Float>(
    x: &[F],
    dy: &[F],
    gamma: &[F],
    mean: &[f32],
    rstd: &[f32],
    dx: &mut [F],
    dgamma: &mut [f32],
    dbeta: &mut [f32],
    x_at: Place,
    dy_at: Place,
    gamma_at: Place,
    mean_at: Place,
    rstd_at: Place,
    dx_at: Place,
    dgamma_at: Place,
    dbeta_at: Place,
    rows: u32,
    cols: u32,
    #[comptime] vec: u32,
    #[comptime] is_bf16: bool,
) {
    let _ = vec;
    let unit = ABSOLUTE_POS as u32;
    if unit < rows {
        let (middle, slope) = (mean[at(&mean_at, unit)], rstd[at(&rstd_at, unit)]);
        let mut of_gradient = 0.0f32;
        let mut of_product = 0.0f32;
        for col in 0..cols {
            let gradient = widened::<F>(gamma[at(&gamma_at, col)], is_bf16)
                * widened::<F>(dy[at_row(&dy_at, unit, col)], is_bf16);
            let normalized = (widened::<F>(x[at_row(&x_at, unit, col)], is_bf16) - middle) * slope;
            of_gradient += gradient;
            of_product += gradient * normalized;
        }
        of_gradient /= cols as f32;
        of_product /= cols as f32;
        for col in 0..cols {
            let gradient = widened::<F>(gamma[at(&gamma_at, col)], is_bf16)
                * widened::<F>(dy[at_row(&dy_at, unit, col)], is_bf16);
            let normalized = (widened::<F>(x[at_row(&x_at, unit, col)], is_bf16) - middle) * slope;
            let back = slope * (gradient - of_gradient - normalized * of_product);
            dx[at_row(&dx_at, unit, col)] = narrowed::<F>(back, is_bf16);
        }
    }
    if unit < cols {
        let mut products = dgamma[at(&dgamma_at, unit)];
        let mut sum = dbeta[at(&dbeta_at, unit)];
        for row in 0..rows {
            let gradient = widened::<F>(dy[at_row(&dy_at, row, unit)], is_bf16);
            let apart = widened::<F>(x[at_row(&x_at, row, unit)], is_bf16) - mean[at(&mean_at, row)];
            products += gradient * apart * rstd[at(&rstd_at, row)];
            sum += gradient;
        }
        dgamma[at(&dgamma_at, unit)] = products;
        dbeta[at(&dbeta_at, unit)] = sum;
    }
}

fn layernorm(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (x, dy) = (arguments.tensor("x"), arguments.tensor("dy"));
    let (gamma, mean) = (arguments.tensor("gamma"), arguments.tensor("mean"));
    let (rstd, dx) = (arguments.tensor("rstd"), arguments.tensor("dx"));
    let (dgamma, dbeta) = (arguments.tensor("dgamma"), arguments.tensor("dbeta"));
    let (rows, cols, block) = (x.size(0), x.size(1), 16 * value(config, "rows_per_block"));
    launch_by_dtype!(x.dtype.as_str(), layernorm_backward;
        client, cubes(rows.max(cols).div_ceil(block)), CubeDim::new_1d(block), x.buffer(),
        dy.buffer(), gamma.buffer(), mean.buffer(), rstd.buffer(), dx.buffer(), dgamma.buffer(),
        dbeta.buffer(), x.place(), dy.place(), gamma.place(), mean.place(), rstd.place(),
        dx.place(), dgamma.place(), dbeta.place(), rows, cols, value(config, "vec"), x.is_bf16());
    Ok(())
}
