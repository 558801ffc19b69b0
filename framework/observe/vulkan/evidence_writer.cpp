#include "observe/vulkan/evidence_writer.hpp"

#include <cerrno>
#include <cstdlib>
#include <unistd.h>
#include <utility>

#include "observe/event_lines.hpp"
#include "observe/evidence_clock.hpp"
#include "observe/probe/counting.hpp"

namespace tunecheck::vulkan {
namespace {

EvidenceWriter* make() {
  auto settings = gpu::read_settings();
  if (!settings) return nullptr;
  if (const char* const counts = std::getenv("TUNECHECK_PROBE_COUNTS");
      counts != nullptr && *counts != '\0')
    probe::map_counts(counts);
  return new EvidenceWriter(std::move(*settings));
}

}  // namespace

EvidenceWriter::EvidenceWriter(gpu::Settings settings)
    : m_settings(std::move(settings)), m_watch_file(m_settings.watch_file) {}

EvidenceWriter* EvidenceWriter::of_process() {
  static EvidenceWriter* const made = make();
  return made;
}

gpu::WatchedKernel EvidenceWriter::watched(const std::string& entry_point, const Fits& fits) {
  const std::lock_guard lock(m_mutex);
  const gpu::WatchedKernel* const found = m_watch_file.find_fitting(entry_point, fits);
  return found != nullptr ? *found : gpu::WatchedKernel{entry_point, {}};
}

std::string EvidenceWriter::listing() const {
  return m_settings.folder.empty() ? "" : listing_digest(m_settings.folder, m_settings.files);
}

std::uint64_t EvidenceWriter::next_launch() {
  const std::lock_guard lock(m_mutex);
  if (const int process = ::getpid(); std::exchange(m_process, process) != process) m_launches = 0;
  return ++m_launches;
}

void EvidenceWriter::write(const std::string& lines) noexcept {
  if (lines.empty()) return;
  const int saved = errno;
  try {
    // Opened anew: a kept descriptor could have become the process's own file.
    if (const auto evidence = open_evidence(m_settings.evidence))
      (void)append_line(*evidence, lines);
  } catch (const std::exception&) {
  }
  errno = saved;
}

void EvidenceWriter::trouble(const std::string& what) noexcept {
  try {
    {
      const std::lock_guard lock(m_mutex);
      if (!m_troubles.insert(what).second) return;
    }
    write(to_line(TroubleEvent{evidence_now_ns(), ::getpid(), what}));
  } catch (const std::exception&) {
  }
}

}  // namespace tunecheck::vulkan
