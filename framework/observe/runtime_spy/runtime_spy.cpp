#include "observe/runtime_spy/runtime_spy.hpp"

#include <chrono>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <span>
#include <thread>
#include <unistd.h>

#include <sys/prctl.h>

#include "core/libraries/open_library.hpp"
#include "observe/event_lines.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/file_digest.hpp"
#include "observe/spy/store_files.hpp"

namespace tunecheck::spy {
namespace {

namespace fs = std::filesystem;

// The link that has settings: the one that was loaded, which the loader keeps as it was spelled, or
// one that it leads to.
fs::path own_link() {
  Dl_info info{};
  static const char here = 0;
  if (::dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return {};
  constexpr int most_links = 40;  // as many as the system follows
  fs::path link = info.dli_fname;
  for (int i = 0; i < most_links; ++i) {
    std::error_code error;
    if (fs::exists(spy_settings_file(link), error)) return link;
    const fs::path next = fs::read_symlink(link, error);
    if (error) break;
    link = link.parent_path() / next;
  }
  return info.dli_fname;
}

// NVRTC opens its builtins by name alone; where they lie beside it and not where the loader looks,
// they must be there before.
void open_builtins(const fs::path& library) {
  std::error_code error;
  for (const auto& file : fs::directory_iterator(library.parent_path(), error))
    if (file.path().filename().string().starts_with("libnvrtc-builtins.so"))
      (void)open_library(file.path(), RTLD_NOW | RTLD_GLOBAL);
}

[[noreturn]] void crash() {
  ::prctl(PR_SET_DUMPABLE, 0);  // no core file
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
  ::_exit(128 + SIGSEGV);
}

}  // namespace

RuntimeSpy::RuntimeSpy(const Dialect& dialect) : m_dialect(dialect) {
  auto settings = read_spy_settings(spy_settings_file(own_link()));
  if (!settings) {
    m_trouble = settings.error().text();
    return;
  }
  m_settings = std::move(*settings);
  open_builtins(m_settings->real_compiler);
  if (const auto library = open_library(m_settings->real_compiler, RTLD_LAZY | RTLD_LOCAL))
    m_library = *library;
  else
    m_trouble = library.error().text();
}

void* RuntimeSpy::find(const std::string& name) const {
  if (m_library == nullptr) return nullptr;
  return ::dlsym(m_library, (m_dialect.prefix + name).c_str());
}

const char* RuntimeSpy::error_text(int result) const {
  auto* const function = reinterpret_cast<const char* (*)(int)>(find("GetErrorString"));
  return function != nullptr ? function(result) : "the compiler spy has no compiler";
}

int RuntimeSpy::version(int* major, int* minor) const {
  const int result = pass_on("Version", major, minor);
  // Another build says so by the only thing that a program asks for.
  if (result == success && !m_settings->version_suffix.empty()) ++*minor;
  return result;
}

int RuntimeSpy::create(void** program, const char* source, const char* name, int count,
                       const char* const* headers, const char* const* names) const {
  if (program == nullptr || source == nullptr) return invalid_input;
  auto made = std::make_unique<Program>();
  const int result = pass_on("CreateProgram", &made->real, source, name, count, headers, names);
  if (result != success) return result;
  made->text.source = source;
  made->text.name = name != nullptr ? name : "";
  for (int i = 0; i < count; ++i)
    made->text.headers.emplace(names[i], headers[i]);
  *program = made.release();
  return success;
}

int RuntimeSpy::destroy(void** program) const {
  if (program == nullptr || *program == nullptr) return invalid_input;
  const std::unique_ptr<Program> mine(static_cast<Program*>(*program));
  *program = nullptr;
  return pass_on("DestroyProgram", &mine->real);
}

int RuntimeSpy::add_expression(Program& program, const char* expression) const {
  const int result = pass_on("AddNameExpression", program.real, expression);
  if (result == success) program.text.expressions.emplace_back(expression);
  return result;
}

int RuntimeSpy::compile(Program& program, int count, const char* const* options) const {
  CompileEvent event;
  event.time_ns = evidence_now_ns();
  const auto started = std::chrono::steady_clock::now();
  event.pid = ::getpid();
  event.tool = m_dialect.prefix;
  event.mode = m_settings->mode;
  program.text.options.assign(options, options + count);
  program.own_log.clear();
  program.stored.reset();
  event.arguments = program.text.options;
  event.arguments.push_back(program.text.name);
  // Nothing is compiled that cannot be recorded.
  const auto evidence = open_evidence(m_settings->evidence);
  if (!evidence) {
    program.own_log = "tunecheck: error: " + evidence.error().text() + '\n';
    return compilation_failed;
  }
  event.exit_status = run(program, event);
  program.recorded = {event.output_digest};
  event.wall_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now() - started)
                      .count();
  const auto recorded = append_line(*evidence, to_line(event));
  if (m_settings->mode == "crashing") crash();
  if (recorded) return event.exit_status;
  program.own_log = "tunecheck: error: " + recorded.error().text() + '\n';
  return compilation_failed;
}

int RuntimeSpy::run(Program& program, CompileEvent& event) const {
  if (m_settings->mode == "crashing") return 128 + SIGSEGV;
  if (m_settings->mode == "poisoned") {
    program.own_log = "tunecheck: error: the compiler is poisoned: nothing may be compiled here\n";
    return compilation_failed;
  }
  if (m_settings->mode == "slow")
    std::this_thread::sleep_for(std::chrono::milliseconds(m_settings->delay_ms));
  const auto key = m_settings->store.empty() ? std::optional<std::string>()
                                             : program_key(compiler(), program.text);
  if (key) program.stored = find_program_in(m_settings->store, *key);
  event.from_store = program.stored.has_value();
  const int result = event.from_store ? success : run_real(program);
  if (result != success) return result;
  const auto digest = [&](const std::string& output) {
    event.output_digest = bytes_digest(std::as_bytes(std::span(output)));
  };
  for (const std::string& kind : m_dialect.outputs) {
    const std::string output =
        program.stored ? program.stored->outputs[kind] : real_output(program, kind);
    if (event.output_digest.empty() && !output.empty()) digest(output);
  }
  // Not where a header has changed meanwhile.
  if (key && !program.stored && program_key(compiler(), program.text) == key)
    if (const auto made = made_by(program)) add_program_to(m_settings->store, *key, *made);
  return success;
}

int RuntimeSpy::run_real(Program& program) const {
  std::vector<const char*> options;
  for (const std::string& option : program.text.options)
    options.push_back(option.c_str());
  return pass_on("CompileProgram", program.real, static_cast<int>(options.size()), options.data());
}

std::string RuntimeSpy::compiler() const {
  const auto state = file_state(m_settings->real_compiler);
  return fmt::format("{} {} {} {}", m_dialect.prefix, m_settings->real_compiler.string(),
                     state ? state->size : 0, state ? state->modified_ns : 0);
}

std::string RuntimeSpy::real_output(const Program& program, const std::string& kind) const {
  std::size_t size = 0;
  if (pass_on(("Get" + kind + "Size").c_str(), program.real, &size) != success) return {};
  std::string bytes(size, '\0');
  if (size == 0 || pass_on(("Get" + kind).c_str(), program.real, bytes.data()) != success)
    return {};
  return bytes;
}

std::string RuntimeSpy::real_log(const Program& program) const {
  const std::string text = real_output(program, "ProgramLog");
  return text.substr(0, text.find('\0'));
}

std::optional<CompiledProgram> RuntimeSpy::made_by(const Program& program) const {
  // A message may name a place that is another one next time.
  if (!real_log(program).empty()) return std::nullopt;
  CompiledProgram made;
  for (const std::string& kind : m_dialect.outputs)
    if (std::string output = real_output(program, kind); !output.empty())
      made.outputs[kind] = std::move(output);
  for (const std::string& expression : program.text.expressions) {
    const char* name = nullptr;
    if (pass_on("GetLoweredName", program.real, expression.c_str(), &name) != success)
      return std::nullopt;
    made.lowered[expression] = name;
  }
  return made;
}

void RuntimeSpy::drop_stored(Program& program) const {
  program.stored.reset();
  (void)run_real(program);
}

int RuntimeSpy::output_size(Program& program, const std::string& kind, std::size_t* size) const {
  if (program.stored) {
    const auto stored = program.stored->outputs.find(kind);
    if (stored != program.stored->outputs.end() && size != nullptr) {
      *size = stored->second.size();
      return success;
    }
    drop_stored(program);
  }
  return pass_on(("Get" + kind + "Size").c_str(), program.real, size);
}

int RuntimeSpy::output(Program& program, const std::string& kind, char* bytes) const {
  if (program.stored) {
    const auto stored = program.stored->outputs.find(kind);
    if (stored != program.stored->outputs.end() && bytes != nullptr) {
      std::memcpy(bytes, stored->second.data(), stored->second.size());
      record_taken(program, kind, bytes);
      return success;
    }
    drop_stored(program);
  }
  const int result = pass_on(("Get" + kind).c_str(), program.real, bytes);
  if (result == success && bytes != nullptr) record_taken(program, kind, bytes);
  return result;
}

void RuntimeSpy::record_taken(Program& program, const std::string& kind, const char* bytes) const {
  std::size_t size = 0;
  if (output_size(program, kind, &size) != success) return;
  std::string_view output(bytes, size);
  // Text ends with a zero, which is no part of what is loaded. What was not asked for is one zero
  // alone.
  if (kind == "PTX" || size == 1) output = output.substr(0, output.find('\0'));
  if (output.empty()) return;
  CompileEvent event;
  event.output_digest = bytes_digest(std::as_bytes(std::span(output)));
  if (!program.recorded.insert(event.output_digest).second) return;
  event.time_ns = evidence_now_ns();
  event.pid = ::getpid();
  event.tool = m_dialect.prefix;
  event.mode = m_settings->mode;
  event.links = true;
  event.arguments = program.text.options;
  event.arguments.push_back(program.text.name);
  // Where it cannot be written, what is loaded counts as made by nobody.
  if (const auto evidence = open_evidence(m_settings->evidence))
    (void)append_line(*evidence, to_line(event));
}

int RuntimeSpy::log_size(Program& program, std::size_t* size) const {
  if ((!program.stored && program.own_log.empty()) || size == nullptr)
    return pass_on("GetProgramLogSize", program.real, size);
  *size = program.own_log.size() + 1;
  return success;
}

int RuntimeSpy::log(Program& program, char* text) const {
  if ((!program.stored && program.own_log.empty()) || text == nullptr)
    return pass_on("GetProgramLog", program.real, text);
  std::memcpy(text, program.own_log.c_str(), program.own_log.size() + 1);
  return success;
}

int RuntimeSpy::lowered_name(Program& program, const char* expression, const char** name) const {
  if (program.stored && expression != nullptr && name != nullptr) {
    const auto stored = program.stored->lowered.find(expression);
    if (stored != program.stored->lowered.end()) {
      *name = stored->second.c_str();
      return success;
    }
  }
  if (program.stored) drop_stored(program);
  return pass_on("GetLoweredName", program.real, expression, name);
}

}  // namespace tunecheck::spy
