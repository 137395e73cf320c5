"""Rules of pictures and answers, without Django."""
