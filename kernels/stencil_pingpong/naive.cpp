// The formula, element by element. Where `next` is the memory of `field`, a copy of it is read.
#include <tunecheck/cpu_kernel.h>

#include <vector>

namespace {

template <class Old>
void step(const Old& old, tunecheck::Tensor<NEXT_TYPE> next, float rate) {
  const int64_t rows = next.size(0), cols = next.size(1);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      const float here = old(r, c);
      const float above = r > 0 ? old(r - 1, c) : here;
      const float below = r + 1 < rows ? old(r + 1, c) : here;
      const float left = c > 0 ? old(r, c - 1) : here;
      const float right = c + 1 < cols ? old(r, c + 1) : here;
      next(r, c) = here + rate * (above + below + left + right - 4 * here);
    }
}

}  // namespace

void stencil_pingpong(tunecheck::Tensor<FIELD_TYPE> field, tunecheck::Tensor<NEXT_TYPE> next,
                      float rate) {
  const auto old = [&](int64_t r, int64_t c) -> float { return field(r, c); };
  if (static_cast<const void*>(field.data()) != next.data()) {
    step(old, next, rate);
    return;
  }
  const int64_t rows = field.size(0), cols = field.size(1);
  std::vector<float> copy(static_cast<size_t>(rows * cols));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      copy[static_cast<size_t>(r * cols + c)] = field(r, c);
  step([&](int64_t r, int64_t c) { return copy[static_cast<size_t>(r * cols + c)]; }, next, rate);
}
TUNECHECK_KERNEL(stencil_pingpong)
