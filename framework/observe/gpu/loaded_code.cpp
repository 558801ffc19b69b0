#include "observe/gpu/loaded_code.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace tunecheck::gpu {
namespace {

// What the list of `extra` holds in the place of names. CUDA ends it with 0, HIP with 3.
enum : std::uintptr_t { cuda_end = 0, buffer_pointer = 1, hip_end = 3 };

// The buffer of all arguments; null where `extra` names none.
const std::byte* buffer_in(void** extra) {
  if (extra == nullptr) return nullptr;
  for (;; extra += 2) {
    const auto name = reinterpret_cast<std::uintptr_t>(*extra);
    if (name == cuda_end || name == hip_end) return nullptr;
    if (name == buffer_pointer) return static_cast<const std::byte*>(extra[1]);
  }
}

}  // namespace

void LoadedCode::add_function(const void* function, const void* owner, bool is_kernel,
                              const std::string& name) {
  Function made;
  made.owner = owner;
  made.is_kernel = is_kernel;
  made.name = name;
  if (const auto code = m_owners.find(owner); code != m_owners.end()) {
    made.code = code->second;
  } else if (const auto kernel = m_functions.find(owner); kernel != m_functions.end()) {
    made.owner = kernel->second.owner;
    made.code = kernel->second.code;
    if (made.name.empty()) made.name = kernel->second.name;
  }
  m_functions[function] = std::move(made);
}

void LoadedCode::forget(const void* owner) {
  m_owners.erase(owner);
  std::erase_if(m_functions, [&](const auto& known) { return known.second.owner == owner; });
}

LoadedCode::Function& LoadedCode::at(const void* function) {
  const auto known = m_functions.find(function);
  if (known != m_functions.end()) return known->second;
  // Got in a way that was not seen.
  if (const FunctionOwner found = m_driver.owner_of(function); found.owner != nullptr)
    add_function(function, found.owner, found.is_kernel);
  return m_functions[function];
}

const Code& LoadedCode::code_of(const void* function) {
  return at(function).code;
}

std::string LoadedCode::name_of(const void* function) {
  const Function& known = at(function);
  return known.name.empty() ? m_driver.name_of(function, known.is_kernel) : known.name;
}

const std::vector<Parameter>& LoadedCode::parameters_of(const void* function) {
  Function& known = at(function);
  if (known.parameters) return *known.parameters;
  known.parameters = m_driver.parameters_of(function, known.is_kernel);
  if (known.parameters->empty() && known.code.kernels != nullptr)
    if (const auto kernel = known.code.kernels->find(name_of(function));
        kernel != known.code.kernels->end())
      known.parameters = kernel->second;
  return *known.parameters;
}

std::span<const std::byte> value_of(const Arguments& arguments, std::size_t index,
                                    const Parameter& parameter) {
  if (arguments.parameters != nullptr)
    return {static_cast<const std::byte*>(arguments.parameters[index]), parameter.size};
  if (const std::byte* const buffer = buffer_in(arguments.extra))
    return {buffer + parameter.offset, parameter.size};
  return {};
}

Tensors LoadedCode::tensors_of(const void* function, const Arguments& arguments,
                               const std::vector<WatchedParameter>* watched) {
  const std::vector<Parameter>& parameters = parameters_of(function);
  const auto argument = [&](std::size_t index) -> std::span<const std::byte> {
    if (index >= parameters.size()) return {};
    return value_of(arguments, index, parameters[index]);
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
    if (tensor.first != 0)
      tensor.first += static_cast<std::uint64_t>(parameter.offset) * size_of(parameter.dtype);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

}  // namespace tunecheck::gpu
