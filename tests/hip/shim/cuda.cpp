#include "cuda.hpp"

#include <string>

#include "backend/gpu/driver/driver.hpp"
#include "core/device_kinds.hpp"

namespace tunecheck::shim {
namespace {

const gpu::GpuDriver* driver() {
  const auto opened = gpu::GpuDriver::open(DeviceKind::cuda);
  return opened ? *opened : nullptr;
}

std::string read_arch() {
  const gpu::GpuDriver* const opened = driver();
  int major = 0;
  int minor = 0;
  if (opened == nullptr || cuda()->device_attribute(&major, opened->attributes().major, 0) != 0 ||
      cuda()->device_attribute(&minor, opened->attributes().minor, 0) != 0)
    return {};
  return fmt::format("sm_{}{}", major, minor);
}

}  // namespace

const gpu::DriverFunctions* cuda() {
  static const gpu::GpuDriver* const opened = driver();
  return opened != nullptr ? &opened->functions() : nullptr;
}

const char* cuda_arch() {
  static const std::string arch = read_arch();
  return arch.c_str();
}

}  // namespace tunecheck::shim
