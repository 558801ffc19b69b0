// What a kernel's reference.cpp includes. A reference is a function over Tensor<double> and scalars
// (double or long), in the order of kernel.info. Every tensor, whatever its element type, holds the
// caller's content converted to double, contiguous; the reference overwrites what the kernel
// writes:
//
//   #include <cmath>
//   #include <tunecheck/reference.h>
//
//   void scale(tunecheck::Tensor<double> y, double factor) { ... }
//   TUNECHECK_REFERENCE(scale)
#ifndef TUNECHECK_REFERENCE_H
#define TUNECHECK_REFERENCE_H

#include <tunecheck/cpu_kernel.h>

#define TUNECHECK_REFERENCE(reference)                                       \
  extern "C" __attribute__((visibility("default"))) int tunecheck_reference( \
      const tunecheck_launch* launch) {                                      \
    return tunecheck::detail::run(&reference, *launch);                      \
  }

#endif
