struct word_of_joined;
