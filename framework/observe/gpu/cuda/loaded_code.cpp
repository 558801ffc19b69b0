#include "observe/gpu/cuda/loaded_code.hpp"

#include <cstring>

namespace tunecheck::gpu {
namespace {

// A launch takes a CUkernel in the place of a CUfunction.
CUkernel as_kernel(CUfunction function) {
  return reinterpret_cast<CUkernel>(function);
}

// The buffer of all arguments; null where `extra` names none.
const std::byte* buffer_in(void** extra) {
  if (extra == nullptr) return nullptr;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) return static_cast<const std::byte*>(extra[1]);
  return nullptr;
}

}  // namespace

void LoadedCode::add_function(const void* function, const void* owner, bool is_kernel) {
  Function made;
  made.owner = owner;
  made.is_kernel = is_kernel;
  if (const auto code = m_owners.find(owner); code != m_owners.end()) {
    made.code = code->second;
  } else if (const auto kernel = m_functions.find(owner); kernel != m_functions.end()) {
    made.owner = kernel->second.owner;
    made.code = kernel->second.code;
  }
  m_functions[function] = std::move(made);
}

void LoadedCode::add_kernel(CUkernel kernel) {
  CUlibrary library = nullptr;
  if (!m_functions.contains(kernel) && m_driver.kernel_library(&library, kernel) == CUDA_SUCCESS)
    add_function(kernel, library, true);
}

void LoadedCode::forget(const void* owner) {
  m_owners.erase(owner);
  std::erase_if(m_functions, [&](const auto& known) { return known.second.owner == owner; });
}

LoadedCode::Function& LoadedCode::at(CUfunction function) {
  const auto known = m_functions.find(function);
  if (known != m_functions.end()) return known->second;
  // Got in a way that was not seen.
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  if (m_driver.function_module(&module, function) == CUDA_SUCCESS)
    add_function(function, module, false);
  else if (m_driver.kernel_library(&library, as_kernel(function)) == CUDA_SUCCESS)
    add_function(function, library, true);
  return m_functions[function];
}

const Code& LoadedCode::code_of(CUfunction function) {
  return at(function).code;
}

std::string LoadedCode::name_of(CUfunction function) {
  const char* name = nullptr;
  const CUresult status = at(function).is_kernel ? m_driver.kernel_name(&name, as_kernel(function))
                                                 : m_driver.function_name(&name, function);
  return status == CUDA_SUCCESS && name != nullptr ? name : "";
}

const std::vector<LoadedCode::Parameter>& LoadedCode::parameters_of(CUfunction function) {
  Function& known = at(function);
  if (known.parameters) return *known.parameters;
  known.parameters.emplace();
  for (std::size_t index = 0;; ++index) {
    Parameter parameter;
    const CUresult status =
        known.is_kernel
            ? m_driver.kernel_parameter(as_kernel(function), index, &parameter.offset,
                                        &parameter.size)
            : m_driver.function_parameter(function, index, &parameter.offset, &parameter.size);
    if (status != CUDA_SUCCESS) return *known.parameters;
    known.parameters->push_back(parameter);
  }
}

Tensors LoadedCode::tensors_of(CUfunction function, const Arguments& arguments,
                               const std::vector<WatchedParameter>* watched) {
  const std::vector<Parameter>& parameters = parameters_of(function);
  const std::byte* const buffer = buffer_in(arguments.extra);
  const auto argument = [&](std::size_t index) -> std::span<const std::byte> {
    if (index >= parameters.size()) return {};
    const Parameter& parameter = parameters[index];
    if (arguments.parameters != nullptr)
      return {static_cast<const std::byte*>(arguments.parameters[index]), parameter.size};
    if (buffer != nullptr) return {buffer + parameter.offset, parameter.size};
    return {};
  };
  Tensors tensors;
  if (watched == nullptr) {
    for (std::size_t index = 0; index < parameters.size(); ++index)
      if (auto tensor = read_tensor(argument(index))) tensors.push_back(std::move(*tensor));
    return tensors;
  }
  for (const WatchedParameter& parameter : *watched) {
    TensorArgument tensor{0, parameter.dtype, parameter.layout};
    const auto value = argument(parameter.parameter);
    if (value.size() == sizeof(tensor.first))
      std::memcpy(&tensor.first, value.data(), sizeof(tensor.first));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

}  // namespace tunecheck::gpu
