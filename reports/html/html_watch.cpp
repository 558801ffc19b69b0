// html_watch() of html_parts.hpp: all of it, since what watch.json keeps is bounded already.
#include "reports/fields/watch_fields.hpp"
#include "reports/html/html_pack.hpp"
#include "reports/html/html_parts.hpp"

namespace tunecheck {

HtmlJson html_watch(const WatchResult& watch, const std::string& file) {
  HtmlTexts texts;
  HtmlJson packed = html_packed(watch, texts);
  return {{"file", html_text(file)}, {"texts", texts.json()}, {"watch", std::move(packed)}};
}

}  // namespace tunecheck
