// The plain SHA-256 functions, which OpenSSL 3 marks as old: the new ones load configuration and
// providers first, which would double the time that the compiler spy needs to start.
#define OPENSSL_API_COMPAT 10100
#include "observe/file_digest.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
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

}  // namespace

std::string file_digest(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a named pipe must not wait for its writer.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  Sha256 digest;
  std::vector<std::byte> buffer(std::size_t{64} * 1024);
  while (true) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return {};
    if (got == 0) return digest.hex();
    digest.add({buffer.data(), static_cast<std::size_t>(got)});
  }
}

std::string bytes_digest(std::span<const std::byte> bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.hex();
}

}  // namespace tunecheck
