#pragma once
// Expected failures as values: Result<T>, Error, ErrorKind, TUNECHECK_TRY.
//
// One of the six headers that programs outside of tunecheck include; docs/library.md.
#include "core/result.hpp"
