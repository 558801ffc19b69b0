#include "harness/process/adapter_process.hpp"

#include <cstdlib>
#include <fstream>

#include "core/processes/shared_time.hpp"
#include "core/resources.hpp"

namespace tunecheck {

std::filesystem::path locate_program(const AdapterInfo& adapter) {
  const std::string& program = adapter.command.at(0);
  const std::filesystem::path folder =
      program.find('/') == program.npos ? program_folder() : adapter.file.parent_path();
  const std::filesystem::path found = find_program((folder / program).string());
  return found.empty() && program.find('/') == program.npos ? find_program(program) : found;
}

namespace {

constexpr const char* python_variable = "TUNECHECK_PYTHON";
constexpr const char* other_python_variable = "TUNECHECK_OTHER_PYTHON";

// framework/adapter/python/start, or a copy of that folder.
bool is_started_by_python(const std::filesystem::path& program) {
  std::error_code error;
  return program.filename() == "start" &&
         std::filesystem::is_directory(program.parent_path() / "tunecheck_adapter", error);
}

// The processes of the adapter find the variable as the user has set it, unless the adapter.info
// sets it.
Result<void> check_python(const AdapterInfo& adapter, const char* variable) {
  const auto own = adapter.environment.find(variable);
  const bool is_own = own != adapter.environment.end();
  const char* const set = std::getenv(variable);
  const std::string python = is_own ? own->second : set != nullptr ? set : "";
  const std::filesystem::path path = python;
  if (python.empty() || (path.is_absolute() && !find_program(python).empty())) return {};
  return failure(Error{
      ErrorKind::bad_input,
      fmt::format("expected the absolute path of a Python that can be run, found \"{}\"", python),
      is_own ? adapter.file.string() : "", 0, variable});
}

}  // namespace

Result<std::filesystem::path> find_adapter_program(const AdapterInfo& adapter) {
  std::filesystem::path program = locate_program(adapter);
  if (program.empty())
    return failure(ErrorKind::machine,
                   "there is no adapter: the program \"{}\" of \"{}\" cannot be found",
                   adapter.command.at(0), adapter.name);
  if (!is_started_by_python(program)) return program;
  TUNECHECK_CHECK(check_python(adapter, python_variable));
  if (adapter.other_version) TUNECHECK_CHECK(check_python(adapter, other_python_variable));
  return program;
}

Result<AdapterProcess> AdapterProcess::start(const AdapterLaunch& launch) {
  CommandOptions options;
  options.arguments = launch.adapter->command;
  options.arguments.at(0) = locate_program(*launch.adapter).string();
  if (options.arguments.at(0).empty())
    return failure(ErrorKind::machine, "cannot be started: there is no program \"{}\"",
                   launch.adapter->command.at(0));
  if (const auto found = find_adapter_program(*launch.adapter); !found)
    return failure(ErrorKind::machine, "cannot be started: {}", found.error().text());
  options.environment = launch.environment;
  options.folder = launch.folder;
  options.in_child = launch.in_child;
  options.child_has_own_memory = launch.child_has_own_memory;
  TUNECHECK_TRY(LineProcess process, LineProcess::start(options, launch.log));
  // If memory runs out, the machine must end the tuner and not the judge.
  std::ofstream("/proc/" + std::to_string(process.id()) + "/oom_score_adj") << 1000;
  AdapterProcess adapter(std::move(process), launch.time_limit);
  TUNECHECK_TRY(const std::string line,
                adapter.ask(protocol::hello_request(launch.backend), "hello"));
  if (const auto refusal = protocol::error_in(line))
    return failure(ErrorKind::unsupported, "cannot run on \"{}\": {}", name_of(launch.backend),
                   *refusal);
  TUNECHECK_TRY(adapter.m_hello, protocol::parse_hello(line));
  if (adapter.m_hello.protocol != protocol::version)
    return failure(ErrorKind::unsupported, "{}",
                   protocol::version_mismatch(adapter.m_hello.protocol));
  if (adapter.m_hello.backend != launch.backend)
    return failure("runs on the backend \"{}\"; expected \"{}\"", name_of(adapter.m_hello.backend),
                   name_of(launch.backend));
  return adapter;
}

Result<protocol::CallAnswer> AdapterProcess::call(const protocol::CallRequest& request) {
  TUNECHECK_TRY(const std::string line, ask(protocol::to_line(request), "call"));
  auto answer = protocol::parse_call_answer(line);
  if (!answer) kill();
  return answer;
}

Result<protocol::ArchiveAnswer> AdapterProcess::archive(const protocol::ArchiveRequest& request) {
  TUNECHECK_TRY(const std::string line,
                ask(protocol::to_line(request), protocol::name_of(request.action)));
  auto answer = protocol::parse_archive_answer(line);
  if (!answer) kill();
  return answer;
}

Result<std::vector<protocol::CallAnswer>> AdapterProcess::call_together(
    const std::vector<protocol::CallRequest>& requests) {
  TUNECHECK_TRY(const std::string line, ask(protocol::to_line(requests), "calls"));
  auto answers = protocol::parse_call_answers(line, requests.size());
  if (!answers) kill();
  return answers;
}

LineProcess::Read AdapterProcess::read_answer() {
  SharedTimeLimit limit(m_time_limit);
  while (true) {
    const std::chrono::milliseconds wait = limit.next_wait();
    LineProcess::Read read = m_process.read_line(wait);
    if (read.state != LineProcess::ReadState::timed_out || wait.count() == 0) return read;
  }
}

// For what it did, and not for its silence.
void AdapterProcess::kill() {
  m_end = m_process.wait(std::chrono::milliseconds(0));
  m_end->timed_out = false;
}

Result<std::string> AdapterProcess::ask(const std::string& line, std::string_view request) {
  if (m_end) return failure("was not asked \"{}\": it had failed before", request);
  constexpr auto moment = std::chrono::milliseconds(200);
  // It would be taken for the answer.
  if (const std::string unasked = m_process.unread(); !unasked.empty()) {
    kill();
    return failure("printed what nobody had asked for, before \"{}\": {:.200}", request, unasked);
  }
  const bool written = m_process.write_line(line);
  LineProcess::Read read;
  if (written) read = read_answer();
  switch (read.state) {
    case LineProcess::ReadState::line:
      return read.line;
    case LineProcess::ReadState::timed_out:
      m_end = m_process.wait(std::chrono::milliseconds(0));
      return failure("gave no answer to \"{}\" within {} ms and was killed", request,
                     m_time_limit.count());
    case LineProcess::ReadState::too_long:
      kill();
      return failure("answered \"{}\" with an endless line", request);
    case LineProcess::ReadState::closed:
      break;
  }
  m_end = m_process.wait(moment);
  if (m_end->timed_out && !written) return failure("did not take the request \"{}\"", request);
  if (m_end->timed_out) return failure("closed its stdout instead of answering \"{}\"", request);
  return failure("ended instead of answering \"{}\": {}{}", request, m_end->text(),
                 read.line.empty() ? "" : fmt::format(", after printing \"{:.200}\"", read.line));
}

AdapterProcess::End AdapterProcess::finish() {
  if (m_end) return {*m_end, ""};
  const auto answer = ask(protocol::quit_request(), "quit");
  m_process.close_input();
  if (!answer && m_end) return {*m_end, "the adapter " + answer.error().message};
  End end{m_process.wait(m_time_limit), ""};
  if (answer && !protocol::is_quit_answer(*answer))
    end.trouble = fmt::format("the adapter answered \"quit\" with another line: {:.200}", *answer);
  else if (const std::string unasked = m_process.unread(); answer && !unasked.empty())
    end.trouble = fmt::format(
        "the adapter printed what nobody had asked for, after \"quit\": {:.200}", unasked);
  if (!end.end.success())
    end.trouble = fmt::format("the adapter was asked to quit: {}", end.end.text());
  return end;
}

}  // namespace tunecheck
