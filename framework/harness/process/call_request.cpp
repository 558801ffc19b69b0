#include "harness/process/call_request.hpp"

#include <algorithm>

#include "backend/kernel_options.hpp"
#include "core/device_kinds.hpp"
#include "harness/kernel/tensor_file.hpp"
#include "harness/process/workspace.hpp"

namespace tunecheck {
namespace {

namespace fs = std::filesystem;

// In the order of the kernel file; the caller's may be another.
std::vector<DType> dtypes_of(const protocol::CallRequest& request, const KernelDefinition& kernel) {
  std::vector<DType> dtypes;
  for (const TensorParameter& parameter : kernel.tensors) {
    const auto found =
        std::find_if(request.tensors.begin(), request.tensors.end(),
                     [&](const protocol::Tensor& tensor) { return tensor.name == parameter.name; });
    dtypes.push_back(found == request.tensors.end() ? parameter.dtypes.front() : found->dtype);
  }
  return dtypes;
}

// The kernel with its sources in the folder that the tuner is given, a copy of its own.
KernelDefinition moved(KernelDefinition kernel, const fs::path& folder) {
  const auto move = [&](fs::path& file) {
    file = folder / fs::absolute(file).lexically_relative(fs::absolute(kernel.folder));
  };
  if (kernel.cpu) move(kernel.cpu->source);
  if (kernel.gpu) move(kernel.gpu->source);
  kernel.folder = folder;
  return kernel;
}

}  // namespace

protocol::CallRequest make_request(const KernelDefinition& kernel, const Workspace& workspace,
                                   const std::string& process, std::span<const TensorFile> files,
                                   const Sizes& sizes) {
  protocol::CallRequest request;
  request.kernel_folder = workspace.kernel_folder();
  request.kernel = kernel.name;
  const fs::path folder = workspace.tensors_folder(process);
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
    request.tensors.push_back({kernel.tensors[i].name, folder / files[i].path().filename(),
                               files[i].byte_offset(), files[i].initial().dtype,
                               files[i].initial().layout});
  for (const ScalarParameter& scalar : kernel.scalars)
    request.scalars[scalar.name] = scalar.value;
  request.sizes = sizes;
  request.space = kernel.space;
  return request;
}

Result<void> complete(protocol::CallRequest& request, const KernelDefinition& kernel,
                      DeviceKind backend) {
  protocol::KernelFacts facts;
  for (const TensorParameter& tensor : kernel.tensors)
    facts.tensors.push_back(tensor.name);
  for (const ScalarParameter& scalar : kernel.scalars) {
    facts.scalars.push_back(scalar.name);
    if (scalar.key) facts.key_scalars.push_back(scalar.name);
  }
  facts.restore_value = kernel.restore_value;
  facts.reset_to_zero = kernel.reset_to_zero;
  facts.variables = kernel.environment;
  const KernelDefinition copy = moved(kernel, request.kernel_folder);
  KernelBuild build = kernel_build(backend, copy, dtypes_of(request, kernel), request.arch,
                                   request.compile_options);
  facts.source = std::move(build.source);
  facts.build_options = std::move(build.options);
  TUNECHECK_TRY(std::vector<Config> configs, request.space.enumerate(to_variables(request.sizes)));
  for (Config& config : configs) {
    protocol::ListedConfig listed;
    if (!facts.source.empty()) listed.options = config_options(backend, config);
    if (is_gpu(backend) && kernel.gpu) {
      TUNECHECK_TRY(listed.launch, kernel.gpu_launch(request.sizes, config));
    }
    listed.values = std::move(config);
    facts.configs.push_back(std::move(listed));
  }
  if (auto chosen = kernel.default_for(request.sizes))
    if (std::any_of(facts.configs.begin(), facts.configs.end(),
                    [&](const auto& listed) { return listed.values == *chosen; }))
      facts.default_config = std::move(*chosen);
  request.facts = std::move(facts);
  return {};
}

}  // namespace tunecheck
