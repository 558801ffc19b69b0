#include "reports/ci/sarif_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/plain_text.hpp"

namespace tunecheck::sarif {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_message = 4000;

// RFC 3986: what is not unreserved, and no '/', is escaped.
std::string uri_of(const std::string& file) {
  std::string uri;
  for (const char letter : file) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z') ||
                       std::string_view("-._~/").find(letter) != std::string_view::npos;
    uri += plain ? std::string(1, letter) : fmt::format("%{:02X}", byte);
  }
  return uri.starts_with('/') ? "file://" + uri : uri;
}

}  // namespace

Json message(std::string_view text) {
  return {{"text", shortened(printable_line(text), longest_message)}};
}

Json rule_json(std::string_view id, std::string_view summary, std::string_view help) {
  return {{"id", printable_line(id)},
          {"shortDescription", message(summary)},
          {"help", message(help)},
          {"defaultConfiguration", {{"level", "error"}}}};
}

Json place_json(const std::string& file, int line) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uri_of(file)}}},
            {"region", {{"startLine", std::max(1, line)}}}}}};
}

}  // namespace tunecheck::sarif
