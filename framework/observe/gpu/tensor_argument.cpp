#include "observe/gpu/tensor_argument.hpp"

#include <algorithm>
#include <cstring>

namespace tunecheck::gpu {
namespace {

// tunecheck::Tensor<T> of gpu_kernel.h.
struct TensorParameter {
  std::uint64_t first;
  std::array<std::int64_t, max_rank> shape;
  std::array<std::int64_t, max_rank> strides;
  std::int32_t dimensions;
  std::int32_t dtype;
};
static_assert(sizeof(TensorParameter) == tensor_parameter_size);

}  // namespace

std::optional<TensorArgument> read_tensor(std::span<const std::byte> parameter) {
  if (parameter.size() != sizeof(TensorParameter)) return std::nullopt;
  TensorParameter read;
  std::memcpy(&read, parameter.data(), sizeof(read));
  if (read.dimensions < 0 || read.dimensions > max_rank || read.dtype < 0 ||
      read.dtype > static_cast<std::int32_t>(DType::u8))
    return std::nullopt;
  const auto rank = static_cast<std::size_t>(read.dimensions);
  const auto shape = std::span(read.shape).first(rank);
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t size) { return size < 0; }))
    return std::nullopt;
  TensorArgument tensor{read.first, static_cast<DType>(read.dtype), {}};
  if (rank > 0) tensor.layout = Layout::strided(shape, std::span(read.strides).first(rank));
  return tensor;
}

AddressRange address_range(const TensorArgument& tensor) {
  const Extent extent = extent_of(tensor.layout);
  if (extent.first == extent.end) return {};
  const auto size = static_cast<std::int64_t>(size_of(tensor.dtype));
  // Wraps as the device's addresses do.
  return {tensor.first + static_cast<std::uint64_t>(extent.first * size),
          tensor.first + static_cast<std::uint64_t>(extent.end * size)};
}

TensorPlace place_of(const TensorArgument& tensor) {
  constexpr std::uint64_t kept = 64;
  const auto shape = tensor.layout.dimensions();
  const auto strides = tensor.layout.steps();
  return {static_cast<int>(tensor.first % kept),
          {shape.begin(), shape.end()},
          {strides.begin(), strides.end()}};
}

DigestArguments digest_arguments(const TensorArgument& tensor, std::uint64_t sum) {
  DigestArguments arguments;
  arguments.first = tensor.first;
  arguments.count = static_cast<std::uint64_t>(tensor.layout.count());
  arguments.element_size = static_cast<std::int32_t>(size_of(tensor.dtype));
  arguments.sum = sum;
  std::size_t rank = 0;
  for (std::size_t d = 0; d < tensor.layout.dimensions().size(); ++d) {
    const auto size = static_cast<std::uint64_t>(tensor.layout.shape[d]);
    const std::int64_t stride = tensor.layout.strides[d];
    if (size == 1) continue;
    if (rank > 0 && arguments.strides[rank - 1] == stride * tensor.layout.shape[d]) {
      arguments.shape[rank - 1] *= size;
      arguments.strides[rank - 1] = stride;
    } else {
      arguments.shape[rank] = size;
      arguments.strides[rank] = stride;
      ++rank;
    }
  }
  if (rank == 0) arguments.shape[rank++] = arguments.count;
  arguments.rank = static_cast<std::int32_t>(rank);
  return arguments;
}

}  // namespace tunecheck::gpu
