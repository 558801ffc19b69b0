#pragma once
// What the program tunecheck-gpu-worker and its parent say to each other: one JSON object a line.
// The worker greets; `load`, `launch` and `wait` are answered, nothing else is.
#include <filesystem>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/gpu/driver/functions.hpp"

namespace tunecheck::gpu {

/// Addresses of tensors are the parent's.
struct WorkerRequest {
  enum class Kind { map, load, unload, copy, zero, poison, fill, launch, wait };
  Kind kind = Kind::wait;
  std::uint64_t number = 0;         ///< of the module: load, unload, launch
  std::filesystem::path file;       ///< load: the artifact
  IpcHandle handle{};               ///< map
  Address address = 0;              ///< map, fill
  std::uint64_t bytes = 0;          ///< map, fill
  unsigned value = 0;               ///< fill
  bool timed = false;               ///< launch
  bool cold = true;                 ///< a launch that is timed
  std::vector<TensorView> tensors;  ///< launch; copy: from, to; zero and poison: one
  std::vector<Scalar> scalars;      ///< launch
};

struct WorkerAnswer {
  std::string trouble;  ///< why nothing can be done any more; "" if all is well
  TimedLaunch launch;   ///< of a launch
};

[[nodiscard]] std::string to_line(const WorkerRequest& request);
[[nodiscard]] Result<WorkerRequest> parse_worker_request(const std::string& line);
[[nodiscard]] std::string to_line(const WorkerAnswer& answer);
[[nodiscard]] Result<WorkerAnswer> parse_worker_answer(const std::string& line);

}  // namespace tunecheck::gpu
