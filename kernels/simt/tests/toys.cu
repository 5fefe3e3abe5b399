// The same toys for a GPU: the vocabulary means something to both compilers. Linked into nothing.
#include "kernels/simt/tests/toys.cpp"
