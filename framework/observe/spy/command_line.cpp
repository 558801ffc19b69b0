#include "observe/spy/command_line.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace tunecheck::spy {
namespace {

using Names = std::span<const std::string_view>;

// Options with a value, joined or as the next argument. Longer ones come before their beginnings.
constexpr std::array<std::string_view, 17> valued = {
    "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot",
    "-iprefix", "-MF",     "-MT",        "-MQ",      "-I",       "-D",
    "-U",       "-L",      "-o",         "-x",       "-B"};
// Options whose value is always the next argument.
constexpr std::array<std::string_view, 15> separate = {
    "-Xlinker", "-Xpreprocessor", "-Xassembler", "-Xclang",   "-mllvm",
    "-target",  "-arch",          "-T",          "-u",        "-z",
    "-e",       "--param",        "-wrapper",    "-dumpbase", "-aux-info"};
// Options joined to a value that names a path.
constexpr std::array<std::string_view, 3> prefix_maps = {
    "-ffile-prefix-map=", "-fmacro-prefix-map=", "-fdebug-prefix-map="};

// Nothing but these goes into the store; an ending "*" stands for any rest.
constexpr std::array<std::string_view, 49> harmless = {"-c",
                                                       "-S",
                                                       "-I",
                                                       "-D",
                                                       "-U",
                                                       "-isystem",
                                                       "-iquote",
                                                       "-idirafter",
                                                       "-include",
                                                       "-imacros",
                                                       "-x",
                                                       "-O*",
                                                       "-W*",
                                                       "-f*",
                                                       "-m*",
                                                       "-g",
                                                       "-g0",
                                                       "-g1",
                                                       "-g2",
                                                       "-g3",
                                                       "-ggdb*",
                                                       "-std=*",
                                                       "-w",
                                                       "-pedantic*",
                                                       "-ansi",
                                                       "-shared",
                                                       "-static*",
                                                       "-pipe",
                                                       "-pthread",
                                                       "-pie",
                                                       "-no-pie",
                                                       "-s",
                                                       "-rdynamic",
                                                       "-nostdlib",
                                                       "-nostdinc",
                                                       "-nostdinc++",
                                                       "-nostartfiles",
                                                       "-nodefaultlibs",
                                                       "-lm",
                                                       "-ldl",
                                                       "-lrt",
                                                       "-lpthread",
                                                       "-lstdc++",
                                                       "-lgcc",
                                                       "-o",
                                                       "-ffile-prefix-map=",
                                                       "-fmacro-prefix-map=",
                                                       "-fdebug-prefix-map=",
                                                       "-lgomp"};
// Exceptions: they read or write further files, or hide paths in the output from the spy.
constexpr std::array<std::string_view, 24> harmful = {"-fplugin*",
                                                      "-fprofile*",
                                                      "-fdump*",
                                                      "-ftest-coverage",
                                                      "-fauto-profile*",
                                                      "-flto*",
                                                      "-fmodule*",
                                                      "-fopt-info*",
                                                      "-fsave*",
                                                      "-ftime-trace*",
                                                      "-fcallgraph*",
                                                      "-fstack-usage*",
                                                      "-fcrash*",
                                                      "-fuse-ld=*",
                                                      "-fpch*",
                                                      "-fdiagnostics-format=*",
                                                      "-frecord*",
                                                      "-fembed*",
                                                      "-fsyntax-only",
                                                      "-mllvm",
                                                      "-fworking-directory",
                                                      "-Wp,*",
                                                      "-Wa,*",
                                                      "-fsanitize-*"};
// Of the linker's, these alone.
constexpr std::array<std::string_view, 10> harmless_to_link = {
    "-Wl,-soname,*",   "-Wl,-z,*",     "-Wl,--as-needed",    "-Wl,--no-undefined",
    "-Wl,--build-id*", "-Wl,-O*",      "-Wl,--hash-style=*", "-Wl,--gc-sections",
    "-Wl,-Bsymbolic*", "-Wl,--strip-*"};
constexpr std::array<std::string_view, 8> sources = {".c",   ".cc", ".cpp", ".cxx",
                                                     ".c++", ".C",  ".s",   ".S"};

bool matches(Names patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) {
    if (!pattern.ends_with('*')) return text == pattern;
    return text.starts_with(pattern.substr(0, pattern.size() - 1));
  });
}

bool is_harmless(std::string_view option) {
  if (option.starts_with("-Wl,"))
    return matches(harmless_to_link, option) && std::count(option.begin(), option.end(), ',') <= 2;
  return matches(harmless, option) && !matches(harmful, option);
}

bool is_source(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot != path.npos &&
         std::find(sources.begin(), sources.end(), path.substr(dot)) != sources.end();
}

bool asks_only(std::string_view name) {
  constexpr std::array<std::string_view, 10> patterns = {
      "--version",        "-V",         "-###",     "-dumpmachine", "-dumpversion",
      "-dumpfullversion", "-dumpspecs", "-print-*", "--print-*",    "--help*"};
  return matches(patterns, name);
}

Argument read_argument(const std::vector<std::string>& arguments, std::size_t& at) {
  const std::string& text = arguments[at++];
  const auto next = [&] { return at < arguments.size() ? arguments[at++] : std::string(); };
  if (text == "-" || !text.starts_with('-')) return {Argument::Kind::input, {}, text};
  if (std::find(separate.begin(), separate.end(), text) != separate.end())
    return {Argument::Kind::option, text, next()};
  for (const std::string_view name : prefix_maps)
    if (text.starts_with(name))
      return {Argument::Kind::option, std::string(name), text.substr(name.size())};
  for (const std::string_view name : valued) {
    if (text == name) return {Argument::Kind::option, text, next()};
    if (text.starts_with(name))
      return {Argument::Kind::option, std::string(name), text.substr(name.size())};
  }
  return {Argument::Kind::option, text, {}};
}

}  // namespace

std::vector<std::string> CommandLine::inputs() const {
  std::vector<std::string> paths;
  for (const Argument& argument : arguments)
    if (argument.kind == Argument::Kind::input) paths.push_back(argument.value);
  return paths;
}

bool CommandLine::only_links() const {
  constexpr std::array compiled = {".o", ".obj", ".lo", ".a", ".so"};
  const std::vector<std::string> files = inputs();
  return !files.empty() && std::all_of(files.begin(), files.end(), [&](const std::string& file) {
    return std::any_of(compiled.begin(), compiled.end(),
                       [&](const char* ending) { return file.ends_with(ending); });
  });
}

bool CommandLine::has(std::string_view option) const {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const Argument& argument) { return argument.name == option; });
}

bool CommandLine::is_reproducible() const {
  int source_count = 0;
  for (const Argument& argument : arguments) {
    if (argument.kind == Argument::Kind::input) {
      if (is_source(argument.value))
        ++source_count;
      else if (!argument.value.ends_with(".o"))
        return false;
    } else if (!is_harmless(argument.name)) {
      return false;
    }
  }
  return !query && source_count == 1 && outputs.size() == 1;
}

CommandLine parse_command_line(const std::vector<std::string>& arguments, bool null_input) {
  CommandLine line;
  for (std::size_t at = 0; at < arguments.size();) {
    line.arguments.push_back(read_argument(arguments, at));
    const Argument& argument = line.arguments.back();
    if (argument.name == "-o") line.outputs.push_back(argument.value);
    if (argument.name == "--version") line.asks_version = true;
    if (argument.kind == Argument::Kind::option && asks_only(argument.name)) line.query = true;
  }
  const std::vector<std::string> inputs = line.inputs();
  const bool reads_nothing =
      !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [&](const std::string& input) {
        return input == "/dev/null" || (input == "-" && null_input);
      });
  if (line.has("-E") && reads_nothing) line.query = true;
  if (line.has("-v") && inputs.empty() && line.outputs.empty()) line.query = true;
  return line;
}

}  // namespace tunecheck::spy
