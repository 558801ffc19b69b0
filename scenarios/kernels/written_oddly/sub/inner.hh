#pragma once
#include "outer.hh"
struct word_of_inner;
