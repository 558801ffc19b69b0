#pragma once
// The tuner: Tuner, TunedKernel, TunerOptions, TuneRequest, CallReport, and its replaceable parts.
//
// One of the six headers that programs outside of tunecheck include; docs/library.md.
#include "tuner/call_report.hpp"
#include "tuner/parts.hpp"
#include "tuner/request.hpp"
#include "tuner/tuned_kernel.hpp"
#include "tuner/tuner.hpp"
