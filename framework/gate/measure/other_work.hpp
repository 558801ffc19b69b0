#pragma once
// What else a machine did while something ran: whether a session had its CPUs for itself is
// measured, not believed.
#include <optional>
#include <string_view>
#include <vector>

namespace tunecheck::gate {

/// How long CPUs were at work. What a hypervisor took away counts as work.
struct BusyTicks {
  double here = 0;       ///< those that were asked for, together
  double elsewhere = 0;  ///< all others

  bool operator==(const BusyTicks&) const = default;
};

/// In ticks of the clock of /proc/stat, whose content `text` is; `cpus` are the numbers of those
/// that are "here". Nothing where the text does not tell of each of these.
[[nodiscard]] std::optional<BusyTicks> busy_ticks(std::string_view text,
                                                  const std::vector<int>& cpus);

/// Looks at its construction and whenever it is asked. The work of this process and of the children
/// that it has waited for is its own; that of children who are still alive is not. All of its own
/// work is taken to be on the CPUs that this process could use when it was made.
class OtherWork {
 public:
  OtherWork();

  /// How many CPUs did other work since its construction, on average; 0 where the system does not
  /// say.
  struct Cpus {
    double here = 0;       ///< among those that this process may use
    double elsewhere = 0;  ///< among all others
  };
  [[nodiscard]] Cpus cpus() const;

 private:
  struct Seen {
    double wall_s = 0, here_s = 0, elsewhere_s = 0, own_s = 0;
  };
  [[nodiscard]] std::optional<Seen> look() const;

  std::vector<int> m_allowed;
  std::optional<Seen> m_before;
};

}  // namespace tunecheck::gate
