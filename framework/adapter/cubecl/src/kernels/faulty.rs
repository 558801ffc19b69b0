//! Kernels with configs that are wrong on purpose: those that return are faster than the right ones.

use cubecl::client::Client;
use cubecl::prelude::*;

use super::elementwise::at;
use super::rows::at_row;
use super::{Kernel, cubes, value};
use crate::arguments::{Arguments, Place};
use crate::protocol::Config;

pub const KERNELS: &[Kernel] = &[
    Kernel {
        name: "faulty_scale",
        writes: &["out"],
        launch: scale,
    },
    Kernel {
        name: "faulty_pair",
        writes: &["first", "second"],
        launch: pair,
    },
    Kernel {
        name: "faulty_sum",
        writes: &["sum"],
        launch: sum,
    },
    Kernel {
        name: "faulty_rows",
        writes: &["out"],
        launch: rows,
    },
];

/// How often a right config does its work, so that a wrong one is faster.
const TIMES_OVER: u32 = 256;

/// Defects as in scenarios/kernels/faulty_scale/cpu.cpp; 3, 6 and 13 are found on the host.
#[cube(launch_unchecked)]
fn faulty_scale(
    input: &mut [f32],
    out: &mut [f32],
    in_at: Place,
    out_at: Place,
    factor: f32,
    n: u32,
    #[comptime] defect: u32,
    #[comptime] times: u32,
) {
    let index = ABSOLUTE_POS as u32;
    if index < n {
        if comptime![defect == 2] {
            out[at(&out_at, index)] = factor;
        } else if comptime![defect == 10] {
            out[at(&out_at, index)] = (f32::new(-1.0) - factor * factor).sqrt();
        } else {
            for _ in 0..times {
                out[at(&out_at, index)] = factor * input[at(&in_at, index)];
            }
        }
    }
    if index == 0 {
        if comptime![defect == 8] {
            out[at(&out_at, n)] = 0.0;
        }
        if comptime![defect == 9] {
            input[at(&in_at, 0)] += 1.0;
        }
        if comptime![defect == 12] {
            out[at(&out_at, 0) + 1] = 0.0;
        }
    }
}

fn scale(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (input, out) = (arguments.tensor("in"), arguments.tensor("out"));
    let (width, mut defect) = (value(config, "width"), value(config, "defect"));
    match defect {
        3 => return Err("planted: it asks for more than the device has".to_string()),
        6 | 13 => return Err("planted: it does not compile".to_string()),
        4 | 5 | 7 | 11 => return Err(format!("defect {defect} is not possible here")),
        _ => {}
    }
    if defect == 12 && out.strides[0].abs() <= 1 {
        defect = 0; // there is no room between two elements
    }
    let n = if defect == 1 { out.size(0) / 2 } else { out.size(0) };
    let block = 16 * width;
    unsafe {
        faulty_scale::launch_unchecked(
            client,
            cubes(n.div_ceil(block)),
            CubeDim::new_1d(block),
            input.buffer(),
            out.buffer(),
            input.place(),
            out.place(),
            arguments.float("factor"),
            n,
            defect,
            if defect == 0 { TIMES_OVER } else { 1 },
        );
    }
    Ok(())
}

#[cube(launch_unchecked)]
fn faulty_pair(
    first: &mut [f32],
    input: &mut [f32],
    second: &mut [f32],
    first_at: Place,
    in_at: Place,
    second_at: Place,
    factor: f32,
    n: u32,
    #[comptime] defect: u32,
    #[comptime] times: u32,
) {
    let index = ABSOLUTE_POS as u32;
    if index < n {
        for _ in 0..times {
            first[at(&first_at, index)] = factor * input[at(&in_at, index)];
            second[at(&second_at, index)] = input[at(&in_at, index)] - factor;
        }
        if comptime![defect == 6 || defect == 7] {
            first[at(&first_at, index)] = 7.0;
        }
        if comptime![defect == 1 || defect == 6] {
            second[at(&second_at, index)] = 7.0;
        }
    }
    if index == 0 {
        if comptime![defect == 2] {
            input[at(&in_at, 0) - 1] = 7.0;
        }
        if comptime![defect == 3] {
            first[at(&first_at, 0) - 1] = 7.0;
        }
        if comptime![defect == 4] {
            second[at(&second_at, 0) - 1] = 7.0;
        }
        if comptime![defect == 5] {
            input[at(&in_at, n)] = 7.0;
        }
    }
}

fn pair(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (first, second) = (arguments.tensor("first"), arguments.tensor("second"));
    let input = arguments.tensor("in");
    let (width, mut defect) = (value(config, "width"), value(config, "defect"));
    if defect == 6 && width != 4 {
        defect = 0;
    }
    let (n, block) = (first.size(0), 16 * width);
    unsafe {
        faulty_pair::launch_unchecked(
            client,
            cubes(n.div_ceil(block)),
            CubeDim::new_1d(block),
            first.buffer(),
            input.buffer(),
            second.buffer(),
            first.place(),
            input.place(),
            second.place(),
            arguments.float("factor"),
            n,
            defect,
            if defect == 0 { TIMES_OVER } else { 1 },
        );
    }
    Ok(())
}

#[cube(launch)]
fn faulty_sum(
    input: &[f32],
    sum: &mut [f32],
    in_at: Place,
    sum_at: Place,
    n: u32,
    #[comptime] skips: u32,
    #[comptime] times: u32,
) {
    let index = ABSOLUTE_POS as u32;
    if comptime![skips == 0] {
        if index < n {
            let before = sum[at(&sum_at, index)];
            for _ in 0..times {
                sum[at(&sum_at, index)] = before + input[at(&in_at, index)];
            }
        }
    }
}

fn sum(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (input, sum) = (arguments.tensor("in"), arguments.tensor("sum"));
    let (n, block) = (sum.size(0), 16 * value(config, "width"));
    faulty_sum::launch(
        client,
        cubes(n.div_ceil(block)),
        CubeDim::new_1d(block),
        input.buffer(),
        sum.buffer(),
        input.place(),
        sum.place(),
        n,
        value(config, "skips"),
        TIMES_OVER,
    );
    Ok(())
}

#[cube(launch_unchecked)]
fn faulty_rows(
    input: &mut [f32],
    out: &mut [f32],
    in_at: Place,
    out_at: Place,
    factor: f32,
    rows: u32,
    cols: u32,
    #[comptime] spoils: u32,
    #[comptime] times: u32,
) {
    let index = ABSOLUTE_POS as u32;
    if index < rows * cols {
        let (row, col) = (index / cols, index % cols);
        for _ in 0..times {
            out[at_row(&out_at, row, col)] = factor * input[at_row(&in_at, row, col)];
        }
    }
    if comptime![spoils == 1] {
        if index == 0 {
            input[at_row(&in_at, 0, 0) + 1] = 7.0;
        }
    }
}

fn rows(client: &Client, arguments: &Arguments, config: &Config) -> Result<(), String> {
    let (input, out) = (arguments.tensor("in"), arguments.tensor("out"));
    let has_room = input.strides[1] == 0 && input.strides[0] > 1;
    let spoils = if has_room { value(config, "spoils") } else { 0 };
    let (rows, cols, block) = (out.size(0), out.size(1), 16 * value(config, "width"));
    unsafe {
        faulty_rows::launch_unchecked(
            client,
            cubes((rows * cols).div_ceil(block)),
            CubeDim::new_1d(block),
            input.buffer(),
            out.buffer(),
            input.place(),
            out.place(),
            arguments.float("factor"),
            rows,
            cols,
            spoils,
            if value(config, "spoils") == 0 {
                TIMES_OVER
            } else {
                1
            },
        );
    }
    Ok(())
}
