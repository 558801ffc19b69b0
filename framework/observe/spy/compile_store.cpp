#include "observe/spy/compile_store.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <span>
#include <sstream>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "core/files.hpp"
#include "core/parse_json.hpp"
#include "observe/file_digest.hpp"
#include "observe/spy/dependencies.hpp"
#include "observe/spy/store_files.hpp"

namespace tunecheck::spy {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// A list of texts in which none can be taken for another.
class KeyText {
 public:
  void add(std::string_view part) { m_text += fmt::format("{}:{},", part.size(), part); }
  [[nodiscard]] std::string digest() const { return quick_digest(m_text); }

 private:
  std::string m_text;
};

namespace {

constexpr std::string_view format = "tunecheck compile store 2";

// What else changes an output, or the text beside it.
constexpr std::array<const char*, 15> variables = {
    "CPATH",         "C_INCLUDE_PATH",    "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX",
    "COMPILER_PATH", "LIBRARY_PATH",      "SOURCE_DATE_EPOCH",  "NVCC_PREPEND_FLAGS",
    "LC_ALL",        "NVCC_APPEND_FLAGS", "LC_MESSAGES",        "CCC_OVERRIDE_OPTIONS",
    "LANG",          "LD_RUN_PATH",       "GCC_COLORS"};
// With these a compiler writes more than its output.
constexpr std::array<const char*, 3> side_effects = {"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES",
                                                     "GCC_COMPARE_DEBUG"};

// The lines that tell one kind of CPU from another, for "-march=native".
std::string processor() {
  const FileDescriptor file(::open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC));
  std::string text(std::size_t{16} * 1024, '\0');
  const ssize_t got = ::read(file.get(), text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  std::string lines;
  for (const char* const name : {"model name", "flags", "Features", "CPU part"})
    if (const std::size_t at = text.find(name); at != text.npos)
      lines += text.substr(at, text.find('\n', at) - at);
  return lines;
}

// The folders in a variable like PATH.
std::vector<std::string> folders_in(const char* name) {
  std::vector<std::string> folders;
  const char* const value = std::getenv(name);
  std::istringstream text(value != nullptr ? value : "");
  for (std::string folder; std::getline(text, folder, ':');)
    folders.push_back(folder);
  return folders;
}

// The assembler and the linker that the compiler finds through PATH.
std::string helpers() {
  std::string found;
  const std::vector<std::string> folders = folders_in("PATH");
  for (const char* const tool : {"as", "ld"})
    for (const std::string& folder : folders) {
      const fs::path file = fs::path(folder) / tool;
      const auto state = file_state(file);
      if (!state || ::access(file.c_str(), X_OK) != 0) continue;
      found += fmt::format("{} {} {}\n", file.string(), state->size, state->modified_ns);
      break;
    }
  return found;
}

// Answering means to replace a file: not a device, not somebody's open descriptor.
bool is_plain_output(const fs::path& path) {
  for (const char* const folder : {"/proc", "/dev/fd", "/dev/stdout", "/dev/stderr"})
    if (is_below(path, folder)) return false;
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What compiles in the end where spies stand one behind the other; a spy that does more than to
// pass commands on is a compiler of its own.
fs::path behind_spies(fs::path compiler) {
  constexpr int most = 8;
  for (int i = 0; i < most; ++i) {
    const auto settings = read_spy_settings(spy_settings_file(compiler));
    if (!settings || settings->mode != "pass" || !settings->version_suffix.empty()) break;
    compiler = settings->real_compiler;
  }
  return compiler;
}

Json to_json(const Place& place) {
  return {place.root, place.name};
}

Place place_of(const Json& json) {
  return {json.at(0).get<int>(), json.at(1).get<std::string>()};
}

Json to_json(const Dependencies& dependencies) {
  Json present = Json::array();
  for (const Dependency& dependency : dependencies.present)
    present.push_back({{"place", to_json(dependency.place)},
                       {"digest", dependency.digest},
                       {"size", dependency.size},
                       {"modified_ns", dependency.modified_ns}});
  Json absent = Json::array();
  for (const Place& place : dependencies.absent)
    absent.push_back(to_json(place));
  return {{"present", std::move(present)}, {"absent", std::move(absent)}};
}

Dependencies dependencies_of(const Json& json) {
  Dependencies dependencies;
  for (const Json& item : json.at("present"))
    dependencies.present.push_back(
        {place_of(item.at("place")), item.at("digest").get<std::string>(),
         item.at("size").get<std::uint64_t>(), item.at("modified_ns").get<std::int64_t>()});
  for (const Json& item : json.at("absent"))
    dependencies.absent.push_back(place_of(item));
  return dependencies;
}

// Of the one source, where its name is temporary and no other argument but the output has its stem:
// what such an argument says of the name, a macro or an option, reaches the output.
TemporaryName temporary_source(const CommandLine& command) {
  const std::vector<std::string> inputs = command.inputs();
  if (inputs.empty()) return {};
  const auto content = read_text_file(inputs.front());
  if (!content) return {};
  TemporaryName name = TemporaryName::of(inputs.front(), *content);
  for (const auto& [kind, option, value] : command.arguments)
    if (kind == Argument::Kind::option && option != "-o" && name.neutral(value) != value) return {};
  return name;
}

}  // namespace

std::optional<CompileStore> CompileStore::open(const SpySettings& settings,
                                               const CommandLine& command) {
  if (settings.store.empty() || !command.is_reproducible()) return std::nullopt;
  for (const char* const name : side_effects)
    if (std::getenv(name) != nullptr) return std::nullopt;
  CompileStore store(settings.store, MovablePaths(settings.workspace));
  if (!is_plain_output(store.m_paths.absolute(command.outputs.front()))) return std::nullopt;
  if (!store.make_key(settings, command)) return std::nullopt;
  return store;
}

bool CompileStore::make_key(const SpySettings& settings, const CommandLine& command) {
  KeyText key;
  key.add(format);
  const fs::path real = behind_spies(settings.real_compiler);
  const auto compiler = file_state(real);
  if (!compiler) return false;
  key.add(fmt::format("{} {} {}", real.string(), compiler->size, compiler->modified_ns));
  key.add(helpers());
  for (const char* const name : variables) {
    const char* const value = std::getenv(name);
    key.add(value != nullptr ? fmt::format("{}={}", name, value) : "unset");
  }
  for (const char* const name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    for (const std::string& folder : folders_in(name))
      m_search_folders.push_back(m_paths.absolute(folder));
  m_temporary = temporary_source(command);
  for (const Argument& argument : command.arguments)
    if (!add_to_key(key, argument)) return false;
  // The part of a path that a prefix map leaves reaches the output.
  for (const fs::path& map : m_mapped_folders)
    for (const fs::path& root : m_paths.roots())
      key.add(is_below(root, map) ? root.lexically_relative(map).string() : "outside");
  const std::string digest = key.digest();
  m_entries = m_folder / digest.substr(0, 2) / digest;
  return true;
}

bool CompileStore::add_to_key(KeyText& key, const Argument& argument) {
  const auto& [kind, name, value] = argument;
  key.add(name);
  if (kind == Argument::Kind::input) {
    const auto content = read_text_file(value);
    if (!content || asks_for_more(*content)) return false;
    key.add(m_temporary.neutral(m_paths.name_file(value)));
    key.add(quick_digest(*content));
    m_search_folders.push_back(m_paths.absolute(value).parent_path());
  } else if (name == "-o") {
    // What the output is called changes nothing in it.
  } else if (is_any_of(name, {"-I", "-isystem", "-iquote", "-idirafter"})) {
    key.add(m_paths.name_folder(value));
    m_search_folders.push_back(m_paths.absolute(value));
  } else if (is_any_of(name, {"-include", "-imacros"})) {
    // A relative one is searched for, first of all in the working folder.
    key.add(fs::path(value).is_absolute()
                ? m_paths.name_file(value)
                : fmt::format("{} from {}", value, m_paths.folder().string()));
  } else if (name.ends_with("-prefix-map=")) {
    const std::size_t equals = std::min(value.find('='), value.size());
    const std::string from = value.substr(0, equals);
    key.add(m_paths.name_folder(from));
    key.add(value.substr(equals));
    m_mapped_folders.push_back(m_paths.absolute(from));
  } else {
    if (name == "-D" && asks_for_more(value)) return false;
    key.add(value);
    if (name.ends_with("=native")) key.add(processor());
    // Debug information names the working folder.
    if (name.starts_with("-g") && name != "-g0") key.add(m_paths.folder().string());
  }
  return true;
}

std::vector<std::string> CompileStore::dependency_options(const fs::path& file) {
  return {"-MD", "-MF", file.string(), "-MT", "output"};
}

fs::path CompileStore::output_file(const std::string& digest) const {
  return m_folder / "outputs" / digest;
}

std::optional<StoredCompile> CompileStore::find() const {
  std::error_code error;
  fs::directory_iterator entry(m_entries, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error))
    if (entry->path().extension() == ".entry")
      if (auto compile = read_entry(entry->path())) return compile;
  return std::nullopt;
}

std::optional<StoredCompile> CompileStore::read_entry(const fs::path& file) const {
  // The name is the digest of the content: an entry that still parses may be damaged, too.
  const auto text = read_text_file(file);
  if (!text || quick_digest(*text) != file.stem().string()) return std::nullopt;
  try {
    const Json json = parse_json<Json>(*text);
    const auto tied_to = json.at("tied_to").get<std::vector<std::string>>();
    if (!tied_to.empty() && tied_to != m_paths.all()) return std::nullopt;
    if (!still_hold(dependencies_of(json.at("dependencies")), m_paths)) return std::nullopt;
    StoredCompile compile;
    compile.out = m_temporary.restored(json.at("out").get<std::string>());
    compile.err = m_temporary.restored(json.at("err").get<std::string>());
    json.at("executable").get_to(compile.executable);
    json.at("output_digest").get_to(compile.output_digest);
    auto output = read_text_file(output_file(compile.output_digest));
    if (!output || bytes_digest(std::as_bytes(std::span(*output))) != compile.output_digest)
      return std::nullopt;
    compile.output = m_temporary.restored(std::move(*output));
    if (m_temporary.is_one())
      compile.output_digest = bytes_digest(std::as_bytes(std::span(compile.output)));
    return compile;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void CompileStore::leave_out_temporary_source(Dependencies& dependencies) const {
  if (!m_temporary.is_one()) return;
  const auto is_the_source = [&](const Place& place) {
    return m_paths.path_of(place).filename() == m_temporary.file();
  };
  std::erase_if(dependencies.present,
                [&](const Dependency& dependency) { return is_the_source(dependency.place); });
  std::erase_if(dependencies.absent, is_the_source);
}

void CompileStore::add(const StoredCompile& compile, const fs::path& dependency_file,
                       std::int64_t started_ns) const {
  const auto rule = read_text_file(dependency_file);
  if (!rule) return;
  const std::vector<std::string> files = parse_make_rule(*rule);
  if (files.empty()) return;  // the compiler has not said what it read
  auto dependencies = describe(files, m_search_folders, m_paths, started_ns);
  if (!dependencies) return;
  // A header that has the name says more with it than an entry in the list of symbols.
  for (const std::string& file : files)
    if (m_temporary.is_one() && fs::path(file).filename() != m_temporary.file()) {
      const auto content = read_text_file(file);
      if (!content || m_temporary.neutral(*content) != *content) return;
    }
  leave_out_temporary_source(*dependencies);
  const bool is_tied = m_paths.occur_in(compile.output) || m_paths.occur_in(compile.out) ||
                       m_paths.occur_in(compile.err);
  const std::string output = m_temporary.neutral(compile.output);
  if (m_temporary.restored(output) != compile.output) return;
  const std::string output_digest =
      m_temporary.is_one() ? bytes_digest(std::as_bytes(std::span(output))) : compile.output_digest;
  const Json json = {{"tied_to", is_tied ? m_paths.all() : std::vector<std::string>()},
                     {"dependencies", to_json(*dependencies)},
                     {"out", m_temporary.neutral(compile.out)},
                     {"err", m_temporary.neutral(compile.err)},
                     {"executable", compile.executable},
                     {"output_digest", output_digest}};
  try {
    const std::string text = json.dump();
    if (put_file(output_file(output_digest), output))
      (void)put_file(m_entries / (quick_digest(text) + ".entry"), text);
  } catch (const Json::exception&) {  // output that is not UTF-8
  }
}

}  // namespace tunecheck::spy
