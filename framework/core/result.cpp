#include "core/result.hpp"

namespace tunecheck {

std::string Error::text() const {
  std::string place;
  if (!file.empty()) place = line > 0 ? fmt::format("{}:{}: ", file, line) : file + ": ";
  if (!key.empty()) place += key + ": ";
  return place + message;
}

}  // namespace tunecheck
