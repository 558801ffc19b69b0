#include "blind_probe.hpp"

#include <stdexcept>

#include "core/files.hpp"
#include "core/resources.hpp"
#include "observe/event_lines.hpp"

namespace tunecheck::test {

AdapterInfo adapter_with_blind_probe(const std::filesystem::path& folder) {
  TroubleEvent trouble;
  trouble.what = blind_reason;
  const std::filesystem::path line = folder / "trouble.jsonl";
  const std::filesystem::path script = folder / "blind.sh";
  const std::string text =
      fmt::format("cat '{}' >> \"$TUNECHECK_PROBE_EVIDENCE\"\nunset LD_PRELOAD\nexec '{}' \"$@\"\n",
                  line.string(), (program_folder() / "tunecheck-adapter-reference").string());
  if (!write_file(line, to_line(trouble)) || !write_file(script, text))
    throw std::runtime_error("cannot write " + script.string());
  AdapterInfo adapter = find_adapter("reference").value();
  adapter.command = {"/bin/sh", script.string()};
  return adapter;
}

}  // namespace tunecheck::test
