struct word_of_spaced;
