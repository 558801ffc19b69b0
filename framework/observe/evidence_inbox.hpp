#pragma once
// Where the judge takes in what observers send.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/result.hpp"
#include "observe/evidence.hpp"

namespace tunecheck {

/// A socket for the observers of one process of a tuner. What was sent belongs to the judge: the
/// tuner, in whose processes observers run, can add lines, but change or remove none. A process
/// that can append to a file could also cut it.
///
/// open() before the process starts; take() at any time, from one thread. Lines are also
/// written to a file, which people read, and EvidenceWatch while the process runs. The destructor
/// removes the socket; the file stays. Owns a thread, which takes in lines as they come, so that no
/// sender has to wait.
class EvidenceInbox {
 public:
  struct Limits {
    std::uint64_t bytes = std::uint64_t{1} << 30;  ///< of all lines together
    std::size_t senders = 1000;                    ///< at one moment
  };
  [[nodiscard]] static Result<std::unique_ptr<EvidenceInbox>> open(
      const std::filesystem::path& socket, const std::filesystem::path& file) {
    return open(socket, file, Limits());
  }
  [[nodiscard]] static Result<std::unique_ptr<EvidenceInbox>> open(
      const std::filesystem::path& socket, const std::filesystem::path& file, Limits limits);
  ~EvidenceInbox();
  EvidenceInbox(const EvidenceInbox&) = delete;
  EvidenceInbox& operator=(const EvidenceInbox&) = delete;

  /// The lines that came since the last time, among them every line whose sending had ended when
  /// this was called. If a process died while it sent a line, that line is missing.
  /// Errors: more than the limits, from then on; the file cannot be written.
  [[nodiscard]] Result<std::vector<SentLines>> take();

 private:
  class Receiver;
  explicit EvidenceInbox(std::unique_ptr<Receiver> receiver);
  std::unique_ptr<Receiver> m_receiver;
};

}  // namespace tunecheck
