#include "adapter/reference/reference_adapter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

#include <spdlog/spdlog.h>

#include "adapter/protocol/messages.hpp"
#include "adapter/reference/logging_observer.hpp"
#include "adapter/reference/mapped_tensors.hpp"
#include "tuner/tuner.hpp"

namespace tunecheck {
namespace {

using protocol::CallAnswer;
using protocol::CallRequest;

TunerOptions options_from_environment() {
  TunerOptions options;
  if (const char* const folder = std::getenv("TUNECHECK_CACHE_DIR")) options.cache_folder = folder;
  return options;
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
  answer.compiles = report.compiles;
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

class Adapter {
 public:
  Adapter(const Backend& backend, const ReferenceAdapterSetup& setup)
      : m_backend(&backend), m_setup(setup), m_options(options_from_environment()) {}

  // Where there was a tuner already, it is another's by now.
  std::string hello(const std::string& backend) {
    if (backend != m_backend->name()) {
      const auto found =
          std::find_if(m_setup.other_backends.begin(), m_setup.other_backends.end(),
                       [&](const Backend* const each) { return each->name() == backend; });
      if (found == m_setup.other_backends.end())
        return protocol::error_answer(fmt::format("there is no backend \"{}\" here", backend));
      m_backend = *found;
      m_tuner.reset();
    }
    protocol::Hello hello;
    hello.tuner = m_setup.tuner;
    hello.tuner_version = tuner_version;
    hello.backend = m_backend->name();
    hello.device = m_backend->resolve_arch("native").value_or("");
    hello.arch = m_backend->resolve_arch("").value_or("");
    hello.capabilities = reference_capabilities();
    hello.policies = {{"reset_to_zero", "every_call"}};
    return protocol::to_line(hello);
  }

  std::string call(const CallRequest& request) {
    const auto report = run(request);
    if (report) return protocol::to_line(to_answer(*report));
    CallAnswer failed;
    failed.message = report.error().text();
    if (m_options.cache_folder.empty()) failed.cache = protocol::CacheState::disabled;
    return protocol::to_line(failed);
  }

 private:
  static TunerParts with_log(TunerParts parts) {
    parts.observer = std::make_shared<LoggingObserver>(parts.observer);
    return parts;
  }

  // Everything is read anew at each call: sources and environment may have changed.
  Result<CallReport> run(const CallRequest& request) {
    TUNECHECK_TRY(KernelDefinition kernel, read_kernel(request.kernel_folder));
    if (kernel.name != request.kernel)
      return failure("{} holds the kernel {}; expected {}", request.kernel_folder.string(),
                     kernel.name, request.kernel);
    TUNECHECK_TRY(const MappedTensors mapped, MappedTensors::open(request.tensors));
    TuneRequest tune;
    tune.kernel = std::move(kernel);
    tune.sizes = request.sizes;
    tune.space = request.space;
    tune.arch = request.arch;
    tune.compile_options = request.compile_options;
    tune.compile_jobs = request.compile_jobs;
    if (request.search) tune.search = to_options(*request.search);
    if (!m_tuner) m_tuner = std::make_unique<Tuner>(*m_backend, m_options, with_log(m_setup.parts));
    TUNECHECK_TRY(TunedKernel bound, m_tuner->bind(std::move(tune)));
    return bound.call(mapped.tensors(), request.scalars);
  }

  const Backend* m_backend;
  const ReferenceAdapterSetup& m_setup;
  TunerOptions m_options;
  std::unique_ptr<Tuner> m_tuner;  // made when it is first needed: `hello` chooses the backend
};

}  // namespace

const std::vector<std::string>& reference_capabilities() {
  static const std::vector<std::string> names = {
      "cache",     "artifact",   "in_place",     "accumulate", "strided", "alias",
      "dtype",     "arch",       "options",      "space",      "headers", "environment",
      "isolation", "validation", "trial_report", "explain",    "search"};
  return names;
}

void serve_requests(const Backend& backend, const ReferenceAdapterSetup& setup,
                    std::istream& requests, const std::function<void(std::string_view)>& answer) {
  Adapter adapter(backend, setup);
  std::string line;
  while (std::getline(requests, line)) {
    const auto request = protocol::parse_request(line);
    if (!request) {
      answer(protocol::error_answer(request.error().text()));
      continue;
    }
    switch (request->kind) {
      case protocol::RequestKind::hello:
        answer(adapter.hello(request->backend));
        break;
      case protocol::RequestKind::call:
        answer(adapter.call(request->call));
        break;
      case protocol::RequestKind::quit:
        answer(protocol::quit_answer());
        setup.on_quit();
        return;
    }
  }
}

int run_reference_adapter(const Backend& backend, ReferenceAdapterSetup setup) {
  log_to_stderr();
  const FileDescriptor protocol_output(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!protocol_output.valid() || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    spdlog::error("cannot keep stdout for the protocol: {}", last_system_error());
    return EXIT_FAILURE;
  }
  bool is_heard = true;
  serve_requests(backend, setup, std::cin, [&](std::string_view line) {
    const std::string text = std::string(line) + "\n";
    is_heard = is_heard && write_all(protocol_output.get(), std::as_bytes(std::span(text)));
  });
  return is_heard ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace tunecheck
