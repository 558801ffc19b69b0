#include "tuner/store/sealed_text.hpp"

#include "core/digest.hpp"

namespace tunecheck {

std::string sealed(std::string_view text) {
  return key_digest(text) + ' ' + std::string(text);
}

std::optional<std::string_view> unsealed(std::string_view sealed) {
  const std::size_t blank = sealed.find(' ');
  if (blank == sealed.npos) return std::nullopt;
  const std::string_view text = sealed.substr(blank + 1);
  if (sealed.substr(0, blank) != key_digest(text)) return std::nullopt;
  return text;
}

}  // namespace tunecheck
