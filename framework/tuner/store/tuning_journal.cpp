#include "tuner/store/tuning_journal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/digest.hpp"
#include "core/parse_json.hpp"
#include "tuner/store/safe_file.hpp"
#include "tuner/store/sealed_text.hpp"
#include "tuner/trial/trial_format.hpp"

namespace tunecheck {
namespace {

using Json = nlohmann::json;

constexpr int journal_format = 2;

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// On one line, so that a torn line is told from a whole one.
std::string line_of(const Json& body) {
  return sealed(body.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

// Throws where the line is not what line_of() wrote.
Json body_of(std::string_view line) {
  const auto body = unsealed(line);
  if (!body) throw std::runtime_error("damaged");
  return parse_json<Json>(*body);
}

std::vector<Trial> trials_of(std::string_view text, const std::string& key) {
  std::vector<Trial> trials;
  bool is_head = true;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1) {
    try {
      const Json body = body_of(text.substr(at, end - at));
      if (!is_head) {
        trials.push_back(trial_from_json(body));
        continue;
      }
      const std::int64_t age_ns = now_ns() - body.at("created_ns").get<std::int64_t>();
      if (body.at("journal") != journal_format || body.at("key") != key || age_ns < 0 ||
          age_ns > std::chrono::nanoseconds(journal_lifetime).count())
        return {};
      is_head = false;
    } catch (const std::exception&) {
      break;  // from here on nothing can be believed
    }
  }
  return trials;
}

class FileJournal final : public TuningJournal {
 public:
  FileJournal(FileDescriptor folder, std::string name, FileDescriptor file,
              std::vector<Trial> finished)
      : m_folder(std::move(folder)),
        m_name(std::move(name)),
        m_file(std::move(file)),
        m_finished(std::move(finished)) {}

  [[nodiscard]] const std::vector<Trial>& finished() const override { return m_finished; }

  void add(const Trial& trial) noexcept override {
    try {
      append(line_of(trial_to_json(trial)));
    } catch (const std::exception&) {  // no memory for a line: one trial more to repeat
    }
  }

  void remove() noexcept override { ::unlinkat(m_folder.get(), m_name.c_str(), 0); }

  bool append(const std::string& line) {
    return write_all(m_file.get(), std::as_bytes(std::span(line)));
  }

 private:
  FileDescriptor m_folder;
  std::string m_name;
  FileDescriptor m_file;
  std::vector<Trial> m_finished;
};

}  // namespace

std::unique_ptr<TuningJournal> open_journal(const FileDescriptor& folder, const std::string& name,
                                            const Key& key) {
  const std::string digest = key_digest(key.text());
  std::vector<Trial> finished;
  if (const SafeOpen old = open_safely(folder, name, FileKind::file); old.descriptor.valid())
    if (const auto bytes = read_open_file(old.descriptor))
      finished = trials_of({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, digest);
  // Written anew: what stood in the file may be another's, and a torn line must not have others
  // behind it.
  ::unlinkat(folder.get(), name.c_str(), 0);
  FileDescriptor file(::openat(folder.get(), name.c_str(),
                               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC,
                               0600));
  FileDescriptor own_folder(::fcntl(folder.get(), F_DUPFD_CLOEXEC, 3));
  if (!file.valid() || !own_folder.valid()) return nullptr;
  auto journal = std::make_unique<FileJournal>(std::move(own_folder), name, std::move(file),
                                               std::move(finished));
  std::string head =
      line_of({{"journal", journal_format}, {"key", digest}, {"created_ns", now_ns()}});
  for (const Trial& trial : journal->finished())
    head += line_of(trial_to_json(trial));
  if (!journal->append(head)) {
    journal->remove();
    return nullptr;
  }
  return journal;
}

}  // namespace tunecheck
