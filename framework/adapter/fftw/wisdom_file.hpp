#pragma once
// FFTW's wisdom in a file, as a program keeps it that does what the manual says.
#include <filesystem>
#include <optional>
#include <string>

namespace tunecheck {

/// Wisdom belongs to the process: FFTW adds up all that is imported. One thread at a time.
class WisdomFile {
 public:
  /// Nothing is read or written without a file.
  explicit WisdomFile(std::optional<std::filesystem::path> file) : m_file(std::move(file)) {}

  /// Adds what the file holds, the first time that it is called. False where there is a file that
  /// FFTW does not take.
  [[nodiscard]] bool import_once();

  /// Writes all that the process has. False where FFTW could not.
  [[nodiscard]] bool export_all() const;

  [[nodiscard]] bool is_kept() const { return m_file.has_value(); }
  [[nodiscard]] std::string name() const { return m_file ? m_file->string() : ""; }

 private:
  std::optional<std::filesystem::path> m_file;
  bool m_imported = false;
};

}  // namespace tunecheck
