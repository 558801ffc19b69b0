struct word_of_forced;
