#include "adapter/fftw/fftw_adapter.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

namespace tunecheck {
namespace {

using protocol::CacheState;
using protocol::CallAnswer;

// The folder of the adapter's own variable; nothing where wisdom is not to be kept.
std::optional<std::filesystem::path> wisdom_file(const FftwHabits& habits) {
  const char* const folder = std::getenv("FFTW_WISDOM_FOLDER");
  const char* const off = std::getenv("FFTW_WITHOUT_WISDOM");
  if (folder == nullptr || *folder == '\0' || (off != nullptr && *off != '\0')) return std::nullopt;
  const std::string process = habits.file_has_process_number ? fmt::format("-{}", ::getpid()) : "";
  return std::filesystem::path(folder) / ("wisdom" + process);
}

CallAnswer failed(const std::string& message) {
  CallAnswer answer;
  answer.message = message;
  return answer;
}

}  // namespace

FftwAdapter::FftwAdapter(FftwHabits habits) : m_habits(habits), m_wisdom(wisdom_file(habits)) {}

std::string FftwAdapter::hello() {
  protocol::Hello hello;
  hello.tuner = "FFTW";
  hello.tuner_version = fftw_version;
  return to_line(hello);
}

std::string FftwAdapter::answer(const std::string& line) {
  const auto request = protocol::parse_request(line);
  if (!request) return protocol::error_answer(request.error().text());
  switch (request->kind) {
    case protocol::RequestKind::hello:
      if (request->backend == DeviceKind::cpu) return hello();
      return protocol::error_answer("FFTW runs on the CPU alone");
    case protocol::RequestKind::call:
      return to_line(call(request->calls.front()));
    case protocol::RequestKind::calls:
      return protocol::error_answer("FFTW's planner is not asked by several threads");
    case protocol::RequestKind::archive:
      return protocol::error_answer("FFTW's wisdom is one file anyway");
    case protocol::RequestKind::quit:
      m_quits = true;
      break;
  }
  return protocol::quit_answer();
}

// What the manual calls the typical use: import wisdom, plan, initialize the arrays, execute.
CallAnswer FftwAdapter::call(const protocol::CallRequest& request) {
  const auto opened = Transform::open(request);
  if (!opened) return failed(opened.error().text());
  CallAnswer answer;
  answer.compiles = 0;
  if (m_habits.imports_wisdom && !m_wisdom.import_once()) {
    answer.message = fmt::format("the wisdom in {} is not taken", m_wisdom.name());
    if (m_habits.damaged_file_ends_call) return answer;
  }
  const Transform transform = m_habits.works_on_copies ? opened->copied() : *opened;
  if (!execute(transform, answer)) return failed("FFTW makes no plan for this transform");
  answer.done = true;
  if (m_habits.forgets_after_call) fftw_forget_wisdom();
  if (m_habits.says_hit_always) answer.cache = CacheState::hit;
  return answer;
}

bool FftwAdapter::execute(const Transform& transform, CallAnswer& answer) {
  if (m_first) {
    answer.cache = CacheState::hit;
    transform.execute(m_first);
    return true;
  }
  Plan made = plan(transform, answer);
  if (!made) return false;
  fftw_execute(made.get());
  if (m_habits.keeps_first_plan) m_first = std::move(made);
  return true;
}

Plan FftwAdapter::plan(const Transform& transform, CallAnswer& answer) {
  const int sign = m_habits.knows_sign ? transform.sign() : FFTW_FORWARD;
  if (m_habits.forgets_before_planning) fftw_forget_wisdom();
  answer.cache = CacheState::hit;
  if (Plan known = transform.plan(m_habits.rigor | FFTW_WISDOM_ONLY, sign)) return known;
  answer.cache = m_wisdom.is_kept() ? CacheState::miss : CacheState::disabled;
  const Transform::Content content = transform.content();
  Plan made = transform.plan(m_habits.rigor, sign);
  if (m_habits.initializes_after_planning) transform.set_content(content);
  keep_wisdom(answer);
  return made;
}

void FftwAdapter::keep_wisdom(CallAnswer& answer) const {
  if (!m_habits.exports_wisdom || m_wisdom.export_all() || !m_habits.tells_of_failed_export) return;
  answer.message +=
      fmt::format("{}the wisdom is not saved: cannot write {}: {}",
                  answer.message.empty() ? "" : "; ", m_wisdom.name(), std::strerror(errno));
}

}  // namespace tunecheck
