#pragma once
// Names of temporary sources. A tuner that writes each config to a file of its own,
// temp_x3k9w2ab.cpp, compiles the same text under another name each time, and compilers write that
// name into their outputs.
#include <string>
#include <string_view>

namespace tunecheck::spy {

/// The stem of such a file's name, and a text of the same length that stands for it in a store.
class TemporaryName {
 public:
  TemporaryName() = default;  ///< of a source whose name stays as it is
  /// The name is taken for a temporary one if it begins with "tmp" or "temp" and its stem has ten
  /// bytes or more, as mkstemp's names have. A source that contains its own stem keeps its name,
  /// because the stem then is more than an entry in the list of symbols.
  [[nodiscard]] static TemporaryName of(const std::string& path, std::string_view content);

  [[nodiscard]] bool is_one() const { return !m_stem.empty(); }
  /// With the extension and without the folder.
  [[nodiscard]] const std::string& file() const { return m_file; }
  /// `text` as it would be had the source the name that stands for all; restored() is the way back.
  [[nodiscard]] std::string neutral(std::string text) const;
  [[nodiscard]] std::string restored(std::string text) const;

 private:
  std::string m_file;
  std::string m_stem;
  std::string m_neutral;
};

}  // namespace tunecheck::spy
