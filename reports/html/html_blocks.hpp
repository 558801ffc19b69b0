#pragma once
// The data of an HTML report: JSON in <script> elements, which the page reads when it needs them.
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace tunecheck {

using HtmlJson = nlohmann::ordered_json;

/// Text of others on one line, of bounded length, ready to be shown.
[[nodiscard]] std::string html_text(std::string_view text, std::size_t most_bytes = 4000);

/// A time as JSON: whole nanoseconds, and tenths of the short ones.
[[nodiscard]] HtmlJson html_time(double ns);

/// A time in ns as microseconds with four digits: enough for a point in a drawing.
[[nodiscard]] HtmlJson html_microseconds(double ns);

/// Texts that occur often, each once; the data has their places. The first is "".
class HtmlTexts {
 public:
  HtmlTexts() { (void)place_of({}); }
  [[nodiscard]] std::size_t place_of(const std::string& text);
  [[nodiscard]] const HtmlJson& json() const { return m_json; }

 private:
  std::map<std::string, std::size_t> m_places;
  HtmlJson m_json = HtmlJson::array();
};

/// Elements one after another; `id` names one for the page. Nothing in `json` can end its element.
class HtmlBlocks {
 public:
  void add(std::string_view id, const HtmlJson& json);
  [[nodiscard]] const std::string& text() const { return m_text; }

 private:
  std::string m_text;
};

}  // namespace tunecheck
