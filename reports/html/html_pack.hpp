#pragma once
// Documents as the page holds them: small, and unpacked by what reports/html/src/stored.ts says.
#include "reports/fields/field.hpp"
#include "reports/html/html_blocks.hpp"

namespace tunecheck {

/// `object` has the fields that are described, or some of them. A text becomes its place in
/// `texts`, an object the list of its fields without those at the end that are empty, 0 or not
/// there, a truth 1 or 0. What is not there is null elsewhere.
[[nodiscard]] HtmlJson html_pack(const ObjectDescription& described, const HtmlJson& object,
                                 HtmlTexts& texts);

template <HasFields T>
[[nodiscard]] HtmlJson html_packed(const T& document, HtmlTexts& texts) {
  return html_pack(fields_of(Of<T>{}).description(), json_of(document), texts);
}

}  // namespace tunecheck
