#include "harness/kernel/runners.hpp"

#include <algorithm>
#include <mutex>
#include <optional>

#include "core/command.hpp"
#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// For a process's start and for its end: a context takes its time, more so where many are made at
// once.
constexpr auto usual_edge_time_limit = std::chrono::milliseconds(60s);

// A tool has to read and change all code first, and writes a report at the end.
constexpr auto edge_time_limit_under_a_tool = std::chrono::milliseconds(10min);

}  // namespace

// A process that serves one run after the other. start() waits for its greeting, so that a server
// that exists has a device; ask() follows as often as runs succeed, and finish() once. After an
// error of ask() the server is of no use: nobody knows what the kernel did to the process.
// Destroyed without finish(), it is killed, and what a tool would have said at its end is lost.
class Runners::Server {
 public:
  static Result<Server> start(DeviceKind backend, const std::vector<std::string>& under) {
    TUNECHECK_TRY(TemporaryFolder folder, TemporaryFolder::create("tunecheck-runner"));
    CommandOptions options;
    options.arguments = under;
    options.arguments.insert(options.arguments.end(),
                             {(program_folder() / "tunecheck-runner").string(), "--serve",
                              std::string(name_of(backend))});
    TUNECHECK_TRY(LineProcess process, LineProcess::start(options, folder.path() / "log"));
    Server server(std::move(process), std::move(folder), !under.empty());
    TUNECHECK_CHECK(server.next_answer(server.edge_time_limit()));
    return server;
  }

  // After an error the server is of no use.
  Result<IsolatedResult> ask(const IsolatedRun& run) {
    if (!m_process.write_line(to_line(run))) return ended();
    return next_answer(run.time_limit);
  }

  // Waits for the end. What was said that was no answer, where the end is not as it should be.
  std::string finish() {
    m_process.close_input();
    const auto deadline = Clock::now() + edge_time_limit();
    while (next_line(deadline).state == LineProcess::ReadState::line) {
    }
    const ProcessEnd end = m_process.wait(left_until(deadline));
    return end.success() ? std::string() : with_complaint(end.text());
  }

 private:
  Server(LineProcess process, TemporaryFolder folder, bool under_a_tool)
      : m_process(std::move(process)), m_folder(std::move(folder)), m_under_a_tool(under_a_tool) {}

  // For the start and for the end.
  [[nodiscard]] std::chrono::milliseconds edge_time_limit() const {
    return m_under_a_tool ? edge_time_limit_under_a_tool : usual_edge_time_limit;
  }

  static std::chrono::milliseconds left_until(Clock::time_point deadline) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    return std::max(left, std::chrono::milliseconds(0));
  }

  // What is no answer is kept.
  LineProcess::Read next_line(Clock::time_point deadline) {
    LineProcess::Read read = m_process.read_line(left_until(deadline));
    if (!read.line.empty() && !read.line.starts_with(answer_mark)) m_printed += read.line + '\n';
    return read;
  }

  Result<IsolatedResult> next_answer(std::chrono::milliseconds time_limit) {
    const auto deadline = Clock::now() + time_limit;
    for (;;) {
      const LineProcess::Read read = next_line(deadline);
      if (read.state == LineProcess::ReadState::timed_out)
        return failure("no end within the time limit");
      if (read.state != LineProcess::ReadState::line) return ended();
      if (!read.line.starts_with(answer_mark)) continue;
      auto answer = parse_isolated_result(read.line.substr(answer_mark.size()));
      if (answer || !m_under_a_tool) return answer;
      // The tool knows more of it.
      (void)finish();
      return failure("{}", with_complaint(answer.error().text()));
    }
  }

  Result<IsolatedResult> ended() {
    return failure("{}", with_complaint(m_process.wait(1s).text()));
  }

  // In one line, as all errors are.
  [[nodiscard]] std::string with_complaint(const std::string& text) const {
    constexpr std::size_t longest = 1500;
    std::string said = m_printed + read_text_file(m_folder.path() / "log").value_or(std::string());
    if (said.empty()) return text;
    if (said.back() == '\n') said.pop_back();
    std::replace(said.begin(), said.end(), '\n', ' ');
    return text + ": " + said.substr(0, longest);
  }

  LineProcess m_process;
  TemporaryFolder m_folder;
  bool m_under_a_tool;
  std::string m_printed;
};

struct Runners::State {
  DeviceKind backend = DeviceKind::cpu;
  std::vector<std::string> under;
  std::mutex mutex;
  std::vector<Server> idle;

  Result<Server> take() {
    {
      const std::scoped_lock lock(mutex);
      if (!idle.empty()) {
        Server server = std::move(idle.back());
        idle.pop_back();
        return server;
      }
    }
    return Server::start(backend, under);
  }

  void give_back(Server server) {
    const std::scoped_lock lock(mutex);
    idle.push_back(std::move(server));
  }
};

Runners::Runners(DeviceKind backend, std::vector<std::string> under)
    : m_state(std::make_unique<State>()) {
  m_state->backend = backend;
  m_state->under = std::move(under);
}

Runners::~Runners() = default;

DeviceKind Runners::backend() const {
  return m_state->backend;
}

const std::vector<std::string>& Runners::under() const {
  return m_state->under;
}

Result<IsolatedResult> Runners::run(const IsolatedRun& run, const std::filesystem::path& folder) {
  if (m_state->backend == DeviceKind::cpu && m_state->under.empty())
    return run_isolated(run, folder);
  TUNECHECK_TRY(Server server, m_state->take());
  auto result = server.ask(run);
  if (result) m_state->give_back(std::move(server));
  return result;
}

std::string Runners::finish() {
  std::vector<Server> all;
  {
    const std::scoped_lock lock(m_state->mutex);
    all.swap(m_state->idle);
  }
  std::string complaint;
  for (Server& server : all)
    if (const std::string said = server.finish(); !said.empty() && complaint.empty())
      complaint = said;
  return complaint;
}

}  // namespace tunecheck
