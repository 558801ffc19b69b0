#pragma once
// HIP on the machine's own memory and processor: a second implementation of HIP's runtime and of
// HIPRTC, so that what tunecheck does with HIP can be seen where there is no GPU. Each call is done
// when it returns. What only an order of streams shows, a device's errors and its times are none of
// its business; the shim, which has a GPU, shows those.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shim/code_object.hpp"

namespace tunecheck::host_hip {

using Status = int;
inline constexpr Status invalid_value = 1;
inline constexpr Status out_of_memory = 2;
inline constexpr Status invalid_image = 200;
inline constexpr Status file_not_found = 301;
inline constexpr Status invalid_handle = 400;
inline constexpr Status not_found = 500;

/// What a device says it is: an arch that no device of AMD's has, with a feature.
inline constexpr char arch[] = "gfx0:host+";

/// Keeps an error for hipGetLastError, as HIP 6 does, and passes it on.
Status answer(Status status);
Status last_error();
void forget_error();

/// A kernel in loaded code, with what runs it: grid, threads of a block, pointers to arguments.
struct HostFunction {
  shim::Kernel kernel;
  void (*run)(const unsigned* grid, const unsigned* block, void** parameters) = nullptr;
};

/// Loads code that is a shared library, which exports "tunecheck_run_NAME" for each kernel; null
/// where it cannot be.
[[nodiscard]] void* load_library(std::string_view code);

struct Module {
  void* library = nullptr;
  std::map<std::string, std::unique_ptr<HostFunction>> functions;
};
/// From a code object of the shim's kind; null where it is none.
[[nodiscard]] std::unique_ptr<Module> load_module(const void* image);

/// What a stream is given to do: a launch with copies of its arguments, or anything else.
struct Work {
  HostFunction* function = nullptr;
  std::array<unsigned, 3> grid{}, block{};
  std::vector<std::vector<std::byte>> values;
  std::vector<void*> parameters;
  std::function<void()> other;
  const Work* instead_of = nullptr;  // in an executable graph: the node whose launch was changed

  void run() const;
};

struct Graph {
  std::vector<std::shared_ptr<Work>> nodes;
};

struct Stream {
  std::unique_ptr<Graph> captured;
};
/// False for the default streams, too.
[[nodiscard]] bool is_capturing(const Stream* stream);

/// Does it at once, or adds it to what is being captured.
Status enqueue(Stream* stream, std::shared_ptr<Work> work);
Status enqueue(Stream* stream, std::function<void()> work);
/// A launch that has copies of its arguments; null where the grid or the block cannot be.
[[nodiscard]] std::shared_ptr<Work> work_of(HostFunction* function, std::array<unsigned, 3> grid,
                                            std::array<unsigned, 3> block, void** parameters,
                                            void** extra);
Status launch(HostFunction* function, std::array<unsigned, 3> grid, std::array<unsigned, 3> block,
              Stream* stream, void** parameters, void** extra);

}  // namespace tunecheck::host_hip
