#pragma once
// One GPU and the contexts that this process uses on it.
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backend/gpu/driver/driver.hpp"
#include "core/device_kinds.hpp"

namespace tunecheck::gpu {

/// The arch in a hipDeviceProp_t of any version, "gfx90a:sramecc+:xnack-"; "" where there is none.
/// Its place changes from version to version, the device's name is always in the first 256 bytes.
[[nodiscard]] std::string gcn_arch_in(std::span<const char> properties);

/// A device of a driver; lives as long as the process. All members may be called by several threads
/// at once.
class GpuDevice {
 public:
  /// The device of that number, from 0, as the driver counts in this process; without a number that
  /// of the context that was current when this was first called so, else the first one. Makes a
  /// context (some tenths of a second) the first time; the error says what is missing.
  [[nodiscard]] static Result<const GpuDevice*> open(DeviceKind backend,
                                                     std::optional<int> number = std::nullopt);
  /// How many there are.
  [[nodiscard]] static Result<int> count(DeviceKind backend);

  [[nodiscard]] const GpuDriver& driver() const { return m_driver; }
  [[nodiscard]] const DriverFunctions& functions() const { return m_driver.functions(); }
  /// "NVIDIA H200".
  [[nodiscard]] const std::string& name() const { return m_name; }
  /// "sm_90"; "gfx90a:sramecc+:xnack-" with the features that code is compiled for.
  [[nodiscard]] const std::string& arch() const { return m_arch; }
  [[nodiscard]] int number() const { return m_number; }
  /// Where it is plugged in, "0000:81:00.0"; "" where the driver does not say.
  [[nodiscard]] const std::string& bus() const { return m_bus; }
  /// What the arch leaves open and a fastest config depends on:
  /// "NVIDIA H200, 132 multiprocessors, warps of 32".
  [[nodiscard]] std::string kind() const;
  [[nodiscard]] std::size_t l2_bytes() const { return m_l2_bytes; }
  [[nodiscard]] int warp_size() const { return m_warp_size; }

  /// The caller's context where the thread has one, of this device; else the device's primary one,
  /// which is current from then on.
  [[nodiscard]] Context context() const {
    Context current = nullptr;
    if (functions().current_context(&current) == 0 && current != nullptr) return current;
    (void)functions().set_current(m_primary);
    return m_primary;
  }

  /// The context that lives as long as the process.
  [[nodiscard]] Context primary() const { return m_primary; }

  /// Queues a write of twice as much as the L2 cache holds, so that nothing of what ran before is
  /// left in it. The memory for it is allocated the first time and kept.
  [[nodiscard]] Status flush_l2(StreamHandle stream) const;

 private:
  explicit GpuDevice(const GpuDriver& driver) : m_driver(driver) {}
  [[nodiscard]] static Result<std::unique_ptr<GpuDevice>> make(const GpuDriver& driver,
                                                               std::optional<int> number);
  [[nodiscard]] Result<void> read_facts();
  [[nodiscard]] Result<std::string> read_arch() const;
  [[nodiscard]] Result<int> attribute(int number) const;

  const GpuDriver& m_driver;
  int m_number = 0;
  Context m_primary = nullptr;
  std::string m_name, m_arch, m_bus;
  std::size_t m_l2_bytes = 0;
  int m_warp_size = 0;
  int m_multiprocessors = 0;
  mutable std::mutex m_flushing;
  mutable std::map<Context, Address> m_flushed;
};

}  // namespace tunecheck::gpu
