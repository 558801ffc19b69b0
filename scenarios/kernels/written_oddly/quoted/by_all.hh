struct word_not_quoted;
