#pragma once
// An expression of a kernel file that is evaluated many times: parsed once, variables by position.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/expression.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// Says what evaluate() says, hundreds of times faster. One thread at a time.
class ParsedExpression {
 public:
  /// `constants` keep their values, `variables` get theirs at each evaluation. What is wrong with
  /// the text is the error of the first evaluation.
  ParsedExpression(std::string text, Variables constants, std::vector<std::string> variables);
  ParsedExpression(ParsedExpression&&) noexcept;
  ParsedExpression& operator=(ParsedExpression&&) noexcept;
  ~ParsedExpression();

  /// `values` are as many as there are variables, in their order.
  [[nodiscard]] Result<double> evaluate(std::span<const double> values);

 private:
  struct Parser;
  std::unique_ptr<Parser> m_parser;
};

}  // namespace tunecheck
