#include "tuner/remote/remote_record.hpp"

#include <nlohmann/json.hpp>

#include "core/digest.hpp"
#include "core/parse_json.hpp"
#include "tuner/remote/remote_store.hpp"
#include "tuner/store/entry_format.hpp"

namespace tunecheck {
namespace {

using RecordJson = nlohmann::json;

constexpr std::string_view record_word = "tunecheck-remote-1 ";
static_assert(remote_format == 1);
constexpr std::size_t longest_first_line = 512;

// Lengths stand before what they are of, so that nothing can be moved from one part to another.
std::string signed_text(std::string_view name, std::string_view entry, std::string_view artifact) {
  std::string text =
      fmt::format("{}{}:{};{}:{};", record_word, name.size(), name, entry.size(), artifact.size());
  text += entry;
  text += artifact;
  return text;
}

Result<RemoteRecord> record_from(std::string_view first_line, std::string_view body) {
  try {
    const auto json = parse_json<RecordJson>(first_line);
    const auto entry_bytes = json.at("entry_bytes").get<std::uint64_t>();
    const auto artifact_bytes = json.at("artifact_bytes").get<std::uint64_t>();
    const bool has_entry = entry_bytes <= body.size();
    if (!has_entry || artifact_bytes != body.size() - entry_bytes)
      return failure("the value is {}: {} bytes where its first line says {} and {}",
                     has_entry && artifact_bytes < body.size() - entry_bytes ? "longer than it says"
                                                                             : "truncated",
                     body.size(), entry_bytes, artifact_bytes);
    if (json.at("sha256").get<std::string>() != artifact_digest(body))
      return failure("the value is damaged: its digest is another");
    RemoteRecord record;
    record.entry = body.substr(0, entry_bytes);
    record.artifact = body.substr(entry_bytes);
    record.hmac = json.value("hmac", std::string());
    return record;
  } catch (const RecordJson::exception& error) {
    return failure("the value's first line is damaged: {}", json_problem(error));
  }
}

}  // namespace

std::optional<std::string> remote_name(const Key& key, std::string_view salt) {
  if (!key.file_digest()) return std::nullopt;
  return artifact_digest(fmt::format("{}{}:{};{}", record_word, salt.size(), salt, key.text()));
}

std::string to_remote_value(const Entry& entry, const Artifact& artifact, std::string_view name,
                            std::string_view key) {
  const std::string text = to_json_text(entry);
  std::string_view binary;
  if (!key.empty())
    binary = {reinterpret_cast<const char*>(artifact.bytes.data()), artifact.bytes.size()};
  const std::string body = text + std::string(binary);
  RecordJson first = {{"entry_bytes", text.size()},
                      {"artifact_bytes", binary.size()},
                      {"sha256", artifact_digest(body)}};
  if (!key.empty()) first["hmac"] = signature_of(signed_text(name, text, binary), key);
  return std::string(record_word) + first.dump() + "\n" + body;
}

Result<RemoteRecord> split_remote_value(std::string_view value) {
  if (value.size() > remote_value_limit)
    return failure("the value has more than {} bytes", remote_value_limit);
  if (!value.starts_with(record_word))
    return failure("the value has a format other than {}", remote_format);
  const std::size_t end = value.substr(0, longest_first_line).find('\n');
  if (end == value.npos) return failure("the value is truncated in its first line");
  return record_from(value.substr(record_word.size(), end - record_word.size()),
                     value.substr(end + 1));
}

bool is_signed_with(const RemoteRecord& record, std::string_view name, std::string_view key) {
  return is_signature_of(record.hmac, signed_text(name, record.entry, record.artifact), key);
}

}  // namespace tunecheck
