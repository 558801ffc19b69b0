#include "observe/runtime_spy/program_store.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "core/parse_json.hpp"
#include "observe/file_digest.hpp"
#include "observe/runtime_spy/includes.hpp"
#include "observe/spy/dependencies.hpp"
#include "observe/spy/store_files.hpp"

namespace tunecheck::spy {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view format = "tunecheck runtime store 1";

// Options that name a folder to search, joined to it.
constexpr std::array<std::string_view, 2> include_options = {"--include-path=", "-I"};
// Others that change nothing but the outputs, with their values joined to them.
constexpr std::array<std::string_view, 26> harmless = {"-D",
                                                       "--define-macro=",
                                                       "-U",
                                                       "--undefine-macro=",
                                                       "-std=",
                                                       "--std=",
                                                       "-arch=",
                                                       "--gpu-architecture=",
                                                       "--offload-arch=",
                                                       "-O",
                                                       "-use_fast_math",
                                                       "--use_fast_math",
                                                       "-fmad=",
                                                       "--fmad=",
                                                       "-ftz=",
                                                       "--ftz=",
                                                       "-prec-",
                                                       "--prec-",
                                                       "-maxrregcount=",
                                                       "--maxrregcount=",
                                                       "-default-device",
                                                       "--device-as-default-execution-space",
                                                       "-minimal",
                                                       "--minimal",
                                                       "-ffast-math",
                                                       "-w"};
constexpr std::array<const char*, 4> variables = {"NVRTC_PREPEND_FLAGS", "NVRTC_APPEND_FLAGS",
                                                  "HIPRTC_COMPILE_OPTIONS_APPEND",
                                                  "HIPRTC_LINK_OPTIONS_APPEND"};

// A list of texts in which none can be taken for another.
void add(std::string& key, std::string_view part) {
  key += fmt::format("{}:{},", part.size(), part);
}

fs::path output_file(const fs::path& store, const std::string& digest) {
  return store / "outputs" / digest;
}

fs::path entry_file(const fs::path& store, const std::string& key) {
  return store / "runtime" / key;
}

std::string digest_of(const std::string& bytes) {
  return bytes_digest(std::as_bytes(std::span(bytes)));
}

}  // namespace

std::optional<std::string> program_key(const std::string& compiler, const ProgramText& text) {
  std::string key;
  IncludePlaces places{{}, fs::path(text.name).parent_path(), text.headers};
  add(key, format);
  add(key, compiler);
  add(key, text.name);
  add(key, text.source);
  for (const auto& [name, content] : text.headers) {
    add(key, name);
    add(key, content);
  }
  for (const std::string& expression : text.expressions)
    add(key, "expression " + expression);
  for (const std::string& option : text.options) {
    const auto begins_option = [&](std::string_view name) { return option.starts_with(name); };
    const auto* const include =
        std::find_if(include_options.begin(), include_options.end(), begins_option);
    if (include != include_options.end()) {
      if (option.size() == include->size()) return std::nullopt;  // the folder comes next
      places.folders.emplace_back(option.substr(include->size()));
      add(key, *include);
    } else if (std::any_of(harmless.begin(), harmless.end(), begins_option) &&
               !asks_for_more(option)) {
      add(key, option);
    } else {
      return std::nullopt;
    }
  }
  for (const char* const name : variables) {
    const char* const value = std::getenv(name);
    add(key, value != nullptr ? std::string("=") + value : "unset");
  }
  const auto included = included_content(text.source, places);
  if (!included) return std::nullopt;
  add(key, *included);
  return quick_digest(key);
}

std::optional<CompiledProgram> find_program_in(const fs::path& store, const std::string& key) {
  const auto text = read_text_file(entry_file(store, key));
  if (!text) return std::nullopt;
  try {
    const Json json = parse_json<Json>(*text);
    CompiledProgram program;
    json.at("lowered").get_to(program.lowered);
    for (const auto& [kind, digest] : json.at("outputs").items()) {
      auto output = read_text_file(output_file(store, digest.get<std::string>()));
      if (!output || digest_of(*output) != digest.get<std::string>()) return std::nullopt;
      program.outputs[kind] = std::move(*output);
    }
    return program;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void add_program_to(const fs::path& store, const std::string& key, const CompiledProgram& program) {
  Json outputs = Json::object();
  for (const auto& [kind, output] : program.outputs) {
    outputs[kind] = digest_of(output);
    if (!put_file(output_file(store, digest_of(output)), output)) return;
  }
  try {
    (void)put_file(entry_file(store, key),
                   Json{{"lowered", program.lowered}, {"outputs", outputs}}.dump());
  } catch (const Json::exception&) {  // a name that is not UTF-8
  }
}

}  // namespace tunecheck::spy
