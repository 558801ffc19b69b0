struct word_of_plain;
