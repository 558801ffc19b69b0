#include "backend/kernel_options.hpp"

#include <fmt/format.h>

#include "backend/cpu/arch.hpp"
#include "backend/cpu/shared_object.hpp"
#include "core/device_kinds.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

void append(std::vector<std::string>& options, const std::vector<std::string>& more) {
  options.insert(options.end(), more.begin(), more.end());
}

// The C++ type of an element; bf16 and f16 are those of cpu_kernel.h and gpu_kernel.h.
std::string_view element_type(DeviceKind backend, DType dtype) {
  switch (dtype) {
    case DType::f64:
      return "double";
    case DType::f32:
      return "float";
    case DType::bf16:
      return "tunecheck::bf16";
    case DType::f16:
      return "tunecheck::f16";
    case DType::i32:
      return "int";
    case DType::i64:
      return is_gpu(backend) ? "int64_t" : "long";
    case DType::u8:
      return "unsigned char";
  }
  return "";
}

// No tuner is spared an arch that does not exist: its compiler has to refuse it.
std::vector<std::string> options_of_arch(const std::string& arch) {
  if (const auto resolved = resolve_cpu_arch(arch))
    if (auto options = cpu_arch_options(*resolved)) return *std::move(options);
  return {"-march=" + arch};
}

}  // namespace

std::vector<std::string> dtype_options(DeviceKind backend, const KernelDefinition& kernel,
                                       const std::vector<DType>& dtypes) {
  std::vector<std::string> options;
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
    options.push_back(fmt::format("-D{}_TYPE={}", upper_case(kernel.tensors[i].name),
                                  element_type(backend, dtypes[i])));
  return options;
}

std::vector<std::string> config_options(DeviceKind backend, const Config& config) {
  std::vector<std::string> options;
  for (const auto& [parameter, value] : config)
    options.push_back(fmt::format("-D{}={}", upper_case(parameter), value));
  // A runtime compiler takes the quotes as they are: on a GPU the config is a text of the kernel's.
  const std::string_view quote = is_gpu(backend) ? "\"" : "";
  options.push_back(fmt::format("-DTUNECHECK_CONFIG={}{}{}", quote, to_string(config), quote));
  return options;
}

KernelBuild kernel_build(DeviceKind backend, const KernelDefinition& kernel,
                         const std::vector<DType>& dtypes, const std::string& arch,
                         const std::vector<std::string>& options) {
  KernelBuild build;
  if (is_gpu(backend)) {
    if (!kernel.gpu) return build;
    build.source = std::filesystem::absolute(kernel.gpu->source);
    build.options = {"-std=c++17", "-I" + find_resources().gpu_include.string(),
                     "-I" + std::filesystem::absolute(kernel.folder).string()};
    append(build.options, dtype_options(backend, kernel, dtypes));
  } else {
    if (!kernel.cpu) return build;
    build.source = std::filesystem::absolute(kernel.cpu->source);
    build.options = shared_object_options();
    append(build.options, dtype_options(backend, kernel, dtypes));
    if (!arch.empty()) {
      append(build.options, options_of_arch(arch));
    }
    append(build.options, kernel.cpu->options);
  }
  append(build.options, options);
  return build;
}

}  // namespace tunecheck
