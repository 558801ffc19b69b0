#pragma once
struct word_of_above;
