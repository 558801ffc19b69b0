#include "tuner/background_tunings.hpp"

#include <utility>

namespace tunecheck::detail {

bool BackgroundTunings::begin(const std::string& key, Work work) {
  const std::scoped_lock lock(m_mutex);
  if (!m_begun.insert(key).second) return false;
  m_waiting.push_back(std::move(work));
  if (!m_thread.joinable())
    m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
  m_changed.notify_one();
  return true;
}

bool BackgroundTunings::has_begun(const std::string& key) const {
  const std::scoped_lock lock(m_mutex);
  return m_begun.contains(key);
}

void BackgroundTunings::run(const std::stop_token& stop) {
  for (;;) {
    Work work;
    {
      std::unique_lock lock(m_mutex);
      if (!m_changed.wait(lock, stop, [this] { return !m_waiting.empty(); })) return;
      if (stop.stop_requested()) return;
      work = std::move(m_waiting.front());
      m_waiting.pop_front();
    }
    work(stop);
  }
}

OwnArguments::OwnArguments(TrialMemory memory, const CallArguments& call)
    : m_memory(std::move(memory)),
      m_scalars(call.launch.scalars.begin(), call.launch.scalars.end()),
      m_order(call.caller_order.begin(), call.caller_order.end()),
      m_roles(call.roles),
      m_before_launch(call.before_launch),
      m_where(&call.launch.where()) {}

Result<OwnArguments> OwnArguments::copy(const CallArguments& call) {
  const TensorMemory& where = call.launch.where();
  TUNECHECK_TRY(TrialMemory memory, TrialMemory::create(call.launch.tensors, where));
  OwnArguments own(std::move(memory), call);
  for (std::size_t i = 0; i < call.launch.tensors.size(); ++i)
    where.copy_elements(call.launch.tensors[i], own.m_memory.views()[i], call.launch.stream);
  TUNECHECK_CHECK(where.wait());
  return own;
}

CallArguments OwnArguments::call() const {
  return {m_roles, {m_memory.views(), m_scalars, nullptr, m_where}, m_order, m_before_launch};
}

}  // namespace tunecheck::detail
