#include "observe/watch/cuda/cuda_launch.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include <fmt/format.h>

namespace tunecheck::watch {
namespace {

constexpr std::size_t pointer_size = 8;
// The size of a CUtensorMap, which holds an address where only the driver knows it.
constexpr std::size_t tensor_map_size = 128;

struct Pointer {
  std::size_t parameter = 0;
  std::size_t at = 0;      // bytes into it
  std::size_t region = 0;  // of the launch
  std::uint64_t offset = 0;
};

struct Kept {
  CUfunction function = nullptr;
  CudaConfiguration configuration;
  std::vector<std::vector<std::byte>> values;  // of the parameters
  std::vector<Pointer> pointers;
};

Result<void> launch_again(const gpu::CudaFunctions& functions, const Kept& kept,
                          const Regions& instead) {
  std::vector<std::vector<std::byte>> values = kept.values;
  for (const Pointer& pointer : kept.pointers) {
    const std::uint64_t address = instead[pointer.region].address + pointer.offset;
    std::memcpy(values[pointer.parameter].data() + pointer.at, &address, sizeof address);
  }
  std::vector<void*> parameters;
  for (std::vector<std::byte>& value : values)
    parameters.push_back(value.data());
  CudaConfiguration configuration = kept.configuration;
  configuration.config.attrs = configuration.attributes.data();
  configuration.config.numAttrs = static_cast<unsigned>(configuration.attributes.size());
  configuration.config.hStream = nullptr;
  TUNECHECK_CHECK(check(
      functions,
      functions.launch_configured(&configuration.config, kept.function, parameters.data(), nullptr),
      "cuLaunchKernelEx"));
  return check(functions, functions.synchronize_context(), "cuCtxSynchronize");
}

std::string hex_of(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes)
    text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

// "262144", a number where the value has the size of one.
std::string text_of(std::span<const std::byte> value) {
  if (value.size() == sizeof(std::int32_t)) {
    std::int32_t number = 0;
    std::memcpy(&number, value.data(), sizeof number);
    return std::to_string(number);
  }
  if (value.size() == sizeof(std::int64_t)) {
    std::int64_t number = 0;
    std::memcpy(&number, value.data(), sizeof number);
    return std::to_string(number);
  }
  return hex_of(value);
}

}  // namespace

LaunchSeen see_cuda_launch(const gpu::CudaFunctions& functions, CudaMemory& memory,
                           gpu::LoadedCode& code, const std::string& symbol, const void* function,
                           CudaConfiguration configuration, const gpu::Arguments& arguments) {
  LaunchSeen seen;
  seen.kernel = symbol;
  const gpu::Code& loaded = code.code_of(function);
  seen.module = loaded.module;
  seen.built = loaded.code;
  seen.code = !loaded.config.empty() ? loaded.config
              : !loaded.code.empty() ? loaded.code.substr(0, 16)
                                     : loaded.module.substr(0, 16);
  seen.owner = code.owner_of(function);
  auto kept = std::make_shared<Kept>();
  kept->function = static_cast<CUfunction>(const_cast<void*>(function));
  kept->configuration = std::move(configuration);
  const std::vector<gpu::Parameter>& parameters = code.parameters_of(function);
  if (parameters.empty()) seen.why_no_replay = "the driver does not say what its parameters are";
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto value = gpu::value_of(arguments, i, parameters[i]);
    if (value.size() != parameters[i].size) {
      seen.why_no_replay = "its arguments could not be read";
      break;
    }
    kept->values.emplace_back(value.begin(), value.end());
    if (value.size() == tensor_map_size) seen.why_no_replay = "a tensor map is among its arguments";
    bool has_pointer = false;
    for (std::size_t at = 0; at + pointer_size <= value.size(); at += pointer_size) {
      std::uint64_t address = 0;
      std::memcpy(&address, value.data() + at, sizeof address);
      const Region region = memory.allocation_at(address);
      if (region.size == 0) continue;
      has_pointer = true;
      auto known = std::find(seen.regions.begin(), seen.regions.end(), region);
      if (known == seen.regions.end()) known = seen.regions.insert(known, region);
      const auto number = static_cast<std::size_t>(known - seen.regions.begin());
      kept->pointers.push_back({i, at, number, address - region.address});
      seen.tensors.push_back({static_cast<int>(i), number, region.size});
      seen.shapes += fmt::format("{}{}:{}+{}", seen.shapes.empty() ? "" : " ", i, region.size,
                                 address - region.address);
    }
    if (!has_pointer)
      seen.scalars += fmt::format("{}{}", seen.scalars.empty() ? "" : " ", text_of(value));
  }
  if (seen.why_no_replay.empty())
    seen.relaunch = [&functions, kept](const Regions& instead) {
      return launch_again(functions, *kept, instead);
    };
  return seen;
}

}  // namespace tunecheck::watch
