struct word_not_again;
