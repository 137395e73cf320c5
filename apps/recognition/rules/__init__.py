"""What is true of pictures and of answers, without Django."""
