#pragma once
// Kernels as their folders describe them: read_kernel(), KernelDefinition, Config, Sizes.
//
// One of the six headers that programs outside of tunecheck include; docs/library.md.
#include "core/config.hpp"
#include "core/kernel.hpp"
