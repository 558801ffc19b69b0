#include "gate/history/fingerprint.hpp"

#include "core/digest.hpp"

namespace tunecheck::history {
namespace {

std::string value_of(const Fingerprint& fingerprint, const std::string& fact) {
  const auto found = fingerprint.find(fact);
  return found == fingerprint.end() ? std::string() : found->second;
}

std::string shown(const std::string& value) {
  return value.empty() ? "unknown" : "\"" + value + "\"";
}

}  // namespace

std::string digest_of(const Fingerprint& fingerprint) {
  std::string text;
  for (const auto& [fact, value] : fingerprint)
    text += fmt::format("{}:{}={}:{}\n", fact.size(), fact, value.size(), value);
  return key_digest(text);
}

std::vector<Difference> differences(const Fingerprint& baseline, const Fingerprint& present) {
  Fingerprint all = baseline;
  all.insert(present.begin(), present.end());
  std::vector<Difference> found;
  for (const auto& [fact, value] : all) {
    Difference difference{fact, value_of(baseline, fact), value_of(present, fact)};
    if (difference.baseline != difference.present) found.push_back(std::move(difference));
  }
  return found;
}

Result<void> compatible(const Fingerprint& baseline, const Fingerprint& present) {
  if (baseline.empty() || present.empty())
    return failure(ErrorKind::bad_input, "nothing is known about the machine of {}",
                   baseline.empty() ? "the baseline" : "what is compared with it");
  std::string text;
  for (const Difference& difference : differences(baseline, present))
    text += fmt::format("{}{}: {} in the baseline, {} now", text.empty() ? "" : "; ",
                        difference.fact, shown(difference.baseline), shown(difference.present));
  if (text.empty()) return {};
  return failure(ErrorKind::bad_input,
                 "measured under different conditions, so times cannot be compared: {}", text);
}

}  // namespace tunecheck::history
