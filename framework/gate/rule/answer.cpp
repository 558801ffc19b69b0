#include "gate/rule/answer.hpp"

namespace tunecheck::gate {

std::string_view to_string(Answer answer) {
  switch (answer) {
    case Answer::pass:
      return "pass";
    case Answer::improved:
      return "improved";
    case Answer::inconclusive:
      return "inconclusive";
    case Answer::regression:
      return "regression";
    case Answer::invalid:
      break;
  }
  return "invalid";
}

}  // namespace tunecheck::gate
