// The time step of cpu.cpp, TOGETHER lines a block: the unknowns stay in shared memory, and the
// right-hand sides stand in `field` until the result takes their place. A sweep updates the even
// points from the odd ones and then the odd from the even (red-black Gauss-Seidel), so that it
// needs no second copy. CHECK_EVERY sweeps lie between two checks, each of which is a reduction
// over the block.
//
// A line that is longer than the shared memory is solved by elimination instead, by one thread.
#include <tunecheck/gpu_kernel.h>

namespace {

constexpr int threads = 256;
constexpr int lanes = threads / TOGETHER;  // of one line
constexpr int capacity = 10240;            // points in shared memory
constexpr int most_sweeps = 100000;

using Field = tunecheck::Tensor<FIELD_TYPE>;
using Source = tunecheck::Tensor<SOURCE_TYPE>;

// Thomas' algorithm in place. With the same coefficients in every row but the two ends, the pivots
// follow from the roots of a quadratic, so that nothing beside the line has to be kept: the ratio
// of row p is `limit` (1 + share decay^p) / (1 + share decay^(p+1)).
__device__ void eliminate(Field field, Source source, int64_t line, double conduction,
                          double exchange) {
  const int64_t points = field.size(1);
  const double diagonal = 1 + exchange + 2 * conduction;
  const double apart = sqrt((1 + exchange) * (1 + exchange + 4 * conduction));
  const double large = (diagonal + apart) / 2;
  const double small = (diagonal - apart) / 2;
  const double limit = conduction / large;
  const double decay = small / large;
  const double share = (conduction - small) / (large - conduction);

  double solved = 0;
  double power = 1;  // decay^p
  for (int64_t p = 0; p < points; ++p) {
    const double right = field(line, p) + exchange * source(line, p);
    const double ratio = limit * (1 + share * power) / (1 + share * power * decay);
    // The pivot of a row is conduction / ratio; behind the last row there is no neighbour.
    const double pivot = conduction > 0 ? conduction / ratio : diagonal;
    const bool end = p + 1 == points;
    solved = (right + conduction * solved) / (end ? pivot - conduction : pivot);
    field(line, p) = static_cast<float>(solved);
    power *= decay;
  }
  for (int64_t p = points - 2; p >= 0; --p) {
    const double at = pow(decay, static_cast<double>(p));
    const double ratio = limit * (1 + share * at) / (1 + share * at * decay);
    solved = field(line, p) + ratio * solved;
    field(line, p) = static_cast<float>(solved);
  }
}

// Nothing flows through the ends: a point without a neighbour is its own.
__device__ float both_sides(const float* u, int64_t p, int64_t points) {
  return u[p > 0 ? p - 1 : p] + u[p + 1 < points ? p + 1 : p];
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    relax_until_converged(Field field, Source source, float conduction, float exchange,
                          float residual) {
  __shared__ float unknowns[capacity];
  const int64_t points = field.size(1);
  const int64_t first = static_cast<int64_t>(blockIdx.x) * TOGETHER;
  const int64_t behind = first + TOGETHER < field.size(0) ? first + TOGETHER : field.size(0);
  const int own = static_cast<int>(threadIdx.x) / lanes;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  if (points == 0) return;
  if (points > capacity) {
    if (lane == 0 && first + own < behind)
      eliminate(field, source, first + own, conduction, exchange);
    return;
  }

  const float diagonal = 1 + exchange + 2 * conduction;
  const float scale = 1 / diagonal;
  // As many lines at a time as shared memory holds.
  const int64_t fitting = capacity / points < TOGETHER ? capacity / points : TOGETHER;
  float* const u = unknowns + (own < fitting ? own * points : 0);
  for (int64_t group = first; group < behind; group += fitting) {
    const int64_t line = group + own;
    const bool busy = own < fitting && line < behind;
    if (busy)
      for (int64_t p = lane; p < points; p += lanes) {
        u[p] = field(line, p);
        field(line, p) = u[p] + exchange * source(line, p);
      }
    __syncthreads();

    for (int sweeps = 0; sweeps < most_sweeps;) {
      for (int s = 0; s < CHECK_EVERY; ++s, ++sweeps)
        for (int parity = 0; parity < 2; ++parity) {
          if (busy)
            for (int64_t p = 2 * lane + parity; p < points; p += 2 * lanes)
              u[p] = scale * (field(line, p) + conduction * both_sides(u, p, points));
          __syncthreads();
        }
      double largest = 0;
      if (busy)
        for (int64_t p = lane; p < points; p += lanes) {
          const double sides = both_sides(u, p, points);
          const double left = fabs(field(line, p) + conduction * sides -
                                   (1 + exchange + 2 * static_cast<double>(conduction)) * u[p]);
          if (left > largest) largest = left;
        }
      if (!(tunecheck::block_reduce<threads>(largest, tunecheck::Maximum()) > residual)) break;
    }

    if (busy)
      for (int64_t p = lane; p < points; p += lanes)
        field(line, p) = u[p];
    __syncthreads();  // before the next group's lines take their place
  }
}
