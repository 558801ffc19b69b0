#include "proof/other_scalars.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "harness/kernel/question.hpp"

namespace tunecheck {
namespace {

// As many tolerances as a wrong result is off that every comparison must reject.
constexpr double visible_tolerances = 10;

double rounded_to(DType dtype, double value) {
  std::array<std::byte, 8> element{};
  store_element(dtype, element.data(), value);
  return load_element(dtype, element.data());
}

std::string list_of(const std::vector<double>& values) {
  std::string text;
  for (const double value : values)
    text += (text.empty() ? "" : ", ") + scalar_text(value);
  return text;
}

// Chooses the further values of all scalars of one kernel. choose() is called once; each scalar is
// looked at for itself, with all others as the kernel file has them. A reference that fails with a
// value shows that the value may not be asked, unless the kernel file declares it.
class Chooser {
 public:
  Chooser(const KernelDefinition& kernel, const ProofCase& plain, Oracle& oracle)
      : m_kernel(kernel), m_plain(plain), m_oracle(oracle) {}

  OtherScalars choose() {
    for (const ScalarParameter& scalar : m_kernel.scalars) {
      std::vector<double> values = scalar.has_range()          ? ends_of_range(scalar)
                                   : is_floating(scalar.dtype) ? visible_value(scalar)
                                                               : whole_numbers(scalar);
      if (!values.empty()) m_chosen.values[scalar.name] = std::move(values);
    }
    return std::move(m_chosen);
  }

 private:
  std::vector<double> ends_of_range(const ScalarParameter& scalar) {
    const auto range = m_kernel.range_of(scalar, sizes());
    std::vector<double> values;
    if (range && range->low <= range->high)
      for (const double end : {range->low, range->high})
        add(values, scalar, end);
    if (values.empty())
      note(scalar, fmt::format("is asked with {} alone: its range holds no other value",
                               scalar_text(scalar.value)));
    return values;
  }

  std::vector<double> visible_value(const ScalarParameter& scalar) {
    std::vector<double> tried;
    for (const double value : candidates(scalar)) {
      const Oracle::Answer answer = expected_with(scalar, value);
      if (answer == nullptr) continue;
      if (differs(*answer)) return {value};
      tried.push_back(value);
    }
    if (tried.empty()) {
      note(scalar, fmt::format("is asked with {} alone: the reference bears none of {}",
                               scalar_text(scalar.value), list_of(candidates(scalar))));
      return {};
    }
    note(scalar, fmt::format("makes no difference: the reference gives the same with {} as with "
                             "{}, so that nothing shows whether the kernel uses it",
                             list_of(tried), scalar_text(scalar.value)));
    return {tried.front()};
  }

  static std::vector<double> candidates(const ScalarParameter& scalar) {
    std::vector<double> values;
    if (scalar.value == 0) return {0.5, 1};
    for (const double factor : {0.5, 1024.0, 1048576.0})
      add(values, scalar, factor * scalar.value);
    return values;
  }

  // A position wraps or ends just below a size.
  std::vector<double> whole_numbers(const ScalarParameter& scalar) {
    std::vector<double> values;
    const bool is_size = std::any_of(sizes().begin(), sizes().end(), [&](const auto& size) {
      return static_cast<double>(size.second) == scalar.value;
    });
    if (!is_size) add_where_borne(values, scalar, scalar.value + 1);
    for (const auto& [name, size] : sizes())
      if (size > 1 && !(is_size && static_cast<double>(size) > scalar.value))
        add_where_borne(values, scalar, static_cast<double>(size - 1));
    if (values.empty()) add_where_borne(values, scalar, scalar.value - 1);
    if (values.empty())
      note(scalar, fmt::format("is asked with {} alone: the reference bears no other value that "
                               "was tried; say its range in the kernel file",
                               scalar_text(scalar.value)));
    else
      note(scalar, fmt::format("has no range in the kernel file, and so it was also asked with {}; "
                               "with range \"LOW HIGH\" its ends are asked and nothing else",
                               list_of(values)));
    return values;
  }

  void add_where_borne(std::vector<double>& values, const ScalarParameter& scalar, double value) {
    if (expected_with(scalar, value) != nullptr) add(values, scalar, value);
  }

  // Unless it is the kernel file's own or there already.
  static void add(std::vector<double>& values, const ScalarParameter& scalar, double value) {
    const double rounded = rounded_to(scalar.dtype, value);
    if (rounded != rounded_to(scalar.dtype, scalar.value) && std::isfinite(rounded) &&
        std::find(values.begin(), values.end(), rounded) == values.end())
      values.push_back(rounded);
  }

  // Null where the reference fails, or where it finds no number and found one before.
  [[nodiscard]] Oracle::Answer expected_with(const ScalarParameter& scalar, double value) const {
    const auto answer =
        m_oracle.ask(make_question(m_kernel, m_plain.tensors(), true, {{scalar.name, value}}));
    if (!answer) return nullptr;
    const bool loses = any_element(**answer, [](std::size_t, double before, double now) {
      return std::isfinite(before) && !std::isfinite(now);
    });
    return loses ? nullptr : *answer;
  }

  [[nodiscard]] bool differs(const TensorContents& contents) const {
    return any_element(contents, [&](std::size_t i, double before, double now) {
      const Tolerance& tolerance = m_kernel.tolerance.of(m_plain.dtypes()[i]);
      return std::abs(now - before) >
             visible_tolerances * (tolerance.absolute + tolerance.relative * std::abs(before));
    });
  }

  // True where `holds` of an element of a result: tensor, what is expected of it without the
  // further value and with it.
  template <class Holds>
  [[nodiscard]] bool any_element(const TensorContents& contents, Holds&& holds) const {
    for (std::size_t i = 0; i < contents.size(); ++i) {
      if (!m_kernel.tensors[i].is_result()) continue;
      const std::vector<double>& before = m_plain.expected()[i];
      for (std::size_t at = 0; at < before.size(); ++at)
        if (holds(i, before[at], contents[i][at])) return true;
    }
    return false;
  }

  [[nodiscard]] const Sizes& sizes() const { return m_kernel.sizes.at(m_plain.choice().size); }

  void note(const ScalarParameter& scalar, const std::string& text) {
    m_chosen.notes.push_back(fmt::format("scalar \"{}\" {}", scalar.name, text));
  }

  const KernelDefinition& m_kernel;
  const ProofCase& m_plain;
  Oracle& m_oracle;
  OtherScalars m_chosen;
};

}  // namespace

OtherScalars other_scalars(const KernelDefinition& kernel, const ProofCase& plain, Oracle& oracle) {
  return Chooser(kernel, plain, oracle).choose();
}

}  // namespace tunecheck
