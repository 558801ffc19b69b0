#include "plain.hh"
struct word_of_spaced;
