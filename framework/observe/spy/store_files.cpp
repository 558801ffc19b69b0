#include "observe/spy/store_files.hpp"

#include <cstdlib>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/files.hpp"

namespace tunecheck::spy {

namespace fs = std::filesystem;

namespace {

std::int64_t in_ns(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

std::string quick_digest(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

ScratchFile::ScratchFile(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  std::string name = (folder / "scratch.XXXXXX").string();
  const FileDescriptor file(::mkstemp(name.data()));
  if (file.valid()) m_path = name;
}

ScratchFile::~ScratchFile() {
  if (valid()) ::unlink(m_path.c_str());
}

bool put_file(const fs::path& path, std::string_view content) {
  const ScratchFile scratch(path.parent_path());
  if (!scratch.valid() || !write_file(scratch.path(), content)) return false;
  return ::rename(scratch.path().c_str(), path.c_str()) == 0;
}

std::optional<FileState> file_state(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileState{static_cast<std::uint64_t>(status.st_size), in_ns(status.st_mtim),
                   in_ns(status.st_ctim)};
}

}  // namespace tunecheck::spy
