#include "reports/stored/list_json.hpp"

#include "reports/stored/json_document.hpp"

namespace tunecheck {

std::string list_json(const listed::Scenarios& list) {
  return json_document(json_of(list));
}
std::string list_json(const listed::Checks& list) {
  return json_document(json_of(list));
}
std::string list_json(const listed::Kernels& list) {
  return json_document(json_of(list));
}
std::string list_json(const listed::Adapters& list) {
  return json_document(json_of(list));
}
std::string list_json(const listed::Mutants& list) {
  return json_document(json_of(list));
}

std::string list_json(const listed::Version& list) {
  return json_document(json_of(list));
}

}  // namespace tunecheck
