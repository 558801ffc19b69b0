#include "filled_cache.hpp"

#include <chrono>
#include <fcntl.h>
#include <stdexcept>

#include <sys/stat.h>

#include "core/digest.hpp"
#include "core/text.hpp"

namespace tunecheck::test {

void must(const Result<void>& done) {
  if (!done) throw std::runtime_error(done.error().text());
}

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void flip(const std::filesystem::path& file) {
  auto bytes = read_binary_file(file).value();
  bytes.at(bytes.size() / 2) ^= std::byte{1};
  must(write_file(file, bytes));
}

void displace(const FilledCache& cache) {
  namespace fs = std::filesystem;
  const fs::path linked = cache.entry_file(0).parent_path();
  fs::rename(linked, cache.beside("elsewhere"));
  fs::create_directory_symlink(cache.beside("elsewhere"), linked);
  fs::remove(cache.entry_file(1));
  fs::create_directory(cache.entry_file(1));
  must(write_file(linked.parent_path().parent_path() / "shove", std::string_view("no folder")));
}

FilledCache::FilledCache(int entries) {
  for (int shape = 0; shape < entries; ++shape)
    put(shape);
}

Key FilledCache::key(int shape, const std::string& toolchain) {
  return Key({{"arch", "x86-64-v2"},
              {"kernel", "nudge"},
              {"shape", fmt::format("x={}", shape)},
              {"toolchain", toolchain, true}});
}

void FilledCache::put(int shape, std::int64_t age_s, const std::string& toolchain) {
  Artifact artifact{std::vector<std::byte>(artifact_bytes, static_cast<std::byte>(shape))};
  Entry entry;
  entry.key = key(shape, toolchain);
  entry.winner = {{"block", 64}};
  entry.artifact_digest = artifact_digest(artifact.bytes);
  entry.artifact_bytes = artifact.bytes.size();
  entry.created_ns = now_ns() - age_s * 1'000'000'000;
  entry.trials = {{{{"block", 64}}, "", 1200, 1100, 1300, 16},
                  {{{"block", 128}}, "signal 11 (Segmentation fault)"}};
  entry.tuner_version = "0.1.0";
  must(FolderStore(path()).put(entry, artifact));
}

std::filesystem::path FilledCache::entry_file(int shape) const {
  return FolderStore(path()).file_of(key(shape));
}

std::filesystem::path FilledCache::artifact_file(int shape) const {
  for (const auto& file : std::filesystem::directory_iterator(entry_file(shape).parent_path()))
    if (file.path().extension() == ".so") return file.path();
  return {};
}

void FilledCache::leave_unused(int shape, std::int64_t seconds) const {
  timespec times[2] = {};
  times[0].tv_sec = times[1].tv_sec = now_ns() / 1'000'000'000 - seconds;
  for (const auto& file : std::filesystem::directory_iterator(entry_file(shape).parent_path()))
    if (::utimensat(AT_FDCWD, file.path().c_str(), times, 0) != 0)
      throw std::runtime_error(last_system_error());
}

void FilledCache::close_to_writers() const {
  namespace fs = std::filesystem;
  fs::permissions(m_folder.path(), fs::perms{0755});
  fs::permissions(path(), fs::perms{0755});
  for (const auto& each : fs::recursive_directory_iterator(path()))
    fs::permissions(each.path(), each.is_directory() ? fs::perms{0555} : fs::perms{0444});
}

cache::Contents FilledCache::contents() const {
  return cache::read_contents(path()).value();
}

std::vector<int> FilledCache::good() const {
  std::vector<int> shapes;
  for (const cache::StoredEntry& entry : contents().entries)
    if (entry.trouble.empty())
      shapes.push_back(
          static_cast<int>(parse_integer(entry.entry.key.find("shape")->substr(2)).value()));
  std::sort(shapes.begin(), shapes.end());
  return shapes;
}

}  // namespace tunecheck::test
