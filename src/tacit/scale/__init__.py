"""The same training past memory and past one machine: a corpus in partitions, one code, several engines."""
