#include "core/exit_status.hpp"

#include <algorithm>
#include <array>

namespace tunecheck::status {

Status gravest(std::initializer_list<Status> statuses) {
  constexpr std::array order = {untrusted, bad_input, failed, regressed, undecided};
  const auto found = std::find_if(order.begin(), order.end(), [&](Status each) {
    return std::find(statuses.begin(), statuses.end(), each) != statuses.end();
  });
  return found == order.end() ? held : *found;
}

Status status_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::bad_input:
      return bad_input;
    case ErrorKind::unsupported:
    case ErrorKind::machine:
    case ErrorKind::untrusted:
    case ErrorKind::internal:
      return untrusted;
  }
  return untrusted;
}

}  // namespace tunecheck::status
