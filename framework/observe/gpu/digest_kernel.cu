// What the GPU probe runs on the device: the sum of a tensor's digest (core/element_mix.h).
// Compiled for the oldest GPU that CUDA 13 knows into digest_kernel.ptx, which is committed,
// because the machine that builds the probe need not have NVRTC. A test compiles it again and
// compares. It is made anew by the test's own helper in this folder, which writes
// digest_kernel.cu.PTX with a zero byte at its end:
//
//   observe-runtime-compile-helper LIBNVRTC nvrtc digest_kernel.cu digest_kernel.cu -
//     --gpu-architecture=compute_75 --std=c++17 --include-path=../..
#include "core/element_mix.h"

// The same as DigestArguments in tensor_argument.hpp.
struct DigestArguments {
  const void* first;            // element [0, ..., 0]
  unsigned long long count;     // elements
  unsigned long long shape[8];  // elements; dimensions that lie one behind the other are merged
  long long strides[8];         // elements
  int rank;
  int element_size;         // bytes
  unsigned long long* sum;  // what is added to
};

namespace {

__device__ unsigned long long load(const void* first, long long offset, int element_size) {
  switch (element_size) {
    case 8:
      return static_cast<const unsigned long long*>(first)[offset];
    case 4:
      return static_cast<const unsigned int*>(first)[offset];
    case 2:
      return static_cast<const unsigned short*>(first)[offset];
    default:
      return static_cast<const unsigned char*>(first)[offset];
  }
}

__device__ long long offset_of(const DigestArguments& tensor, unsigned long long index) {
  long long offset = 0;
  for (int d = tensor.rank - 1; d > 0; --d) {
    const unsigned long long outer = index / tensor.shape[d];
    offset += static_cast<long long>(index - outer * tensor.shape[d]) * tensor.strides[d];
    index = outer;
  }
  return offset + static_cast<long long>(index) * tensor.strides[0];
}

}  // namespace

extern "C" __global__ void tunecheck_digest(const DigestArguments tensor) {
  unsigned long long sum = 0;
  const unsigned long long step = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  for (unsigned long long i =
           static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < tensor.count; i += step)
    sum += tunecheck::mix_element(load(tensor.first, offset_of(tensor, i), tensor.element_size), i);
  for (int lanes = 16; lanes > 0; lanes /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(tensor.sum, sum);
}
