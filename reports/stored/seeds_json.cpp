#include "reports/stored/seeds_json.hpp"

#include "core/files.hpp"
#include "reports/fields/seeds_fields.hpp"
#include "reports/stored/json_document.hpp"

namespace tunecheck {

Result<void> write_seeds(const SeedsResult& seeds, const std::filesystem::path& file) {
  return write_file_atomically(file, json_document(json_of(seeds)));
}

}  // namespace tunecheck
