#include "blind_probe.hpp"

#include <stdexcept>

#include "core/files.hpp"
#include "core/resources.hpp"
#include "observe/event_lines.hpp"

namespace tunecheck::test {

std::string blind_command(const std::filesystem::path& folder) {
  TroubleEvent trouble;
  trouble.what = blind_reason;
  const std::filesystem::path line = folder / "trouble.jsonl";
  if (!write_file(line, to_line(trouble)))
    throw std::runtime_error("cannot write " + line.string());
  constexpr std::string_view send =
      "import os, socket, sys\n"
      "folder, name = os.path.split(os.environ[\"TUNECHECK_PROBE_EVIDENCE\"])\n"
      "os.chdir(folder)\n"
      "inbox = socket.socket(socket.AF_UNIX)\n"
      "inbox.connect(name)\n"
      "inbox.sendall(open(sys.argv[1], \"rb\").read())\n";
  return fmt::format("python3 -c '{}' '{}'", send, line.string());
}

AdapterInfo adapter_with_blind_probe(const std::filesystem::path& folder) {
  const std::filesystem::path script = folder / "blind.sh";
  const std::string text =
      fmt::format("{}\nunset LD_PRELOAD\nexec '{}' \"$@\"\n", blind_command(folder),
                  (program_folder() / "tunecheck-adapter-reference").string());
  if (!write_file(script, text)) throw std::runtime_error("cannot write " + script.string());
  AdapterInfo adapter = find_adapter("reference").value();
  adapter.command = {"/bin/sh", script.string()};
  return adapter;
}

}  // namespace tunecheck::test
