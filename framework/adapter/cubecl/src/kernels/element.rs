//! Elements of a kernel's tensors, and the f32 that it computes with.
//!
//! WGSL has f16 and f64, and no bf16: the 16 bits of a bf16 are kept in a buffer of f16, and are taken apart
//! and put together here. As f16, they are a number that f32 holds exactly, so nothing is lost on the way; what is below
//! 2^-119 is zero, and what is not below 2^121 is not supported.

use cubecl::prelude::*;

/// An element as an f32: f16 and f32 hold it as it is.
#[cube]
pub fn widened<F: Float>(element: F, #[comptime] is_bf16: bool) -> f32 {
    let mut value = f32::cast_from(element);
    if comptime![is_bf16] {
        value = bf16_of_f16(value);
    }
    value
}

/// An f32 as an element, rounded to the nearest one and to even.
#[cube]
pub fn narrowed<F: Float>(value: f32, #[comptime] is_bf16: bool) -> F {
    let mut narrow = value;
    if comptime![is_bf16] {
        narrow = f16_of_bf16(value);
    }
    F::cast_from(narrow)
}

/// The bf16 whose bits are those of this f16.
#[cube]
fn bf16_of_f16(value: f32) -> f32 {
    let bits = u32::reinterpret(value);
    let sign = (bits >> 31u32) << 31u32;
    let exponent = (bits >> 23u32) & 255u32;
    let mut word = sign;
    if exponent >= 113u32 {
        word = sign | ((exponent - 112u32) << 26u32) | (((bits >> 13u32) & 1023u32) << 16u32);
    }
    f32::reinterpret(word)
}

/// The f16 whose bits are those of the bf16 that this number is rounded to.
#[cube]
fn f16_of_bf16(value: f32) -> f32 {
    let bits = u32::reinterpret(value);
    let rounded = bits + 32767u32 + ((bits >> 16u32) & 1u32);
    let sign = (rounded >> 31u32) << 31u32;
    let exponent = (rounded >> 26u32) & 31u32;
    let mut word = sign;
    if exponent > 0u32 {
        word = sign | ((exponent + 112u32) << 23u32) | (((rounded >> 16u32) & 1023u32) << 13u32);
    }
    f32::reinterpret(word)
}

/// Launches the kernel with the type of element that a buffer of this dtype has. What else the kernel
/// is generic in stands behind it.
macro_rules! launch_by_dtype {
    ($dtype:expr, $kernel:ident $(, $more:ty)*; $($argument:expr),* $(,)?) => {
        match $dtype {
            "f32" => $kernel::launch::<f32 $(, $more)*>($($argument),*),
            "f16" | "bf16" => $kernel::launch::<half::f16 $(, $more)*>($($argument),*),
            other => return Err(format!("there is no {other} here")),
        }
    };
}
pub(super) use launch_by_dtype;
