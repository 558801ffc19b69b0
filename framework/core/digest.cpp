#include "core/digest.hpp"

#include <array>
#include <stdexcept>
#include <xxhash.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

namespace tunecheck {

std::string key_digest(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// The functions that OpenSSL 3 recommends read its configuration and gather all its algorithms the
// first time, for which a new process would wait longer than for its winner. These just compute.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
std::string artifact_digest(std::span<const std::byte> bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash{};
  SHA256_CTX state;
  if (SHA256_Init(&state) != 1 || SHA256_Update(&state, bytes.data(), bytes.size()) != 1 ||
      SHA256_Final(hash.data(), &state) != 1)
    throw std::runtime_error("OpenSSL offers no SHA-256");
  return fmt::format("{:02x}", fmt::join(hash, ""));
}
#pragma GCC diagnostic pop

std::string signature_of(std::string_view text, std::string_view key) {
  constexpr std::size_t longest_key = 1U << 20;
  if (key.size() > longest_key) return {};
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int length = 0;
  if (::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(text.data()), text.size(), bytes.data(),
             &length) == nullptr)
    return {};
  return fmt::format("{:02x}", fmt::join(bytes.begin(), bytes.begin() + length, ""));
}

bool is_signature_of(std::string_view given, std::string_view text, std::string_view key) {
  const std::string wanted = signature_of(text, key);
  return !wanted.empty() && wanted.size() == given.size() &&
         ::CRYPTO_memcmp(wanted.data(), given.data(), wanted.size()) == 0;
}

}  // namespace tunecheck
