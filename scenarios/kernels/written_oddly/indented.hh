struct word_of_indented;
