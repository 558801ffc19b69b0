#include "toy.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <set>
#include <unistd.h>

#include <sys/resource.h>

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

constexpr LaunchStatus out_of_resources = 701;

struct Log {
  static constexpr std::size_t most = 20000;
  std::atomic<std::size_t> count;
  std::array<ToyLaunch, most> launches;
};

bool holds_entry(const fs::path& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error))
    if (file->path().extension() == ".json") return true;
  return false;
}

class ToyModule : public Module {
 public:
  ToyModule(Config config, std::shared_ptr<SharedMemory> log, fs::path watched, int test_process)
      : m_config(std::move(config)),
        m_log(std::move(log)),
        m_watched(std::move(watched)),
        m_test_process(test_process) {}

  LaunchStatus launch(const LaunchArguments& arguments) const override {
    write_down(arguments);
    const TensorView& x = arguments.tensors[0];
    const TensorView& y = arguments.tensors[1];
    std::vector<double> in = to_doubles(x);
    std::vector<double> out = to_doubles(y);
    const bool in_place = m_config.contains("in_place");
    const auto defect = defect_of(m_config);
    if (defect == changes_input) in.back() = static_cast<double>(in.size());  // as it was at first
    const std::size_t written = defect == half_written ? out.size() / 2 : out.size();
    for (std::size_t i = 0; i < written; ++i)
      out[i] = defect == wrong ? 7 : in_place ? out[i] + in[i] : 2 * in[i];
    write(out, written, y);
    if (arguments.tensors.size() > 2) write_second(in, defect, arguments.tensors[2]);
    if (defect == writes_past_end) store_element(y.dtype, byte_range(y).end, 99);
    if (defect == writes_in_front)
      store_element(y.dtype, std::min(byte_range(x).first, byte_range(y).first) - size_of(y.dtype),
                    99);
    if (defect == changes_input) store_element(x.dtype, byte_range(x).end - size_of(x.dtype), 99);
    if (defect == crashes) crash();
    return defect == refuses ? out_of_resources : 0;
  }

  TimedLaunch timed_launch(const LaunchArguments& arguments) const override {
    const LaunchStatus status = launch(arguments);
    return {status, m_config.at("time") - (defect_of(m_config) == right ? 0 : 50)};
  }

 private:
  static std::int64_t defect_of(const Config& config) {
    const std::int64_t defect = config.at("defect");
    return defect != wrong_if_200 ? defect : config.at("time") == 200 ? wrong : right;
  }

  static void write_second(std::vector<double> values, std::int64_t defect, const TensorView& z) {
    for (double& value : values)
      value = defect == wrong_second ? 7 : 3 * value;
    write(values, values.size(), z);
  }

  // Elements beyond `count` stay as they are, bit by bit: they may be poison.
  static void write(const std::vector<double>& values, std::size_t count, const TensorView& to) {
    const auto size = static_cast<std::int64_t>(size_of(to.dtype));
    for_each_element(to.layout, [&](std::int64_t linear, std::int64_t offset) {
      const auto i = static_cast<std::size_t>(linear);
      if (i < count) store_element(to.dtype, to.data + offset * size, values[i]);
    });
  }

  static void crash() {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
  }

  void write_down(const LaunchArguments& arguments) const {
    Log& log = *reinterpret_cast<Log*>(m_log->data());
    const std::size_t index = log.count++;
    if (index >= Log::most) return;
    ToyLaunch& launch = log.launches[index];
    launch.in_trial = ::getpid() != m_test_process;
    launch.stride = arguments.tensors[1].layout.strides[0];
    launch.address_mod_64 =
        static_cast<int>(reinterpret_cast<std::uintptr_t>(arguments.tensors[1].data) % 64);
    launch.stored = holds_entry(m_watched);
    const std::string digest = digest_elements(arguments.tensors[1]);
    std::memcpy(launch.written.data(), digest.data(), std::min<std::size_t>(digest.size(), 16));
  }

  Config m_config;
  std::shared_ptr<SharedMemory> m_log;
  fs::path m_watched;
  int m_test_process;
};

}  // namespace

ToyBackend::ToyBackend()
    : m_log(std::make_shared<SharedMemory>(sizeof(Log))), m_test_process(::getpid()) {}

Result<std::string> ToyBackend::resolve_arch(std::string_view requested) const {
  return requested.empty() ? "toy1" : std::string(requested);
}

// The artifact is the config, and whether the kernel is in place.
Result<Artifact> ToyBackend::compile(const CompileRequest& request) const {
  ++m_compiles;
  Config config = request.config;
  if (request.kernel->tensors[1].access == Access::in_place) config["in_place"] = 1;
  const std::string text = to_string(config);
  const auto bytes = std::as_bytes(std::span(text));
  return Artifact{{bytes.begin(), bytes.end()}};
}

Result<std::unique_ptr<Module>> ToyBackend::load(const Artifact& artifact) const {
  const std::string text(reinterpret_cast<const char*>(artifact.bytes.data()),
                         artifact.bytes.size());
  TUNECHECK_TRY(Config config, parse_config(text));
  return std::make_unique<ToyModule>(std::move(config), m_log, watched, m_test_process);
}

std::vector<ToyLaunch> ToyBackend::launches() const {
  const Log& log = *reinterpret_cast<const Log*>(m_log->data());
  const auto count = std::min(log.count.load(), Log::most);
  return {log.launches.begin(), log.launches.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::vector<std::string> ToyBackend::seen_by_trials() const {
  std::set<std::string> seen;
  for (const ToyLaunch& launch : launches())
    if (launch.in_trial) seen.insert(launch.written.data());
  return {seen.begin(), seen.end()};
}

Toy::Toy(Access access) : temporary(TemporaryFolder::create("tunecheck-mutants").value()) {
  options.cache_folder = temporary.path() / "cache";
  backend.watched = options.cache_folder;
  KernelDefinition kernel;
  kernel.name = "toy";
  kernel.sizes["smoke"] = {{"n", elements}};
  kernel.tensors = {{"x", {DType::f32, DType::f64}, {"n"}, Access::read, {}, 0},
                    {"y", {DType::f32, DType::f64}, {"n"}, access, {}, 0}};
  kernel.scalars = {{"decides", DType::f32, 1, true}, {"does_not", DType::f32, 1, false}};
  if (access == Access::in_place) kernel.restore_value = {"y"};
  kernel.default_config = {{"defect", "0"}, {"time", "200"}};
  request = TuneRequest::of(std::move(kernel), "smoke");
  set_space({right}, {200, 100});
}

void Toy::add_second_output() {
  request.kernel.tensors.push_back({"z", {DType::f32, DType::f64}, {"n"}, Access::write, {}, 0});
}

void Toy::set_space(std::vector<std::int64_t> defects, std::vector<std::int64_t> times) {
  request.space.parameters = {{"defect", std::move(defects)}, {"time", std::move(times)}};
}

std::vector<fs::path> Toy::stored_files() const {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator file(options.cache_folder, error), end;
       !error && file != end; file.increment(error))
    if (file->is_regular_file()) files.push_back(file->path());
  return files;
}

namespace {

TunerParts parts_with(const std::string& mutant) {
  ReferenceAdapterSetup setup;
  if (!mutant.empty()) find_mutant(mutant)->plant(setup);
  return setup.parts;
}

}  // namespace

ToyProcess::ToyProcess(Toy& toy, const std::string& mutant) : ToyProcess(toy, parts_with(mutant)) {}

ToyProcess::ToyProcess(Toy& toy, TunerParts parts)
    : m_toy(toy), m_tuner(std::make_unique<Tuner>(toy.backend, toy.options, std::move(parts))) {}

ToyCall ToyProcess::call(bool misaligned, bool swapped,
                         const std::map<std::string, double>& scalars) {
  const std::int64_t shape[] = {m_toy.elements + (misaligned ? 1 : 0)};
  const std::int64_t strides[] = {m_toy.stride};
  const SharedTensor x(m_toy.dtype, Layout::strided(shape, strides));
  const SharedTensor y(m_toy.dtype, Layout::strided(shape, strides));
  const SharedTensor z(m_toy.dtype, Layout::strided(shape, strides));
  x.fill(1, 1);
  y.fill(0.5, 0.25);
  TensorView views[] = {x.view(), y.view(), z.view()};
  for (TensorView& view : views) {
    if (misaligned) view.data += size_of(view.dtype);
    view.layout.shape[0] = m_toy.elements;
  }
  TuneRequest request = m_toy.request;
  request.sizes = {{"n", m_toy.elements}};
  ToyCall call;
  auto bound = m_tuner->bind(std::move(request));
  if (!bound) {
    call.report = failure(bound.error());
    return call;
  }
  m_bound.push_back(std::move(*bound));
  const NamedTensor named[] = {{swapped ? "y" : "x", views[swapped ? 1 : 0]},
                               {swapped ? "x" : "y", views[swapped ? 0 : 1]},
                               {"z", views[2]}};
  const auto count = m_toy.request.kernel.tensors.size();
  call.report = m_bound.back().call(std::span(named).first(count), scalars);
  if (call.report && call.report->winner != nullptr) call.winner = *call.report->winner;
  call.x = x.elements();
  call.y = y.elements();
  call.z = z.elements();
  call.canaries_intact = x.canaries_intact() && y.canaries_intact();
  return call;
}

ToyCall call_once(Toy& toy, const std::string& mutant) {
  return ToyProcess(toy, mutant).call();
}

std::vector<double> initial_y(const Toy& toy) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < toy.elements; ++i)
    values.push_back(0.5 + 0.25 * static_cast<double>(i));
  return values;
}

std::vector<double> expected_result(const Toy& toy, bool from_zero) {
  const bool in_place = toy.request.kernel.tensors[1].access == Access::in_place;
  std::vector<double> values = initial_y(toy);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = 1 + static_cast<double>(i);
    values[i] = !in_place ? 2 * x : from_zero ? x : values[i] + x;
  }
  return values;
}

}  // namespace tunecheck::test
