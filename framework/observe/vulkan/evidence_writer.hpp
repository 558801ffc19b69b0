#pragma once
// What the Vulkan observer writes, and what it is told to look at: one of each per process.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "observe/evidence.hpp"
#include "observe/gpu/settings.hpp"
#include "observe/gpu/watch_file.hpp"

namespace tunecheck::vulkan {

/// True where a buffer of this many bytes is bound at each binding that the line watches.
using Fits = std::function<bool(const gpu::WatchedKernel&)>;

/// Any thread may call any member. None throws: a line that cannot be written is missing, which the
/// judge notices.
class EvidenceWriter {
 public:
  explicit EvidenceWriter(gpu::Settings settings);
  EvidenceWriter(const EvidenceWriter&) = delete;
  EvidenceWriter& operator=(const EvidenceWriter&) = delete;

  /// The one of this process; null where the observer is to be inert. Made at the first call, and
  /// never destroyed: work may be submitted while the process ends.
  [[nodiscard]] static EvidenceWriter* of_process();

  [[nodiscard]] bool watches() const { return m_settings.watch; }
  /// The line of the watch file about the kernel with this entry point: the last one that fits, or
  /// the last one of all. A copy, empty where there is none.
  [[nodiscard]] gpu::WatchedKernel watched(const std::string& entry_point, const Fits& fits);
  /// False: launches under this name are not recorded.
  [[nodiscard]] bool is_of_interest(const std::string& kernel) const {
    return m_settings.is_of_interest(kernel);
  }
  [[nodiscard]] std::string listing() const;
  [[nodiscard]] std::uint64_t next_launch();

  void write(const std::string& lines) noexcept;
  /// Each kind once.
  void trouble(const std::string& what) noexcept;

 private:
  const gpu::Settings m_settings;
  std::mutex m_mutex;
  gpu::WatchFile m_watch_file;
  std::uint64_t m_launches = 0;
  int m_process = 0;  // that m_launches counts for
  std::set<std::string> m_troubles;
};

}  // namespace tunecheck::vulkan
