#pragma once
// A cache folder with entries that were put there as the tuner does.
#include <filesystem>
#include <string>

#include "core/files.hpp"
#include "tuner/cache_command/contents.hpp"

namespace tunecheck::test {

inline constexpr std::size_t artifact_bytes = 5'000;

class FilledCache {
 public:
  /// Puts entries of the kernel "nudge" for the shapes 0 to `entries` - 1.
  explicit FilledCache(int entries);

  /// An entry for this shape, `age_s` seconds old.
  void put(int shape, std::int64_t age_s = 0, const std::string& toolchain = "a compiler");
  /// Its file, and that of its artifact.
  [[nodiscard]] std::filesystem::path entry_file(int shape) const;
  [[nodiscard]] std::filesystem::path artifact_file(int shape) const;
  /// As if the entry had not been used for so long.
  void leave_unused(int shape, std::int64_t seconds) const;

  /// Anybody may read what is there now, and nobody may write there, root excepted.
  void close_to_writers() const;

  [[nodiscard]] cache::Contents contents() const;
  /// The shapes of the entries that are good.
  [[nodiscard]] std::vector<int> good() const;

  [[nodiscard]] std::filesystem::path path() const { return m_folder.path() / "cache"; }
  [[nodiscard]] std::filesystem::path beside(const std::string& name) const {
    return m_folder.path() / name;
  }
  [[nodiscard]] static Key key(int shape, const std::string& toolchain = "a compiler");

 private:
  TemporaryFolder m_folder = TemporaryFolder::create("tunecheck-cache").value();
};

void must(const Result<void>& done);
[[nodiscard]] std::int64_t now_ns();
/// Of four entries, replaces the folder of the first one by a link to "elsewhere", which is beside
/// the cache, and the file of the second one by a folder; the kernel "shove" is a file.
void displace(const FilledCache& cache);
/// Changes one bit in the middle of the file.
void flip(const std::filesystem::path& file);

}  // namespace tunecheck::test
