#include "harness/process/evidence_watch.hpp"

#include <algorithm>

#include "harness/process/watched_call.hpp"
#include "observe/evidence.hpp"

namespace tunecheck {

void EvidenceWatch::look() {
  const auto evidence = read_evidence(m_file, m_read);
  if (!evidence) return;
  m_compiles += std::count_if(evidence->compiles.begin(), evidence->compiles.end(),
                              [](const CompileEvent& event) { return !event.query; });
  for (const LaunchEvent& event : evidence->launches) {
    if (event.kernel != m_kernel) continue;
    ++m_launches;
    m_configs.insert(config_or_artifact(event));
  }
}

}  // namespace tunecheck
