#include "backend/cpu/cpu_backend.hpp"

#include "backend/cpu/arch.hpp"
#include "backend/cpu/cpu_module.hpp"
#include "backend/cpu/toolchain.hpp"
#include "backend/kernel_sources.hpp"
#include "core/resources.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

// The C++ type of an element; bf16 and f16 are those of cpu_kernel.h.
std::string_view host_element_type(DType dtype) {
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
      return "long";
    case DType::u8:
      return "unsigned char";
  }
  return "";
}

}  // namespace

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
  for (const auto& [parameter, value] : request.config)
    object.macros.emplace_back(upper_case(parameter), std::to_string(value));
  for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
    object.macros.emplace_back(upper_case(kernel.tensors[i].name) + "_TYPE",
                               host_element_type(request.dtypes[i]));
  object.macros.emplace_back("TUNECHECK_CONFIG", to_string(request.config));
  TUNECHECK_TRY(object.options, cpu_arch_options(request.arch));
  for (const auto* options : {&kernel.cpu->options, &request.options})
    object.options.insert(object.options.end(), options->begin(), options->end());
  return compile_shared_object(toolchain, object);
}

Result<std::unique_ptr<Module>> CpuBackend::load(const Artifact& artifact) const {
  return load_shared_object(artifact, "tunecheck_entry");
}

}  // namespace tunecheck
