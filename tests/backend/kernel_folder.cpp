#include "kernel_folder.hpp"

#include <cstdlib>

#include "core/text.hpp"

namespace tunecheck {

namespace fs = std::filesystem;

KernelFolder::KernelFolder(const std::map<std::string, std::string>& files)
    : m_folder(value_of(TemporaryFolder::create("tunecheck-test-backend"))) {
  for (const auto& [name, text] : files)
    write(name, text);
}

void KernelFolder::write(const std::string& name, const std::string& text) const {
  fs::create_directories((path() / name).parent_path());
  if (const auto written = write_file(path() / name, text); !written)
    throw std::runtime_error(written.error().text());
}

std::string kernel_info(const std::string& scalars, const std::string& cpu_options) {
  const std::string options = cpu_options.empty() ? "" : "options \"" + cpu_options + "\"";
  return R"(kernel
{
  name     test_kernel
  summary  "a kernel of a test"
  sizes    { smoke { count 8 }  full { count 64 } }
  tensors
  {
    x { dtype "f32 f64 bf16 f16 i32 i64 u8"  shape "count"  access read      fill normal }
    y { dtype "f32 f64 bf16 f16 i32 i64 u8"  shape "count"  access in_place  fill normal }
  }
  scalars { )" +
         scalars + R"( }
  restore_value  "y"
  space          { block "2 4 8" }
  default        { block 4 }
  cpu            { source cpu.cpp )" +
         options + R"( }
  reference      reference.cpp
  tolerance      { relative 1e-6  absolute 1e-6 }
  bytes          "12 * count"
}
)";
}

std::map<std::string, std::string> axpy_files() {
  return {{"kernel.info", kernel_info("factor { dtype f32  value 2 }")},
          {"cpu.cpp", R"(#include <tunecheck/cpu_kernel.h>
using tunecheck::Tensor;
void axpy(Tensor<const X_TYPE> x, Tensor<Y_TYPE> y, float factor) {
  for (long begin = 0; begin < y.size(0); begin += BLOCK)
    for (long i = begin; i < y.size(0) && i < begin + BLOCK; ++i) y(i) += factor * x(i);
}
TUNECHECK_KERNEL(axpy)
)"},
          {"reference.cpp", R"(#include <tunecheck/reference.h>
void axpy(tunecheck::Tensor<double> x, tunecheck::Tensor<double> y, double factor) {
  for (long i = 0; i < y.size(0); ++i) y(i) += factor * x(i);
}
TUNECHECK_REFERENCE(axpy)
)"}};
}

CompileRequest request_for(const KernelDefinition& kernel) {
  CompileRequest request;
  request.kernel = &kernel;
  request.dtypes.assign(kernel.tensors.size(), DType::f32);
  request.config = {{"block", 4}};
  request.arch = value_of(CpuBackend().resolve_arch(""));
  return request;
}

ScopedVariable::ScopedVariable(std::string name, const std::optional<std::string>& value)
    : m_name(std::move(name)) {
  if (const char* const before = std::getenv(m_name.c_str())) m_before = before;
  set(value);
}

ScopedVariable::~ScopedVariable() {
  set(m_before);
}

void ScopedVariable::set(const std::optional<std::string>& value) const {
  if (value)
    ::setenv(m_name.c_str(), value->c_str(), 1);
  else
    ::unsetenv(m_name.c_str());
}

void write_script(const fs::path& path, const std::string& body) {
  if (const auto written = write_file(path, "#!/bin/sh\n" + body); !written)
    throw std::runtime_error(written.error().text());
  fs::permissions(path, fs::perms::owner_all);
}

}  // namespace tunecheck
