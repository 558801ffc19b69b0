#include "tuner/trial/trial_arguments.hpp"

#include <numeric>

namespace tunecheck {

TrialArguments::TrialArguments(const CallArguments& call) : m_call(call) {
  classify();
}

TrialArguments::~TrialArguments() = default;

// A tensor that shares memory with a written one changes with it, whatever its own access says.
void TrialArguments::classify() {
  const auto tensors = m_call.launch.tensors;
  const std::size_t count = tensors.size();
  m_needs_restore.assign(count, false);
  m_must_not_change.assign(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    const TensorRole& role = m_call.roles[i];
    bool shares_with_written = false;
    for (std::size_t j = 0; j < count; ++j) {
      if (i == j || !overlap(tensors[i], tensors[j])) continue;
      shares_with_written = shares_with_written || m_call.roles[j].is_written();
    }
    m_needs_restore[i] = role.restores || (shares_with_written && !role.is_pure_output());
    m_must_not_change[i] = !role.is_written() && !shares_with_written;
  }
}

Result<void> TrialArguments::take_snapshot() {
  m_content.clear();
  for (const TensorView& tensor : m_call.launch.tensors) {
    auto content = call_memory().allocate(static_cast<std::size_t>(tensor.layout.count()) *
                                          size_of(tensor.dtype));
    if (!content)
      return failure("there is not enough memory for a copy of the arguments: {}",
                     content.error().text());
    m_content.push_back(std::move(*content));
    // In the order of the caller's own work, which may still be about to fill the tensor.
    call_memory().copy_elements(tensor, snapshot(m_content.size() - 1), m_call.launch.stream);
  }
  TUNECHECK_CHECK(call_memory().wait());
  TUNECHECK_TRY(m_memory, TrialMemory::create(m_call.launch.tensors, call_memory()));
  return {};
}

std::optional<std::size_t> TrialArguments::changed_read_only() const {
  const auto tensors = trial_launch().tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (must_not_change(i) && !call_memory().same_elements(tensors[i], snapshot(i))) return i;
  return std::nullopt;
}

TensorView TrialArguments::snapshot(std::size_t index) const {
  const TensorView& tensor = m_call.launch.tensors[index];
  return {m_content[index].data(), tensor.dtype, Layout::contiguous(tensor.layout.dimensions())};
}

const TensorMemory& TrialArguments::trial_memory() const {
  return m_call.trial_memory != nullptr ? *m_call.trial_memory : call_memory();
}

LaunchArguments TrialArguments::trial_launch() const {
  return {twins(), m_call.launch.scalars, nullptr, &trial_memory()};
}

void TrialArguments::before_trial() {
  m_memory->fill_canary(trial_memory());
  for (std::size_t i = 0; i < twins().size(); ++i)
    trial_memory().copy_elements(snapshot(i), twins()[i]);
  for (std::size_t i = 0; i < twins().size(); ++i)
    if (may_be_poisoned(i)) trial_memory().fill_poison(twins()[i]);
}

void TrialArguments::before_rep() {
  for (std::size_t i = 0; i < twins().size(); ++i)
    if (needs_restore(i)) trial_memory().copy_elements(snapshot(i), twins()[i]);
  for (std::size_t i = 0; i < twins().size(); ++i)
    if (m_call.roles[i].resets) trial_memory().fill_zero(twins()[i]);
}

// The hook may use the device in its own way: what was asked for is done before it begins, and what
// it asks for before the launch.
void TrialArguments::run_hook() const {
  if (!m_call.has_hook()) return;
  (void)trial_memory().wait();
  m_call.run_hook(trial_launch());
  (void)call_memory().wait();
}

void TrialArguments::end_trials() {
  m_memory.reset();
}

std::size_t TrialArguments::bytes_held() const {
  return std::accumulate(
      m_content.begin(), m_content.end(), m_memory ? m_memory->bytes() : 0,
      [](std::size_t sum, const MemoryBlock& content) { return sum + content.size(); });
}

// Only what the kernel writes: the rest may be memory that nobody may write.
void TrialArguments::undo() {
  for (std::size_t i = 0; i < m_content.size(); ++i)
    if (m_call.roles[i].is_written())
      call_memory().copy_elements(snapshot(i), m_call.launch.tensors[i], m_call.launch.stream);
}

bool TrialArguments::guard_intact() const {
  return m_memory->canary_intact();
}

}  // namespace tunecheck
