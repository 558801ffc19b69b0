#pragma once
// The file to which processes append the sessions that they have played, and which process plays
// which session.
//
// Beside it lies a lock file. A process holds a lock on one byte of it for each session that it
// plays, and on byte 0 while it appends; the system removes locks with their process. So several
// processes, of one command or of several, play each session once, and one that is killed leaves
// its session to the others. The locks are fcntl's: a process must not open the lock file twice,
// because closing one descriptor removes the locks of all.
#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/files.hpp"
#include "core/result.hpp"
#include "gate/rule/real_session.hpp"

namespace tunecheck::gate {

class SessionLog {
 public:
  /// For sessions of `kind` in `file`, which is made where it is missing. A last line that was cut
  /// is removed; any other damage, and sessions of something else, are errors. One per process and
  /// file.
  [[nodiscard]] static Result<SessionLog> open(std::filesystem::path file, SessionKind kind);

  /// The number of a session from 1 to `last` that nobody has played or is playing; it is this
  /// process's until it is appended or the process ends. Nothing where there is none. A part
  /// claims only its own numbers.
  [[nodiscard]] Result<std::optional<std::size_t>> claim(std::size_t last);
  /// A session that was claimed, of this kind. Waits while another process appends.
  [[nodiscard]] Result<void> append(const RealSession& session);

  /// How many sessions of the kind are in the file, as far as this process has read it.
  [[nodiscard]] std::size_t played() const { return m_played.size(); }
  /// What was removed by open(): "" where nothing was.
  [[nodiscard]] const std::string& removed() const { return m_removed; }

 private:
  SessionLog(std::filesystem::path file, SessionKind kind, FileDescriptor locks);
  [[nodiscard]] Result<void> begin();
  [[nodiscard]] Result<void> read_further();
  [[nodiscard]] Result<void> remove_cut_line();

  std::filesystem::path m_file;
  SessionKind m_kind;
  FileDescriptor m_locks;
  long long m_first_byte;          // of the lock file, for session number 0 of this kind
  std::size_t m_read = 0;          // bytes of the file
  int m_lines = 0;                 // in these bytes
  std::set<std::size_t> m_played;  // numbers, of this kind
  std::string m_removed;
};

}  // namespace tunecheck::gate
