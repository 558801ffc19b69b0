// The observer of FFTW, whose kernels are its own and call no probe: loaded with LD_PRELOAD beside
// the launch probe, it stands before the functions by which FFTW measures a plan and executes one,
// and tells the launch probe of them.
//
// A trial is a plan that the planner measures for the whole transform. Most plans it measures for
// parts of one, and the launch probe is told no more than that there were some. FFTW runs a plan
// some hundred times in one measurement, of which the first is told: the planner takes the shortest
// of eight, so that the probe's own time does not count. The text of a plan is its config.
#include <tunecheck/cpu_kernel.h>

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

#include "observe/event_lines.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/fftw/transform.hpp"

namespace tunecheck::fftw {
namespace {

constexpr const char* library_name = "libfftw3.so.3";

// Null where the probe is to be inert. Never freed, because plans may be executed while the process
// ends.
struct Settings {
  std::string evidence;
  std::string kernel;
};
const Settings* settings = nullptr;

// Read at load, before the process can change its environment.
__attribute__((constructor)) void read_settings() {
  const char* const evidence = std::getenv("TUNECHECK_PROBE_EVIDENCE");
  const char* const kernel = std::getenv("TUNECHECK_PROBE_KERNEL");
  if (evidence == nullptr || *evidence == '\0' || kernel == nullptr) return;
  settings = new Settings{evidence, kernel};
}

// The library's own symbol, whether the program was linked with it or has opened it.
void* symbol(const char* name) {
  if (void* const found = ::dlsym(RTLD_NEXT, name)) return found;
  void* const library = ::dlopen(library_name, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* const found = ::dlsym(library, name);
  ::dlclose(library);  // it stays, because the program has it
  return found;
}

// The caller has found the function that it calls, so the function is there.
template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(symbol(name));
}

void tell_trouble(const std::string& what) {
  TroubleEvent event;
  event.time_ns = evidence_now_ns();
  event.pid = ::getpid();
  event.what = what;
  if (const auto evidence = open_evidence(settings->evidence))
    (void)append_line(*evidence, to_line(event));
}

bool is_known_version() {
  const char* const version = reinterpret_cast<const char*>(symbol("fftw_version"));
  if (version != nullptr && std::strncmp(version, known_version.data(), known_version.size()) == 0)
    return true;
  tell_trouble(std::string("plans are not seen: expected the library ") +
               std::string(known_version) + ", found " + (version != nullptr ? version : "none"));
  return false;
}

// False where nothing is to be told. Looks at no memory of a library that it does not know.
bool observes() {
  if (settings == nullptr || tunecheck_probe_begin == nullptr) return false;
  static const bool known = is_known_version();
  return known;
}

// In one line: "(dft-ct-dit/8 (dftw-direct-8/28 "t1fv_8_avx") (dft-direct-32-x8 "n2fv_32_avx"))".
std::string text_of(Plan* plan) {
  const PublicPlan shown{plan, nullptr, 0};
  char* const lines = original<char*(const PublicPlan*)>("fftw_sprint_plan")(&shown);
  if (lines == nullptr) return {};
  std::string text;
  for (const char* c = lines; *c != '\0'; ++c) {
    const bool is_blank = *c == ' ' || *c == '\n';
    if (!is_blank)
      text += *c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  std::free(lines);
  return text;
}

// One launch as the launch probe is told of it, from its beginning to its end.
class ToldLaunch {
 public:
  ToldLaunch(const std::string& config, const Transform& transform) : m_transform(transform) {
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
      const TransformedTensor& tensor = m_transform.tensors.at(i);
      m_tensors.at(i) = {tensor.data, tensor.shape.data(), tensor.strides.data(), tensor.rank, 0};
    }
    m_launch = {m_tensors.data(), nullptr, static_cast<std::int32_t>(m_tensors.size()), 0};
    // What runs is the library's own code.
    tunecheck_probe_begin(settings->kernel.c_str(), config.c_str(), symbol("fftw_execute"),
                          &m_launch);
  }
  ToldLaunch(const ToldLaunch&) = delete;
  ToldLaunch& operator=(const ToldLaunch&) = delete;
  ~ToldLaunch() { tunecheck_probe_end(&m_launch, 0); }

 private:
  Transform m_transform;
  std::array<tunecheck_tensor, 2> m_tensors{};
  tunecheck_launch m_launch{};
};

// What the thread plans now.
struct Planning {
  std::optional<Transform> whole;
  int measured_wholes = 0;
  int measured_parts = 0;
};
thread_local Planning planning;

// What the thread measures now: a plan whose functions have been exchanged for ones of ours.
struct Measuring {
  const PlanKind* kind = nullptr;
  std::string config;
  std::optional<Transform> transform;  // nothing once it has been told
};
thread_local Measuring measuring;

void solve_and_tell(const Plan* plan, const Problem* problem) {
  if (!measuring.transform) return measuring.kind->solve(plan, problem);
  const Transform transform = *measuring.transform;
  measuring.transform.reset();
  const ToldLaunch told(measuring.config, transform);
  measuring.kind->solve(plan, problem);
}

std::optional<Transform> transform_of(const Problem* problem) {
  const ComplexProblem* const complex = as_complex(problem);
  if (complex == nullptr) return std::nullopt;
  return transform_of(*complex, arrays_of(*complex));
}

// The planner may have measured the parts of a transform and, with no choice beyond them, not the
// whole. It was tuned all the same, although no launch of the winner was measured.
void tell_of_parts_alone() {
  if (!planning.whole || planning.measured_wholes > 0 || planning.measured_parts == 0) return;
  const ToldLaunch told("parts alone", *planning.whole);
}

// Null for the plan's own arrays.
template <class Execute>
void execute_and_tell(const PublicPlan* plan, const Arrays* arrays, Execute&& execute) {
  const ComplexProblem* const problem = observes() ? as_complex(plan->problem) : nullptr;
  std::optional<Transform> transform;
  if (problem != nullptr)
    transform = fftw::transform_of(*problem, arrays == nullptr ? arrays_of(*problem) : *arrays);
  if (!transform) return execute();
  const ToldLaunch told(text_of(plan->plan), *transform);
  execute();
}

// Interleaved arrays, as a plan of this sign takes them.
Arrays interleaved(const PublicPlan& plan, double* input, double* output) {
  constexpr int forward = -1;
  if (plan.sign == forward) return {input, input + 1, output, output + 1};
  return {input + 1, input, output + 1, output};
}

}  // namespace

// What FFTW calls, and what its users call. Its own headers declare them likewise.
#pragma GCC visibility push(default)
extern "C" {

double fftw_measure_execution_time(const void* planner, Plan* plan, const Problem* problem) {
  const auto measure =
      original<double(const void*, Plan*, const Problem*)>("fftw_measure_execution_time");
  const auto transform = observes() ? transform_of(problem) : std::nullopt;
  if (!transform) return measure(planner, plan, problem);
  const bool is_whole = transform == planning.whole;
  ++(is_whole ? planning.measured_wholes : planning.measured_parts);
  if (!is_whole) return measure(planner, plan, problem);
  measuring = {plan->kind, text_of(plan), transform};
  PlanKind observed = *plan->kind;
  observed.solve = solve_and_tell;
  plan->kind = &observed;
  const double time = measure(planner, plan, problem);
  plan->kind = measuring.kind;
  measuring = {};
  return time;
}

PublicPlan* fftw_mkapiplan(int sign, unsigned flags, Problem* problem) {
  const auto make = original<PublicPlan*(int, unsigned, Problem*)>("fftw_mkapiplan");
  if (!observes()) return make(sign, flags, problem);
  planning = {transform_of(problem), 0, 0};
  PublicPlan* const plan = make(sign, flags, problem);
  tell_of_parts_alone();
  planning = {};
  return plan;
}

void fftw_execute(const PublicPlan* plan) {
  execute_and_tell(plan, nullptr, [&] { original<void(const PublicPlan*)>("fftw_execute")(plan); });
}

void fftw_execute_dft(const PublicPlan* plan, double* input, double* output) {
  const Arrays arrays = interleaved(*plan, input, output);
  execute_and_tell(plan, &arrays, [&] {
    original<void(const PublicPlan*, double*, double*)>("fftw_execute_dft")(plan, input, output);
  });
}

void fftw_execute_split_dft(const PublicPlan* plan, double* input_real, double* input_imaginary,
                            double* output_real, double* output_imaginary) {
  const Arrays arrays{input_real, input_imaginary, output_real, output_imaginary};
  execute_and_tell(plan, &arrays, [&] {
    original<void(const PublicPlan*, double*, double*, double*, double*)>("fftw_execute_split_dft")(
        plan, input_real, input_imaginary, output_real, output_imaginary);
  });
}
}  // extern "C"
#pragma GCC visibility pop

}  // namespace tunecheck::fftw
