#pragma once
// Arithmetic in kernel files, by muParser: + - * / % ^ comparison && || ?: parentheses, and the
// functions min, max and ceil_div (a / b rounded up).
#include <map>
#include <string>

#include "core/result.hpp"

namespace tunecheck {

/// Names to values; what an expression may use.
using Variables = std::map<std::string, double>;

/// The value, or what is wrong with the expression (an unknown name lists the known ones).
[[nodiscard]] Result<double> evaluate(const std::string& expression, const Variables& variables);

/// As evaluate, and refuses a result that is not a whole number.
[[nodiscard]] Result<std::int64_t> evaluate_integer(const std::string& expression,
                                                    const Variables& variables);

/// As evaluate, and refuses a result that is not a whole number of at least 0.
[[nodiscard]] Result<std::int64_t> evaluate_size(const std::string& expression,
                                                 const Variables& variables);

}  // namespace tunecheck
