struct word_not_first;
