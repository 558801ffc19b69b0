#include "gate/measure/slowdown.hpp"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/files.hpp"
#include "core/resources.hpp"

namespace tunecheck::gate {

Result<Slowdown> Slowdown::create(double share, std::filesystem::path file) {
  TUNECHECK_TRY(auto library, find_own_file("libtunecheck-slowdown.so"));
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return Slowdown(share, std::filesystem::absolute(file), std::move(library));
}

void Slowdown::add_to(Environment& environment) const {
  environment["TUNECHECK_SLOWDOWN"] = fmt::format("{}", m_share);
  environment["TUNECHECK_SLOWDOWN_ADDED"] = m_file.string();
  environment.erase("TUNECHECK_SLOWDOWN_OF");
  std::string& preloaded = environment["LD_PRELOAD"];
  preloaded = m_library.string() + (preloaded.empty() ? "" : ":" + preloaded);
}

bool Slowdown::was_applied(const ProcessEnd& end) const {
  const auto bytes = read_binary_file(m_file);
  double added_ns = 0;
  if (!bytes || bytes->size() != sizeof added_ns) return false;
  std::memcpy(&added_ns, bytes->data(), sizeof added_ns);
  return added_ns > 0.5 * m_share * (static_cast<double>(end.cpu_ns) - added_ns);
}

}  // namespace tunecheck::gate
