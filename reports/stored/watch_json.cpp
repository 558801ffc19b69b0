#include "reports/stored/watch_json.hpp"

#include "reports/fields/watch_diff_fields.hpp"
#include "reports/fields/watch_fields.hpp"
#include "reports/stored/json_document.hpp"
#include "reports/stored/json_file.hpp"

namespace tunecheck {

std::string to_json(const WatchResult& result) {
  return json_document(json_of(result));
}

std::string to_json(const WatchDiff& diff) {
  return json_document(json_of(diff));
}

WatchResult watch_from(const JsonValue& json) {
  return read_as(json, WatchResult());
}

Result<WatchResult> read_watch(const std::filesystem::path& file) {
  WatchResult result;
  TUNECHECK_CHECK(read_json_file(
      file, [](const JsonValue&) {},
      [&](const JsonValue& json) {
        expect_kind(json, JsonKind::watch);
        result = watch_from(json);
      }));
  return result;
}

}  // namespace tunecheck
