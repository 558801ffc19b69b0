// A comment goes on \
   in the next line: comment_a. " ' \
   #include "not_after_a_continued_line.hh"
#include <tunecheck/cpu_kernel.h>

// comment_b: " and ' and /* and R"( \
#include "not_in_a_continued_comment.hh"
/* comment_c: " and ' and // and \ and R"( */
/\
/ comment_d begins where two lines are joined.
/\
* comment_e ends so, too *\
/
/**/ // comment_f
/* comment_g
#include "not_in_a_comment.hh"
*/
#  include   "spaced.hh"
	# include	"indented.hh" // comment_h
/* comment_i */ #include "behind_a_comment.hh"
/* one *//* two */#include "behind_two_comments.hh" /* comment_j */
#define OPENS "/*"
#include "behind_a_text.hh"
constexpr char letter = 'a'; /*
#include "not_behind_a_letter.hh"
*/
#include "sub/outer.hh"
#include \
  "continued.hh"
#\
include "joined.hh"
#include <by_all.hh>
#include <by_other.hh>
#include <by_system.hh>
#include "by_quoted.hh"
// #include "not_behind_slashes.hh"
#define includes "not_a_directive.hh"

#define LOUDR "loud "
#define TWO(a) \
  (a) // comment_k
#define RETURN \
  1 // comment_l \
  #include "not_after_a_carriage_return.hh" comment_m

#if 0
it's a quote that nobody closes, and "another one
/* comment_n */
it's // "
// comment_o
#endif

namespace {

const char* const texts[] = {
    0 /* of *// 1 + "// text_a /* */",  // comment_p
    "\" // text_b",     // comment_q "
    "\\",               // comment_r "
    "two lines: // \
text_c",  // comment_s
    R"( " // raw_a )",                 // comment_u
    R"x( )" // raw_b )x",              // comment_v "
    LOUDR"( // text_e",                // comment_w )"
    R"(
#include "not_in_a_raw_text.hh"
raw_c // )",                           // comment_x
    R"sixteen_letters_(
#include "n.hh")sixteen_letters_",
    "#include \"not_in_a_text.hh\" \
#include \"not_in_the_second_line_of_a_text.hh\"",
#include "begins_with_a_text.hh"
};
const char8_t* const text_8 = u8R"( " // raw_d )";    // comment_y
const char16_t* const text_16 = uR"( " // raw_e )";   // comment_z
const char32_t* const text_32 = UR"( " // raw_f )";   // remark_a
const wchar_t* const text_wide = LR"( " // raw_g )";  // remark_b

const char quotes[] = {'"', '\'', '\\', '/'};  // remark_c
const wchar_t wide_quote = L'"';               // remark_d
const char both[] = {'"'/* remark_e */, '"'};
constexpr long million = 1'000'000;  // remark_f '
constexpr long digits = 0x1'0a'0b;   // remark_g "
constexpr long thousand = 1'000;     // remark_m "
constexpr int divided = 8 / 2 / 1;   // remark_h /*
constexpr int slashed = 8 /*/ remark_n */;
constexpr int product = 8 * divided /* remark_i **/ * 1 /* remark_j ***/;

[[maybe_unused]] volatile const void* const kept[] = {texts, text_8, text_16, text_32, text_wide, quotes,
                                                      &wide_quote, both};

int twice(int a) {
  return a*2;  // remark_k
}

}  // namespace

void written_oddly(tunecheck::Tensor<X_TYPE> x, tunecheck::Tensor<Y_TYPE> y) {
  static_assert(million == 1000000 && digits == 0x10a0b && thousand == 1000 && slashed == 8 && product == 32);
  for (int64_t i = 0; i < y.size(0); ++i)
    y(i) = static_cast<float>(twice(1)) * x(i);
}
TUNECHECK_KERNEL(written_oddly)
// remark_l