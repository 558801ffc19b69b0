// html_gate() of html_parts.hpp: a session without its samples, each process with its median.
#include <cmath>

#include "reports/fields/gate_fields.hpp"
#include "reports/html/html_pack.hpp"
#include "reports/html/html_parts.hpp"
#include "reports/summary/quantity.hpp"

namespace tunecheck {
namespace {

void leave_out_samples(HtmlJson& process) {
  for (const char* const samples : {"samples", "cpu_samples"})
    process[samples] = HtmlJson::array();
  for (const char* const name : {"median", "cpu_median"})
    if (HtmlJson& median = process[name]; median.is_number())
      median = html_time(median.get<double>());
}

}  // namespace

HtmlJson html_gate(const gate::GateResult& gate, const std::string& file) {
  HtmlJson json = json_of(gate);
  for (HtmlJson& benchmark : json["benchmarks"]) {
    if (HtmlJson& reason = benchmark["reason"]; reason.is_string())
      reason = with_factors(reason.get<std::string>());
    for (const char* const name : {"base_median", "head_median"})
      if (benchmark[name].is_number()) benchmark[name] = html_time(benchmark[name].get<double>());
    for (HtmlJson& pair : benchmark["pairs"])
      for (const char* const side : {"base", "head"})
        leave_out_samples(pair[side]);
  }
  HtmlTexts texts;
  HtmlJson packed = html_pack(fields_of(Of<gate::GateResult>{}).description(), json, texts);
  return {{"file", html_text(file)}, {"texts", texts.json()}, {"gate", std::move(packed)}};
}

}  // namespace tunecheck
