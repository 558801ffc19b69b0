// The compiler spy. What it does is in the file beside the link by which it was started.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <span>
#include <thread>
#include <unistd.h>

#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "core/files.hpp"
#include "observe/event_lines.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/file_digest.hpp"
#include "observe/spy/changed_variables.hpp"
#include "observe/spy/child.hpp"
#include "observe/spy/command_line.hpp"
#include "observe/spy/compile_store.hpp"
#include "observe/spy/store_files.hpp"
#include "observe/spy_settings.hpp"

namespace tunecheck::spy {
namespace {

namespace fs = std::filesystem;

constexpr int poisoned_status = 86;
constexpr std::string_view program_question = "-print-prog-name=";
constexpr int broken_status = 87;  // the spy itself cannot do its work

std::int64_t since_epoch_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void say(const std::string& text) {
  const std::string line = "tunecheck: " + text + '\n';
  (void)write_all(STDERR_FILENO, std::as_bytes(std::span(line)));
}

bool is_link(const fs::path& path) {
  std::error_code error;
  return fs::is_symlink(path, error);
}

// The first link on the way from `started` to the spy that has settings beside it.
fs::path link_with_settings(fs::path started) {
  std::error_code error;
  for (int hops = 0; hops < 40; ++hops) {
    if (fs::exists(spy_settings_file(started), error)) return started;
    if (!is_link(started)) return {};
    started = started.parent_path() / fs::read_symlink(started, error);
  }
  return {};
}

// The kernel knows the file that was started, argv[0] is what the caller calls it.
fs::path find_link(const std::string& name) {
  const auto* const file = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  if (file != nullptr)
    if (fs::path link = link_with_settings(file); !link.empty()) return link;
  if (name.find('/') != name.npos) return link_with_settings(name);
  const char* const path = std::getenv("PATH");
  for (std::string_view rest = path != nullptr ? path : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path folder = rest.substr(0, end);
    if (fs::path link = link_with_settings(folder / name); !link.empty()) return link;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

// A file in memory that a child's stream is caught in.
class Capture {
 public:
  Capture() : m_file(::memfd_create("tunecheck", MFD_CLOEXEC)) {}
  [[nodiscard]] int get() const { return m_file.get(); }
  [[nodiscard]] std::string text() const {
    auto content = read_text_file(fmt::format("/proc/self/fd/{}", m_file.get()));
    return content ? std::move(*content) : std::string();
  }

 private:
  FileDescriptor m_file;
};

// What another build of the same version makes other bytes with: room for one instruction before
// each function's own.
constexpr const char* rebuilt_option = "-fpatchable-function-entry=1";

// A process that is not the compiler's any more, and keeps open what the caller may wait for the
// end of. It ends by itself if nobody ends it.
void leave_process() {
  if (::fork() != 0) return;
  ::setsid();
  ::execl("/bin/sleep", "sleep", "600", nullptr);
  ::_exit(127);
}

void pass_on(int stream, const std::string& text) {
  (void)write_all(stream, std::as_bytes(std::span(text)));
}

// One start of the spy in a compiler's place. run() is called once and does what the mode says. It
// fills in the event as it goes: the caller writes the line whether run() succeeds or not, so that
// a compile that failed is recorded like any other. A spy that is killed in the middle records
// nothing, since its line is written at the end, and may leave half an output, as a compiler would.
// The store gets an output only when it is whole.
class Spy {
 public:
  Spy(SpySettings settings, std::vector<std::string> arguments)
      : m_settings(std::move(settings)), m_arguments(std::move(arguments)) {
    struct stat status {};
    const bool null_input =
        ::fstat(STDIN_FILENO, &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == 0x103;
    m_command = parse_command_line(m_arguments, null_input);
    if (m_settings.mode != "rebuilt" || m_command.query) return;
    m_arguments.emplace_back(rebuilt_option);
    m_command = parse_command_line(m_arguments, null_input);
  }

  // Does what the mode says, and tells of it in `event`.
  Result<ChildEnd> run(CompileEvent& event) {
    event.query = m_command.query;
    event.links = m_command.only_links();
    if (m_command.query) return run_query();
    if (m_settings.mode == "poisoned") return ChildEnd{poisoned_status, 0};
    if (m_settings.mode == "crashing") return crash(event);
    if (m_settings.mode == "slow")
      std::this_thread::sleep_for(std::chrono::milliseconds(m_settings.delay_ms));
    if (m_settings.mode == "lingering") leave_process();
    if (const auto store = CompileStore::open(m_settings, m_command))
      return run_with_store(*store, event);
    TUNECHECK_TRY(const ChildEnd end, run_child(real_command()));
    if (end.success() && !output().empty()) event.output_digest = file_digest(output());
    return end;
  }

 private:
  [[nodiscard]] std::vector<std::string> real_command() const {
    std::vector<std::string> command = {m_settings.real_compiler.string()};
    command.insert(command.end(), m_arguments.begin(), m_arguments.end());
    return command;
  }
  // The file that the compiler writes; a compiler obeys the last -o.
  [[nodiscard]] fs::path output() const {
    return m_command.outputs.empty() ? fs::path() : fs::path(m_command.outputs.back());
  }

  Result<ChildEnd> run_query() const {
    if (m_settings.mode == "rebuilt" && m_arguments.size() == 1 &&
        m_arguments[0].starts_with(program_question))
      return name_program();
    if (!m_command.asks_version || m_settings.version_suffix.empty())
      return run_child(real_command());
    const Capture out;
    TUNECHECK_TRY(const ChildEnd end, run_child(real_command(), {out.get(), -1}));
    std::string text = out.text();
    text.insert(std::min(text.find('\n'), text.size()), m_settings.version_suffix);
    pass_on(STDOUT_FILENO, text);
    return end;
  }

  // The program of another build, where the compiler has one of that name.
  Result<ChildEnd> name_program() const {
    const Capture out;
    TUNECHECK_TRY(const ChildEnd end, run_child(real_command(), {out.get(), -1}));
    const fs::path other = m_settings.programs / m_arguments[0].substr(program_question.size());
    std::error_code error;
    const bool replaced = out.text().starts_with('/') && fs::is_regular_file(other, error);
    pass_on(STDOUT_FILENO, replaced ? other.string() + '\n' : out.text());
    return end;
  }

  Result<ChildEnd> crash(CompileEvent& event) const {
    // What a compiler leaves that dies while it writes: the beginning of an object file.
    if (!output().empty() && write_file(output(), std::string_view("\x7f"
                                                                   "ELF\x02\x01\x01")))
      event.output_digest = file_digest(output());
    return ChildEnd{0, SIGSEGV};
  }

  Result<ChildEnd> run_with_store(const CompileStore& store, CompileEvent& event) const {
    if (const auto found = store.find(); found && answer(*found)) {
      event.from_store = true;
      event.output_digest = found->output_digest;
      return ChildEnd{};
    }
    const ScratchFile dependency_file(store.folder());
    if (!dependency_file.valid()) {
      TUNECHECK_TRY(const ChildEnd end, run_child(real_command()));
      if (end.success()) event.output_digest = file_digest(output());
      return end;
    }
    std::vector<std::string> command = real_command();
    for (std::string& option : CompileStore::dependency_options(dependency_file.path()))
      command.push_back(std::move(option));
    const Capture out;
    const Capture err;
    const std::int64_t started_ns = since_epoch_ns();
    TUNECHECK_TRY(const ChildEnd end, run_child(command, {out.get(), err.get()}));
    StoredCompile compile{out.text(), err.text(), {}, false, {}};
    pass_on(STDOUT_FILENO, compile.out);
    pass_on(STDERR_FILENO, compile.err);
    auto content = end.success() ? read_text_file(output()) : Result<std::string>(failure("none"));
    if (!content) return end;
    compile.output = std::move(*content);
    compile.executable = ::access(output().c_str(), X_OK) == 0;
    compile.output_digest = bytes_digest(std::as_bytes(std::span(compile.output)));
    event.output_digest = compile.output_digest;
    store.add(compile, dependency_file.path(), started_ns);
    return end;
  }

  // Leaves what the compiler would have left. False where that fails: it will say why.
  [[nodiscard]] bool answer(const StoredCompile& compile) const {
    // As the linker does: a new file, for somebody may still use the old one.
    struct stat status {};
    if (::lstat(output().c_str(), &status) == 0 && S_ISREG(status.st_mode))
      ::unlink(output().c_str());
    const FileDescriptor file(::open(output().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                                     compile.executable ? 0777 : 0666));
    if (!file.valid() || !write_all(file.get(), std::as_bytes(std::span(compile.output))))
      return false;
    pass_on(STDOUT_FILENO, compile.out);
    pass_on(STDERR_FILENO, compile.err);
    return true;
  }

  SpySettings m_settings;
  std::vector<std::string> m_arguments;
  CommandLine m_command;
};

int broken(const std::string& why) {
  say(why);
  return broken_status;
}

// Ends as the compiler ended, so that the caller sees no difference.
int end_like(const ChildEnd& end) {
  if (end.signal == 0) return end.exit_status;
  ::prctl(PR_SET_DUMPABLE, 0);  // no core file
  std::signal(end.signal, SIG_DFL);
  std::raise(end.signal);
  return end.shell_status();
}

int run(std::span<char*> arguments) {
  CompileEvent event;
  event.time_ns = evidence_now_ns();
  const auto started = std::chrono::steady_clock::now();
  event.pid = ::getpid();
  event.tool = arguments.empty() ? std::string() : arguments[0];
  const fs::path link = find_link(event.tool);
  if (link.empty())
    return broken("no settings next to the compiler spy that was started as \"" + event.tool +
                  "\"; expected " + spy_settings_file(event.tool).string());
  auto settings = read_spy_settings(spy_settings_file(link));
  if (!settings) return broken(settings.error().text());
  // Nothing is compiled that cannot be recorded.
  const auto evidence = open_evidence(settings->evidence);
  if (!evidence) return broken(evidence.error().text());
  event.arguments.assign(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
  event.mode = settings->mode;
  event.environment = changed_variables(settings->environment);

  const auto end = Spy(*settings, event.arguments).run(event);
  event.exit_status = end ? end->shell_status() : broken_status;
  event.wall_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now() - started)
                      .count();
  if (const auto recorded = append_line(*evidence, to_line(event)); !recorded)
    return broken(recorded.error().text());
  if (!end) return broken(end.error().text());
  if (settings->mode == "poisoned" && !event.query)
    say("the compiler is poisoned: nothing may be compiled here");
  return end_like(*end);
}

}  // namespace
}  // namespace tunecheck::spy

int main(int count, char** arguments) {
  try {
    return tunecheck::spy::run(std::span(arguments, static_cast<std::size_t>(count)));
  } catch (const std::exception& error) {
    return tunecheck::spy::broken(error.what());
  }
}
