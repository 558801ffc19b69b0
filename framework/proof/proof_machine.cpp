#include "proof/proof_machine.hpp"

#include <algorithm>

namespace tunecheck {

Result<std::unique_ptr<ProofMachine>> ProofMachine::examine(const ProveOptions& options) {
  auto machine = std::make_unique<ProofMachine>();
  for (const DeviceKind kind : real_device_kinds) {
    const auto& asked = options.backends;
    if (asked.empty() || std::find(asked.begin(), asked.end(), kind) != asked.end())
      TUNECHECK_CHECK(machine->add(kind, options));
  }
  return machine;
}

Result<void> ProofMachine::add(DeviceKind kind, const ProveOptions& options) {
  const Backend& backend = m_backends.of(kind);
  const bool is_cpu = kind == DeviceKind::cpu;
  if (!is_cpu) {
    m_gpu_compilers[kind] = examine_gpu_compiler(kind);
    if (const auto device = backend.device_name(); !device) {
      m_no_device[kind] = device.error().text();
      if (options.backends.empty()) return {};
      return failure(ErrorKind::unsupported, "nothing can be run on {}: {}", name_of(kind),
                     m_no_device[kind]);
    }
  }
  TUNECHECK_TRY(const std::string arch, backend.resolve_arch(is_cpu ? options.arch : ""));
  m_devices.push_back({&backend, arch, std::make_unique<Runners>(kind)});
  return {};
}

std::vector<const ProofMachine::Device*> ProofMachine::devices_for(
    const KernelDefinition& kernel) const {
  std::vector<const Device*> found;
  for (const Device& device : m_devices) {
    const bool can_compile =
        device.is_cpu() ? kernel.cpu.has_value()
                        : kernel.gpu && m_gpu_compilers.at(device.backend->kind()).missing.empty();
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
    return device.backend->kind() == target.backend &&
           device.arch.substr(0, device.arch.find(':')) == target.arch;
  });
}

}  // namespace tunecheck
