// Turns the pairs (x[d], x[d + half]) of each head by the angle of the token. A thread loads cos
// and sin of a pair once for TOGETHER heads, and does so for VEC pairs: neighbouring ones in
// vectors of up to 16 bytes where all tensors lie so, else single pairs that lie a block's threads
// apart. It asks for a batch of them before it turns the first.
#include <tunecheck/gpu_rows.h>

namespace {

using tunecheck::Row;
using tunecheck::Tensor;
using tunecheck::Vector;

constexpr int threads = 128;
constexpr int vector_width = tunecheck::vector_width_of<VEC, X_TYPE, COS_TYPE, SIN_TYPE>();

// True where vectors of `vector_width` elements of a row are aligned, whatever the row.
template <class T>
__device__ bool rows_have_vectors(const Tensor<T>& tensor) {
  const int last = tensor.rank() - 1;
  bool aligned = Row<T>{tensor.data(), tensor.stride(last)}.template has_vectors<vector_width>();
  for (int dimension = 0; dimension < last; ++dimension)
    aligned = aligned && tensor.stride(dimension) % vector_width == 0;
  return aligned;
}

// `Index` counts pairs: a division of 64 bits takes as long as the loads.
template <int width, class Index>
__device__ void turn(const Tensor<X_TYPE>& x, const Tensor<COS_TYPE>& cos,
                     const Tensor<SIN_TYPE>& sin, Index first, Index pairs, Index groups) {
  constexpr int vectors = VEC / width;
  constexpr int most = TOGETHER == 1 ? 4 : 1;
  constexpr int batch = vectors < most ? vectors : most;
  const Index half = static_cast<Index>(cos.size(1));
  const int64_t heads = x.size(1);
#pragma unroll 1
  for (int begin = 0; begin < vectors; begin += batch) {
    int d[batch];
    int64_t token[batch], head[batch];
    Vector<COS_TYPE, width> c[batch];
    Vector<SIN_TYPE, width> s[batch];
    Vector<X_TYPE, width> a[batch][TOGETHER], b[batch][TOGETHER];
    const auto row = [&](int64_t of_token, int64_t of_head) {
      return Row<X_TYPE>{&x(of_token, of_head, 0), x.stride(2)};
    };
#pragma unroll
    for (int v = 0; v < batch; ++v) {
      const Index i = first + ((begin + v) * threads + threadIdx.x) * width;
      const Index group = i / half;
      d[v] = static_cast<int>(i % half);
      token[v] = group / groups;
      head[v] = i < pairs ? static_cast<int64_t>(group % groups) * TOGETHER : heads;
      if (i >= pairs) continue;
      c[v] = Row<COS_TYPE>{&cos(token[v], 0), cos.stride(1)}.template load<width>(d[v]);
      s[v] = Row<SIN_TYPE>{&sin(token[v], 0), sin.stride(1)}.template load<width>(d[v]);
#pragma unroll
      for (int h = 0; h < TOGETHER; ++h) {
        if (head[v] + h >= heads) continue;
        a[v][h] = row(token[v], head[v] + h).template load<width>(d[v]);
        b[v][h] = row(token[v], head[v] + h).template load<width>(d[v] + static_cast<int>(half));
      }
    }
#pragma unroll
    for (int v = 0; v < batch; ++v)
#pragma unroll
      for (int h = 0; h < TOGETHER; ++h) {
        if (head[v] + h >= heads) continue;
#pragma unroll
        for (int e = 0; e < width; ++e) {
          const float first_of_pair = a[v][h].elements[e];
          const float second_of_pair = b[v][h].elements[e];
          const float by_cos = c[v].elements[e];
          const float by_sin = s[v].elements[e];
          a[v][h].elements[e] = first_of_pair * by_cos - second_of_pair * by_sin;
          b[v][h].elements[e] = second_of_pair * by_cos + first_of_pair * by_sin;
        }
        row(token[v], head[v] + h).template store<width>(d[v], a[v][h]);
        row(token[v], head[v] + h).template store<width>(d[v] + static_cast<int>(half), b[v][h]);
      }
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(threads)
    rope_inplace(Tensor<X_TYPE> x, Tensor<COS_TYPE> cos, Tensor<SIN_TYPE> sin) {
  constexpr int64_t per_block = threads * VEC;
  const int64_t groups = (x.size(1) + TOGETHER - 1) / TOGETHER;  // of heads
  const int64_t pairs = x.size(0) * groups * cos.size(1);
  const int64_t first = blockIdx.x * per_block;
  const bool vectors = cos.size(1) % vector_width == 0 && rows_have_vectors(x) &&
                       rows_have_vectors(cos) && rows_have_vectors(sin);
  if (pairs + per_block > 0x7fffffff)
    turn<1>(x, cos, sin, first, pairs, groups);
  else if (vectors)
    turn<vector_width>(x, cos, sin, static_cast<uint32_t>(first), static_cast<uint32_t>(pairs),
                       static_cast<uint32_t>(groups));
  else
    turn<1>(x, cos, sin, static_cast<uint32_t>(first), static_cast<uint32_t>(pairs),
            static_cast<uint32_t>(groups));
}
