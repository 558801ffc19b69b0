#pragma once
// A cache folder as text for a person, or as JSON for a program.
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "tuner/cache_command/contents.hpp"

namespace tunecheck::cache {

/// Writes entries as they come: for a person a line for each under a head, and then their sum; as
/// JSON an array with an object for each. Keeps none of them. finish() is called once, at the end.
class EntryList {
 public:
  /// `out` outlives the object.
  EntryList(std::ostream& out, bool json, std::int64_t now_ns)
      : m_out(out), m_json(json), m_now_ns(now_ns) {}
  void add(const StoredEntry& entry);
  void finish();

 private:
  void add_line(const StoredEntry& entry);
  void add_object(const StoredEntry& entry);

  std::ostream& m_out;
  const bool m_json;
  const std::int64_t m_now_ns;
  std::uint64_t m_count = 0;
  std::uint64_t m_bytes = 0;
};

/// Everything that is known of one entry: key, winner, trials with their times or reasons.
[[nodiscard]] std::string show_text(const StoredEntry& entry, std::int64_t now_ns);

/// The axes in which two entries differ, with both values.
[[nodiscard]] std::string explain_text(const StoredEntry& one, const StoredEntry& other);

/// The other entry of the same kernel that differs in the fewest axes; nothing if there is none.
[[nodiscard]] Result<std::optional<StoredEntry>> nearest_to(
    const StoredEntry& entry, const std::filesystem::path& cache_folder);

}  // namespace tunecheck::cache
