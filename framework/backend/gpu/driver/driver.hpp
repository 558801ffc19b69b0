#pragma once
// The library of a GPU's driver, opened when it is asked for, so that a program starts without it.
#include <string>
#include <string_view>

#include "backend/gpu/driver/functions.hpp"
#include "core/device_kinds.hpp"
#include "core/result.hpp"

namespace tunecheck::gpu {

/// An opened and initialised driver; lives as long as the process. All members may be called by
/// several threads at once.
class GpuDriver {
 public:
  /// Opens libcuda.so.1 for CUDA (or what TUNECHECK_CUDA names), libamdhip64.so for HIP (or
  /// what TUNECHECK_HIP names), once a process. The error says what is missing.
  [[nodiscard]] static Result<const GpuDriver*> open(DeviceKind backend);

  [[nodiscard]] const DriverFunctions& functions() const { return m_functions; }
  [[nodiscard]] const DeviceAttributes& attributes() const { return m_attributes; }
  [[nodiscard]] bool is_hip() const { return m_functions.hip_error_text != nullptr; }
  /// "CUDA 13.0", "HIP 5.2".
  [[nodiscard]] std::string version() const;
  /// For ipc_open.
  [[nodiscard]] unsigned ipc_open_flags() const;
  /// "status 700: an illegal memory access was encountered".
  [[nodiscard]] std::string describe(Status status) const;
  /// An error where `status` is none of success.
  [[nodiscard]] Result<void> check(Status status, std::string_view what) const;

 private:
  friend class DriverLibrary;
  GpuDriver(const DriverFunctions& functions, DeviceAttributes attributes)
      : m_functions(functions), m_attributes(attributes) {}

  struct Version {
    int major = 0;
    int minor = 0;
  };
  [[nodiscard]] Version numbers() const;

  const DriverFunctions m_functions;
  const DeviceAttributes m_attributes;
};

/// While it lives, what this thread does may be done although a graph is captured from some stream
/// (loading a module, allocating); the capture stays valid.
class BesideCaptures {
 public:
  explicit BesideCaptures(const DriverFunctions& functions) : m_functions(functions) {
    (void)m_functions.exchange_capture_mode(&m_mode);
  }
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;
  ~BesideCaptures() { (void)m_functions.exchange_capture_mode(&m_mode); }

 private:
  static constexpr int relaxed = 2;
  const DriverFunctions& m_functions;
  int m_mode = relaxed;  // the thread's own mode, after the exchange
};

}  // namespace tunecheck::gpu
