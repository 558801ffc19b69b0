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

Result<const GpuDevice*> GpuDevice::open(DeviceKind backend, std::optional<int> number) {
  using Wanted = std::pair<DeviceKind, std::optional<int>>;
  static auto& opened = *new std::map<Wanted, Result<const GpuDevice*>>;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  const Wanted wanted(backend, number);
  if (const auto found = opened.find(wanted); found != opened.end()) return found->second;
  TUNECHECK_TRY(const GpuDriver* const driver, GpuDriver::open(backend));
  Result<const GpuDevice*> device =
      make(*driver, number).map([](std::unique_ptr<GpuDevice> made) -> const GpuDevice* {
        return made.release();  // never destroyed: kernels may be running while the process ends
      });
  opened.emplace(wanted, device);
  return device;
}

Result<std::unique_ptr<GpuDevice>> GpuDevice::make(const GpuDriver& driver,
                                                   std::optional<int> number) {
  std::unique_ptr<GpuDevice> made(new GpuDevice(driver));
  const DriverFunctions& f = driver.functions();
  Context current = nullptr;
  const bool has_context = f.current_context(&current) == 0 && current != nullptr;
  if (number || !has_context || f.context_device(&made->m_number) != 0)
    TUNECHECK_CHECK(
        driver.check(f.device_get(&made->m_number, number.value_or(0)), "there is no such device"));
  TUNECHECK_CHECK(made->read_facts());
  TUNECHECK_CHECK(driver.check(f.primary_context(&made->m_primary, made->m_number),
                               "the device gives no context"));
  if (!has_context)
    TUNECHECK_CHECK(driver.check(f.set_current(made->m_primary), "the context cannot be used"));
  return made;
}

Result<int> GpuDevice::count(DeviceKind backend) {
  TUNECHECK_TRY(const GpuDriver* const driver, GpuDriver::open(backend));
  int count = 0;
  TUNECHECK_CHECK(
      driver->check(driver->functions().device_count(&count), "devices are not counted"));
  return count;
}

Result<void> GpuDevice::read_facts() {
  std::array<char, 256> name{};
  TUNECHECK_CHECK(m_driver.check(
      functions().device_name(name.data(), static_cast<int>(name.size()) - 1, m_number),
      "the device has no name"));
  m_name = name.data();
  std::array<char, 64> bus{};
  if (functions().device_bus(bus.data(), static_cast<int>(bus.size()) - 1, m_number) == 0)
    m_bus = bus.data();
  const DeviceAttributes& numbers = m_driver.attributes();
  TUNECHECK_TRY(const int l2_bytes, attribute(numbers.l2_bytes));
  m_l2_bytes = static_cast<std::size_t>(l2_bytes);
  TUNECHECK_TRY(m_warp_size, attribute(numbers.warp_size));
  TUNECHECK_TRY(m_multiprocessors, attribute(numbers.multiprocessors));
  TUNECHECK_TRY(m_arch, read_arch());
  return {};
}

Result<std::string> GpuDevice::read_arch() const {
  if (m_driver.is_hip()) {
    std::vector<char> properties(16384);  // more than any version fills
    TUNECHECK_CHECK(m_driver.check(functions().hip_properties(properties.data(), m_number),
                                   "the device has no properties"));
    std::string arch = gcn_arch_in(properties);
    if (arch.empty()) return failure("{} does not say its arch", m_name);
    return arch;
  }
  const DeviceAttributes& numbers = m_driver.attributes();
  TUNECHECK_TRY(const int major, attribute(numbers.major));
  TUNECHECK_TRY(const int minor, attribute(numbers.minor));
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

Result<int> GpuDevice::attribute(int number) const {
  int value = 0;
  TUNECHECK_CHECK(m_driver.check(functions().device_attribute(&value, number, m_number),
                                 "an attribute of the device cannot be read"));
  return value;
}

}  // namespace tunecheck::gpu
