struct word_of_by_other;
