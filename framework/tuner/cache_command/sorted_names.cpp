#include "tuner/cache_command/sorted_names.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <queue>
#include <unistd.h>

#include "core/files.hpp"

namespace tunecheck::cache {
namespace {

Error cannot(std::string_view what) {
  return Error{ErrorKind::machine,
               fmt::format("cannot {} a temporary file: {}", what, last_system_error()),
               {},
               0,
               {}};
}

// One run of the file, name by name. Each name ends with a zero, which no name contains.
class RunReader {
 public:
  RunReader(int file, std::int64_t begin, std::int64_t end)
      : m_file(file), m_at(begin), m_end(end) {}

  // Nothing at the end.
  Result<std::optional<std::string>> next() {
    std::string name;
    for (;;) {
      if (m_used == m_filled) TUNECHECK_CHECK(fill());
      if (m_filled == 0) return std::optional<std::string>();
      const char letter = m_buffer[m_used++];
      if (letter == '\0') return std::optional(std::move(name));
      name += letter;
    }
  }

 private:
  Result<void> fill() {
    const std::int64_t left = m_end - m_at;
    const auto wanted = static_cast<std::size_t>(
        std::min<std::int64_t>(left, static_cast<std::int64_t>(m_buffer.size())));
    const ssize_t got = wanted == 0 ? 0 : ::pread(m_file, m_buffer.data(), wanted, m_at);
    if (got < 0 || (got == 0 && wanted != 0)) return failure(cannot("read"));
    m_used = 0;
    m_filled = static_cast<std::size_t>(got);
    m_at += got;
    return {};
  }

  int m_file;
  std::int64_t m_at, m_end;
  std::array<char, 1024> m_buffer{};
  std::size_t m_used = 0, m_filled = 0;
};

}  // namespace

Result<void> SortedNames::add(std::string name) {
  m_names.push_back(std::move(name));
  if (m_names.size() < m_most) return {};
  return spill();
}

Result<void> SortedNames::spill() {
  if (m_file == nullptr) m_file.reset(std::tmpfile());
  if (m_file == nullptr) return failure(cannot("create"));
  std::sort(m_names.begin(), m_names.end());
  const std::int64_t begin = m_written;
  for (const std::string& name : m_names) {
    if (std::fwrite(name.c_str(), 1, name.size() + 1, m_file.get()) != name.size() + 1)
      return failure(cannot("write"));
    m_written += static_cast<std::int64_t>(name.size()) + 1;
  }
  if (std::fflush(m_file.get()) != 0) return failure(cannot("write"));
  m_runs.push_back({begin, m_written});
  m_names.clear();
  return {};
}

Result<void> SortedNames::visit(const Visit& visit) {
  std::string last;
  bool is_first = true;
  const auto visit_new = [&](const std::string& name) -> Result<void> {
    if (!is_first && name == last) return {};
    is_first = false;
    last = name;
    return visit(name);
  };
  if (m_runs.empty()) {
    std::sort(m_names.begin(), m_names.end());
    for (const std::string& name : m_names)
      TUNECHECK_CHECK(visit_new(name));
    return {};
  }
  if (!m_names.empty()) TUNECHECK_CHECK(spill());
  std::vector<RunReader> readers;
  using Head = std::pair<std::string, std::size_t>;  // a name, and the run it is the next of
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  for (const Run& run : m_runs)
    readers.emplace_back(::fileno(m_file.get()), run.begin, run.end);
  const auto push_next = [&](std::size_t run) -> Result<void> {
    TUNECHECK_TRY(auto name, readers[run].next());
    if (name) heads.emplace(std::move(*name), run);
    return {};
  };
  for (std::size_t run = 0; run < readers.size(); ++run)
    TUNECHECK_CHECK(push_next(run));
  while (!heads.empty()) {
    const Head head = heads.top();
    heads.pop();
    TUNECHECK_CHECK(visit_new(head.first));
    TUNECHECK_CHECK(push_next(head.second));
  }
  return {};
}

}  // namespace tunecheck::cache
