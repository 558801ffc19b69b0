// d = a * b by CUTLASS in three tile shapes, each timed, and then four times in the fastest.
#include <cstdio>
#include <cuda_runtime.h>

#include <cutlass/gemm/device/gemm.h>

namespace {

constexpr int size = 512;
using Half = cutlass::half_t;
using Row = cutlass::layout::RowMajor;

template <int M, int N>
using Gemm = cutlass::gemm::device::Gemm<
    Half, Row, Half, Row, float, Row, float, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80,
    cutlass::gemm::GemmShape<M, N, 32>, cutlass::gemm::GemmShape<M / 2, N / 2, 32>,
    cutlass::gemm::GemmShape<16, 8, 16>>;

template <int M, int N>
bool launch(const Half* a, const Half* b, float* d) {
  Gemm<M, N> gemm;
  return gemm({{size, size, size}, {a, size}, {b, size}, {d, size}, {d, size}, {1.0f, 0.0f}}) ==
         cutlass::Status::kSuccess;
}

__global__ void fill(Half* values) {
  for (int i = threadIdx.x; i < size * size; i += blockDim.x)
    values[i] = Half(float(i % 7) / 8);
}

}  // namespace

int main() {
  Half *a = nullptr, *b = nullptr;
  float* d = nullptr;
  cudaMalloc(&a, size * size * sizeof(Half));
  cudaMalloc(&b, size * size * sizeof(Half));
  cudaMalloc(&d, size * size * sizeof(float));
  cudaMemset(d, 0, size * size * sizeof(float));
  fill<<<1, 256>>>(a);
  fill<<<1, 256>>>(b);
  cudaEvent_t begun, ended;
  cudaEventCreate(&begun);
  cudaEventCreate(&ended);
  bool (*const shapes[])(const Half*, const Half*, float*) = {launch<64, 64>, launch<128, 64>,
                                                              launch<128, 128>};
  int best = 0;
  float best_ms = 1e9f;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      float ms = 0;
      cudaEventRecord(begun);
      if (!shapes[i](a, b, d)) return 1;
      cudaEventRecord(ended);
      cudaEventSynchronize(ended);
      cudaEventElapsedTime(&ms, begun, ended);
      if (ms < best_ms) best_ms = ms, best = i;
    }
  for (int k = 0; k < 4; ++k)
    if (!shapes[best](a, b, d)) return 1;
  float first = 0;
  if (cudaMemcpy(&first, d, sizeof first, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  std::printf("%g\n", first);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
