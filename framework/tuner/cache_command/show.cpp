#include "tuner/cache_command/show.hpp"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "core/byte_size.hpp"
#include "core/plain_text.hpp"

namespace tunecheck::cache {
namespace {

// "3 d": how long ago, in the largest unit that gives a whole number.
std::string age_text(std::int64_t then_ns, std::int64_t now_ns) {
  constexpr std::array<std::pair<std::int64_t, std::string_view>, 3> units = {
      {{86'400, "d"}, {3600, "h"}, {60, "min"}}};
  const std::int64_t seconds = std::max<std::int64_t>(0, now_ns - then_ns) / 1'000'000'000;
  for (const auto& [length, unit] : units)
    if (seconds >= length) return fmt::format("{} {}", seconds / length, unit);
  return fmt::format("{} s", seconds);
}

// What a file says is not shown as it is: it may come from a bundle, and a terminal obeys what it
// is shown.
std::string printable_or_dash(const std::string* value) {
  return value == nullptr ? "-" : printable_line(*value);
}

std::string config_text(const Config& config) {
  return printable_line(to_string(config));
}

std::string winner_text(const StoredEntry& entry) {
  return entry.trouble.empty() ? config_text(entry.entry.winner) : "-";
}

std::string trial_text(const Trial& trial) {
  if (!trial.measured())
    return trial.failure.empty() ? "not measured" : printable_line(trial.failure);
  return fmt::format("{:.0f} ns ({:.0f} to {:.0f}) in {} reps", trial.median_ns, trial.low_ns,
                     trial.high_ns, trial.reps);
}

}  // namespace

void EntryList::add(const StoredEntry& entry) {
  m_json ? add_object(entry) : add_line(entry);
  ++m_count;
  m_bytes += entry.bytes;
}

void EntryList::finish() {
  if (m_json)
    m_out << (m_count == 0 ? "[]\n" : "\n]\n");
  else
    m_out << fmt::format("{} {}, {}\n", m_count, m_count == 1 ? "entry" : "entries",
                         byte_size_text(m_bytes));
}

void EntryList::add_line(const StoredEntry& entry) {
  constexpr std::string_view row = "{:20}  {:24}  {:24}  {:>10}  {:>7}  {:>7}  {:12}  {}\n";
  if (m_count == 0)
    m_out << fmt::format(fmt::runtime(row), "key", "kernel", "winner", "size", "age", "used",
                         "arch", "state");
  const bool good = entry.trouble.empty();
  m_out << fmt::format(fmt::runtime(row), entry.id, printable_line(entry.kernel),
                       winner_text(entry), byte_size_text(entry.bytes),
                       good ? age_text(entry.entry.created_ns, m_now_ns) : "-",
                       age_text(entry.last_used_ns, m_now_ns),
                       good ? printable_or_dash(entry.entry.key.find("arch")) : "-",
                       good ? "good" : "damaged: " + printable_line(entry.trouble));
}

void EntryList::add_object(const StoredEntry& entry) {
  nlohmann::ordered_json json;
  json["key"] = entry.id;
  json["kernel"] = entry.kernel;
  json["state"] = entry.trouble.empty() ? "good" : "damaged";
  json["bytes"] = entry.bytes;
  json["last_used_ns"] = entry.last_used_ns;
  json["file"] = entry.file.string();
  if (entry.trouble.empty()) {
    const std::string* const arch = entry.entry.key.find("arch");
    json["winner"] = entry.entry.winner;
    json["arch"] = arch == nullptr ? "-" : *arch;
    json["created_ns"] = entry.entry.created_ns;
    json["trials"] = entry.entry.trials.size();
  } else {
    json["reason"] = entry.trouble;
  }
  m_out << (m_count == 0 ? "[\n " : ",\n ");
  for (const char letter :
       json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace))
    letter == '\n' ? m_out << "\n " : m_out << letter;
}

std::string show_text(const StoredEntry& stored, std::int64_t now_ns) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:14} {}\n", name, printable_line(value));
  };
  line("key", stored.id);
  line("file", stored.file.string());
  line("size", byte_size_text(stored.bytes));
  line("last used", age_text(stored.last_used_ns, now_ns) + " ago");
  line("state", stored.trouble.empty() ? "good" : "damaged: " + stored.trouble);
  if (!stored.trouble.empty()) return text;
  const Entry& entry = stored.entry;
  line("tuned", fmt::format("{} ago, by tunecheck {}", age_text(entry.created_ns, now_ns),
                            entry.tuner_version));
  line("winner", config_text(entry.winner));
  line("artifact",
       fmt::format("{}, SHA-256 {}", byte_size_text(entry.artifact_bytes), entry.artifact_digest));
  text += "\naxes of the key\n";
  for (const KeyValue& value : entry.key.values())
    text += fmt::format("  {:12} {}\n", printable_line(value.axis),
                        printable_line(value.value.value_or("not known")));
  text += "\ntrials\n";
  for (const Trial& trial : entry.trials)
    text += fmt::format("  {}{}: {}\n", config_text(trial.config),
                        trial.config == entry.winner ? " (the winner)" : "", trial_text(trial));
  return text;
}

std::string explain_text(const StoredEntry& one, const StoredEntry& other) {
  if (one.kernel != other.kernel)
    return fmt::format("{} belongs to the kernel {}, {} to {}\n", one.id,
                       printable_line(one.kernel), other.id, printable_line(other.kernel));
  const std::vector<std::string> axes = one.entry.key.differing_axes(other.entry.key);
  if (axes.empty()) return fmt::format("{} and {} have the same key\n", one.id, other.id);
  std::string text = fmt::format("{} and {} differ in {} of {} axes\n", one.id, other.id,
                                 axes.size(), one.entry.key.values().size());
  for (const std::string& axis : axes) {
    text += fmt::format("\n{}\n", printable_line(axis));
    for (const StoredEntry* const entry : {&one, &other})
      text += fmt::format("  {}: {}\n", entry->id, printable_or_dash(entry->entry.key.find(axis)));
  }
  return text;
}

Result<std::optional<StoredEntry>> nearest_to(const StoredEntry& entry,
                                              const std::filesystem::path& cache_folder) {
  std::optional<StoredEntry> nearest;
  std::size_t fewest = 0;
  const auto compare = [&](const StoredEntry& other) -> Result<void> {
    if (other.file == entry.file || other.kernel != entry.kernel || !other.trouble.empty())
      return {};
    const std::size_t differences = entry.entry.key.differing_axes(other.entry.key).size();
    if (nearest && differences >= fewest) return {};
    nearest = other;
    fewest = differences;
    return {};
  };
  TUNECHECK_CHECK(for_each_entry(cache_folder, compare));
  return nearest;
}

}  // namespace tunecheck::cache
