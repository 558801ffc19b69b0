struct word_not_beside;
