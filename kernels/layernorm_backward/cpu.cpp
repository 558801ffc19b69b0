// Gradients of layer norm from the mean and 1 / deviation that the forward pass left for each row:
//
//   dx = rstd * (gamma * dy - sum(gamma * dy) / cols - norm * sum(gamma * dy * norm) / cols)
//   dgamma += dy * norm and dbeta += dy, summed over the rows, where norm = (x - mean) * rstd
//
// The two sums of a row are made in VEC lanes. Then ROWS_PER_BLOCK rows, which the caches still
// hold, are gone through once more, some columns at a time: their part of dgamma and dbeta stays in
// registers until it is added. A large dx is written past the caches, and the next rows come
// meanwhile.
#include <tunecheck/cpu_kernel.h>
#include <tunecheck/streamed.h>

namespace {

constexpr int strip = 64;  // columns

// Elements side by side, if `unit`.
template <class T, bool unit>
struct Row {
  T* data;
  int64_t step;
  T& operator[](int64_t column) const { return data[unit ? column : column * step]; }
};
template <bool unit, class T>
Row<T, unit> row_of(const tunecheck::Tensor<T>& tensor, int64_t row) {
  return {&tensor(row, 0), tensor.stride(1)};
}

struct RowScalars {
  float mean, rstd;
  float gradient, product;  // means over the columns
};

template <bool unit>
void sum_row(Row<X_TYPE, unit> x, Row<DY_TYPE, unit> dy, Row<GAMMA_TYPE, unit> gamma, int64_t cols,
             RowScalars& row) {
  float gradients[VEC] = {};
  float products[VEC] = {};
  int64_t c = 0;
  const auto add = [&](int64_t column, int lane) {
    const float gradient = gamma[column] * dy[column];
    gradients[lane] += gradient;
    products[lane] += gradient * ((x[column] - row.mean) * row.rstd);
  };
  for (; c + VEC <= cols; c += VEC)
    for (int v = 0; v < VEC; ++v)
      add(c + v, v);
  for (; c < cols; ++c)
    add(c, 0);
  row.gradient = 0;
  row.product = 0;
  for (int v = 0; v < VEC; ++v) {
    row.gradient += gradients[v];
    row.product += products[v];
  }
  row.gradient /= static_cast<float>(cols);
  row.product /= static_cast<float>(cols);
}

// `count` columns of one row: dx is written; the sums of these columns grow.
template <bool unit, bool streamed>
void write_row(Row<X_TYPE, unit> x, Row<DY_TYPE, unit> dy, Row<GAMMA_TYPE, unit> gamma,
               Row<DX_TYPE, unit> dx, int64_t first, int64_t count, RowScalars row,
               float* __restrict__ dgamma, float* __restrict__ dbeta) {
  const X_TYPE* __restrict__ const from_x = &x[first];
  const DY_TYPE* __restrict__ const from_dy = &dy[first];
  const GAMMA_TYPE* __restrict__ const by = &gamma[first];
  DX_TYPE* __restrict__ const to = &dx[first];
  const auto at = [&](int64_t c) {
    const float upstream = from_dy[unit ? c : c * dy.step];
    const float normalized = (from_x[unit ? c : c * x.step] - row.mean) * row.rstd;
    const float gradient = by[unit ? c : c * gamma.step] * upstream;
    dgamma[c] += upstream * normalized;
    dbeta[c] += upstream;
    return row.rstd * (gradient - row.gradient - normalized * row.product);
  };
  if constexpr (streamed)
    tunecheck::stream(to, count, at);
  else if (count == strip)
    for (int c = 0; c < strip; ++c)
      to[unit ? c : c * dx.step] = at(c);
  else
    for (int64_t c = 0; c < count; ++c)
      to[unit ? c : c * dx.step] = at(c);
}

template <bool unit, bool streamed>
void backward(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<DY_TYPE> dy,
              tunecheck::Tensor<GAMMA_TYPE> gamma, tunecheck::Tensor<MEAN_TYPE> mean,
              tunecheck::Tensor<RSTD_TYPE> rstd, tunecheck::Tensor<DX_TYPE> dx,
              tunecheck::Tensor<DGAMMA_TYPE> dgamma, tunecheck::Tensor<DBETA_TYPE> dbeta) {
  const int64_t cols = x.size(1);
  const Row<GAMMA_TYPE, unit> by{gamma.data(), gamma.stride(0)};
  const Row<DGAMMA_TYPE, unit> to_gamma{dgamma.data(), dgamma.stride(0)};
  const Row<DBETA_TYPE, unit> to_beta{dbeta.data(), dbeta.stride(0)};
  for (int64_t first = 0; first < x.size(0); first += ROWS_PER_BLOCK) {
    const int64_t left = x.size(0) - first;
    const int rows = left < ROWS_PER_BLOCK ? static_cast<int>(left) : ROWS_PER_BLOCK;
    RowScalars scalars[ROWS_PER_BLOCK];
    for (int r = 0; r < rows; ++r) {
      scalars[r].mean = mean(first + r);
      scalars[r].rstd = rstd(first + r);
      sum_row(row_of<unit>(x, first + r), row_of<unit>(dy, first + r), by, cols, scalars[r]);
    }
    for (int64_t c = 0; c < cols; c += strip) {
      const int64_t count = cols - c < strip ? cols - c : strip;
      float gamma_part[strip] = {};
      float beta_part[strip] = {};
      for (int r = 0; r < rows; ++r) {
        const int64_t next = first + r + ROWS_PER_BLOCK;
        if (streamed && next < x.size(0)) {
          tunecheck::fetch(&x(next, c), count);
          tunecheck::fetch(&dy(next, c), count);
        }
        write_row<unit, streamed>(row_of<unit>(x, first + r), row_of<unit>(dy, first + r), by,
                                  row_of<unit>(dx, first + r), c, count, scalars[r], gamma_part,
                                  beta_part);
      }
      for (int64_t i = 0; i < count; ++i) {
        to_gamma[c + i] += gamma_part[i];
        to_beta[c + i] += beta_part[i];
      }
    }
  }
  if (streamed) tunecheck::end_of_streams();
}

}  // namespace

void layernorm_backward(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<DY_TYPE> dy,
                        tunecheck::Tensor<GAMMA_TYPE> gamma, tunecheck::Tensor<MEAN_TYPE> mean,
                        tunecheck::Tensor<RSTD_TYPE> rstd, tunecheck::Tensor<DX_TYPE> dx,
                        tunecheck::Tensor<DGAMMA_TYPE> dgamma,
                        tunecheck::Tensor<DBETA_TYPE> dbeta) {
  const bool unit = x.stride(1) == 1 && dy.stride(1) == 1 && dx.stride(1) == 1 &&
                    gamma.stride(0) == 1 && dgamma.stride(0) == 1 && dbeta.stride(0) == 1;
  const int64_t bytes = x.size(0) * x.size(1) * int64_t{sizeof(DX_TYPE)};
  const auto run = !unit                            ? backward<false, false>
                   : tunecheck::streams_well(bytes) ? backward<true, true>
                                                    : backward<true, false>;
  run(x, dy, gamma, mean, rstd, dx, dgamma, dbeta);
}
TUNECHECK_KERNEL(layernorm_backward)
