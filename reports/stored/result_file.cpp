#include "reports/stored/result_file.hpp"

#include "core/files.hpp"
#include "reports/stored/json.hpp"

namespace tunecheck {

Result<void> ResultFile::update(const RunResult& so_far) {
  const auto begun = std::chrono::steady_clock::now();
  if (so_far.trouble.empty() && begun < m_next) return {};
  TUNECHECK_CHECK(create_folders(m_file.parent_path()));
  TUNECHECK_CHECK(write_json(so_far, m_file));
  const auto written = std::chrono::steady_clock::now();
  m_next = written + 20 * (written - begun);
  return {};
}

}  // namespace tunecheck
