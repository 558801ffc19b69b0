#include "table/table_entry.hpp"

#include <algorithm>

#include "core/digest.hpp"
#include "core/sources/normalised_source.hpp"

namespace tunecheck::table {

std::string code_digest(const KernelSources& sources) {
  const auto digest = [](const std::string& text) {
    return artifact_digest(std::string_view(normalised_source(text)));
  };
  std::vector<std::string> headers;
  for (const SourceText& header : sources.headers)
    headers.push_back(
        fmt::format("{}:{} {}", header.name.size(), header.name, digest(header.text)));
  std::sort(headers.begin(), headers.end());
  headers.erase(std::unique(headers.begin(), headers.end()), headers.end());
  std::string all = digest(sources.source.text);
  for (const std::string& header : headers)
    all += " " + header;
  return artifact_digest(std::string_view(all));
}

std::string space_digest(std::span<const Config> configs) {
  std::vector<std::string> texts;
  for (const Config& config : configs)
    texts.push_back(to_string(config));
  std::sort(texts.begin(), texts.end());
  std::string all;
  for (const std::string& text : texts)
    all += text + "\n";
  return key_digest(all);
}

Device device_of(const Backend& backend, const std::string& arch) {
  return {arch, backend.device_kind()};
}

}  // namespace tunecheck::table
