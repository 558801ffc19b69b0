#pragma once
// What else a machine did while something ran: whether a session had it for itself is measured,
// not believed.
#include <optional>
#include <string_view>

namespace tunecheck::gate {

/// How long all CPUs together were at work, in ticks of the clock of /proc/stat, whose content
/// `text` is. What a hypervisor took away counts as work. Nothing where the text has no such line.
[[nodiscard]] std::optional<double> busy_ticks(std::string_view text);

/// Looks at its construction and whenever it is asked. The work of this process and of the children
/// that it has waited for is its own; that of children who are still alive is not.
class OtherWork {
 public:
  OtherWork();
  /// How many CPUs did other work since its construction, on average; 0 where the system does not
  /// say.
  [[nodiscard]] double cpus() const;

 private:
  struct Seen {
    double wall_s = 0, busy_s = 0, own_s = 0;
  };
  static std::optional<Seen> look();

  std::optional<Seen> m_before;
};

}  // namespace tunecheck::gate
