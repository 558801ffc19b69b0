R"( " // word_of_begins_with_a_text )",
