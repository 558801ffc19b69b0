#include "reports/matrix/matrix_json.hpp"

#include "reports/matrix/matrix_fields.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {

std::string to_json(const Matrix& matrix) {
  return json_document(json_of(matrix));
}

}  // namespace tunecheck
