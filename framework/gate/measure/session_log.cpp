#include "gate/measure/session_log.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <utility>

#include "core/digest.hpp"

namespace tunecheck::gate {
namespace {

namespace fs = std::filesystem;

constexpr long long appending = 0;           // the byte that a process locks while it appends
constexpr int bits_of_a_number = 32;         // numbers of sessions are below 2^32
constexpr std::size_t digits_of_a_kind = 7;  // 28 bits: an offset has 63

enum class Wait { no, yes };

// False where another process has it and it is not waited for.
Result<bool> lock_byte(int file, long long byte, short type, Wait wait) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  while (::fcntl(file, wait == Wait::yes ? F_SETLKW : F_SETLK, &lock) != 0) {
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EACCES) return false;
    return failure(ErrorKind::machine, "cannot lock the file of sessions: {}", last_system_error());
  }
  return true;
}

// Held for as long as it lives.
class Appending {
 public:
  static Result<Appending> begin(int file) {
    TUNECHECK_CHECK(lock_byte(file, appending, F_WRLCK, Wait::yes));
    return Appending(file);
  }
  Appending(Appending&& other) noexcept : m_file(std::exchange(other.m_file, -1)) {}
  Appending& operator=(Appending&&) = delete;
  ~Appending() {
    if (m_file >= 0) (void)lock_byte(m_file, appending, F_UNLCK, Wait::no);
  }

 private:
  explicit Appending(int file) : m_file(file) {}
  int m_file;
};

// Where the sessions of a kind begin in the lock file: far from those of any other kind.
long long first_byte_of(const SessionKind& kind) {
  const std::string text = fmt::format("{} {} {}", kind.head, kind.is_loaded, kind.at_once);
  return (std::stoll(key_digest(text).substr(0, digits_of_a_kind), nullptr, 16) + 1)
         << bits_of_a_number;
}

Error trouble(const fs::path& file, const char* what) {
  return {
      ErrorKind::machine, fmt::format("{}: {}", what, last_system_error()), file.string(), 0, {}};
}

}  // namespace

SessionLog::SessionLog(fs::path file, SessionKind kind, FileDescriptor locks)
    : m_file(std::move(file)),
      m_kind(std::move(kind)),
      m_locks(std::move(locks)),
      m_first_byte(first_byte_of(m_kind)) {}

Result<SessionLog> SessionLog::open(fs::path file, SessionKind kind) {
  const fs::path lock_file = file.string() + ".lock";
  FileDescriptor locks(::open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!locks.valid()) return failure(trouble(lock_file, "cannot open the file"));
  SessionLog log(std::move(file), std::move(kind), std::move(locks));
  TUNECHECK_CHECK(log.begin());
  return log;
}

Result<void> SessionLog::begin() {
  TUNECHECK_TRY(const Appending appending_now, Appending::begin(m_locks.get()));
  std::error_code error;
  if (!fs::exists(m_file, error)) TUNECHECK_CHECK(write_file(m_file, ""));
  return remove_cut_line();
}

// Nobody appends meanwhile: what has no newline will never get one.
Result<void> SessionLog::remove_cut_line() {
  TUNECHECK_CHECK(read_further());
  std::error_code error;
  const auto size = fs::file_size(m_file, error);
  if (error || size == m_read) return {};
  if (::truncate(m_file.c_str(), static_cast<off_t>(m_read)) != 0)
    return failure(trouble(m_file, "cannot remove the last line, which was cut"));
  m_removed = fmt::format("{}:{}: removed the last line, which was cut after {} bytes",
                          m_file.string(), m_lines + 1, size - m_read);
  return {};
}

Result<void> SessionLog::read_further() {
  TUNECHECK_TRY(const std::string text, read_text_file_from(m_file, m_read));
  auto parsed = parse_sessions(text, m_file);
  if (!parsed) {
    Error error = std::move(parsed).error();
    error.line += m_lines;
    return failure(std::move(error));
  }
  for (int& line : parsed->lines)
    line += m_lines;
  TUNECHECK_CHECK(check_appendable(*parsed, m_kind, m_file));
  for (const RealSession& session : parsed->sessions)
    if (session.kind == m_kind) m_played.insert(session.number);
  m_read += parsed->complete;
  m_lines += static_cast<int>(parsed->sessions.size());
  return {};
}

Result<std::optional<std::size_t>> SessionLog::claim(std::size_t last) {
  for (std::size_t number = 1; number <= last; ++number) {
    if (m_played.contains(number) || (m_kind.part && !m_kind.part->has(number))) continue;
    const long long byte = m_first_byte + static_cast<long long>(number);
    TUNECHECK_TRY(const bool is_mine, lock_byte(m_locks.get(), byte, F_WRLCK, Wait::no));
    if (!is_mine) continue;
    // Whoever had it may have appended it before it let go.
    TUNECHECK_CHECK(read_further());
    if (!m_played.contains(number)) return std::optional(number);
    TUNECHECK_CHECK(lock_byte(m_locks.get(), byte, F_UNLCK, Wait::no));
  }
  return std::optional<std::size_t>();
}

Result<void> SessionLog::append(const RealSession& session) {
  TUNECHECK_TRY(const Appending appending_now, Appending::begin(m_locks.get()));
  // A process that was killed may have left a part of a line.
  TUNECHECK_CHECK(remove_cut_line());
  const FileDescriptor file(::open(m_file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  const std::string line = to_line(session);
  if (!file.valid() || !write_all(file.get(), std::as_bytes(std::span(line))) ||
      ::fsync(file.get()) != 0)
    return failure(trouble(m_file, "cannot append a session"));
  m_played.insert(session.number);
  const long long byte = m_first_byte + static_cast<long long>(session.number);
  TUNECHECK_CHECK(lock_byte(m_locks.get(), byte, F_UNLCK, Wait::no));
  return {};
}

}  // namespace tunecheck::gate
