#pragma once
// Tensors in memory that the caller owns: TensorView, Layout, DType.
//
// One of the six headers that programs outside of tunecheck include; docs/library.md.
#include "core/dtype.hpp"
#include "core/layout.hpp"
#include "core/tensor_view.hpp"
