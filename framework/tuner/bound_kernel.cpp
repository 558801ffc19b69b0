#include "tuner/bound_kernel.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <boost/container/small_vector.hpp>
#include <fmt/ranges.h>

#include "tuner/winner_search.hpp"

namespace tunecheck::detail {
namespace {

// Calls with up to this many arguments of a kind are brought into order without allocating.
constexpr std::size_t usual_arguments = 16;

std::vector<std::size_t> key_scalars(const KernelDefinition& kernel) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < kernel.scalars.size(); ++i)
    if (kernel.scalars[i].key) positions.push_back(i);
  return positions;
}

// Converted to its dtype, another value would be a whole number that nobody gave.
Result<void> check_whole(double value, const ScalarParameter& scalar) {
  std::array<std::byte, 8> element{};
  store_element(scalar.dtype, element.data(), value);
  if (load_element(scalar.dtype, element.data()) == value) return {};
  return failure(ErrorKind::bad_input, "scalar \"{}\" is {}; expected a value of {}", scalar.name,
                 value, name_of(scalar.dtype));
}

// What went wrong in a search that nobody waited for.
void tell(const std::string& trouble, CallReport& report) {
  if (trouble.empty()) return;
  report.message += (report.message.empty() ? "warning: " : "; warning: ") + trouble;
  report.warnings.push_back(trouble);
}

}  // namespace

Result<std::unique_ptr<BoundKernel>> BoundKernel::create(TunerState& tuner, TuneRequest request) {
  TUNECHECK_TRY(std::vector<Config> configs, request.space.enumerate(to_variables(request.sizes)));
  TUNECHECK_TRY(std::string arch, tuner.backend.resolve_arch(request.arch));
  arch = tuner.backend.arch_for(request.kernel, std::move(arch));
  TUNECHECK_TRY(KernelSources sources, tuner.backend.sources(request.kernel));
  std::vector<std::vector<std::int64_t>> shapes;
  for (const TensorParameter& tensor : request.kernel.tensors) {
    TUNECHECK_TRY(auto shape, request.kernel.shape_of(tensor, request.sizes));
    shapes.push_back(std::move(shape));
  }
  BoundFacts facts{std::move(arch), tuner.backend.toolchain_fingerprint(), std::move(sources),
                   std::move(configs), key_environment(tuner.backend, request.kernel)};
  std::unique_ptr<BoundKernel> bound(new BoundKernel(tuner, std::move(request), std::move(facts)));
  bound->m_shapes = std::move(shapes);
  return bound;
}

BoundKernel::BoundKernel(TunerState& tuner, TuneRequest request, BoundFacts facts)
    : m_memory(&tuner.backend.memory()),
      m_real_call(*tuner.parts.real_call),
      m_prepares_hits(m_real_call.prepares_hits(tensor_roles(request.kernel))),
      m_has_hook(request.before_launch != nullptr),
      m_known(key_scalars(request.kernel)),
      m_roles(tensor_roles(request.kernel)),
      m_tuner(tuner),
      m_request(std::move(request)),
      m_facts(std::move(facts)),
      m_file_order(m_roles.size()) {
  std::iota(m_file_order.begin(), m_file_order.end(), 0);
  const auto& axes = tuner.parts.key_axes;
  const KeyContext context{tuner.backend, m_request, tuner.options, m_facts, nullptr};
  m_bound_values = collect_axes(axes, context, false);
  m_has_fast_path = std::none_of(axes.begin(), axes.end(), [](const KeyAxis& axis) {
    return axis.moment == AxisMoment::call_in_detail;
  });
}

Result<CallReport> BoundKernel::call(std::span<const NamedTensor> tensors,
                                     const std::map<std::string, double>& scalars, Stream stream) {
  boost::container::small_vector<TensorView, usual_arguments> views(m_roles.size());
  boost::container::small_vector<int, usual_arguments> order;
  for (const NamedTensor& tensor : tensors) {
    const auto role = std::find_if(m_roles.begin(), m_roles.end(), [&](const TensorRole& known) {
      return known.name == tensor.name;
    });
    const auto position = static_cast<int>(role - m_roles.begin());
    if (role == m_roles.end() || std::find(order.begin(), order.end(), position) != order.end())
      return failure(ErrorKind::bad_input, "{} has {} tensor \"{}\"", m_request.kernel.name,
                     role == m_roles.end() ? "no" : "only one", tensor.name);
    views[static_cast<std::size_t>(position)] = tensor.view;
    order.push_back(position);
  }
  if (order.size() != m_roles.size())
    return failure(ErrorKind::bad_input, "{} needs {} tensors; the call has {}",
                   m_request.kernel.name, m_roles.size(), order.size());
  boost::container::small_vector<Scalar, usual_arguments> values;
  std::size_t given = 0;
  for (const ScalarParameter& scalar : m_request.kernel.scalars) {
    const auto found = scalars.find(scalar.name);
    given += found != scalars.end() ? 1U : 0U;
    if (found != scalars.end() && !is_floating(scalar.dtype))
      TUNECHECK_CHECK(check_whole(found->second, scalar));
    values.push_back({scalar.dtype, found != scalars.end() ? found->second : scalar.value});
  }
  if (given != scalars.size())
    for (const auto& [name, value] : scalars)
      if (std::none_of(
              m_request.kernel.scalars.begin(), m_request.kernel.scalars.end(),
              [&wanted = name](const ScalarParameter& scalar) { return scalar.name == wanted; }))
        return failure(ErrorKind::bad_input, "{} has no scalar \"{}\"", m_request.kernel.name,
                       name);
  const LaunchArguments arguments{
      {views.data(), views.size()}, {values.data(), values.size()}, stream, m_memory};
  if (const KnownWinner* const winner = m_known.find(arguments))
    return launch_known(*winner, arguments);
  return call_by_key(arguments, {order.data(), order.size()});
}

Result<void> BoundKernel::check_arguments(const LaunchArguments& arguments) const {
  const KernelDefinition& kernel = m_request.kernel;
  if (arguments.tensors.size() != m_roles.size() ||
      arguments.scalars.size() != kernel.scalars.size())
    return failure(ErrorKind::bad_input,
                   "{} needs {} tensors and {} scalars; the call has {} and {}", kernel.name,
                   m_roles.size(), kernel.scalars.size(), arguments.tensors.size(),
                   arguments.scalars.size());
  for (std::size_t i = 0; i < m_roles.size(); ++i) {
    const TensorView& tensor = arguments.tensors[i];
    const std::vector<DType>& dtypes = kernel.tensors[i].dtypes;
    if (std::find(dtypes.begin(), dtypes.end(), tensor.dtype) == dtypes.end())
      return failure(ErrorKind::bad_input, "{}: tensor {} may not be {}", kernel.name,
                     m_roles[i].name, name_of(tensor.dtype));
    const auto shape = tensor.layout.dimensions();
    if (!std::equal(shape.begin(), shape.end(), m_shapes[i].begin(), m_shapes[i].end()))
      return failure(ErrorKind::bad_input, "{}: tensor {} has the shape {}; expected {}",
                     kernel.name, m_roles[i].name, format_index(shape), format_index(m_shapes[i]));
    // Nobody could say what is left in an element that is two.
    if (kernel.tensors[i].is_result() && overlaps_itself(tensor.layout))
      return failure(ErrorKind::bad_input,
                     "{}: tensor {} is written; expected strides that give each of its elements a "
                     "place of its own",
                     kernel.name, m_roles[i].name);
  }
  return {};
}

Key BoundKernel::key_of(const CallArguments& call) const {
  const KeyContext context{m_tuner.backend, m_request, m_tuner.options, m_facts, &call};
  std::vector<KeyValue> values = collect_axes(m_tuner.parts.key_axes, context, true);
  values.insert(values.end(), m_bound_values.begin(), m_bound_values.end());
  // The caller's own config is no winner: in memory it has a place of its own.
  if (const auto config = m_tuner.parts.choose_explicit(m_request))
    values.push_back({"config", to_string(*config), false});
  return Key(std::move(values));
}

bool BoundKernel::is_good_enough(const SearchedWith& searched) const {
  return takes_any_winner(m_request, m_tuner.options) ||
         !m_tuner.parts.may_search(m_tuner.options) ||
         m_tuner.parts.is_enough(searched, search_for(m_request, m_tuner.options),
                                 m_facts.configs.size());
}

// As a hit, with a stand-in as long as there is no winner that is good enough.
Result<CallReport> BoundKernel::call_without_waiting(const CallArguments& call, const Key& key,
                                                     const std::shared_ptr<WinnerSlot>& slot) {
  std::shared_ptr<const LoadedWinner> winner = slot->winner();
  CallReport report;
  if (winner == nullptr || !is_good_enough(winner->searched)) {
    TUNECHECK_TRY(StandIn stand_in, find_stand_in(call, key, *slot, winner));
    winner = std::move(stand_in.winner);
    report = std::move(stand_in.report);
    if (!stand_in.is_winner && m_tuner.parts.may_search(m_tuner.options)) {
      search_meanwhile(call, key, slot, report);
      report.cache = winner->searched.configs > 0 ? CacheUse::unchecked : CacheUse::pending;
      ++slot->given_meanwhile;
    }
  } else {
    tell(slot->trouble(), report);
  }
  report.given_meanwhile = slot->given_meanwhile;
  const bool is_final = report.cache == CacheUse::hit;
  if (m_has_fast_path && is_final) m_known.add(call.launch, winner);
  m_real_call.prepare(m_roles, call.launch, CallKind::hit);
  call.run_hook(call.launch);
  report.winner = winner->config;
  report.status = winner->module->launch(call.launch);
  m_tuner.parts.observer->on_report(report);
  return report;
}

// A winner that is loaded stands in for a better one. Otherwise the store is asked, without waiting
// for whoever tunes; the first thread that comes here does it for all.
Result<BoundKernel::StandIn> BoundKernel::find_stand_in(
    const CallArguments& call, const Key& key, WinnerSlot& slot,
    std::shared_ptr<const LoadedWinner> winner) {
  if (winner != nullptr) return StandIn{std::move(winner), false, {}};
  const std::scoped_lock lock(slot.stand_in_turn());
  if (auto known = slot.stand_in()) return StandIn{std::move(known), false, {}};
  TUNECHECK_TRY(WinnerSearch found,
                find_winner(m_tuner, m_request, m_facts, key, call, {.is_stand_in = true}));
  StandIn stand_in{std::move(found.winner), false, std::move(found.report)};
  // The caller's own config and a table's are of no search, and no search is to follow.
  stand_in.is_winner = (found.in_store || stand_in.winner->searched.configs > 0) &&
                       is_good_enough(stand_in.winner->searched);
  if (stand_in.is_winner)
    slot.keep(stand_in.winner);
  else
    slot.keep_stand_in(stand_in.winner);
  slot.keep_compiled(std::move(found.compiled));
  return stand_in;
}

void BoundKernel::search_meanwhile(const CallArguments& call, const Key& key,
                                   const std::shared_ptr<WinnerSlot>& slot, CallReport& report) {
  const std::string search = m_tuner.parts.meanwhile->name_of_search(key);
  if (m_background.has_begun(search)) {
    report.search_failure = slot->trouble();
    return tell(report.search_failure, report);
  }
  auto held = m_tuner.parts.meanwhile->hold(call);
  if (!held)
    return tell("the winner cannot be searched for meanwhile: " + held.error().text(), report);
  m_background.begin(search,
                     [this, own = std::move(*held), key, slot](const std::stop_token& stop) {
                       try {
                         tune_meanwhile(own->call(), key, *slot, stop);
                       } catch (const std::exception& error) {
                         slot->keep_trouble(error.what());
                       }
                     });
}

// In the thread of m_background.
void BoundKernel::tune_meanwhile(const CallArguments& call, const Key& key, WinnerSlot& slot,
                                 const std::stop_token& stop) {
  const std::unique_lock turn = m_tuner.parts.turns->take(slot.turn());
  const auto winner = slot.winner();
  if (!m_tuner.parts.meanwhile->must_search(winner != nullptr && is_good_enough(winner->searched)))
    return;
  const std::vector<CompiledConfig> compiled = slot.take_compiled();
  auto found =
      find_winner(m_tuner, m_request, m_facts, key, call, {.stop = stop, .compiled = compiled});
  if (!found) {
    if (!stop.stop_requested()) slot.keep_trouble(found.error().text());
    return m_tuner.parts.observer->on_warning(found.error().text());
  }
  if (const auto& warnings = found->report.warnings; !warnings.empty())
    slot.keep_trouble(fmt::format("{}", fmt::join(warnings, "; ")));
  slot.in_store = found->in_store;
  if (m_tuner.parts.meanwhile->delivers()) slot.keep(std::move(found->winner));
}

Result<CallReport> BoundKernel::call_by_key(const LaunchArguments& arguments,
                                            std::span<const int> order) {
  TUNECHECK_CHECK(check_arguments(arguments));
  const CallArguments call{m_roles, arguments, order, &m_request.before_launch};
  const Key key = key_of(call);
  const std::shared_ptr<WinnerSlot> slot = m_tuner.winners.slot(key);
  const bool waits = m_tuner.parts.meanwhile->waits(m_request, m_tuner.options);
  if (!waits && !is_gpu(m_tuner.backend.kind())) return call_without_waiting(call, key, slot);
  WinnerSearch search;
  std::shared_ptr<const LoadedWinner> winner;
  {
    const std::unique_lock turn = m_tuner.parts.turns->take(slot->turn());
    winner = slot->winner();
    if (winner == nullptr || !is_good_enough(winner->searched)) {
      TUNECHECK_TRY(search, find_winner(m_tuner, m_request, m_facts, key, call));
      slot->in_store = search.in_store;
      winner = std::move(search.winner);
      slot->keep(winner);
    }
  }
  if (m_has_fast_path) m_known.add(arguments, winner);
  const bool tuned = search.arguments != nullptr;
  m_real_call.prepare(m_roles, arguments, tuned ? CallKind::tuned : CallKind::hit);
  call.run_hook(arguments);
  CallReport& report = search.report;
  report.winner = winner->config;
  report.status = winner->module->launch(arguments);
  if (report.status != 0 && tuned) search.arguments->undo();
  m_tuner.parts.observer->on_report(report);
  return std::move(report);
}

}  // namespace tunecheck::detail
