#include "backend/sim/sim_backend.hpp"

#include <cstdlib>
#include <tuple>

#include "backend/sim/artifact.hpp"
#include "backend/sim/device.hpp"
#include "backend/sim/random.hpp"
#include "backend/sim/sim_module.hpp"
#include "core/text.hpp"

namespace tunecheck {
namespace {

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  const auto value = text != nullptr ? parse_integer(text) : std::nullopt;
  return value ? static_cast<std::uint64_t>(*value) : otherwise;
}

Result<void> check_has_model(const KernelDefinition& kernel) {
  if (kernel.sim) return {};
  return failure(ErrorKind::bad_input, "the kernel \"{}\" has no section sim", kernel.name);
}

}  // namespace

SimConditions SimConditions::from_environment() {
  SimConditions conditions;
  conditions.seed = number_in("TUNECHECK_SIM_SEED", conditions.seed);
  conditions.process = number_in("TUNECHECK_SIM_PROCESS", conditions.process);
  return conditions;
}

SimBackend::SimBackend(SimConditions conditions)
    : m_device(std::make_shared<sim::Device>(conditions.seed, conditions.process)) {}
SimBackend::~SimBackend() = default;

Result<std::string> SimBackend::resolve_arch(std::string_view requested) const {
  constexpr std::string_view only = name_of(DeviceKind::sim);
  if (requested.empty() || requested == "native" || requested == only) return std::string(only);
  return failure(ErrorKind::bad_input,
                 "there is no arch \"{}\" on the simulated device; expected sim", requested);
}

Result<std::string> SimBackend::toolchain_fingerprint() const {
  return "tunecheck sim 1";
}

Result<KernelSources> SimBackend::sources(const KernelDefinition& kernel) const {
  TUNECHECK_CHECK(check_has_model(kernel));
  return KernelSources{{"kernel.info", kernel.sim->text()}, {}};
}

Result<SimBackend::Cost> SimBackend::cost_of(const CompileRequest& request) const {
  const KernelDefinition& kernel = *request.kernel;
  TUNECHECK_CHECK(check_has_model(kernel));
  Cost cost;
  double ruggedness = 0;
  {
    const std::scoped_lock lock(m_mutex);
    std::vector<std::string> names = names_of(request.config);
    if (!m_known || std::tie(m_known->model, m_known->sizes, m_known->names) !=
                        std::tie(*kernel.sim, request.sizes, names)) {
      TUNECHECK_TRY(SimLandscape landscape,
                    SimLandscape::create(*kernel.sim, to_variables(request.sizes), names));
      m_known.emplace(Known{*kernel.sim, request.sizes, std::move(names), std::move(landscape)});
    }
    TUNECHECK_TRY(cost.point, m_known->landscape.at(values_of(request.config)));
    cost.disturbance = m_known->landscape.disturbance();
    ruggedness = m_known->landscape.ruggedness();
  }
  const std::uint64_t place = sim::mixed(
      {m_device->seed(), sim::word_of(kernel.name), sim::word_of(to_string(request.config))});
  cost.point.cost_ns *= 1 + ruggedness * sim::uniform(place);
  return cost;
}

Result<Artifact> SimBackend::compile(const CompileRequest& request) const {
  TUNECHECK_TRY(const Cost cost, cost_of(request));
  sim::Program program;
  program.kernel = request.kernel->name;
  program.config = to_string(request.config);
  program.cost_ns = cost.point.cost_ns;
  program.refuses = cost.point.refuses;
  program.wrong = cost.point.wrong;
  for (const TensorParameter& tensor : request.kernel->tensors)
    program.accesses.push_back(tensor.access);
  program.disturbance = cost.disturbance;
  return sim::to_artifact(program);
}

Result<double> SimBackend::true_cost_ns(const CompileRequest& request) const {
  TUNECHECK_TRY(const Cost cost, cost_of(request));
  if (cost.point.refuses) return failure("refuses to be launched");
  if (cost.point.wrong) return failure("computes wrongly");
  return cost.point.cost_ns;
}

Result<std::unique_ptr<Module>> SimBackend::load(const Artifact& artifact) const {
  TUNECHECK_TRY(sim::Program program, sim::read_artifact(artifact));
  return sim::make_module(std::move(program), m_device);
}

}  // namespace tunecheck
