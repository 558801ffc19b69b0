// One explicit time step of heat in a plate whose edges are insulated:
//
//   next = field + rate * (above + below + left + right - 4 field)
//
// where a neighbour that is missing counts as the element itself. Out of place, TILE columns at a
// time are followed through all rows. TOGETHER rows are computed at once, so that the rows between
// them are loaded once.
//
// `next` may be the memory of `field`. A row is then copied before it is overwritten, and only the
// copies are read.
#include <tunecheck/cpu_kernel.h>
#include <tunecheck/streamed.h>

namespace {

using Field = tunecheck::Tensor<FIELD_TYPE>;
using Next = tunecheck::Tensor<NEXT_TYPE>;

template <class A, class B>
constexpr bool same_type = false;
template <class A>
constexpr bool same_type<A, A> = true;

int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

float stepped(float here, float above, float below, float left, float right, float rate) {
  return here + rate * ((above + below) + (left + right) - 4 * here);
}

// The columns that are computed, whether they reach the edges of the plate, and whether results are
// written past the caches.
struct Columns {
  int64_t first, count;
  bool at_left, at_right;
  bool streamed;
};

// As many rows of old values as a step over TOGETHER rows reads, as float.
constexpr int window = TOGETHER + 2;
struct Copies {
  explicit Copies(int64_t columns)
      : length(columns + 2), data(new float[static_cast<size_t>(window * length)]) {}
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;
  ~Copies() { delete[] data; }

  // Where the row's first column is; its left neighbour stands before it.
  float* row(int64_t r) const { return data + r % window * length + 1; }
  void take(Field field, int64_t r, Columns columns) const {
    const int64_t from = columns.at_left ? 0 : -1;
    const int64_t to = columns.count + (columns.at_right ? 0 : 1);
    float* const copy = row(r);
    const FIELD_TYPE* const source = &field(r, columns.first);
    const int64_t step = field.stride(1);
    if (step == 1) {
#pragma GCC ivdep
      for (int64_t i = from; i < to; ++i)
        copy[i] = source[i];
    } else {
      for (int64_t i = from; i < to; ++i)
        copy[i] = source[i * step];
    }
  }

  int64_t length;
  float* data;
};

// Writes `count` rows of next from r on; rows[k] is the row above number k, from the first column
// on. The rows are never in the memory that is written.
template <int count, bool unit>
void step_rows(const float* const* rows, Next next, int64_t r, Columns columns, float rate) {
  const float* from[count + 2];
  NEXT_TYPE* to[count];
  for (int k = 0; k < count + 2; ++k)
    from[k] = rows[k];
  for (int k = 0; k < count; ++k)
    to[k] = &next(r + k, columns.first);
  const int64_t step = unit ? 1 : next.stride(1);
  const int64_t last = columns.count - 1;
  const auto step_end = [&](int k, int64_t i) {
    const float here = from[k + 1][i];
    const float left = i == 0 && columns.at_left ? here : from[k + 1][i - 1];
    const float right = i == last && columns.at_right ? here : from[k + 1][i + 1];
    to[k][i * step] = stepped(here, from[k][i], from[k + 2][i], left, right, rate);
  };
  for (int k = 0; k < count; ++k) {
    step_end(k, 0);
    step_end(k, last);
  }
  if (unit && columns.streamed) {
    for (int k = 0; k < count; ++k)
      tunecheck::stream(to[k] + 1, last - 1, [&, here = from[k + 1] + 1](int64_t i) {
        return stepped(here[i], from[k][i + 1], from[k + 2][i + 1], here[i - 1], here[i + 1], rate);
      });
    return;
  }
#pragma GCC ivdep
  for (int64_t i = 1; i < last; ++i)
#pragma GCC unroll 16
    for (int k = 0; k < count; ++k)
      to[k][i * step] = stepped(from[k + 1][i], from[k][i], from[k + 2][i], from[k + 1][i - 1],
                                from[k + 1][i + 1], rate);
}

// `row_at` says where a row of old values begins; rows up to the one asked for are then valid.
template <bool unit, class RowAt>
void step_columns(const RowAt& row_at, Next next, Columns columns, float rate) {
  const int64_t count = next.size(0);
  const float* rows[window];
  for (int64_t r = 0; r < count; r += TOGETHER) {
    for (int k = 0; k < window; ++k) {
      const int64_t wanted = r - 1 + k;
      rows[k] = row_at(wanted < 0 ? 0 : smaller(wanted, count - 1));
    }
    int64_t done = 0;
    if constexpr (unit)
      if (count - r >= TOGETHER) {
        step_rows<TOGETHER, true>(rows, next, r, columns, rate);
        done = TOGETHER;
      }
    for (; done < TOGETHER && r + done < count; ++done)
      step_rows<1, unit>(rows + done, next, r + done, columns, rate);
  }
}

template <bool unit>
void step_plate(Field field, Next next, float rate) {
  const int64_t rows = field.size(0), cols = field.size(1);
  const bool in_place = static_cast<const void*>(field.data()) == next.data();
  const int64_t width = in_place ? cols : smaller(TILE, cols);
  const bool streamed = unit && tunecheck::streams_well(rows * cols * int64_t{sizeof(NEXT_TYPE)});
  const auto columns_from = [&](int64_t first) {
    const int64_t count = smaller(width, cols - first);
    return Columns{first, count, first == 0, first + count == cols, streamed};
  };
  if constexpr (same_type<FIELD_TYPE, float>) {
    if (!in_place && field.stride(1) == 1) {
      for (int64_t first = 0; first < cols; first += width)
        step_columns<unit>([&](int64_t r) { return &field(r, first); }, next, columns_from(first),
                           rate);
      return;
    }
  }
  const Copies copies(width);
  for (int64_t first = 0; first < cols; first += width) {
    const Columns columns = columns_from(first);
    int64_t taken = 0;
    step_columns<unit>(
        [&](int64_t r) {
          for (; taken <= r && taken < rows; ++taken)
            copies.take(field, taken, columns);
          return copies.row(r);
        },
        next, columns, rate);
  }
}

}  // namespace

void stencil_pingpong(tunecheck::Tensor<FIELD_TYPE> field, tunecheck::Tensor<NEXT_TYPE> next,
                      float rate) {
  if (field.size(0) == 0 || field.size(1) == 0) return;
  if (next.stride(1) == 1)
    step_plate<true>(field, next, rate);
  else
    step_plate<false>(field, next, rate);
  tunecheck::end_of_streams();
}
TUNECHECK_KERNEL(stencil_pingpong)
