#include "backend/cpu/cpu_backend.hpp"

#include "backend/cpu/arch.hpp"
#include "backend/cpu/cpu_module.hpp"
#include "backend/cpu/toolchain.hpp"
#include "backend/kernel_options.hpp"
#include "backend/kernel_sources.hpp"
#include "core/resources.hpp"

namespace tunecheck {
Result<std::string> CpuBackend::resolve_arch(std::string_view requested) const {
  return resolve_cpu_arch(requested);
}

Result<std::string> CpuBackend::toolchain_fingerprint() const {
  TUNECHECK_TRY(const Toolchain toolchain, Toolchain::find());
  return toolchain.fingerprint();
}

Result<KernelSources> CpuBackend::sources(const KernelDefinition& kernel) const {
  if (!kernel.cpu) return failure("the kernel \"{}\" has no cpu source", kernel.name);
  return collect_sources(
      {kernel.folder, kernel.cpu->source, find_resources().include, kernel.cpu->options});
}

// Left out, because they do not change the artifact: TUNECHECK_CXX and PATH (which compiler they
// lead to is in the fingerprint), C_INCLUDE_PATH (for C alone), LD_LIBRARY_PATH (where programs,
// the compiler among them, find libraries when they start), TMPDIR and LC_ALL (compile() sets
// them), SOURCE_DATE_EPOCH (only __DATE__ and __TIME__, which change by themselves anyway).
std::vector<std::string> CpuBackend::environment_variables() const {
  return {
      "CPATH",                 // headers, before the system's
      "CPLUS_INCLUDE_PATH",    // headers, for C++
      "GCC_EXEC_PREFIX",       // where GCC finds cc1plus, its headers and start files
      "COMPILER_PATH",         // where GCC and Clang find cc1plus, the assembler, the linker
      "LIBRARY_PATH",          // libraries and start files to link
      "LD_RUN_PATH",           // written by the linker as the artifact's own library path
      "CCC_OVERRIDE_OPTIONS",  // edits Clang's command line
  };
}

Result<Artifact> CpuBackend::compile(const CompileRequest& request) const {
  const KernelDefinition& kernel = *request.kernel;
  if (!kernel.cpu) return failure("the kernel \"{}\" has no cpu source", kernel.name);
  if (request.dtypes.size() != kernel.tensors.size())
    return failure("the kernel \"{}\" has {} tensors; expected as many dtypes, found {}",
                   kernel.name, kernel.tensors.size(), request.dtypes.size());
  TUNECHECK_TRY(const Toolchain toolchain, Toolchain::find());
  SharedObjectRequest object;
  object.folder = kernel.folder;
  object.source = std::filesystem::absolute(kernel.cpu->source);
  object.time_limit = m_compile_time_limit;
  TUNECHECK_TRY(const std::vector<std::string> arch, cpu_arch_options(request.arch));
  for (const auto& options :
       {config_options(kind(), request.config), dtype_options(kind(), kernel, request.dtypes), arch,
        kernel.cpu->options, request.options})
    object.options.insert(object.options.end(), options.begin(), options.end());
  return compile_shared_object(toolchain, object);
}

Result<std::unique_ptr<Module>> CpuBackend::load(const Artifact& artifact) const {
  return load_shared_object(artifact, "tunecheck_entry");
}

}  // namespace tunecheck
