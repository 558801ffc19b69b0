#include "observe/gpu/blindness.hpp"

#include <unistd.h>

#include "observe/event_lines.hpp"
#include "observe/evidence_clock.hpp"

namespace tunecheck::gpu {

void record_blindness(const Settings& settings, const std::string& why) {
  const TroubleEvent event{evidence_now_ns(), ::getpid(), "the GPU probe sees nothing: " + why};
  if (const auto evidence = open_evidence(settings.evidence))
    (void)append_line(*evidence, to_line(event));
}

}  // namespace tunecheck::gpu
