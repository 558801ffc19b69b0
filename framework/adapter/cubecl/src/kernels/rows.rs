//! Kernels whose cubes work on a row each.

use super::Kernel;

pub const KERNELS: &[Kernel] = &[];
