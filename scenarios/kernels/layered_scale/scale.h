#ifndef LAYERED_SCALE_SCALE_H
#define LAYERED_SCALE_SCALE_H

#include "factor.h"

inline float scaled(float value) {
  return factor * value;
}

#endif
