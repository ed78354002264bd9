"""Facts about the Quran that no text carries: juz boundaries and the transliterated names of surahs."""
