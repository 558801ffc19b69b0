#include "backend/gpu/driver/device.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace tunecheck::gpu {

std::string gcn_arch_in(std::span<const char> properties) {
  constexpr std::size_t name_bytes = 256;
  constexpr std::string_view beginning = "gfx";
  if (properties.size() <= name_bytes) return {};
  const std::span<const char> rest = properties.subspan(name_bytes);
  const auto found = std::search(rest.begin(), rest.end(), beginning.begin(), beginning.end());
  return {found, std::find(found, rest.end(), '\0')};
}

Result<const GpuDevice*> GpuDevice::open(std::string_view backend) {
  static auto& opened = *new std::map<std::string, Result<const GpuDevice*>, std::less<>>;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (const auto found = opened.find(backend); found != opened.end()) return found->second;
  TUNECHECK_TRY(const GpuDriver* const driver, GpuDriver::open(backend));
  Result<const GpuDevice*> device =
      make(*driver).map([](std::unique_ptr<GpuDevice> made) -> const GpuDevice* {
        return made.release();  // never destroyed: kernels may be running while the process ends
      });
  opened.emplace(backend, device);
  return device;
}

Result<std::unique_ptr<GpuDevice>> GpuDevice::make(const GpuDriver& driver) {
  std::unique_ptr<GpuDevice> made(new GpuDevice(driver));
  const DriverFunctions& f = driver.functions();
  int device = 0;
  Context current = nullptr;
  const bool has_context = f.current_context(&current) == 0 && current != nullptr;
  if (!has_context || f.context_device(&device) != 0)
    TUNECHECK_CHECK(driver.check(f.device_get(&device, 0), "there is no device"));
  TUNECHECK_CHECK(made->read_facts(device));
  TUNECHECK_CHECK(
      driver.check(f.primary_context(&made->m_primary, device), "the device gives no context"));
  if (!has_context)
    TUNECHECK_CHECK(driver.check(f.set_current(made->m_primary), "the context cannot be used"));
  return made;
}

Result<void> GpuDevice::read_facts(int device) {
  std::array<char, 256> name{};
  TUNECHECK_CHECK(m_driver.check(
      functions().device_name(name.data(), static_cast<int>(name.size()) - 1, device),
      "the device has no name"));
  m_name = name.data();
  std::array<char, 64> bus{};
  if (functions().device_bus(bus.data(), static_cast<int>(bus.size()) - 1, device) == 0)
    m_bus = bus.data();
  const DeviceAttributes& numbers = m_driver.attributes();
  TUNECHECK_TRY(const int l2_bytes, attribute(numbers.l2_bytes, device));
  m_l2_bytes = static_cast<std::size_t>(l2_bytes);
  TUNECHECK_TRY(m_warp_size, attribute(numbers.warp_size, device));
  TUNECHECK_TRY(m_multiprocessors, attribute(numbers.multiprocessors, device));
  TUNECHECK_TRY(m_arch, read_arch(device));
  return {};
}

Result<std::string> GpuDevice::read_arch(int device) const {
  if (m_driver.is_hip()) {
    std::vector<char> properties(16384);  // more than any version fills
    TUNECHECK_CHECK(m_driver.check(functions().hip_properties(properties.data(), device),
                                   "the device has no properties"));
    std::string arch = gcn_arch_in(properties);
    if (arch.empty()) return failure("{} does not say its arch", m_name);
    return arch;
  }
  const DeviceAttributes& numbers = m_driver.attributes();
  TUNECHECK_TRY(const int major, attribute(numbers.major, device));
  TUNECHECK_TRY(const int minor, attribute(numbers.minor, device));
  return fmt::format("sm_{}{}", major, minor);
}

std::string GpuDevice::kind() const {
  return fmt::format("{}, {} multiprocessors, warps of {}", m_name, m_multiprocessors, m_warp_size);
}

Status GpuDevice::flush_l2(StreamHandle stream) const {
  const std::size_t bytes = 2 * m_l2_bytes;
  if (bytes == 0) return 0;
  const std::scoped_lock lock(m_flushing);
  Address& memory = m_flushed[context()];
  if (memory == 0)
    if (const Status status = functions().allocate(&memory, bytes); status != 0) return status;
  return functions().fill8(memory, 0, bytes, stream);
}

Result<int> GpuDevice::attribute(int number, int device) const {
  int value = 0;
  TUNECHECK_CHECK(m_driver.check(functions().device_attribute(&value, number, device),
                                 "an attribute of the device cannot be read"));
  return value;
}

}  // namespace tunecheck::gpu
