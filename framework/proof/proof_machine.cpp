#include "proof/proof_machine.hpp"

#include <algorithm>

namespace tunecheck {

Result<std::unique_ptr<ProofMachine>> ProofMachine::examine(const ProveOptions& options) {
  auto machine = std::make_unique<ProofMachine>();
  for (const std::string& name : proof_backends()) {
    const auto& asked = options.backends;
    if (asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end())
      TUNECHECK_CHECK(machine->add(name, options));
  }
  return machine;
}

Result<void> ProofMachine::add(const std::string& name, const ProveOptions& options) {
  const Backend* const backend = m_backends.find(name);
  const bool is_cpu = name == "cpu";
  if (!is_cpu) {
    m_gpu_compilers[name] = examine_gpu_compiler(name);
    if (const auto device = backend->device_name(); !device) {
      m_no_device[name] = device.error().text();
      if (options.backends.empty()) return {};
      return failure(ErrorKind::unsupported, "nothing can be run on {}: {}", name,
                     m_no_device[name]);
    }
  }
  TUNECHECK_TRY(const std::string arch, backend->resolve_arch(is_cpu ? options.arch : ""));
  m_devices.push_back({backend, arch, std::make_unique<Runners>(name)});
  return {};
}

std::vector<const ProofMachine::Device*> ProofMachine::devices_for(
    const KernelDefinition& kernel) const {
  std::vector<const Device*> found;
  for (const Device& device : m_devices) {
    const bool can_compile =
        device.is_cpu()
            ? kernel.cpu.has_value()
            : kernel.gpu && m_gpu_compilers.at(std::string(device.backend->name())).missing.empty();
    if (can_compile) found.push_back(&device);
  }
  return found;
}

std::string ProofMachine::why_none_for(const KernelDefinition& kernel) const {
  std::string text;
  const auto add = [&](const std::string& reason) { text += (text.empty() ? "" : "; ") + reason; };
  if (!kernel.cpu) add("the kernel has no cpu source");
  if (!kernel.gpu) add("the kernel has no gpu source");
  if (!kernel.gpu) return text;
  for (const auto& [backend, compiler] : m_gpu_compilers) {
    const auto none = m_no_device.find(backend);
    if (none != m_no_device.end())
      add(none->second);
    else
      add(compiler.missing);
  }
  if (m_gpu_compilers.empty()) add("no GPU is asked for");
  return text;
}

bool ProofMachine::has(const GpuTarget& target) const {
  return std::any_of(m_devices.begin(), m_devices.end(), [&](const Device& device) {
    return device.backend->name() == target.backend &&
           device.arch.substr(0, device.arch.find(':')) == target.arch;
  });
}

}  // namespace tunecheck
