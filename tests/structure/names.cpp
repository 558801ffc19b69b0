#include "names.hpp"

#include <cctype>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>>& names_by_header() {
  static const std::map<std::string, std::set<std::string>> names = {
      {"algorithm",
       {"std::all_of", "std::any_of", "std::clamp", "std::copy", "std::count_if", "std::find",
        "std::find_if", "std::max_element", "std::min_element", "std::minmax_element",
        "std::none_of", "std::nth_element", "std::replace", "std::sort", "std::stable_sort",
        "std::transform"}},
      {"array", {"std::array"}},
      {"atomic", {"std::atomic"}},
      {"charconv", {"std::from_chars", "std::to_chars"}},
      {"chrono", {"std::chrono"}},
      {"cmath", {"std::isfinite", "std::isnan", "std::log", "std::sqrt"}},
      {"condition_variable", {"std::condition_variable"}},
      {"cstdlib", {"std::getenv"}},
      {"cstring", {"std::memcpy", "std::strlen"}},
      {"deque", {"std::deque"}},
      {"filesystem", {"std::filesystem"}},
      {"fmt/format.h", {"fmt::format"}},
      {"fmt/ranges.h", {"fmt::join"}},
      {"fstream", {"std::ifstream", "std::ofstream"}},
      {"functional", {"std::function"}},
      {"future", {"std::future", "std::shared_future"}},
      {"limits", {"std::numeric_limits"}},
      {"list", {"std::list"}},
      {"map", {"std::map", "std::multimap"}},
      {"memory", {"std::make_shared", "std::make_unique", "std::shared_ptr", "std::unique_ptr"}},
      {"mutex", {"std::mutex", "std::scoped_lock", "std::unique_lock"}},
      {"nlohmann/json_fwd.hpp", {"nlohmann::json", "nlohmann::ordered_json"}},
      {"numeric", {"std::accumulate", "std::iota"}},
      {"optional", {"std::nullopt", "std::optional"}},
      {"regex", {"std::regex"}},
      {"set", {"std::set"}},
      {"span", {"std::span"}},
      {"sstream", {"std::istringstream", "std::ostringstream"}},
      {"string", {"std::string"}},
      {"string_view", {"std::string_view"}},
      {"thread", {"std::jthread", "std::thread"}},
      {"tl/expected.hpp", {"tl::expected"}},
      {"unordered_map", {"std::unordered_map"}},
      {"variant", {"std::variant"}},
      {"vector", {"std::vector"}},
  };
  return names;
}

bool is_in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The position after the literal that begins at `at`; `raw` is set for R"x(...)x".
std::size_t end_of_literal(std::string_view text, std::size_t at, bool raw) {
  if (raw) {
    const std::size_t open = text.find('(', at);
    if (open == text.npos) return text.size();
    const std::string close = fmt::format("){}\"", text.substr(at + 1, open - at - 1));
    const std::size_t end = text.find(close, open);
    return end == text.npos ? text.size() : end + close.size();
  }
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote && text[at] != '\n')
    at += text[at] == '\\' ? 2U : 1U;
  return at + 1;
}

// Words, "::" and single characters, without directives: they are a matter of the preprocessor.
std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t begin = at;
    if (c == '/' && text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '/' && text.substr(at, 2) == "/*") {
      at = std::min(text.find("*/", at), text.size() - 2) + 2;
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (c == '"' || c == '\'') {
      at = end_of_literal(text, at, false);
    } else if (is_in_word(c)) {
      // A ' in a word separates digits.
      while (at < text.size() &&
             (is_in_word(text[at]) || (text[at] == '\'' && std::isdigit(c) != 0)))
        ++at;
      if (text.substr(begin, at - begin) == "R" && at < text.size() && text[at] == '"')
        at = end_of_literal(text, at, true);
      else
        tokens.push_back(text.substr(begin, at - begin));
    } else {
      at += text.substr(at, 2) == "::" ? 2U : 1U;
      if (std::isspace(static_cast<unsigned char>(c)) == 0)
        tokens.push_back(text.substr(begin, at - begin));
    }
  }
  return tokens;
}

using Files = std::map<std::string, const NamedFile*>;

// The file and all of ours that it includes.
std::set<const NamedFile*> included_by(const NamedFile& file, const Files& files,
                                       const fs::path& root) {
  std::set<const NamedFile*> found = {&file};
  std::vector<const NamedFile*> next = {&file};
  while (!next.empty()) {
    const NamedFile& each = *next.back();
    next.pop_back();
    for (const Include& include : each.file.includes)
      if (const auto target = files.find(resolve(include, root));
          target != files.end() && found.insert(target->second).second)
        next.push_back(target->second);
  }
  return found;
}

// For each type that a single header declares: that header.
std::map<std::string, std::string> headers_of_types(const std::vector<NamedFile>& files) {
  std::map<std::string, std::string> headers;
  for (const NamedFile& each : files) {
    if (each.file.path.ends_with(".cpp")) continue;
    for (const std::string& name : each.names.declared)
      if (const auto [at, is_new] = headers.emplace(name, each.file.path); !is_new)
        at->second.clear();
  }
  std::erase_if(headers, [](const auto& header) { return header.second.empty(); });
  return headers;
}

}  // namespace

Names names_of(const std::string& text) {
  static const std::set<std::string_view> libraries = {"std", "fmt", "nlohmann", "tl"};
  static const std::set<std::string_view> declaring = {"class", "struct", "enum", "using",
                                                       "typename"};
  const std::vector<std::string_view> tokens = tokens_of(text);
  const auto token = [&](std::size_t at) {
    return at < tokens.size() ? tokens[at] : std::string_view();
  };
  Names names;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string_view before = at == 0 ? std::string_view() : tokens[at - 1];
    if (libraries.contains(tokens[at]) && token(at + 1) == "::")
      names.library.insert(fmt::format("{}::{}", tokens[at], token(at + 2)));
    if (std::isupper(static_cast<unsigned char>(tokens[at][0])) == 0) continue;
    // "class... Types" has dots in between.
    if (declaring.contains(before) ||
        (before == "." && at > 3 && declaring.contains(tokens[at - 4])))
      names.declared.emplace(tokens[at]);
    else if (before != "::" && before != "." && before != ">")
      names.types.emplace(tokens[at]);
  }
  return names;
}

std::vector<NamedFile> read_names(const fs::path& root, const std::vector<std::string>& folders) {
  std::vector<NamedFile> files;
  for (SourceFile& file : read_sources(root, folders)) {
    std::ostringstream text;
    text << std::ifstream(root / file.path).rdbuf();
    files.push_back({std::move(file), names_of(text.str())});
  }
  return files;
}

std::vector<std::string> names_without_headers(const std::vector<NamedFile>& files,
                                               const fs::path& root) {
  Files by_path;
  for (const NamedFile& each : files)
    by_path.emplace(each.file.path, &each);
  const std::map<std::string, std::string> headers = headers_of_types(files);
  std::vector<std::string> found;
  for (const NamedFile& each : files) {
    std::set<std::string> included;
    std::set<std::string> declared;
    for (const NamedFile* const file : included_by(each, by_path, root)) {
      declared.insert(file->names.declared.begin(), file->names.declared.end());
      for (const Include& include : file->file.includes)
        included.insert(include.path);
    }
    if (included.contains("nlohmann/json.hpp")) included.insert("nlohmann/json_fwd.hpp");
    for (const auto& [header, names] : names_by_header())
      for (const std::string& name : names)
        if (!included.contains(header) && each.names.library.contains(name))
          found.push_back(fmt::format("{}: {} without <{}>", each.file.path, name, header));
    for (const std::string& name : each.names.types)
      if (const auto header = headers.find(name);
          header != headers.end() && !declared.contains(name))
        found.push_back(fmt::format("{}: {} without {}", each.file.path, name, header->second));
  }
  return found;
}

}  // namespace tunecheck::test
