#include "tuner/bundle/bundle_format.hpp"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>
#include <openssl/evp.h>

#include "core/digest.hpp"
#include "core/parse_json.hpp"
#include "tuner/store/entry_format.hpp"
#include "tuner/store/folder_store.hpp"

namespace tunecheck {
namespace {

using BundleJson = nlohmann::ordered_json;

std::string to_base64(const std::vector<std::byte>& bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

// Nothing where it is no base64. `expected` says how much of the padding belongs to it.
std::vector<std::byte> from_base64(const std::string& text, std::size_t expected) {
  std::vector<std::byte> bytes(text.size() / 4 * 3);
  const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                     reinterpret_cast<const unsigned char*>(text.data()),
                                     static_cast<int>(text.size()));
  if (length < 0 || static_cast<std::size_t>(length) < expected) return {};
  bytes.resize(expected);
  return bytes;
}

// With the format and the length before what is signed, so that nothing else can stand for it.
std::string signed_text(std::string_view lines) {
  return fmt::format("tunecheck-bundle-{} {}:{}", bundle_format, lines.size(), lines);
}

// Reads a bundle as a whole, or not at all. read() is called once: it checks the first and the last
// line, which cover everything between them, and then each entry with its artifact. It writes
// nothing. The first mistake is returned with its line, and what was read until then is dropped, so
// that a truncated file never becomes half of a cache.
class BundleReader {
 public:
  BundleReader(const std::string& file, std::string_view key) : m_file(file), m_key(key) {}

  Result<std::vector<PackedEntry>> read(const std::string& text) {
    std::vector<std::string_view> lines;
    std::size_t at = 0;
    for (std::size_t end; (end = text.find('\n', at)) != text.npos; at = end + 1)
      lines.push_back(std::string_view(text).substr(at, end - at));
    if (lines.empty() || !begins_well(lines.front()))
      return mistake(1, fmt::format("expected a bundle of format {}", bundle_format));
    if (lines.size() < 2 || at != text.size() || !ends_well(text, lines))
      return mistake(static_cast<int>(lines.size()),
                     "the bundle is truncated or damaged: its last line does not agree with the "
                     "others");
    if (const std::string why = why_not_signed(text, lines.back()); !why.empty())
      return mistake(static_cast<int>(lines.size()), why);
    std::vector<PackedEntry> all;
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
      auto packed = read_line(lines[i]);
      if (!packed) return mistake(static_cast<int>(i) + 1, packed.error().message);
      all.push_back(std::move(*packed));
    }
    return all;
  }

 private:
  [[nodiscard]] tl::unexpected<Error> mistake(int line, std::string message) const {
    return failure(Error{ErrorKind::bad_input, std::move(message), m_file, line, {}});
  }

  static bool begins_well(std::string_view line) {
    const BundleJson json = parse_json_or_discard<BundleJson>(line);
    return json.is_object() && json.contains("tunecheck_bundle") &&
           json["tunecheck_bundle"] == bundle_format;
  }

  static bool ends_well(const std::string& text, const std::vector<std::string_view>& lines) {
    const std::string_view last = lines.back();
    const BundleJson json = parse_json_or_discard<BundleJson>(last);
    const auto before = static_cast<std::size_t>(last.data() - text.data());
    return json.is_object() && json.contains("entries") && json.contains("sha256") &&
           json["entries"] == lines.size() - 2 &&
           json["sha256"] == artifact_digest(std::string_view(text).substr(0, before));
  }

  // Nothing of the entries has been parsed when this is asked.
  std::string why_not_signed(const std::string& text, std::string_view last) const {
    if (m_key.empty()) return {};
    const BundleJson json = parse_json_or_discard<BundleJson>(last);
    if (!json.contains("hmac") || !json["hmac"].is_string()) return "the bundle is not signed";
    const auto given = json["hmac"].get<std::string>();
    const auto before = static_cast<std::size_t>(last.data() - text.data());
    const bool fits =
        is_signature_of(given, signed_text(std::string_view(text).substr(0, before)), m_key);
    return fits ? "" : "the signature does not fit";
  }

  static Result<PackedEntry> read_line(std::string_view line) {
    try {
      const BundleJson json = parse_json<BundleJson>(line);
      const auto text = json.at("entry").get<std::string>();
      const auto artifact = json.at("artifact").get<std::string>();
      if (json.at("sha256") != artifact_digest(text + artifact))
        return failure(ErrorKind::bad_input,
                       "the entry does not have the digest that the bundle says");
      TUNECHECK_TRY(Entry entry, parse_entry(text));
      Artifact bytes{from_base64(artifact, static_cast<std::size_t>(entry.artifact_bytes))};
      return checked({std::move(entry), std::move(bytes)});
    } catch (const BundleJson::exception& error) {
      return failure(ErrorKind::bad_input, "expected an entry with its artifact: {}",
                     json_problem(error));
    }
  }

  static Result<PackedEntry> checked(PackedEntry packed) {
    if (packed.artifact.bytes.size() != packed.entry.artifact_bytes ||
        artifact_digest(packed.artifact.bytes) != packed.entry.artifact_digest)
      return failure(ErrorKind::bad_input,
                     "the artifact is not the one that its entry was written for");
    packed.entry.key = with_unknown_axes(packed.entry.key);
    if (packed.entry.key.find("kernel") == nullptr || packed.entry.key.find("toolchain") == nullptr)
      return failure(ErrorKind::bad_input, "the entry's key names no kernel, or no toolchain");
    return packed;
  }

  const std::string& m_file;
  std::string_view m_key;
};

}  // namespace

std::string to_bundle_text(std::span<const PackedEntry> entries, std::string_view key, int format) {
  std::string text = BundleJson{{"tunecheck_bundle", format}}.dump() + "\n";
  for (const PackedEntry& packed : entries) {
    const std::string entry = to_json_text(packed.entry);
    const std::string artifact = to_base64(packed.artifact.bytes);
    text +=
        BundleJson{
            {"entry", entry}, {"artifact", artifact}, {"sha256", artifact_digest(entry + artifact)}}
            .dump() +
        "\n";
  }
  BundleJson last = {{"entries", entries.size()}, {"sha256", artifact_digest(text)}};
  if (!key.empty()) last["hmac"] = signature_of(signed_text(text), key);
  return text + last.dump() + "\n";
}

Result<std::vector<PackedEntry>> parse_bundle(const std::string& text, const std::string& file,
                                              std::string_view key) {
  return BundleReader(file, key).read(text);
}

}  // namespace tunecheck
