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

struct Kept {
  CUfunction function = nullptr;
  CudaConfiguration configuration;
  std::vector<std::vector<std::byte>> values;  // of the parameters
  std::vector<CudaPointer> pointers;
};

Result<void> launch_again(const gpu::CudaFunctions& functions, const Kept& kept,
                          const Regions& instead) {
  std::vector<std::vector<std::byte>> values = kept.values;
  for (const CudaPointer& pointer : kept.pointers) {
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

std::uint64_t address_of(const void* pointer) {
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(pointer));
}

void mix(std::uint64_t& key, std::uint64_t value) {
  key = (key ^ value) * 0x9e3779b97f4a7c15 + (key >> 29);
}

}  // namespace

CudaArguments read_cuda_arguments(CudaMemory& memory, gpu::LoadedCode& code, const void* function,
                                  const gpu::Arguments& arguments) {
  CudaArguments read;
  const std::vector<gpu::Parameter>& parameters = code.parameters_of(function);
  if (parameters.empty()) read.why_no_replay = "the driver does not say what its parameters are";
  mix(read.quick_key, address_of(function));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto value = gpu::value_of(arguments, i, parameters[i]);
    if (value.size() != parameters[i].size) {
      read.why_no_replay = "its arguments could not be read";
      break;
    }
    read.values.push_back(value);
    if (value.size() == tensor_map_size) read.why_no_replay = "a tensor map is among its arguments";
    for (std::size_t at = 0; at + pointer_size <= value.size(); at += pointer_size) {
      std::uint64_t address = 0;
      std::memcpy(&address, value.data() + at, sizeof address);
      const Region region = memory.region_at(address);
      if (region.size == 0) continue;
      auto known = std::find(read.regions.begin(), read.regions.end(), region);
      if (known == read.regions.end()) {
        known = read.regions.insert(known, region);
        read.has_rest.push_back(!memory.is_exact(region));
      }
      const auto number = static_cast<std::size_t>(known - read.regions.begin());
      read.pointers.push_back({i, at, number, address - region.address});
      mix(read.quick_key, i);
      mix(read.quick_key, region.size);
      mix(read.quick_key, address - region.address);
    }
  }
  return read;
}

LaunchSeen see_cuda_launch(const gpu::CudaFunctions& functions, gpu::LoadedCode& code,
                           const std::string& symbol, const void* function,
                           CudaConfiguration configuration, const CudaArguments& arguments) {
  LaunchSeen seen;
  seen.kernel = symbol;
  const gpu::Code& loaded = code.code_of(function);
  seen.module = loaded.module;
  seen.built = loaded.code;
  seen.code = !loaded.config.empty() ? loaded.config
              : !loaded.code.empty() ? loaded.code.substr(0, 16)
                                     : loaded.module.substr(0, 16);
  seen.owner = code.owner_of(function);
  seen.quick_key = arguments.quick_key;
  seen.regions = arguments.regions;
  seen.has_rest = arguments.has_rest;
  seen.why_no_replay = arguments.why_no_replay;
  auto kept = std::make_shared<Kept>();
  kept->function = static_cast<CUfunction>(const_cast<void*>(function));
  kept->configuration = std::move(configuration);
  kept->pointers = arguments.pointers;
  auto pointer = arguments.pointers.begin();
  for (std::size_t i = 0; i < arguments.values.size(); ++i) {
    const auto value = arguments.values[i];
    kept->values.emplace_back(value.begin(), value.end());
    if (pointer == arguments.pointers.end() || pointer->parameter != i)
      seen.scalars += fmt::format("{}{}", seen.scalars.empty() ? "" : " ", text_of(value));
    for (; pointer != arguments.pointers.end() && pointer->parameter == i; ++pointer) {
      const std::uint64_t bytes = arguments.regions[pointer->region].size;
      seen.tensors.push_back({static_cast<int>(i), pointer->region, bytes});
      seen.shapes +=
          fmt::format("{}{}:{}+{}", seen.shapes.empty() ? "" : " ", i, bytes, pointer->offset);
    }
  }
  if (seen.why_no_replay.empty())
    seen.relaunch = [&functions, kept](const Regions& instead) {
      return launch_again(functions, *kept, instead);
    };
  return seen;
}

}  // namespace tunecheck::watch
