#include "backend/gpu/gpu_backend.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "backend/gpu/device_state.hpp"
#include "backend/gpu/driver/device.hpp"
#include "backend/gpu/gpu_artifact.hpp"
#include "backend/gpu/gpu_compiler.hpp"
#include "backend/gpu/gpu_memory.hpp"
#include "backend/gpu/gpu_module.hpp"
#include "backend/gpu/runtime_compiler.hpp"
#include "backend/gpu/worker/trial_worker.hpp"
#include "backend/kernel_sources.hpp"
#include "core/resources.hpp"

namespace tunecheck {
namespace {

using gpu::GpuDevice;

// "90" of "compute_90"; 0 where there is no number.
int number_after(std::string_view text, std::string_view beginning) {
  int number = 0;
  if (text.starts_with(beginning))
    (void)std::from_chars(text.data() + beginning.size(), text.data() + text.size(), number);
  return number;
}

// Sizes say how a kernel is launched, and change nothing of its code.
bool is_same_code(const CompileRequest& a, const CompileRequest& b) {
  return a.kernel == b.kernel && a.dtypes == b.dtypes && a.config == b.config && a.arch == b.arch &&
         a.options == b.options;
}

// True for "gfx90a" and "gfx90a:xnack-" of "gfx90a:sramecc+:xnack-".
bool asks_for_part_of(std::string_view wanted, std::string_view own) {
  const auto features = [](std::string_view arch) {
    std::set<std::string, std::less<>> parts;
    for (std::size_t colon = arch.find(':'); colon != arch.npos;) {
      const std::size_t next = arch.find(':', colon + 1);
      parts.emplace(arch.substr(colon + 1, next - colon - 1));
      colon = next;
    }
    return parts;
  };
  const auto has = features(own);
  const auto asked = features(wanted);
  return wanted.substr(0, wanted.find(':')) == own.substr(0, own.find(':')) &&
         std::includes(has.begin(), has.end(), asked.begin(), asked.end());
}

}  // namespace

GpuBackend::GpuBackend(DeviceKind kind, std::optional<int> device)
    : m_kind(kind), m_device(device) {}
GpuBackend::~GpuBackend() = default;

Result<const GpuDevice*> GpuBackend::device() const {
  return GpuDevice::open(m_kind, m_device);
}

Result<std::string> GpuBackend::resolve_arch(std::string_view requested) const {
  TUNECHECK_TRY(const GpuDevice* const device, this->device());
  const std::string& own = device->arch();
  if (requested.empty() || requested == "native" || requested == own) return own;
  const std::string wanted(requested);
  const int ptx = number_after(wanted, "compute_");
  const int here = number_after(own, "sm_");
  if (here > 0 && wanted == own + "a") return wanted;
  if (here == 0 && asks_for_part_of(wanted, own)) return wanted;
  if (ptx > 0 && ptx <= here) return wanted;
  return failure(ErrorKind::bad_input, "the arch \"{}\" does not run on this device, which is {}{}",
                 wanted, own,
                 here > 0 ? fmt::format("; expected native, {} or compute_NN up to {}", own, here)
                          : std::string());
}

std::string GpuBackend::arch_for(const KernelDefinition& kernel, std::string arch) const {
  return gpu_arch_for(m_kind, kernel, std::move(arch));
}

Result<std::string> GpuBackend::toolchain_fingerprint() const {
  return runtime_compiler_fingerprint(m_kind);
}

Result<KernelSources> GpuBackend::sources(const KernelDefinition& kernel) const {
  if (!kernel.gpu)
    return failure(ErrorKind::bad_input, "the kernel \"{}\" has no gpu source", kernel.name);
  return collect_sources({kernel.folder, kernel.gpu->source, find_resources().gpu_include});
}

std::vector<std::string> GpuBackend::environment_variables() const {
  // NVRTC reads none that changes what it makes of a source.
  if (m_kind == DeviceKind::cuda) return {};
  return {"HIPRTC_COMPILE_OPTIONS_APPEND", "HIPRTC_LINK_OPTIONS_APPEND"};
}

Result<Artifact> GpuBackend::compile(const CompileRequest& request) const {
  return std::move(compile_all(std::span(&request, 1), 1).front());
}

std::vector<Result<Artifact>> GpuBackend::compile_all(std::span<const CompileRequest> requests,
                                                      int jobs, const OnCompiled& done) const {
  std::vector<CompileRequest> distinct;
  std::vector<std::size_t> places;  // one a request: where its code is in `distinct`
  for (const CompileRequest& request : requests) {
    const auto same =
        std::find_if(distinct.begin(), distinct.end(),
                     [&](const CompileRequest& other) { return is_same_code(request, other); });
    places.push_back(static_cast<std::size_t>(same - distinct.begin()));
    if (same == distinct.end()) distinct.push_back(request);
  }
  std::vector<std::optional<Result<Artifact>>> slots(requests.size());
  const auto take = [&](std::size_t place, const Result<Artifact>& code) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (places[i] != place) continue;
      slots[i] = code.and_then([&](const Artifact& compiled) {
        const KernelDefinition& kernel = *requests[i].kernel;
        return kernel.gpu_launch(requests[i].sizes, requests[i].config)
            .map([&](const GpuLaunchShape& shape) {
              return gpu::pack(kernel.name, shape, compiled.bytes);
            });
      });
      if (done) done(i, *slots[i]);
    }
  };
  (void)compile_gpu_all(m_kind, distinct, jobs, take);
  std::vector<Result<Artifact>> artifacts;
  for (auto& slot : slots)
    artifacts.push_back(std::move(slot).value());
  return artifacts;
}

Result<std::unique_ptr<Module>> GpuBackend::load(const Artifact& artifact) const {
  TUNECHECK_TRY(const GpuDevice* const device, this->device());
  return gpu::load_gpu_module(*device, artifact);
}

Result<std::unique_ptr<TrialSite>> GpuBackend::make_trial_site(
    std::chrono::milliseconds time_limit) const {
  TUNECHECK_TRY(const GpuDevice* const device, this->device());
  {
    const std::scoped_lock lock(m_preparing);
    if (!m_prepared.valid())
      m_prepared = std::async(std::launch::async, gpu::prepare_device_state, std::cref(*device));
  }
  return gpu::make_trial_worker(*device, memory(), m_kind, time_limit);
}

const TensorMemory& GpuBackend::memory() const {
  std::call_once(m_memory_made, [this] {
    if (const auto device = this->device()) m_memory = std::make_unique<gpu::GpuMemory>(**device);
  });
  return m_memory ? *m_memory : host_memory();
}

bool GpuBackend::is_capturing(Stream stream) const {
  const auto device = this->device();
  int state = 0;
  return device && stream != nullptr && (*device)->context() != nullptr &&
         (*device)->functions().stream_is_capturing(stream, &state) == 0 && state != 0;
}

std::string GpuBackend::describe(LaunchStatus status) const {
  const auto driver = gpu::GpuDriver::open(m_kind);
  return driver ? (*driver)->describe(status) : Backend::describe(status);
}

std::string GpuBackend::device_state() const {
  const auto device = this->device();
  return device ? gpu::device_state(**device) : std::string();
}

std::string GpuBackend::device_kind() const {
  const auto device = this->device();
  return device ? (*device)->kind() : std::string();
}

Result<std::string> GpuBackend::device_name() const {
  TUNECHECK_TRY(const GpuDevice* const device, this->device());
  return device->name();
}

}  // namespace tunecheck
