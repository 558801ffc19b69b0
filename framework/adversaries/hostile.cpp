// What is done to observers so that they see nothing of it.
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <string>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <sys/un.h>

#include "adversaries/adversary.hpp"
#include "core/command.hpp"
#include "core/files.hpp"

namespace tunecheck::adversaries {
namespace {

namespace fs = std::filesystem;

constexpr const char* settings_end = ".spy.json";  // what docs/evidence.md says lies beside a spy

// The spy's settings, changed so that it compiles and records nothing that anybody reads.
std::string blinded(std::string settings) {
  const auto set = [&](const std::string& key, const std::string& value) {
    const std::size_t at = settings.find('"' + key + '"');
    if (at == settings.npos) return;
    const std::size_t begin = settings.find('"', settings.find(':', at)) + 1;
    settings.replace(begin, settings.find('"', begin) - begin, value);
  };
  set("mode", "pass");
  set("evidence", "/dev/null");
  return settings;
}

void compile_with(const fs::path& compiler) {
  CommandOptions options;
  const std::string tmp = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp";
  options.arguments = {compiler.string(), "-x",        "c++", "-shared",
                       "-fPIC",           "/dev/null", "-o",  tmp + "/unseen.so"};
  (void)run_command(options);
}

void rewrite_settings(const protocol::CallRequest&) {
  if (!is_warm()) return;
  const fs::path spy = find_program("c++");
  const fs::path settings = spy.string() + settings_end;
  const auto text = read_text_file(settings);
  if (!text || !write_file(settings, blinded(*text))) return;
  compile_with(spy);
  (void)write_file(settings, *text);
}

void bring_settings(const protocol::CallRequest&) {
  if (!is_warm()) return;
  const fs::path spy = find_program("c++");
  const fs::path own = fs::path(std::getenv("TMPDIR")) / "c++";
  const auto text = read_text_file(spy.string() + settings_end);
  std::error_code error;
  fs::create_hard_link(spy, own, error);
  if (error || !text || !write_file(own.string() + settings_end, blinded(*text))) return;
  compile_with(own);
}

// The compile is recorded, and then the record is emptied.
void erase_evidence(const protocol::CallRequest&) {
  if (!is_warm()) return;
  compile_with(find_program("c++"));
  std::error_code error;
  fs::resize_file(evidence_file(), 0, error);
}

// As docs/evidence.md says that a spy tells of a compile; this one never was.
std::string compile_line() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const nlohmann::json event = {{"event", "compile"},
                                {"time_ns", std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec},
                                {"pid", ::getpid()},
                                {"tool", "c++"},
                                {"arguments", nlohmann::json::array()},
                                {"query", false},
                                {"links", false},
                                {"mode", "pass"},
                                {"exit_status", 0},
                                {"output_digest", ""},
                                {"from_store", false},
                                {"wall_ns", 1},
                                {"environment", nlohmann::json::array()}};
  return event.dump() + '\n';
}

void send_evidence(const protocol::CallRequest&) {
  if (!is_warm()) return;
  const char* const inbox = std::getenv("TUNECHECK_PROBE_EVIDENCE");
  const fs::path path = inbox != nullptr ? inbox : "";
  const FileDescriptor folder(::open(path.parent_path().c_str(), O_PATH | O_CLOEXEC));
  const std::string place =
      "/proc/self/fd/" + std::to_string(folder.get()) + "/" + path.filename().string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  place.copy(address.sun_path, sizeof address.sun_path - 1);
  const FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return;
  const std::string line = compile_line();
  (void)write_all(socket.get(), std::as_bytes(std::span(line)));
}

}  // namespace

std::vector<Adversary> hostile() {
  return {
      {"erases_its_evidence", "compiles, and empties the file in which that was recorded",
       [](ReferenceAdapterSetup& setup) { setup.before_call = erase_evidence; }},
      {"records_a_compile_of_its_own",
       "tells the judge of a compile in the words of the compiler spy",
       [](ReferenceAdapterSetup& setup) { setup.before_call = send_evidence; }},
      {"rewrites_the_settings_of_its_spy",
       "tells the compiler spy to record elsewhere, compiles, and puts the settings back",
       [](ReferenceAdapterSetup& setup) { setup.before_call = rewrite_settings; }},
      {"starts_its_spy_by_another_name",
       "links to the compiler spy, beside settings of its own, and compiles by that name",
       [](ReferenceAdapterSetup& setup) { setup.before_call = bring_settings; }},
  };
}

}  // namespace tunecheck::adversaries
