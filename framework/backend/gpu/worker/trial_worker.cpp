#include "backend/gpu/worker/trial_worker.hpp"

#include <map>
#include <optional>
#include <utility>

#include "backend/gpu/worker/lines.hpp"
#include "core/command.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck::gpu {
namespace {

using namespace std::chrono_literals;
using Kind = WorkerRequest::Kind;

// A context takes its time, more so where many are made at once.
constexpr auto start_time_limit = 60s;

// The parent's end of lines.hpp: a worker process that is started when it is needed. spawn() only
// starts it, so that its context is made while the parent does something else; tell() and ask()
// wait for its greeting and map what the request needs. If the process dies, hangs or complains, it
// is killed, and its modules and mappings are gone. Until take_trouble() is called, nothing is
// started: tell() does nothing and ask() returns that trouble, so that no trial goes on in half of
// its memory. After that the next request starts a fresh process, which starts() counts.
class Worker {
 public:
  Worker(const GpuDevice& device, DeviceKind backend, std::chrono::milliseconds time_limit)
      : m_device(device), m_backend(backend), m_time_limit(time_limit) {}

  // Queues a request that is not answered.
  void tell(const WorkerRequest& request) {
    if (!be_ready(request.tensors)) return;
    if (!m_process->write_line(to_line(request))) give_up("the trial's process reads no more");
  }

  WorkerAnswer ask(const WorkerRequest& request) {
    if (!be_ready(request.tensors)) return {m_trouble, {}};
    if (m_process->write_line(to_line(request)))
      if (auto answer = read_answer()) return std::move(*answer);
    return {m_trouble, {}};
  }

  // The number of a module that is not loaded in a worker that was started since.
  [[nodiscard]] std::uint64_t starts() const { return m_starts; }

  std::string take_trouble() { return std::exchange(m_trouble, {}); }

  void map(std::byte* first, std::size_t bytes) {
    if (bytes > 0 && be_ready({})) (void)map_range(reinterpret_cast<Address>(first));
  }

  std::filesystem::path folder() const { return m_folder->path(); }

  // Starts the process, which then makes its context while this one does something else.
  bool spawn() {
    if (m_process) return true;
    // What was lost with the last one is lost until somebody has asked why.
    if (!m_trouble.empty()) return false;
    if (!m_folder) {
      auto folder = TemporaryFolder::create("tunecheck-gpu");
      if (!folder) return give_up(folder.error().text());
      m_folder.emplace(std::move(*folder));
    }
    const auto program = find_own_file("tunecheck-gpu-worker");
    if (!program) return give_up(program.error().text());
    CommandOptions options;
    options.arguments = {program->string(), std::string(name_of(m_backend)),
                         std::to_string(m_device.number())};
    // Trials use one stream: a context with one connection is made in less time.
    options.environment = current_environment();
    (*options.environment)["CUDA_DEVICE_MAX_CONNECTIONS"] = "1";
    auto process = LineProcess::start(options, m_folder->path() / "log");
    if (!process)
      return give_up("the trial's process cannot be started: " + process.error().text());
    m_process.emplace(std::move(*process));
    m_mapped.clear();
    m_has_greeted = false;
    ++m_starts;
    return true;
  }

  bool start() {
    if (!spawn()) return false;
    if (m_has_greeted) return true;
    const auto read = m_process->read_line(start_time_limit);
    const auto greeting = read.state == LineProcess::ReadState::line
                              ? parse_worker_answer(read.line)
                              : Result<WorkerAnswer>(failure("it does not greet"));
    if (!greeting)
      return give_up(
          fmt::format("the trial's process does not start: {}", m_process->wait(1s).text()));
    if (!greeting->trouble.empty()) return give_up(greeting->trouble);
    m_has_greeted = true;
    return true;
  }

 private:
  // True where the worker runs and reaches all of the tensors.
  bool be_ready(const std::vector<TensorView>& tensors) {
    if (!start()) return false;
    for (const TensorView& tensor : tensors)
      if (tensor.layout.count() > 0 &&
          !map_range(reinterpret_cast<Address>(byte_range(tensor).first)))
        return false;
    return true;
  }

  // The whole allocation, once.
  bool map_range(Address address) {
    const auto after = m_mapped.upper_bound(address);
    if (after != m_mapped.begin()) {
      const auto& [base, bytes] = *std::prev(after);
      if (address < base + bytes) return true;
    }
    const DriverFunctions& f = m_device.functions();
    (void)m_device.context();
    WorkerRequest request;
    request.kind = Kind::map;
    std::size_t bytes = 0;
    Status status = f.address_range(&request.address, &bytes, address);
    if (status == 0) status = f.ipc_export(&request.handle, request.address);
    if (status != 0)
      return give_up("a trial's memory cannot be shared: " + m_device.driver().describe(status));
    request.bytes = bytes;
    if (!m_process->write_line(to_line(request)))
      return give_up("the trial's process reads no more");
    m_mapped[request.address] = bytes;
    return true;
  }

  std::optional<WorkerAnswer> read_answer() {
    const auto read = m_process->read_line(m_time_limit);
    if (read.state == LineProcess::ReadState::timed_out) {
      give_up(fmt::format("did not end within {} ms", m_time_limit.count()));
      return std::nullopt;
    }
    if (read.state != LineProcess::ReadState::line) {
      give_up(m_process->wait(1s).text());
      return std::nullopt;
    }
    auto answer = parse_worker_answer(read.line);
    if (!answer) {
      give_up(answer.error().text());
      return std::nullopt;
    }
    if (!answer->trouble.empty()) give_up(answer->trouble);
    return std::move(*answer);
  }

  bool give_up(std::string why) {
    if (m_trouble.empty()) m_trouble = std::move(why);
    m_process.reset();
    return false;
  }

  const GpuDevice& m_device;
  const DeviceKind m_backend;
  const std::chrono::milliseconds m_time_limit;
  std::optional<TemporaryFolder> m_folder;
  std::optional<LineProcess> m_process;
  bool m_has_greeted = false;
  std::uint64_t m_starts = 0;
  std::map<Address, std::uint64_t> m_mapped;  // bytes by first address
  std::string m_trouble;
};

// The parent's memory, with the worker's hands.
class WorkerMemory final : public TensorMemory {
 public:
  WorkerMemory(Worker& worker, const TensorMemory& memory) : m_worker(worker), m_memory(memory) {}

  Result<MemoryBlock> allocate(std::size_t bytes) const override {
    return m_memory.allocate(bytes);
  }
  void copy_elements(const TensorView& from, const TensorView& to, Stream) const override {
    tell(Kind::copy, {from, to});
  }
  void fill_zero(const TensorView& view, Stream) const override { tell(Kind::zero, {view}); }
  void fill_poison(const TensorView& view, Stream) const override { tell(Kind::poison, {view}); }
  void fill_bytes(std::byte* first, std::size_t bytes, std::byte value) const override {
    if (bytes == 0) return;
    m_worker.map(first, bytes);
    WorkerRequest request;
    request.kind = Kind::fill;
    request.address = reinterpret_cast<Address>(first);
    request.bytes = bytes;
    request.value = static_cast<unsigned>(value);
    m_worker.tell(request);
  }

  // The parent looks for itself, when the worker has done what it was asked for.
  bool holds(const std::byte* first, std::size_t bytes, std::byte value) const override {
    return wait() && m_memory.holds(first, bytes, value);
  }
  bool same_elements(const TensorView& a, const TensorView& b) const override {
    return wait() && m_memory.same_elements(a, b);
  }
  Comparison compare_elements(const TensorView& actual, const TensorView& expected,
                              const Tolerance& tolerance) const override {
    if (!wait()) return Comparison::unreadable(actual.layout.count());
    return m_memory.compare_elements(actual, expected, tolerance);
  }
  Result<HostTensor> on_host(const TensorView& view) const override {
    TUNECHECK_CHECK(wait());
    return m_memory.on_host(view);
  }
  void copy_from_host(const TensorView& from, const TensorView& to) const override {
    if (!wait()) return;
    m_memory.copy_from_host(from, to);
    (void)m_memory.wait();
  }

  Result<void> wait() const override {
    const WorkerAnswer answer = m_worker.ask({});
    if (!answer.trouble.empty()) return failure("{}", answer.trouble);
    return {};
  }

 private:
  void tell(Kind kind, std::vector<TensorView> tensors) const {
    WorkerRequest request;
    request.kind = kind;
    request.tensors = std::move(tensors);
    m_worker.tell(request);
  }

  Worker& m_worker;
  const TensorMemory& m_memory;
};

// A module that is loaded in the worker, known there by its number. It belongs to the process that
// loaded it: if the worker was started anew since, a launch fails, because the fresh process has no
// such module, and there is nothing to unload. It dies before the worker.
class WorkerModule final : public Module {
 public:
  WorkerModule(Worker& worker, std::uint64_t number)
      : m_worker(worker), m_number(number), m_start(worker.starts()) {}
  WorkerModule(const WorkerModule&) = delete;
  WorkerModule& operator=(const WorkerModule&) = delete;
  ~WorkerModule() override {
    if (m_worker.starts() != m_start) return;
    WorkerRequest request;
    request.kind = Kind::unload;
    request.number = m_number;
    m_worker.tell(request);
  }

  LaunchStatus launch(const LaunchArguments& arguments) const override {
    return ask(arguments, {}).status;
  }
  TimedLaunch timed_launch(const LaunchArguments& arguments) const override {
    WorkerRequest request;
    request.timed = true;
    return ask(arguments, std::move(request));
  }
  TimedLaunch timed_hot_launch(const LaunchArguments& arguments) const override {
    WorkerRequest request;
    request.timed = true;
    request.cold = false;
    return ask(arguments, std::move(request));
  }

 private:
  TimedLaunch ask(const LaunchArguments& arguments, WorkerRequest request) const {
    request.kind = Kind::launch;
    request.number = m_number;
    request.tensors.assign(arguments.tensors.begin(), arguments.tensors.end());
    request.scalars.assign(arguments.scalars.begin(), arguments.scalars.end());
    const WorkerAnswer answer = m_worker.ask(request);
    // The site says what happened; here it is only said that something did.
    constexpr LaunchStatus site_died = -1;
    if (!answer.trouble.empty() && answer.launch.status == 0) return {site_died};
    return answer.launch;
  }

  Worker& m_worker;
  const std::uint64_t m_number;
  const std::uint64_t m_start;
};

class TrialWorker final : public TrialSite {
 public:
  TrialWorker(const GpuDevice& device, const TensorMemory& memory, DeviceKind backend,
              std::chrono::milliseconds time_limit)
      : m_worker(device, backend, time_limit), m_memory(m_worker, memory) {
    (void)m_worker.spawn();  // what goes wrong is said when it is first needed
  }

  const TensorMemory& memory() const override { return m_memory; }

  Result<std::unique_ptr<Module>> load(const Artifact& artifact) override {
    if (!m_worker.start()) return failure("{}", m_worker.take_trouble());
    WorkerRequest request;
    request.kind = Kind::load;
    request.number = ++m_modules;
    request.file = m_worker.folder() / "artifact";
    TUNECHECK_CHECK(write_file(request.file, artifact.bytes));
    const WorkerAnswer answer = m_worker.ask(request);
    if (!answer.trouble.empty()) {
      const std::string died = m_worker.take_trouble();
      return failure("{}", died.empty() ? answer.trouble : died);
    }
    return std::make_unique<WorkerModule>(m_worker, request.number);
  }

  std::string take_trouble() override { return m_worker.take_trouble(); }

 private:
  Worker m_worker;
  WorkerMemory m_memory;
  std::uint64_t m_modules = 0;
};

}  // namespace

std::unique_ptr<TrialSite> make_trial_worker(const GpuDevice& device, const TensorMemory& memory,
                                             DeviceKind backend,
                                             std::chrono::milliseconds time_limit) {
  return std::make_unique<TrialWorker>(device, memory, backend, time_limit);
}

}  // namespace tunecheck::gpu
