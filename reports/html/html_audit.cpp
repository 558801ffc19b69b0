// html_audit() of html_parts.hpp.
#include "reports/fields/run_fields.hpp"
#include "reports/html/html_pack.hpp"
#include "reports/html/html_parts.hpp"

namespace tunecheck {

HtmlJson html_audit(const AuditResult& audit, const std::string& file) {
  HtmlTexts texts;
  HtmlJson json = HtmlJson::object();
  for (const Field<AuditResult>& field : fields_of(Of<AuditResult>{}).all())
    if (field.description.name != "reference") field.write(audit, json);
  HtmlJson packed = html_pack(fields_of(Of<AuditResult>{}).description(), json, texts);
  return {{"file", html_text(file)}, {"texts", texts.json()}, {"audit", std::move(packed)}};
}

}  // namespace tunecheck
