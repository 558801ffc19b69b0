#include "observe/spy/movable_paths.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace tunecheck::spy {

namespace fs = std::filesystem;

namespace {

// Without the "/" at the end that lexically_normal keeps.
fs::path normal(const fs::path& path) {
  const fs::path plain = path.lexically_normal();
  return plain.has_filename() || plain == plain.root_path() ? plain : plain.parent_path();
}

}  // namespace

bool is_below(const fs::path& path, const fs::path& folder) {
  const std::string& text = path.native();
  const std::string& start = folder.native();
  return text.starts_with(start) &&
         (text.size() == start.size() || start.ends_with('/') || text[start.size()] == '/');
}

MovablePaths::MovablePaths(const fs::path& workspace) {
  std::error_code error;
  m_folder = fs::current_path(error);
  if (!workspace.empty()) {
    m_workspace = normal(workspace);
    m_movable.push_back(m_workspace);
    const fs::path canonical = fs::canonical(workspace, error);
    if (!error) m_movable.push_back(canonical);
  }
  m_movable.insert(m_movable.end(), {"/tmp", "/var/tmp"});
  const char* const temporary = std::getenv("TMPDIR");
  if (temporary != nullptr && *temporary == '/' && normal(temporary) != "/")
    m_movable.push_back(normal(temporary));
}

fs::path MovablePaths::absolute(const fs::path& path) const {
  const fs::path whole = path.is_absolute() ? path : m_folder / path;
  const fs::path plain = normal(whole);
  // "link/.." is not the folder that holds the link.
  std::error_code error;
  if (whole.native().find("/..") != std::string::npos && !fs::equivalent(whole, plain, error))
    return whole;
  return plain;
}

bool MovablePaths::is_movable(const fs::path& absolute) const {
  return std::any_of(m_movable.begin(), m_movable.end(),
                     [&](const fs::path& folder) { return is_below(absolute, folder); });
}

std::string MovablePaths::name_root(const fs::path& folder, const std::string& rest,
                                    const std::string& spelled) {
  const bool relative = !fs::path(spelled).is_absolute();
  if (!is_movable(folder))
    return relative ? fmt::format("{} in {}", spelled, m_folder.string()) : spelled;
  const auto found = std::find(m_roots.begin(), m_roots.end(), folder);
  const auto number = found - m_roots.begin();
  if (found == m_roots.end()) m_roots.push_back(folder);
  // A relative path may reach the output as it is spelled, through __FILE__.
  return fmt::format("<{}>{}{}", number, rest, relative ? " as " + spelled : "");
}

std::string MovablePaths::name_folder(const std::string& path) {
  return name_root(absolute(path), {}, path);
}

std::string MovablePaths::name_file(const std::string& path) {
  const fs::path whole = absolute(path);
  return name_root(whole.parent_path(), '/' + whole.filename().string(), path);
}

std::vector<Place> MovablePaths::places_of(const fs::path& absolute) const {
  std::vector<Place> places;
  for (std::size_t root = 0; root < m_roots.size(); ++root)
    if (is_below(absolute, m_roots[root]))
      places.push_back(
          {static_cast<int>(root), absolute.lexically_relative(m_roots[root]).string()});
  if (!places.empty()) return places;
  if (is_movable(absolute) && !m_roots.empty())
    return {{0, absolute.lexically_relative(m_roots.front()).string()}};
  return {{-1, absolute.string()}};
}

fs::path MovablePaths::path_of(const Place& place) const {
  if (place.root < 0) return place.name;
  if (static_cast<std::size_t>(place.root) >= m_roots.size()) return {};
  return m_roots[static_cast<std::size_t>(place.root)] / place.name;
}

bool MovablePaths::occur_in(std::string_view bytes) const {
  const auto occurs = [&](const fs::path& path) {
    return !path.empty() && bytes.find(path.native()) != bytes.npos;
  };
  return std::any_of(m_roots.begin(), m_roots.end(), occurs) || occurs(m_workspace) ||
         occurs(m_folder);
}

std::vector<std::string> MovablePaths::all() const {
  std::vector<std::string> paths = {m_folder.string()};
  for (const fs::path& root : m_roots)
    paths.push_back(root.string());
  return paths;
}

}  // namespace tunecheck::spy
