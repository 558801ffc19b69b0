#include "core/digest.hpp"

#include <gtest/gtest.h>

namespace tunecheck {
namespace {

// The vectors of FIPS 180-2.
TEST(Digest, artifacts_are_digested_with_sha_256) {
  EXPECT_EQ(artifact_digest(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(artifact_digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(artifact_digest(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// As `xxhsum -H2` prints them.
TEST(Digest, keys_are_digested_with_xxh3_128) {
  EXPECT_EQ(key_digest(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(key_digest("abc"), "06b05ab6733a618578af5f94892f3950");
}

// The vectors of RFC 4231.
TEST(Digest, signatures_are_hmac_sha_256) {
  EXPECT_EQ(signature_of("Hi There", std::string(20, '\x0b')),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(signature_of("what do ya want for nothing?", "Jefe"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(Digest, a_signature_fits_one_text_and_one_key) {
  const std::string signature = signature_of("text", "key");
  EXPECT_TRUE(is_signature_of(signature, "text", "key"));
  EXPECT_FALSE(is_signature_of(signature, "test", "key"));
  EXPECT_FALSE(is_signature_of(signature, "text", "kex"));
  EXPECT_FALSE(is_signature_of(signature.substr(1), "text", "key"));
  EXPECT_FALSE(is_signature_of("", "text", "key"));
}

TEST(Digest, a_zero_byte_counts) {
  using namespace std::string_literals;
  EXPECT_NE(key_digest("a\0b"s), key_digest("a"s));
  EXPECT_NE(artifact_digest("a\0"s), artifact_digest("a"s));
}

}  // namespace
}  // namespace tunecheck
