#include "observe/watch/runtime_compiles.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include "observe/file_digest.hpp"

namespace tunecheck::watch {
namespace {

constexpr std::size_t most_kernels = 4;

std::string_view text_or_none(const char* text) {
  return text != nullptr ? text : "";
}

// With its length, so that two texts are never another two put together.
void add_text(std::string& all, std::string_view text) {
  all.append(std::to_string(text.size())).append(":").append(text);
}

std::string digest_of(const std::string& text) {
  return bytes_digest(std::as_bytes(std::span(text)));
}

bool is_of_a_name(char each) {
  return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
         (each >= '0' && each <= '9') || each == '_';
}

// Behind the parenthesis that closes the one at `at`.
std::size_t behind_parentheses(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return text.npos;
}

bool is_attribute(std::string_view name) {
  constexpr std::array<std::string_view, 7> attributes = {
      "__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__block_size__",
      "__attribute__",     "alignas",          "__align__"};
  return std::find(attributes.begin(), attributes.end(), name) != attributes.end();
}

// The last name before the parameters of the function that is declared from `at` on; "" where what
// follows is no declaration.
std::string_view declared_at(std::string_view text, std::size_t at) {
  std::string_view name;
  while (at < text.size()) {
    if (text[at] == '(') {
      if (!is_attribute(name)) return name;
      at = behind_parentheses(text, at);
      name = {};
    } else if (is_of_a_name(text[at])) {
      const std::size_t begin = at;
      while (at < text.size() && is_of_a_name(text[at]))
        ++at;
      name = text.substr(begin, at - begin);
    } else if (text[at] == ';' || text[at] == '{' || text[at] == '}') {
      return {};
    } else {
      ++at;
    }
  }
  return {};
}

}  // namespace

std::string kernels_in(std::string_view source) {
  constexpr std::string_view mark = "__global__";
  std::vector<std::string_view> names;
  for (std::size_t at = source.find(mark); at != source.npos && names.size() < most_kernels;
       at = source.find(mark, at)) {
    at += mark.size();
    const std::string_view name = declared_at(source, at);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  std::string all;
  for (const std::string_view name : names)
    all.append(all.empty() ? "" : ", ").append(name);
  return all;
}

void RuntimeCompiles::created(const void* program, const RuntimeSource& source) {
  const std::string_view text = text_or_none(source.source);
  std::string all;
  add_text(all, text);
  add_text(all, text_or_none(source.name));
  for (const auto list : {source.headers, source.names})
    for (const char* const each : list)
      add_text(all, text_or_none(each));
  Program made{digest_of(all), std::string(text_or_none(source.name)), kernels_in(text), {}};
  const std::lock_guard lock(m_mutex);
  m_programs.insert_or_assign(program, std::move(made));
}

void RuntimeCompiles::add_expression(const void* program, const char* expression) {
  const std::lock_guard lock(m_mutex);
  if (const auto found = m_programs.find(program); found != m_programs.end())
    found->second.expressions.emplace_back(text_or_none(expression));
}

void RuntimeCompiles::destroyed(const void* program) {
  const std::lock_guard lock(m_mutex);
  m_programs.erase(program);
}

void RuntimeCompiles::describe(const void* program, std::span<const char* const> options,
                               JitEvent& event) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_programs.find(program);
  if (found == m_programs.end()) return;
  std::string all = found->second.digest;
  add_text(all, event.library);
  add_text(all, std::to_string(found->second.expressions.size()));
  for (const std::string& expression : found->second.expressions)
    add_text(all, expression);
  for (const char* const option : options)
    add_text(all, text_or_none(option));
  event.source = digest_of(all);
  event.file = found->second.file;
  event.kernels = found->second.kernels;
}

void RuntimeCompiles::after_fork_in_child() {
  new (&m_mutex) std::mutex;
}

}  // namespace tunecheck::watch
