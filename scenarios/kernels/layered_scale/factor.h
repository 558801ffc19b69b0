#ifndef LAYERED_SCALE_FACTOR_H
#define LAYERED_SCALE_FACTOR_H

constexpr float factor = 2;

#endif
