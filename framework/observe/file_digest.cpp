// The plain SHA-256 functions, which OpenSSL 3 marks as old: the new ones load configuration and
// providers first, which would double the time that the compiler spy needs to start.
#define OPENSSL_API_COMPAT 10100
#include "observe/file_digest.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <limits>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <openssl/sha.h>
#include <sys/stat.h>

#include "core/files.hpp"

namespace tunecheck {
namespace {

class Sha256 {
 public:
  Sha256() { SHA256_Init(&m_context); }
  void add(std::span<const std::byte> bytes) {
    SHA256_Update(&m_context, bytes.data(), bytes.size());
  }
  void add_number(std::int64_t number) { add(std::as_bytes(std::span(&number, 1))); }
  void add_times(const struct stat& status) {
    for (const std::int64_t number :
         {std::int64_t{status.st_blocks}, std::int64_t{status.st_mtim.tv_sec},
          std::int64_t{status.st_mtim.tv_nsec}, std::int64_t{status.st_ctim.tv_sec},
          std::int64_t{status.st_ctim.tv_nsec}})
      add_number(number);
  }
  std::string hex() {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> hash{};
    SHA256_Final(hash.data(), &m_context);
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : hash) {
      text += digits[byte >> 4];
      text += digits[byte & 15];
    }
    return text;
  }

 private:
  SHA256_CTX m_context{};
};

constexpr off_t block = 512;  // the unit of st_blocks, whatever the file system's own

// A linker may leave holes in an artifact, and some file systems give a small file no block.
bool has_holes(const struct stat& status) {
  constexpr off_t worth_it = 64 << 20;
  return status.st_size - off_t{status.st_blocks} * block > worth_it;
}

// Adds what lies in the file from `at` on; false where it cannot be read.
bool add_range(const FileDescriptor& file, off_t at, off_t end, Sha256& digest) {
  std::vector<std::byte> buffer(std::size_t{64} * 1024);
  while (at < end) {
    const auto wanted = std::min(buffer.size(), static_cast<std::size_t>(end - at));
    const ssize_t got = ::pread(file.get(), buffer.data(), wanted, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    digest.add({buffer.data(), static_cast<std::size_t>(got)});
    at += got;
  }
  return true;
}

std::string digest_of_all(const FileDescriptor& file) {
  Sha256 digest;
  return add_range(file, 0, std::numeric_limits<off_t>::max(), digest) ? digest.hex()
                                                                       : std::string();
}

// The size, and each stretch of data with its place: what a file of terabytes holds is read in the
// time that its data take. Never the digest of an artifact, which has no holes.
std::string digest_of_data(const FileDescriptor& file, const struct stat& status) {
  Sha256 digest;
  const auto add_number = [&](off_t number) { digest.add_number(number); };
  add_number(status.st_size);
  for (off_t end = 0;;) {
    const off_t begin = ::lseek(file.get(), end, SEEK_DATA);
    if (begin < 0) return errno == ENXIO ? digest.hex() : std::string();  // no more data
    end = ::lseek(file.get(), begin, SEEK_HOLE);
    if (end < 0) return {};
    if (begin == 0 && end >= status.st_size) {
      // Compressed, on a file system that does so; or one that does not say where its holes are.
      if (static_cast<std::uint64_t>(status.st_size) <= file_size_limit) return digest_of_all(file);
      digest.add_times(status);
      return digest.hex();
    }
    add_number(begin);
    add_number(end);
    if (!add_range(file, begin, end, digest)) return {};
  }
}

// What is written between the ends changes the times.
std::string digest_of_ends(const FileDescriptor& file, const struct stat& status) {
  constexpr off_t end_bytes = 1 << 20;
  Sha256 digest;
  digest.add_number(status.st_size);
  digest.add_times(status);
  const bool read =
      add_range(file, 0, std::min(end_bytes, status.st_size), digest) &&
      add_range(file, std::max(off_t{0}, status.st_size - end_bytes), status.st_size, digest);
  return read ? digest.hex() : std::string();
}

}  // namespace

std::string file_digest(const std::filesystem::path& path, std::uint64_t most_bytes) {
  // O_NONBLOCK: opening a named pipe must not wait for its writer.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  if (static_cast<std::uint64_t>(status.st_blocks) * block > most_bytes)
    return digest_of_ends(file, status);
  return has_holes(status) ? digest_of_data(file, status) : digest_of_all(file);
}

std::string bytes_digest(std::span<const std::byte> bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.hex();
}

}  // namespace tunecheck
