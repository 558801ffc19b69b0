#include "adapter/reference/reference_adapter.hpp"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>
#include <unistd.h>

#include <spdlog/spdlog.h>

#include "adapter/protocol/messages.hpp"
#include "adapter/reference/bound_kernels.hpp"
#include "adapter/reference/gpu_call.hpp"
#include "adapter/reference/logging_observer.hpp"
#include "adapter/reference/mapped_tensors.hpp"
#include "backend/gpu/gpu_backend.hpp"
#include "core/byte_size.hpp"
#include "core/device_kinds.hpp"
#include "core/exit_status.hpp"
#include "core/text.hpp"
#include "tuner/remote/remote_options.hpp"
#include "tuner/store/eviction.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck {
namespace {

using protocol::CallAnswer;
using protocol::CallRequest;

std::string variable_or_none(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

tl::unexpected<Error> mistake_in(const char* name, const std::string& expected) {
  return failure(ErrorKind::bad_input, "{}: expected {}, found \"{}\"", name, expected,
                 variable_or_none(name));
}

// A variable that is empty counts as one that is not set.
Result<std::uint64_t> cache_limit_from_environment() {
  constexpr const char* name = "TUNECHECK_CACHE_LIMIT";
  const std::string limit = variable_or_none(name);
  if (limit.empty()) return TunerOptions().cache_limit_bytes;
  if (limit == "none") return no_cache_limit;
  if (const auto bytes = parse_byte_size(limit)) return *bytes;
  return mistake_in(name, "a size such as 64M, or none");
}

Result<std::chrono::milliseconds> lock_limit_from_environment() {
  constexpr const char* name = "TUNECHECK_LOCK_LIMIT_MS";
  constexpr std::int64_t most_ms = 1'000'000'000;
  const std::string limit = variable_or_none(name);
  if (limit.empty()) return TunerOptions().lock_time_limit;
  const auto given = parse_integer(limit);
  if (!given || *given < 0 || *given > most_ms)
    return mistake_in(name, fmt::format("milliseconds from 0 to {}", most_ms));
  return std::chrono::milliseconds(*given);
}

// How many winners stay in memory.
Result<std::size_t> loaded_limit_from_environment() {
  constexpr const char* name = "TUNECHECK_LOADED_LIMIT";
  const std::string limit = variable_or_none(name);
  if (limit.empty()) return TunerOptions().loaded_winners_limit;
  const auto given = parse_integer(limit);
  if (!given || *given < 1) return mistake_in(name, "a whole number of at least 1");
  return static_cast<std::size_t>(*given);
}

Result<std::optional<Effort>> effort_from_environment() {
  constexpr const char* name = "TUNECHECK_EFFORT";
  const std::string word = variable_or_none(name);
  if (word.empty()) return std::optional<Effort>();
  if (const auto effort = parse_effort(word)) return std::optional(*effort);
  return mistake_in(name, std::string(effort_words()));
}

Result<TunerOptions> options_from_environment() {
  TunerOptions options;
  const char* const off = std::getenv("TUNECHECK_CACHE_OFF");
  const bool is_off = off != nullptr && *off != '\0';
  if (const char* const folder = std::getenv("TUNECHECK_CACHE_DIR"); folder != nullptr && !is_off)
    options.cache_folder = folder;
  TUNECHECK_TRY(options.cache_limit_bytes, cache_limit_from_environment());
  const char* const unsearched = std::getenv("TUNECHECK_SEARCH_OFF");
  options.may_search = unsearched == nullptr || *unsearched == '\0';
  const char* const anew = std::getenv("TUNECHECK_SEARCH_ANEW");
  options.search_anew = anew != nullptr && *anew != '\0';
  options.search_last = !variable_or_none("TUNECHECK_SEARCH_LAST").empty();
  options.table_file = variable_or_none("TUNECHECK_TABLE");
  options.table_output = variable_or_none("TUNECHECK_TABLE_OUTPUT");
  TUNECHECK_TRY(options.search.effort, effort_from_environment());
  TUNECHECK_TRY(options.lock_time_limit, lock_limit_from_environment());
  TUNECHECK_TRY(options.loaded_winners_limit, loaded_limit_from_environment());
  TUNECHECK_TRY(options.remote, remote_options_from_environment());
  return options;
}

// Nothing where no bundle is named. The program of an adapter's process is the first kernel that it
// calls.
Result<std::optional<BundleOptions>> bundle_options_from_environment() {
  BundleOptions options;
  options.folder = variable_or_none("TUNECHECK_BUNDLE");
  if (options.folder.empty()) return std::optional<BundleOptions>();
  TUNECHECK_TRY(options.key, remote_key_from_environment());
  return std::optional(std::move(options));
}

// All that the environment says.
struct Surroundings {
  TunerOptions options;
  std::optional<BundleOptions> bundle;
};

Result<Surroundings> surroundings_from_environment() {
  Surroundings surroundings;
  TUNECHECK_TRY(surroundings.options, options_from_environment());
  TUNECHECK_TRY(surroundings.bundle, bundle_options_from_environment());
  return surroundings;
}

protocol::CacheState to_protocol(CacheUse use) {
  switch (use) {
    case CacheUse::hit:
      return protocol::CacheState::hit;
    case CacheUse::miss:
      return protocol::CacheState::miss;
    case CacheUse::stale:
      return protocol::CacheState::stale;
    case CacheUse::disabled:
      return protocol::CacheState::disabled;
    case CacheUse::pending:
      return protocol::CacheState::pending;
    case CacheUse::unchecked:
      return protocol::CacheState::unchecked;
  }
  return protocol::CacheState::disabled;
}

CallAnswer to_answer(const CallReport& report) {
  CallAnswer answer;
  answer.done = report.status == 0;
  answer.message = report.message;
  if (report.status != 0)
    answer.message = fmt::format("the launch was refused: status {}{}{}", report.status,
                                 report.message.empty() ? "" : "; ", report.message);
  if (report.winner != nullptr) answer.winner = *report.winner;
  answer.cache = to_protocol(report.cache);
  answer.missed_axes = report.missed_axes;
  if (report.remote != RemoteUse::none) answer.remote = std::string(name_of(report.remote));
  if (report.table != table::Use::none) answer.table = std::string(table::name_of(report.table));
  answer.compiles = report.compiles;
  if (report.given_meanwhile > 0) answer.given_meanwhile = report.given_meanwhile;
  answer.search_failure = report.search_failure;
  if (report.snapshot_bytes > 0)
    answer.snapshot_bytes = static_cast<std::int64_t>(report.snapshot_bytes);
  for (const Trial& trial : report.trials)
    answer.trials.push_back({trial.config, trial.failure, trial.median_ns, trial.reps});
  return answer;
}

// The protocol knows no strategy that the tuner does not.
SearchOptions to_options(const protocol::Search& search) {
  SearchOptions options;
  options.strategy = parse_search_strategy(search.strategy).value();
  options.trials = search.trials;
  options.time = std::chrono::nanoseconds(std::llround(search.time_ms * 1e6));
  options.seed = search.seed;
  return options;
}

// The reference tuner as one adapter process drives it: one tuner for each device, and the answer
// to each request. hello() comes first and chooses the backend, for which tuners are then made when
// a call needs them; call() and call_together() follow in any order. A tuner lives as long as the
// process, so that a second call of a key finds the winner in memory. A call that fails is an
// answer too: what kernels wrote is brought back to the files all the same, and the next call is
// served as if nothing had happened.
class Adapter {
 public:
  Adapter(const Backend& backend, const ReferenceAdapterSetup& setup, Surroundings surroundings)
      : m_backend(&backend),
        m_setup(setup),
        m_options(std::move(surroundings.options)),
        m_bundle(std::move(surroundings.bundle)) {}

  // Where there was a tuner already, it is another's by now.
  std::string hello(DeviceKind backend) {
    if (backend != m_backend->kind()) {
      const auto found =
          std::find_if(m_setup.other_backends.begin(), m_setup.other_backends.end(),
                       [&](const Backend* const each) { return each->kind() == backend; });
      if (found == m_setup.other_backends.end())
        return protocol::error_answer(
            fmt::format("there is no backend \"{}\" here", name_of(backend)));
      m_backend = *found;
      m_places.clear();
    }
    const auto device = m_backend->device_name();
    if (!device) return protocol::error_answer(device.error().text());
    protocol::Hello hello;
    hello.tuner = m_setup.tuner;
    hello.tuner_version = m_setup.parts.release;
    hello.backend = m_backend->kind();
    hello.device = *device;
    hello.arch = m_backend->resolve_arch("").value_or("");
    hello.capabilities = reference_capabilities();
    hello.policies = {
        {"reset_to_zero", "every_call"}, {"search_effort", "upgrade"}, {"result", "bitwise"}};
    if (is_gpu(m_backend->kind()))
      hello.devices = gpu::GpuDevice::count(m_backend->kind()).value_or(1);
    return protocol::to_line(hello);
  }

  CallAnswer call(const CallRequest& request) {
    std::optional<bool> capture_valid;
    const auto report = run(
        request, [] {}, capture_valid);
    CallAnswer answer = answer_to(report);
    answer.capture_valid = capture_valid;
    tell_of_bundle(answer);
    return answer;
  }

  protocol::ArchiveAnswer archive(const protocol::ArchiveRequest& request) const {
    protocol::ArchiveAnswer answer;
    const auto entries = archive_entries(request);
    answer.done = entries.has_value();
    if (answer.done)
      answer.entries = static_cast<std::int64_t>(*entries);
    else
      answer.message = entries.error().text();
    m_setup.before_archive_answer(answer);
    return answer;
  }

  // Writes the bundle of the program, where there is one.
  void end_program() {
    if (m_began_on == nullptr) return;
    if (const auto written = m_began_on->end_program(); !written)
      spdlog::warn("the bundle could not be written: {}", written.error().text());
    else
      spdlog::info("{} entries written to the bundle", *written);
  }

  // One thread a call; all are bound before the first one is made.
  std::vector<CallAnswer> call_together(const std::vector<CallRequest>& requests) {
    std::vector<CallAnswer> answers(requests.size());
    std::barrier everybody(static_cast<std::ptrdiff_t>(requests.size()));
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < requests.size(); ++i)
      threads.emplace_back([&, i] {
        bool waited = false;
        std::optional<bool> capture_valid;
        const auto wait_for_all = [&] {
          waited = true;
          everybody.arrive_and_wait();
        };
        const auto report = run(requests[i], wait_for_all, capture_valid);
        if (!waited) everybody.arrive_and_drop();
        answers[i] = answer_to(report);
        answers[i].capture_valid = capture_valid;
      });
    threads.clear();
    return answers;
  }

 private:
  Result<std::size_t> archive_entries(const protocol::ArchiveRequest& request) const {
    if (m_options.cache_folder.empty()) return failure("there is no cache folder");
    std::string key;
    if (!request.key_file.empty()) {
      TUNECHECK_TRY(key, read_remote_key(request.key_file));
    }
    const auto archive = m_setup.make_archive(m_options.cache_folder, key);
    if (request.action == protocol::ArchiveAction::export_entries)
      return archive->export_to(request.file);
    TUNECHECK_TRY(const ImportedEntries imported, archive->import_from(request.file));
    return imported.added.size();
  }

  static TunerParts with_log(TunerParts parts) {
    parts.observer = std::make_shared<LoggingObserver>(parts.observer);
    return parts;
  }

  CallAnswer answer_to(const Result<CallReport>& report) const {
    if (report) return to_answer(*report);
    CallAnswer failed;
    failed.message = report.error().text();
    if (m_options.cache_folder.empty()) failed.cache = protocol::CacheState::disabled;
    return failed;
  }

  static LaunchHook hook_that_zeroes(const KernelDefinition& kernel,
                                     const std::vector<std::string>& names) {
    if (names.empty()) return {};
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < kernel.tensors.size(); ++i)
      if (std::find(names.begin(), names.end(), kernel.tensors[i].name) != names.end())
        positions.push_back(i);
    return [positions](const LaunchArguments& arguments) {
      for (const std::size_t position : positions)
        arguments.where().fill_zero(arguments.tensors[position], arguments.stream);
    };
  }

  // Kernel file, sources and environment are read anew at each call, because they may have changed;
  // where they did not, the call is one of a kernel that is bound. `ready` is called before the
  // tuned call itself; `capture_valid` is that of the answer.
  Result<CallReport> run(const CallRequest& request, const std::function<void()>& ready,
                         std::optional<bool>& capture_valid) {
    set_variables(request);
    TUNECHECK_TRY(KernelDefinition kernel, read_kernel(request.kernel_folder));
    if (kernel.name != request.kernel)
      return failure("{} holds the kernel {}; expected {}", request.kernel_folder.string(),
                     kernel.name, request.kernel);
    std::optional<GpuCallSite> site;
    if (is_gpu(m_backend->kind())) {
      TUNECHECK_TRY(const gpu::GpuDevice* const device,
                    gpu::GpuDevice::open(m_backend->kind(), request.gpu.device));
      TUNECHECK_CHECK(m_contexts.enter(*device, request.gpu.context));
      TUNECHECK_TRY(GpuCallSite opened, GpuCallSite::open(*device, request.gpu));
      site.emplace(std::move(opened));
    }
    Place& place = place_on(request.gpu.device);
    TUNECHECK_TRY(const std::shared_ptr<const MappedTensors> held,
                  map(request, place.backend->memory()));
    const MappedTensors& mapped = *held;
    begin_program(place,
                  is_gpu(m_backend->kind()) && kernel.gpu ? kernel.gpu->source
                  : kernel.cpu                            ? kernel.cpu->source
                                                          : kernel.folder / "kernel.info",
                  fmt::format("{} {}", name_of(m_backend->kind()), request.arch));
    TuneRequest tune;
    tune.before_launch = hook_that_zeroes(kernel, request.hook_zeroes);
    tune.kernel = std::move(kernel);
    tune.sizes = request.sizes;
    tune.space = request.space;
    tune.arch = request.arch;
    tune.compile_options = request.compile_options;
    tune.compile_jobs = request.compile_jobs;
    if (request.search) tune.search = to_options(*request.search);
    tune.config = request.config;
    tune.may_wait = request.wait;
    TUNECHECK_TRY(const std::shared_ptr<TunedKernel> bound,
                  place.bound.bind(*place.tuner, *place.backend, request, std::move(tune)));
    ready();
    const auto call = [&](Stream stream) {
      return request.burst ? run_burst(*bound, mapped, request)
                           : bound->call(mapped.tensors(), request.scalars, stream);
    };
    auto report = site ? site->run(mapped, call) : call(nullptr);
    if (site) capture_valid = site->capture_valid();
    // Where a launch only fails on the device, nobody knows before.
    const auto written = mapped.write_back();
    if (report && !written) return failure(written.error());
    return report;
  }

  // A caller that does not wait keeps its tensors, whatever the search does to them.
  Result<std::shared_ptr<const MappedTensors>> map(const CallRequest& request,
                                                   const TensorMemory& memory) {
    TUNECHECK_TRY(MappedTensors mapped, MappedTensors::open(request.tensors, memory));
    auto held = std::make_shared<const MappedTensors>(std::move(mapped));
    if (request.wait) return held;
    const std::lock_guard lock(m_making_place);
    return m_held.emplace_back(std::move(held));
  }

  // A scenario changes them between calls, and never where calls are made at the same moment.
  static void set_variables(const CallRequest& request) {
    for (const auto& [name, value] : request.environment)
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
  }

  // Where calls run. Each further device of a machine has a backend of its own.
  struct Place {
    std::unique_ptr<Backend> own;
    const Backend* backend = nullptr;
    std::unique_ptr<Tuner> tuner;
    BoundKernels bound;  // dies before its tuner
  };

  // With the first call of the process, by any thread: a program begins before it asks for a key.
  void begin_program(Place& place, const std::filesystem::path& source, const std::string& device) {
    const std::lock_guard lock(m_making_place);
    if (!m_bundle || m_began_on != nullptr) return;
    m_began_on = place.tuner.get();
    BundleOptions options = *m_bundle;
    options.sources = {source};
    options.device = device;
    auto begun = m_began_on->begin_program(options);
    if (begun)
      m_begun = std::move(*begun);
    else
      m_begun = {BundleUse::refused, 0, begun.error().text()};
    if (m_begun->use == BundleUse::refused)
      spdlog::warn("the bundle is not used: {}", m_begun->reason);
  }

  // Once, to who made the first call.
  void tell_of_bundle(CallAnswer& answer) {
    if (!m_begun) return;
    answer.bundle = std::string(name_of(m_begun->use));
    if (m_begun->use == BundleUse::refused)
      answer.message += (answer.message.empty() ? "" : "; ") +
                        ("warning: the bundle is not used: " + m_begun->reason);
    m_begun.reset();
  }

  // Made when it is first needed, by any thread: `hello` chooses the backend.
  Place& place_on(int device) {
    const std::lock_guard lock(m_making_place);
    Place& place = m_places[device];
    if (place.tuner) return place;
    if (device != 0) place.own = std::make_unique<GpuBackend>(m_backend->kind(), device);
    place.backend = device == 0 ? m_backend : place.own.get();
    place.tuner = std::make_unique<Tuner>(*place.backend, m_options, with_log(m_setup.parts));
    return place;
  }

  // Reports a hit where all calls hit, and all compiles; ends with the first call that fails.
  static Result<CallReport> run_burst(TunedKernel& bound, const MappedTensors& mapped,
                                      const CallRequest& request) {
    const protocol::Burst& burst = *request.burst;
    std::map<std::string, double> scalars = request.scalars;
    double& value = scalars.at(burst.scalar);
    const double first = value;
    Result<CallReport> all(tl::in_place);
    for (std::int64_t i = 0; i < burst.calls && all->status == 0; ++i) {
      value = first + static_cast<double>(i % burst.keys);
      TUNECHECK_TRY(CallReport report, bound.call(mapped.tensors(), scalars));
      all->winner = report.winner;
      all->status = report.status;
      all->compiles += report.compiles;
      if (report.cache == CacheUse::hit) continue;
      all->cache = report.cache;
      all->message = std::move(report.message);
    }
    return all;
  }

  const Backend* m_backend;
  const ReferenceAdapterSetup& m_setup;
  TunerOptions m_options;
  GpuContexts m_contexts;
  const std::optional<BundleOptions> m_bundle;
  Tuner* m_began_on = nullptr;  // the tuner that the program began on
  std::optional<BundleBegun> m_begun;
  std::mutex m_making_place;                                 // guards what follows
  std::vector<std::shared_ptr<const MappedTensors>> m_held;  // outlive every search
  std::map<int, Place> m_places;                             // by the device's number
};

// For scenarios in which two versions of the tuner share a cache folder: this process is then one
// of a release that differs in its number alone, or of one that finds winners by other rules.
void become_another_version(TunerParts& parts) {
  if (const char* const release = std::getenv("TUNECHECK_ADAPTER_RELEASE")) parts.release = release;
  const char* const decisions = std::getenv("TUNECHECK_ADAPTER_DECISIONS");
  if (decisions == nullptr) return;
  for (KeyAxis& axis : parts.key_axes)
    if (axis.name == "tuner")
      axis.collect = [value = std::string(decisions)](
                         const KeyContext&) -> std::optional<std::string> { return value; };
}

}  // namespace

const std::vector<std::string>& reference_capabilities() {
  static const std::vector<std::string> names = {"cache",           "artifact",
                                                 "in_place",        "accumulate",
                                                 "strided",         "alias",
                                                 "dtype",           "arch",
                                                 "options",         "space",
                                                 "headers",         "environment",
                                                 "isolation",       "memory_limit",
                                                 "validation",      "trial_report",
                                                 "explain",         "hook",
                                                 "threads",         "resume",
                                                 "bounded",         "burst",
                                                 "search",          "streams",
                                                 "capture",         "contexts",
                                                 "device_memory",   "devices",
                                                 "lock_limit",      "sources",
                                                 "toolchain",       "live_environment",
                                                 "precompile",      "named_arguments",
                                                 "remote",          "remote_key",
                                                 "remote_salt",     "remote_report",
                                                 "search_on",       "table",
                                                 "table_nearest",   "table_code",
                                                 "table_dtype",     "table_report",
                                                 "explicit_config", "bundle",
                                                 "bundle_key",      "bundle_report",
                                                 "pending",         "pending_report",
                                                 "archive",         "archive_key"};
  return names;
}

Result<void> serve_requests(const Backend& backend, const ReferenceAdapterSetup& setup,
                            std::istream& requests,
                            const std::function<void(std::string_view)>& answer) {
  TUNECHECK_TRY(Surroundings surroundings, surroundings_from_environment());
  Adapter adapter(backend, setup, std::move(surroundings));
  std::string line;
  while (std::getline(requests, line)) {
    auto request = protocol::parse_request(line);
    if (!request) {
      answer(protocol::error_answer(request.error().text()));
      continue;
    }
    switch (request->kind) {
      case protocol::RequestKind::hello:
        answer(adapter.hello(request->backend));
        break;
      case protocol::RequestKind::call: {
        setup.before_call(request->calls.front());
        CallAnswer answered = adapter.call(request->calls.front());
        setup.before_answer(request->calls.front(), answered);
        answer(protocol::to_line(answered));
        setup.after_answer(answered);
        break;
      }
      case protocol::RequestKind::calls:
        answer(protocol::to_line(adapter.call_together(request->calls)));
        break;
      case protocol::RequestKind::archive:
        answer(protocol::to_line(adapter.archive(request->archive)));
        break;
      case protocol::RequestKind::quit:
        adapter.end_program();
        answer(protocol::quit_answer());
        setup.on_quit();
        return {};
    }
  }
  return {};
}

int run_reference_adapter(const Backend& backend, ReferenceAdapterSetup setup) {
  log_to_stderr();
  become_another_version(setup.parts);
  const FileDescriptor protocol_output(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!protocol_output.valid() || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    spdlog::error("cannot keep stdout for the protocol: {}", last_system_error());
    return EXIT_FAILURE;
  }
  bool is_heard = true;
  const auto served = serve_requests(backend, setup, std::cin, [&](std::string_view line) {
    const std::string text = std::string(line) + "\n";
    is_heard = is_heard && write_all(protocol_output.get(), std::as_bytes(std::span(text)));
  });
  if (!served) {
    spdlog::error("{}", served.error().text());
    return status::status_of(served.error());
  }
  return is_heard ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace tunecheck
