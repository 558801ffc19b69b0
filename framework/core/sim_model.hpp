#pragma once
// How long a kernel takes on the simulated device, as the section `sim` of its file says.
// docs/sim.md has the format and what each number does.
#include <map>
#include <string>

#include "core/expression.hpp"
#include "core/parsed_expression.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// The section as it is written. `cost`, `refuses` and `wrong` are expressions over the sizes and
/// the parameters, all others over the sizes alone; `refuses` and `wrong` may be "".
struct SimModel {
  struct Outliers {
    std::string rate = "0";         ///< how many of them, 0 to 1
    std::string optimistic = "1";   ///< factor of the fast half
    std::string pessimistic = "1";  ///< factor of the slow half
    bool operator==(const Outliers&) const = default;
  };
  std::string cost;
  std::string ruggedness = "0";
  std::string noise = "0";
  std::string drift = "0";
  std::string first_launch = "0";
  std::string process = "0";
  Outliers launches;
  Outliers loads;
  /// A neighbour that slows the device down in bursts.
  struct Bursts {
    std::string share = "0";      ///< of the time, 0 to 0.5
    std::string length_us = "1";  ///< mean
    std::string factor = "1";     ///< of a launch in the worst burst
    bool operator==(const Bursts&) const = default;
  };
  /// Launches that something else interrupts, which the device tells.
  struct Interruptions {
    std::string rate = "0";       ///< how many of them, 0 to 1
    std::string length_us = "0";  ///< at most
    bool operator==(const Interruptions&) const = default;
  };
  Bursts bursts;
  Interruptions interruptions;
  std::string refuses;
  std::string wrong;
  /// The line of each key in the kernel file; a key of an inner section has its name:
  /// "bursts.share".
  std::map<std::string, int> lines;

  /// The section in one spelling, comments and blanks left out: the kernel's source text on the
  /// simulated device.
  [[nodiscard]] std::string text() const;
  bool operator==(const SimModel&) const = default;
};

/// What disturbs a launch, evaluated for some sizes. All but first_launch_ns are relative.
struct SimDisturbance {
  struct Outliers {
    double rate = 0;
    double optimistic = 1;
    double pessimistic = 1;
  };
  double noise = 0;             ///< standard deviation of one launch
  double drift_per_second = 0;  ///< how much slower the device becomes in a virtual second
  double first_launch_ns = 0;   ///< mean of what the first launch of a loaded module costs more
  double process = 0;           ///< standard deviation, one draw a config and process
  Outliers launches;            ///< one draw a launch
  Outliers loads;               ///< one draw each time a module is loaded
  struct Bursts {
    double share = 0;
    double length_ns = 1000;
    double factor = 1;
  };
  Bursts bursts;
  struct Interruptions {
    double rate = 0;
    double length_ns = 0;
  };
  Interruptions interruptions;
};

/// A model at some sizes. One thread at a time.
class SimLandscape {
 public:
  /// An error for numbers out of their range, with the key as SimModel::lines has it.
  /// `config_names` are the parameters in the order of a Config.
  [[nodiscard]] static Result<SimLandscape> create(const SimModel& model, const Variables& sizes,
                                                   const std::vector<std::string>& config_names);

  struct Point {
    double cost_ns = 0;  ///< of an undisturbed launch, without the ruggedness
    bool refuses = false;
    bool wrong = false;
  };
  /// `values` are those of a Config. An error, with its key, where the cost is not above 0.
  [[nodiscard]] Result<Point> at(std::span<const double> values);

  [[nodiscard]] const SimDisturbance& disturbance() const { return m_disturbance; }
  /// The largest part of its cost by which a config is slower for no reason that a search could
  /// know.
  [[nodiscard]] double ruggedness() const { return m_ruggedness; }

 private:
  SimLandscape(const SimModel& model, const Variables& sizes,
               const std::vector<std::string>& config_names);

  std::string m_cost_text;
  ParsedExpression m_cost, m_refuses, m_wrong;
  SimDisturbance m_disturbance;
  double m_ruggedness = 0;
};

}  // namespace tunecheck
