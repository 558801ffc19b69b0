struct word_of_continued;
