struct word_not_in_a_text;
