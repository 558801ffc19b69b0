// What is done to observers so that they see nothing of it.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

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

}  // namespace

std::vector<Adversary> hostile() {
  return {
      {"rewrites_the_settings_of_its_spy",
       "tells the compiler spy to record elsewhere, compiles, and puts the settings back",
       [](ReferenceAdapterSetup& setup) { setup.before_call = rewrite_settings; }},
      {"starts_its_spy_by_another_name",
       "links to the compiler spy, beside settings of its own, and compiles by that name",
       [](ReferenceAdapterSetup& setup) { setup.before_call = bring_settings; }},
  };
}

}  // namespace tunecheck::adversaries
