#include "tuner/cache_command/bundle.hpp"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>
#include <openssl/evp.h>

#include "core/digest.hpp"
#include "core/parse_json.hpp"
#include "tuner/store/entry_format.hpp"

namespace tunecheck::cache {
namespace {

using Json = nlohmann::ordered_json;

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

struct Packed {
  Entry entry;
  Artifact artifact;
};

std::string id_of(const Key& key) {
  return key.folder_digest().substr(0, 12) + "-" + key.file_digest().value_or("").substr(0, 6);
}

// Reads a bundle as a whole, or not at all. read() is called once: it checks the first and the last
// line, which cover everything between them, and then each entry with its artifact. It writes
// nothing. The first mistake is returned with its line, and what was read until then is dropped, so
// that a truncated file never becomes half of a cache.
class BundleReader {
 public:
  explicit BundleReader(const std::filesystem::path& bundle) : m_file(bundle.string()) {}

  Result<std::vector<Packed>> read() {
    TUNECHECK_TRY(const std::string text, read_text_file(m_file));
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
    std::vector<Packed> all;
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
    const Json json = parse_json_or_discard<Json>(line);
    return json.is_object() && json.contains("tunecheck_bundle") &&
           json["tunecheck_bundle"] == bundle_format;
  }

  static bool ends_well(const std::string& text, const std::vector<std::string_view>& lines) {
    const std::string_view last = lines.back();
    const Json json = parse_json_or_discard<Json>(last);
    const auto before = static_cast<std::size_t>(last.data() - text.data());
    return json.is_object() && json.contains("entries") && json.contains("sha256") &&
           json["entries"] == lines.size() - 2 &&
           json["sha256"] == artifact_digest(std::string_view(text).substr(0, before));
  }

  static Result<Packed> read_line(std::string_view line) {
    try {
      const Json json = parse_json<Json>(line);
      const auto text = json.at("entry").get<std::string>();
      const auto artifact = json.at("artifact").get<std::string>();
      if (json.at("sha256") != artifact_digest(text + artifact))
        return failure(ErrorKind::bad_input,
                       "the entry does not have the digest that the bundle says");
      TUNECHECK_TRY(Entry entry, parse_entry(text));
      Artifact bytes{from_base64(artifact, static_cast<std::size_t>(entry.artifact_bytes))};
      return checked({std::move(entry), std::move(bytes)});
    } catch (const Json::exception& error) {
      return failure(ErrorKind::bad_input, "expected an entry with its artifact: {}",
                     json_problem(error));
    }
  }

  static Result<Packed> checked(Packed packed) {
    if (packed.artifact.bytes.size() != packed.entry.artifact_bytes ||
        artifact_digest(packed.artifact.bytes) != packed.entry.artifact_digest)
      return failure(ErrorKind::bad_input,
                     "the artifact is not the one that its entry was written for");
    packed.entry.key = with_unknown_axes(packed.entry.key);
    if (packed.entry.key.find("kernel") == nullptr || packed.entry.key.find("toolchain") == nullptr)
      return failure(ErrorKind::bad_input, "the entry's key names no kernel, or no toolchain");
    return packed;
  }

  std::string m_file;
};

}  // namespace

Result<std::vector<std::string>> write_bundle(const Contents& contents,
                                              const std::filesystem::path& bundle) {
  std::vector<std::string> left_out;
  std::string text = Json{{"tunecheck_bundle", bundle_format}}.dump() + "\n";
  std::size_t count = 0;
  for (const StoredEntry& stored : contents.entries) {
    if (!stored.trouble.empty()) {
      left_out.push_back(stored.id);
      continue;
    }
    const std::string entry = to_json_text(stored.entry);
    const std::string artifact = to_base64(stored.artifact.bytes);
    text +=
        Json{
            {"entry", entry}, {"artifact", artifact}, {"sha256", artifact_digest(entry + artifact)}}
            .dump() +
        "\n";
    ++count;
  }
  text += Json{{"entries", count}, {"sha256", artifact_digest(text)}}.dump() + "\n";
  TUNECHECK_CHECK(write_output(bundle, text));
  return left_out;
}

Result<Imported> read_bundle(const std::filesystem::path& bundle,
                             const std::filesystem::path& cache_folder) {
  TUNECHECK_TRY(const std::vector<Packed> all, BundleReader(bundle).read());
  FolderStore store(cache_folder);
  Imported imported;
  for (const Packed& packed : all) {
    const Key& key = packed.entry.key;
    const auto lock = store.lock(key);
    const Found present = store.examine(store.file_of(key));
    if (present.state == Found::State::hit && present.entry.created_ns >= packed.entry.created_ns) {
      imported.kept.push_back(id_of(key));
      continue;
    }
    TUNECHECK_CHECK(store.put(packed.entry, packed.artifact));
    imported.added.push_back(id_of(key));
  }
  return imported;
}

}  // namespace tunecheck::cache
