#include "proof/further_choices.hpp"

#include <algorithm>

#include "harness/kernel/proof_fills.hpp"

namespace tunecheck {
namespace {

// Besides the seed of the run.
constexpr std::uint64_t further_seeds = 2;

// Collects the choices for one kernel; all() is called once.
class Choices {
 public:
  Choices(const KernelDefinition& kernel, const ProofCase& plain)
      : m_kernel(kernel), m_plain(plain) {}

  std::vector<ProofChoice> all(const std::vector<std::string>& sizes, const OtherScalars& scalars,
                               const std::vector<std::size_t>& broadcast) {
    add_layouts();
    add_ends();
    add_signs();
    for (const auto& [name, values] : scalars.values)
      for (const double value : values)
        add([&, &scalar = name](ProofChoice& choice) { choice.scalars[scalar] = value; });
    for (std::uint64_t step = 1; step <= further_seeds; ++step)
      add([&](ProofChoice& choice) { choice.seed_step = step; });
    add_second_launches(sizes, scalars);
    // Its values are others, too, so that it comes last: what these alone show has another name.
    if (!broadcast.empty()) add([&](ProofChoice& choice) { choice.broadcast = broadcast; });
    add_aligned();
    return std::move(m_choices);
  }

 private:
  using Layouts = ProofChoice::Layouts;
  using Values = ProofChoice::Values;

  template <class Change>
  void add(Change&& change) {
    change(m_choices.emplace_back(m_plain.choice()));
  }

  void add_layouts() {
    if (has_rows()) {
      add_layouts(Layouts::padded_rows);
      add_layouts(Layouts::transposed);
    }
    add_layouts(Layouts::reversed);
  }

  void add_layouts(Layouts layouts) {
    for (const bool alias : {false, true})
      if (!alias || offers_alias())
        add([&](ProofChoice& choice) {
          choice.layouts = layouts;
          choice.alias = alias;
        });
  }

  [[nodiscard]] bool has_rows() const {
    return std::any_of(m_kernel.tensors.begin(), m_kernel.tensors.end(),
                       [](const TensorParameter& tensor) { return tensor.shape.size() > 1; });
  }

  [[nodiscard]] bool offers_alias() const {
    return std::any_of(m_kernel.tensors.begin(), m_kernel.tensors.end(),
                       [](const TensorParameter& tensor) { return !tensor.may_alias.empty(); });
  }

  // A position of several elements often is at the ends anyway; that of one element never is at
  // both.
  void add_ends() {
    bool high = false, low = false;
    for (const std::size_t i : tensors_with_ends(m_kernel, m_plain.choice().size)) {
      const std::vector<double> drawn = to_doubles(m_plain.tensors()[i].initial());
      if (drawn.empty() || has_both_ends(i, drawn)) continue;
      high = true;
      low = low || drawn.size() == 1;
    }
    if (high) add([](ProofChoice& choice) { choice.values = Values::high_end; });
    if (low) add([](ProofChoice& choice) { choice.values = Values::low_end; });
  }

  [[nodiscard]] bool has_both_ends(std::size_t i, const std::vector<double>& drawn) const {
    const Sizes& sizes = m_kernel.sizes.at(m_plain.choice().size);
    const auto fill = m_kernel.fill_of(m_kernel.tensors[i], sizes);
    const auto holds = [&](std::int64_t end) {
      return std::find(drawn.begin(), drawn.end(), static_cast<double>(end)) != drawn.end();
    };
    return fill && holds(fill->low) && holds(fill->high);
  }

  void add_signs() {
    const std::size_t free =
        tensors_of_either_sign(m_kernel, m_plain.choice().size, m_plain.dtypes()).size();
    if (free == 0) return;
    for (const Values values : {Values::negative, Values::positive})
      add([&](ProofChoice& choice) { choice.values = values; });
    if (free > 1) add([](ProofChoice& choice) { choice.values = Values::mixed_signs; });
  }

  // After other values, which a kernel may have kept; and after another size, whose memory it may
  // have kept.
  void add_second_launches(const std::vector<std::string>& sizes, const OtherScalars& scalars) {
    ProofChoice other = m_plain.choice();
    other.seed_step = 1;
    for (const auto& [name, values] : scalars.values)
      other.scalars[name] = values.front();
    add_after(other);
    if (const std::string size = another_size(sizes); !size.empty()) {
      other.size = size;
      add_after(other);
    }
  }

  void add_after(const ProofChoice& earlier) {
    add([&](ProofChoice& choice) {
      choice.earlier = std::make_shared<const ProofChoice>(earlier);
    });
  }

  // All of it once more, because code that moves vectors is other code.
  void add_aligned() {
    const std::vector<ProofChoice> plain = m_choices;
    for (const ProofChoice& choice : plain) {
      ProofChoice& aligned = m_choices.emplace_back(choice);
      aligned.aligned = true;
      if (choice.earlier == nullptr) continue;
      ProofChoice earlier = *choice.earlier;
      earlier.aligned = true;
      aligned.earlier = std::make_shared<const ProofChoice>(earlier);
    }
  }

  // The one with the most elements, "" where all others lack some.
  [[nodiscard]] std::string another_size(const std::vector<std::string>& sizes) const {
    std::string found;
    std::int64_t most = 0;
    for (const std::string& size : sizes)
      if (size != m_plain.choice().size && elements_at(size) > most) {
        found = size;
        most = elements_at(size);
      }
    return found;
  }

  // 0 where a tensor has none: then a launch may do nothing.
  [[nodiscard]] std::int64_t elements_at(const std::string& size) const {
    std::int64_t all = 0;
    for (const TensorParameter& tensor : m_kernel.tensors) {
      const auto shape = m_kernel.shape_of(tensor, m_kernel.sizes.at(size));
      const std::int64_t count = shape ? Layout::contiguous(*shape).count() : 0;
      if (count == 0) return 0;
      all += count;
    }
    return all;
  }

  const KernelDefinition& m_kernel;
  const ProofCase& m_plain;
  std::vector<ProofChoice> m_choices;
};

}  // namespace

std::vector<ProofChoice> further_choices(const KernelDefinition& kernel, const ProofCase& plain,
                                         const std::vector<std::string>& sizes,
                                         const OtherScalars& scalars,
                                         const std::vector<std::size_t>& broadcast) {
  return Choices(kernel, plain).all(sizes, scalars, broadcast);
}

}  // namespace tunecheck
