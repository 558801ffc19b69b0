// Each pair as a complex number, times cos + i sin.
#include <tunecheck/reference.h>

#include <complex>

void rope_inplace(tunecheck::Tensor<double> x, tunecheck::Tensor<double> cos,
                  tunecheck::Tensor<double> sin) {
  const int64_t half = cos.size(1);
  for (int64_t t = 0; t < x.size(0); ++t)
    for (int64_t h = 0; h < x.size(1); ++h)
      for (int64_t d = 0; d < half; ++d) {
        const std::complex<double> turned =
            std::complex(x(t, h, d), x(t, h, d + half)) * std::complex(cos(t, d), sin(t, d));
        x(t, h, d) = turned.real();
        x(t, h, d + half) = turned.imag();
      }
}
TUNECHECK_REFERENCE(rope_inplace)
