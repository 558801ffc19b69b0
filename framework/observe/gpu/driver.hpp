#pragma once
// What a GPU probe asks the driver that it watches; what the driver is told by the process itself
// the recorder hears of. CUDA's driver and HIP's runtime give the same answers in different ways,
// so each has an implementation of its own (cuda/, hip/), and everything else is shared.
#include <cstdint>
#include <string>
#include <vector>

#include "core/device_kinds.hpp"
#include "core/result.hpp"
#include "observe/gpu/parameter.hpp"
#include "observe/gpu/tensor_argument.hpp"

namespace tunecheck::gpu {

using Stream = void*;                 ///< CUstream, hipStream_t
using ContextNumber = std::uint64_t;  ///< tells the contexts of a process apart

/// The streams that have no handle of their own, by the numbers that both drivers have for them.
inline constexpr std::uintptr_t legacy_stream = 1;
inline constexpr std::uintptr_t per_thread_stream = 2;

/// The arguments of a launch, as the driver is given them: one of the two is null.
struct Arguments {
  void** parameters = nullptr;  ///< a pointer to each
  void** extra = nullptr;       ///< names a buffer with all of them
};

/// What a function was got from: a module or a library; null where the driver does not say.
struct FunctionOwner {
  const void* owner = nullptr;
  bool is_kernel = false;  ///< the function is a kernel of a library
};

/// A launch that a graph makes.
struct KernelNode {
  const void* node = nullptr;
  const void* function = nullptr;
  Arguments arguments;
};

enum class Capture { no, yes, unknown };

/// The calls that it makes of the driver must not be recorded: they are the probe's own. All
/// members are called by one thread at a time, in the context that is current there.
class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  [[nodiscard]] virtual DeviceKind kind() const = 0;

  [[nodiscard]] virtual Capture capture_of(Stream stream) const = 0;
  /// Sets the calling thread's mode of capturing and says which it was.
  virtual void exchange_capture_mode(int& mode) const = 0;

  /// The function's symbol, "" where the driver does not say.
  [[nodiscard]] virtual std::string name_of(const void* function, bool is_kernel) const = 0;
  /// The parameters of a function; none where the driver does not say.
  [[nodiscard]] virtual std::vector<Parameter> parameters_of(const void* function,
                                                             bool is_kernel) const = 0;
  /// For a function that was got in a way that was not seen.
  [[nodiscard]] virtual FunctionOwner owner_of(const void* function) const = 0;

  /// The kernels that a graph launches, those of graphs inside it included.
  [[nodiscard]] virtual std::vector<KernelNode> kernels_of(const void* graph) const = 0;

  /// digest_elements of each tensor once all that is enqueued on `stream` is done; "" for one that
  /// is not memory of the device. Synchronises the stream, which must not be capturing.
  [[nodiscard]] virtual Result<std::vector<std::string>> digests(ContextNumber context,
                                                                 Stream stream,
                                                                 const Tensors& tensors) = 0;
  /// Enqueues a write over twice the size of the device's L2 cache, so that no tensor is left in
  /// it.
  [[nodiscard]] virtual Result<void> empty_cache(ContextNumber context, Stream stream) = 0;
};

}  // namespace tunecheck::gpu
