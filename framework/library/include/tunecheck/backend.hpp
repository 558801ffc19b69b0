#pragma once
// The devices that a tuner runs on: CpuBackend, GpuBackend, and Backend, which both are.
//
// One of the six headers that programs outside of tunecheck include; docs/library.md.
#include "backend/backend.hpp"
#include "backend/cpu/cpu_backend.hpp"
#include "backend/gpu/gpu_backend.hpp"
