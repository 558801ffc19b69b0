#include "tuner/trial_arguments.hpp"

#include <cstring>
#include <new>

namespace tunecheck {
namespace {

bool same_elements(const TensorView& a, const TensorView& packed) {
  const auto size = static_cast<std::int64_t>(size_of(a.dtype));
  bool same = true;
  for_each_element(a.layout, [&](std::int64_t linear, std::int64_t offset) {
    same = same && std::memcmp(a.data + offset * size, packed.data + linear * size,
                               static_cast<std::size_t>(size)) == 0;
  });
  return same;
}

}  // namespace

TrialArguments::TrialArguments(const CallArguments& call) : m_call(call) {
  classify();
}

TrialArguments::~TrialArguments() = default;

// A tensor that shares memory with a written one changes with it, whatever its own access says.
void TrialArguments::classify() {
  const auto tensors = m_call.launch.tensors;
  const std::size_t count = tensors.size();
  m_needs_restore.assign(count, false);
  m_may_be_poisoned.assign(count, false);
  m_must_not_change.assign(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    const TensorRole& role = m_call.roles[i];
    bool shares = false;
    bool shares_with_written = false;
    for (std::size_t j = 0; j < count; ++j) {
      if (i == j || !overlap(tensors[i], tensors[j])) continue;
      shares = true;
      shares_with_written = shares_with_written || m_call.roles[j].is_written();
    }
    m_needs_restore[i] = role.restores || (shares_with_written && !role.is_pure_output());
    m_may_be_poisoned[i] = role.is_pure_output() && !shares;
    m_must_not_change[i] = !role.is_written() && !shares_with_written;
  }
}

Result<void> TrialArguments::take_snapshot() {
  const auto tensors = m_call.launch.tensors;
  try {
    m_content.clear();
    for (const TensorView& tensor : tensors) {
      m_content.emplace_back(static_cast<std::size_t>(tensor.layout.count()) *
                             size_of(tensor.dtype));
      copy_elements(tensor, snapshot(m_content.size() - 1));
    }
  } catch (const std::bad_alloc&) {
    return failure("there is not enough memory for a copy of the arguments");
  }
  TUNECHECK_TRY(m_memory, TrialMemory::create(tensors));
  return {};
}

std::optional<std::size_t> TrialArguments::changed_read_only() const {
  const auto tensors = trial_launch().tensors;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (must_not_change(i) && !same_elements(tensors[i], snapshot(i))) return i;
  return std::nullopt;
}

TensorView TrialArguments::snapshot(std::size_t index) const {
  const TensorView& tensor = m_call.launch.tensors[index];
  return {const_cast<std::byte*>(m_content[index].data()), tensor.dtype,
          Layout::contiguous(tensor.layout.dimensions())};
}

LaunchArguments TrialArguments::trial_launch() const {
  return {twins(), m_call.launch.scalars};
}

void TrialArguments::before_trial() {
  m_memory->fill_canary();
  for (std::size_t i = 0; i < twins().size(); ++i)
    copy_elements(snapshot(i), twins()[i]);
  for (std::size_t i = 0; i < twins().size(); ++i)
    if (may_be_poisoned(i)) fill_poison(twins()[i]);
}

void TrialArguments::before_rep() {
  for (std::size_t i = 0; i < twins().size(); ++i)
    if (needs_restore(i)) copy_elements(snapshot(i), twins()[i]);
  for (std::size_t i = 0; i < twins().size(); ++i)
    if (m_call.roles[i].resets) fill_zero(twins()[i]);
}

// Only what the kernel writes: the rest may be memory that nobody may write.
void TrialArguments::undo() {
  for (std::size_t i = 0; i < m_content.size(); ++i)
    if (m_call.roles[i].is_written()) copy_elements(snapshot(i), m_call.launch.tensors[i]);
}

bool TrialArguments::guard_intact() const {
  return m_memory->canary_intact();
}

}  // namespace tunecheck
