#pragma once
// A tensor in a GPU's memory, as an argument of a launch, and how the device walks over it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/dtype.hpp"
#include "core/layout.hpp"
#include "observe/evidence.hpp"

namespace tunecheck::gpu {

/// Element [0, ..., 0] lies at `first`, an address on the device; nobody owns it.
struct TensorArgument {
  std::uint64_t first = 0;
  DType dtype = DType::f32;
  Layout layout;
  bool operator==(const TensorArgument&) const = default;
};
using Tensors = std::vector<TensorArgument>;

/// Bytes of a tunecheck::Tensor<T> of gpu_kernel.h.
inline constexpr std::size_t tensor_parameter_size = 144;

/// Reads a kernel's parameter that is a tunecheck::Tensor<T>, passed by value. Nothing where it has
/// another size or cannot be one: a rank over 8, an unknown dtype, a negative shape.
[[nodiscard]] std::optional<TensorArgument> read_tensor(std::span<const std::byte> parameter);

[[nodiscard]] TensorPlace place_of(const TensorArgument& tensor);

/// The addresses that a tensor touches, first <= address < end, padding included; both 0 where it
/// has no elements.
struct AddressRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};
[[nodiscard]] AddressRange address_range(const TensorArgument& tensor);

/// The argument of the kernel in digest_kernel.cu, which declares the same.
struct DigestArguments {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::array<std::uint64_t, max_rank> shape{};
  std::array<std::int64_t, max_rank> strides{};
  std::int32_t rank = 0;
  std::int32_t element_size = 0;
  std::uint64_t sum = 0;  ///< address on the device of the 64-bit number that is added to
};
static_assert(sizeof(DigestArguments) == 160);

/// The tensor with dimensions merged where elements lie one behind the other, so that few divisions
/// are needed for an index; at least one dimension.
[[nodiscard]] DigestArguments digest_arguments(const TensorArgument& tensor, std::uint64_t sum);

}  // namespace tunecheck::gpu
