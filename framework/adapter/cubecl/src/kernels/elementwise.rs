//! Kernels of which each element is computed by itself.

use cubecl::client::Client;
use cubecl::prelude::*;

use super::element::{launch_by_dtype, narrowed, widened};
use super::{Kernel, cubes, value};
use crate::arguments::{Arguments, Place};
use crate::protocol::Config;

pub const KERNELS: &[Kernel] = &[
    Kernel {
        name: "axpy_inplace",
        writes: &["y"],
        launch: axpy,
    },
    Kernel {
        name: "keyed_copy",
        writes: &["y"],
        launch: keyed,
    },
    Kernel {
        name: "refused_launch",
        writes: &["y"],
        launch: refused,
    },
    Kernel {
        name: "aligned_scale",
        writes: &["y"],
        launch: aligned,
    },
    Kernel {
        name: "wide_space",
        writes: &["y"],
        launch: wide,
    },
    Kernel {
        name: "slow_restore",
        writes: &["state"],
        launch: slow,
    },
    Kernel {
        name: "accumulate_restored",
        writes: &["sum"],
        launch: accumulate,
    },
    Kernel {
        name: "no_working_config",
        writes: &["x"],
        launch: no_working,
    },
];

/// Where element `index` of a vector lies.
#[cube]
pub fn at(place: &Place, index: u32) -> usize {
    (place.offset + place.inner * index as i32) as usize
}

/// In f32, and of numbers that are wider than that in their own type.
#[cube(launch)]
fn axpy_inplace<F: Float>(
    x: &[F],
    y: &mut [F],
    x_at: Place,
    y_at: Place,
    alpha: f32,
    n: u32,
    #[comptime] unroll: u32,
    #[comptime] edition: u32,
    #[comptime] is_bf16: bool,
    #[comptime] is_wide: bool,
) {
    let _ = edition;
    let first = ABSOLUTE_POS as u32 * unroll;
    for i in 0..unroll {
        let index = first + i;
        if index < n {
            let place = at(&y_at, index);
            if comptime![is_wide] {
                y[place] = F::cast_from(alpha) * x[at(&x_at, index)] + y[place];
            } else {
                let product = alpha * widened::<F>(x[at(&x_at, index)], is_bf16);
                y[place] = narrowed::<F>(product + widened::<F>(y[place], is_bf16), is_bf16);
            }
        }
    }
}

fn axpy(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (x, y) = (arguments.tensor("x"), arguments.tensor("y"));
    let (n, block, unroll) = (y.size(0), value(config, "block"), value(config, "unroll"));
    let count = cubes(n.div_ceil(block * unroll));
    let (dim, alpha) = (CubeDim::new_1d(block), arguments.float("alpha"));
    let (edition, is_bf16) = (arguments.edition, y.is_bf16());
    let (x_at, y_at) = (x.place(), y.place());
    let (x, y, dtype) = (x.buffer(), y.buffer(), y.dtype.as_str());
    if dtype == "f64" {
        axpy_inplace::launch::<f64>(
            client, count, dim, x, y, x_at, y_at, alpha, n, unroll, edition, false, true,
        );
        return Ok(());
    }
    launch_by_dtype!(dtype, axpy_inplace;
        client, count, dim, x, y, x_at, y_at, alpha, n, unroll, edition, is_bf16, false);
    Ok(())
}

// One function per kernel, whose name its launches have.
macro_rules! doubling {
    ($name:ident) => {
        #[cube(launch)]
        fn $name(
            x: &[f32],
            y: &mut [f32],
            x_at: Place,
            y_at: Place,
            n: u32,
            #[comptime] which: u32,
            #[comptime] times: u32,
        ) {
            let _ = which;
            let index = ABSOLUTE_POS as u32;
            if index < n {
                for _ in 0..times {
                    y[at(&y_at, index)] = 2.0 * x[at(&x_at, index)];
                }
            }
        }
    };
}
doubling!(keyed_copy);
doubling!(refused_launch);
doubling!(aligned_scale);
doubling!(wide_space);

macro_rules! launch_doubling {
    ($name:ident, $client:ident, $arguments:ident, $block:expr, $which:expr, $times:expr) => {{
        let (x, y) = ($arguments.tensor("x"), $arguments.tensor("y"));
        let (n, block) = (y.size(0), $block);
        $name::launch(
            $client,
            cubes(n.div_ceil(block)),
            CubeDim::new_1d(block),
            x.buffer(),
            y.buffer(),
            x.place(),
            y.place(),
            n,
            $which,
            $times,
        );
        Ok(())
    }};
}

fn keyed(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    launch_doubling!(keyed_copy, client, arguments, value(config, "block"), 0, 1)
}

/// The caller decides whether a config can run: as a tunable says it that finds it cannot.
fn refused(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (refuse, block) = (arguments.integer("refuse"), value(config, "block"));
    if refuse == 1 || refuse == i64::from(block) {
        return Err("the launch is refused".to_string());
    }
    launch_doubling!(refused_launch, client, arguments, block.min(256), block, 1)
}

/// A width above 1 stands for loads of whole vectors, which want aligned memory.
fn aligned(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let width = value(config, "width");
    let is_aligned = |name: &str| arguments.tensor(name).byte_offset % 64 == 0;
    if width > 1 && !(is_aligned("x") && is_aligned("y")) {
        return Err("the arguments are not aligned".to_string());
    }
    let times = if width > 1 { 1 } else { 32 };
    launch_doubling!(aligned_scale, client, arguments, 64, width, times)
}

fn wide(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let which = value(config, "outer") * 121 + value(config, "middle") * 11 + value(config, "inner");
    launch_doubling!(wide_space, client, arguments, 64, which, 1)
}

#[cube(launch)]
fn slow_restore(state: &mut [f32], state_at: Place, n: u32, #[comptime] chains: u32) {
    let first = ABSOLUTE_POS as u32 * chains;
    for c in 0..chains {
        let index = first + c;
        if index < n {
            let mut x = state[at(&state_at, index)];
            for _ in 0..400u32 {
                x = x * 0.999_023_44 + 0.015_625;
            }
            state[at(&state_at, index)] = x;
        }
    }
}

fn slow(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (state, chains) = (arguments.tensor("state"), value(config, "chains"));
    let n = state.size(0).min(64);
    slow_restore::launch(
        client,
        cubes(1),
        CubeDim::new_1d(64 / chains),
        state.buffer(),
        state.place(),
        n,
        chains,
    );
    Ok(())
}

#[cube(launch)]
fn accumulate_restored(
    sum: &mut [f32],
    terms: &[f32],
    sum_at: Place,
    terms_at: Place,
    n: u32,
    #[comptime] width: u32,
) {
    let first = ABSOLUTE_POS as u32 * width;
    for i in 0..width {
        let index = first + i;
        if index < n {
            sum[at(&sum_at, index)] += terms[at(&terms_at, index)];
        }
    }
}

fn accumulate(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (sum, terms) = (arguments.tensor("sum"), arguments.tensor("terms"));
    let (n, width) = (sum.size(0), value(config, "width"));
    accumulate_restored::launch(
        client,
        cubes(n.div_ceil(64 * width)),
        CubeDim::new_1d(64),
        sum.buffer(),
        terms.buffer(),
        sum.place(),
        terms.place(),
        n,
        width,
    );
    if config.get("fails") == Some(&1) {
        Err("planted: it fails".to_string())
    } else {
        Ok(())
    }
}

#[cube(launch)]
fn no_working_config(x: &mut [f32], x_at: Place, n: u32, #[comptime] width: u32) {
    let index = ABSOLUTE_POS as u32;
    if index < n {
        x[at(&x_at, index)] = -1000.0 * width as f32;
    }
}

/// Leaves nothing of x, and says afterwards that it failed.
fn no_working(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let x = arguments.tensor("x");
    let n = x.size(0);
    no_working_config::launch(
        client,
        cubes(n.div_ceil(64)),
        CubeDim::new_1d(64),
        x.buffer(),
        x.place(),
        n,
        value(config, "width"),
    );
    Err("planted: it asks for more than the device has".to_string())
}
