#pragma once
// The five answers of a report on a terminal.
#include <span>
#include <string>

#include "reports/summary/brief.hpp"
#include "reports/terminal/terminal_page.hpp"

namespace tunecheck {

/// What broke, why, since when, whose, what to do: no more than two lines each, and the command
/// whole. Nothing where the options ask for none, and where nothing is wrong: the page says then
/// all there is.
void write_answers(Page& page);

/// The end of a page of several documents: what each of them says, the five answers of the worst
/// one, and in the last line the verdict about all. With Detail::quiet the last line alone.
/// `briefs` has two or more.
[[nodiscard]] std::string common_end(std::span<const Brief> briefs, const TerminalOptions& options);

}  // namespace tunecheck
