// html_template() of a program that was built without Node.js.
#include "reports/html/html_template.hpp"

namespace tunecheck {

std::string html_template() {
  return {};
}

std::string html_state_template() {
  return {};
}

}  // namespace tunecheck
