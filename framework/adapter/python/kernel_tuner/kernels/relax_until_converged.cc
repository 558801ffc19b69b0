// One implicit time step of heat in rods, by Jacobi sweeps that begin at the old field, until no
// residual exceeds `residual`: launched again on its own result it has less to do. TOGETHER lines
// are swept together, and CHECK_EVERY sweeps lie between two checks.
#include "launch.h"

namespace {

constexpr int not_converged = 2;
constexpr int most_sweeps = 100000;

struct Coefficients {
  float conduction, exchange, residual;
};

// Element p of line l is at [(p + 1) * TOGETHER + l], with a copy of each line's ends beside them.
void copy_ends(float* lines, int points) {
  for (int l = 0; l < TOGETHER; ++l) {
    lines[l] = lines[TOGETHER + l];
    lines[(points + 1) * TOGETHER + l] = lines[points * TOGETHER + l];
  }
}

void sweep(const float* __restrict__ from, float* __restrict__ to, const float* right, int points,
           Coefficients c) {
  const float scale = 1 / (1 + c.exchange + 2 * c.conduction);
  const float share = c.conduction * scale;
  for (int i = TOGETHER; i < (points + 1) * TOGETHER; ++i)
    to[i] = right[i] * scale + share * (from[i - TOGETHER] + from[i + TOGETHER]);
  copy_ends(to, points);
}

double largest_residual(const float* lines, const float* right, int points, Coefficients c) {
  const double conduction = c.conduction;
  const double diagonal = 1 + c.exchange + 2 * conduction;
  double largest = 0;
  for (int i = TOGETHER; i < (points + 1) * TOGETHER; ++i) {
    const double sides = static_cast<double>(lines[i - TOGETHER]) + lines[i + TOGETHER];
    const double left_over = __builtin_fabs(right[i] + conduction * sides - diagonal * lines[i]);
    if (left_over > largest) largest = left_over;
  }
  return largest;
}

// Sweeps from `old` to `other` and back; the one with the result, or nullptr.
float* solve(float* old, float* other, const float* right, int points, Coefficients c) {
  for (int sweeps = 0; sweeps < most_sweeps;) {
    for (int s = 0; s < CHECK_EVERY; ++s, ++sweeps) {
      sweep(old, other, right, points, c);
      float* const swept = other;
      other = old;
      old = swept;
    }
    if (largest_residual(old, right, points, c) <= c.residual) return old;
  }
  return nullptr;
}

int relax(float* field, const float* source, Coefficients c, int lines, int points) {
  const int size = (points + 2) * TOGETHER;
  float* const old = new float[3 * static_cast<size_t>(size)];
  float* const other = old + size;
  float* const right = other + size;
  int status = 0;
  for (int line = 0; line < lines && status == 0; line += TOGETHER) {
    const int last = (lines - line < TOGETHER ? lines - line : TOGETHER) - 1;
    for (int p = 0; p < points; ++p)
      for (int l = 0; l < TOGETHER; ++l) {
        // A set that is not full is filled up with its last line.
        const int64_t at = static_cast<int64_t>(line + (l < last ? l : last)) * points + p;
        old[(p + 1) * TOGETHER + l] = field[at];
        right[(p + 1) * TOGETHER + l] = field[at] + c.exchange * source[at];
      }
    copy_ends(old, points);
    const float* const solved = solve(old, other, right, points, c);
    if (solved == nullptr) status = not_converged;
    for (int p = 0; p < points && solved != nullptr; ++p)
      for (int l = 0; l <= last; ++l)
        field[static_cast<int64_t>(line + l) * points + p] = solved[(p + 1) * TOGETHER + l];
  }
  delete[] old;
  return status;
}

}  // namespace

extern "C" float relax_until_converged(float* field, const float* source, float conduction,
                                       float exchange, float residual, int lines, int points) {
  Launch launch("relax_until_converged", Argument(field, lines, points),
                Argument(source, lines, points));
  return launch.end(
      points == 0 ? 0 : relax(field, source, {conduction, exchange, residual}, lines, points));
}
