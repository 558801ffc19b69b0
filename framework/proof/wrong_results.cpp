#include "proof/wrong_results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/compare.hpp"
#include "core/mapped_file.hpp"

namespace tunecheck {
namespace {

// Plants wrong results into one case and notes which ones its comparison rejects. run() is called
// once. A wrong result that could not be tried (nothing is written, a launch fails) counts as
// accepted: no evidence, no pass. The last one damages the tensors' files, which must be written
// again before they are used.
class WrongResults {
 public:
  WrongResults(const KernelDefinition& kernel, const std::vector<TensorFile>& tensors,
               const TensorContents& expected)
      : m_kernel(kernel), m_tensors(tensors), m_expected(expected) {}

  std::vector<ProofResult::Rejection> run(
      const std::function<Result<TensorContents>()>& twice_applied) {
    each("zeros", [](std::vector<double>& content, std::size_t) {
      std::fill(content.begin(), content.end(), 0.0);
    });
    each("the unchanged input", [&](std::vector<double>& content, std::size_t i) {
      content = to_doubles(m_tensors[i].initial());
    });
    twice(twice_applied);
    each("NaN", [](std::vector<double>& content, std::size_t) {
      std::fill(content.begin(), content.end(), std::numeric_limits<double>::quiet_NaN());
    });
    each("a half-written output", [&](std::vector<double>& content, std::size_t i) {
      const std::vector<double> before = to_doubles(m_tensors[i].initial());
      const auto half = static_cast<std::ptrdiff_t>(content.size() / 2);
      std::copy(before.begin() + half, before.end(), content.begin() + half);
    });
    each("one element off by ten tolerances", [&](std::vector<double>& content, std::size_t i) {
      double& last = content.back();
      const double step =
          10 * (tolerance_of(i).absolute + tolerance_of(i).relative * std::abs(last));
      last += std::max(step, smallest_step(i, last));
    });
    write_past_the_end();
    return std::move(m_rejections);
  }

 private:
  // The smallest difference that the tensor's dtype can hold at `value`.
  [[nodiscard]] double smallest_step(std::size_t i, double value) const {
    const DType dtype = m_tensors[i].initial().dtype;
    if (!is_floating(dtype)) return 1;
    return 2 * epsilon_of(dtype) * std::max(std::abs(value), 1e-30);
  }

  [[nodiscard]] const Tolerance& tolerance_of(std::size_t i) const {
    return m_kernel.tolerance.of(m_tensors[i].initial().dtype);
  }

  [[nodiscard]] bool written(std::size_t i) const { return m_kernel.tensors[i].is_result(); }

  // Compares `content` as the result in tensor i.
  [[nodiscard]] Comparison compare_with(std::size_t i, const std::vector<double>& content) const {
    const TensorView initial = m_tensors[i].initial();
    std::vector<std::byte> memory(content.size() * size_of(initial.dtype) + 1);
    const TensorView view{memory.data(), initial.dtype,
                          Layout::contiguous(initial.layout.dimensions())};
    from_doubles(content, view);
    return compare(view, m_expected[i], tolerance_of(i));
  }

  // A wrong result counts as rejected only where it is rejected in every written tensor: a loser
  // that gets one of two outputs wrong must be noticed too.
  template <class Spoil>
  void each(const std::string& name, Spoil&& spoil) {
    ProofResult::Rejection rejection{name, true, true, ""};
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
      if (!written(i) || m_expected[i].empty()) continue;
      std::vector<double> content = m_expected[i];
      spoil(content, i);
      note(rejection, i, compare_with(i, content));
    }
    add(std::move(rejection));
  }

  // Nothing compared is nothing rejected.
  void add(ProofResult::Rejection rejection) {
    if (rejection.text.empty()) {
      rejection.rejected = false;
      rejection.text = "not tried: no element is written";
    }
    m_rejections.push_back(std::move(rejection));
  }

  void note(ProofResult::Rejection& rejection, std::size_t i, const Comparison& comparison) const {
    const std::string& tensor = m_kernel.tensors[i].name;
    if (comparison.equal()) {
      rejection.rejected = false;
      rejection.text = fmt::format("accepted as \"{}\"", tensor);
    } else if (rejection.rejected) {
      rejection.text += fmt::format("{}\"{}\": {}", rejection.text.empty() ? "" : "; ", tensor,
                                    comparison.text());
    }
  }

  void twice(const std::function<Result<TensorContents>()>& twice_applied) {
    ProofResult::Rejection rejection{"a twice-applied kernel", true, false, ""};
    const bool repeats = std::any_of(
        m_kernel.tensors.begin(), m_kernel.tensors.end(),
        [](const TensorParameter& tensor) { return tensor.access == Access::in_place; });
    if (!repeats) {
      rejection.applicable = false;
      rejection.text = "it only writes what it does not read: twice is once";
    } else if (const auto contents = twice_applied(); !contents) {
      rejection.text = contents.error().text();
      rejection.ran = contents.error().kind != ErrorKind::unsupported;
    } else if (!m_kernel.twice_is_once.empty()) {
      check_twice_is_once(rejection, *contents);
    } else {
      // Some argument must differ: one of several may rightly be the same again.
      for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        if (!written(i) || m_expected[i].empty()) continue;
        const Comparison comparison = compare_with(i, (*contents)[i]);
        if (comparison.equal() || rejection.rejected) continue;
        rejection.rejected = true;
        rejection.text = fmt::format("\"{}\": {}", m_kernel.tensors[i].name, comparison.text());
      }
      if (!rejection.rejected)
        rejection.text =
            "accepted: a second launch changes nothing; if that is intended, say why in "
            "twice_is_once";
    }
    m_rejections.push_back(std::move(rejection));
  }

  // The author says that a second launch changes nothing: so it must be.
  void check_twice_is_once(ProofResult::Rejection& rejection, const TensorContents& twice) const {
    rejection.applicable = false;
    rejection.text = m_kernel.twice_is_once;
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
      if (!written(i)) continue;
      const Comparison comparison = compare_with(i, twice[i]);
      if (comparison.equal()) continue;
      rejection.applicable = true;
      rejection.text =
          fmt::format("twice_is_once is not true: \"{}\": {}; take it out of the kernel file",
                      m_kernel.tensors[i].name, comparison.text());
      return;
    }
  }

  // Through the file and its canaries, as a call's tensors are judged.
  void write_past_the_end() {
    ProofResult::Rejection rejection{"a write past the end", true, true, ""};
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
      if (!written(i)) continue;
      const Result<std::string> damage = damage_behind(m_tensors[i]);
      if (damage && !damage->empty()) {
        rejection.text += (rejection.text.empty() ? "" : "; ") +
                          fmt::format("\"{}\": {}", m_kernel.tensors[i].name, *damage);
      } else {
        rejection.rejected = false;
        rejection.text = damage ? "accepted" : damage.error().text();
        break;
      }
    }
    add(std::move(rejection));
  }

  static Result<std::string> damage_behind(const TensorFile& tensor) {
    TUNECHECK_CHECK(tensor.write());
    {
      TUNECHECK_TRY(const MappedFile file, MappedFile::open(tensor.path()));
      const ByteRange range = byte_range(tensor.initial());
      const auto end = static_cast<std::size_t>(static_cast<std::int64_t>(tensor.byte_offset()) +
                                                (range.end - tensor.initial().data));
      file.bytes()[end] ^= std::byte{0xff};
    }
    TUNECHECK_TRY(const TensorFile::After after, tensor.read_back());
    return after.canary_damage;
  }

  const KernelDefinition& m_kernel;
  const std::vector<TensorFile>& m_tensors;
  const TensorContents& m_expected;
  std::vector<ProofResult::Rejection> m_rejections;
};

}  // namespace

std::vector<ProofResult::Rejection> reject_wrong_results(
    const KernelDefinition& kernel, const std::vector<TensorFile>& tensors,
    const TensorContents& expected, const std::function<Result<TensorContents>()>& twice_applied) {
  return WrongResults(kernel, tensors, expected).run(twice_applied);
}

}  // namespace tunecheck
