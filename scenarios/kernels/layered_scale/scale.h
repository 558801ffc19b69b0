#ifndef LAYERED_SCALE_SCALE_H
#define LAYERED_SCALE_SCALE_H

#include "factor.h"

// A header for both kinds of device, as a user would have one.
#if defined(__CUDACC__) || defined(__HIPCC__) || defined(__HIPCC_RTC__)
#define LAYERED_SCALE_DEVICE __device__
#else
#define LAYERED_SCALE_DEVICE
#endif

LAYERED_SCALE_DEVICE inline float scaled(float value) {
  return factor * value;
}

#endif
