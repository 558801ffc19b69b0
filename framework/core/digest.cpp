#include "core/digest.hpp"

#include <array>
#include <stdexcept>
#include <xxhash.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

namespace tunecheck {

std::string key_digest(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string artifact_digest(std::span<const std::byte> bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned int length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), hash.data(), &length, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL offers no SHA-256");
  return fmt::format("{:02x}", fmt::join(hash.begin(), hash.begin() + length, ""));
}

}  // namespace tunecheck
