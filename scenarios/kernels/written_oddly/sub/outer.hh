#pragma once
#include "inner.hh"
#include "../above.hh"
struct word_of_outer;
