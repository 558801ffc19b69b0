#include "observe/programs/spy_starts.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/files.hpp"
#include "observe/spy_settings.hpp"

namespace tunecheck {

namespace fs = std::filesystem;

SpyStarts::SpyStarts(const std::vector<fs::path>& spy_programs,
                     const std::vector<fs::path>& settings) {
  std::error_code error;
  for (const fs::path& program : spy_programs)
    m_programs.insert(fs::canonical(program, error).string());
  for (const fs::path& file : settings)
    m_settings[fs::canonical(file, error)] = read_text_file(file).value_or("");
}

Result<void> SpyStarts::change(const std::function<Result<void>()>& change) {
  const std::scoped_lock lock(m_mutex);
  TUNECHECK_CHECK(change());
  for (auto& [file, text] : m_settings)
    text = read_text_file(file).value_or("");
  return {};
}

void SpyStarts::examine(const std::string& program) {
  const std::scoped_lock lock(m_mutex);
  if (m_settings.empty()) return;
  const fs::path beside = spy_settings_file(program);
  std::error_code error;
  // Through a symbolic link the kernel knows the spy's own name, beside which nothing may lie.
  const bool is_known =
      m_settings.contains(beside) ||
      (m_programs.contains(program) && !fs::exists(fs::symlink_status(beside, error)));
  if (!is_known) return note(fmt::format("the compiler spy was started as {}", program));
  for (const auto& [file, text] : m_settings)
    if (read_text_file(file).value_or("") != text)
      note(fmt::format("{} is not what tunecheck wrote", file.string()));
}

void SpyStarts::add(int process) {
  const std::scoped_lock lock(m_mutex);
  m_processes.insert(process);
}

std::set<int> SpyStarts::processes() const {
  const std::scoped_lock lock(m_mutex);
  return m_processes;
}

std::string SpyStarts::misled() const {
  const std::scoped_lock lock(m_mutex);
  return m_misled;
}

void SpyStarts::note(std::string text) {
  if (m_misled.empty()) m_misled = std::move(text);
}

}  // namespace tunecheck
