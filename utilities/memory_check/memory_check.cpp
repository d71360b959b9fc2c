#include "memory_check.hpp"

WEDJAT_TOOL(
    memory_check::MemoryCheck, "memory_check",
    "out of bounds, misaligned, use after free, uninitialised reads, leaks",
    "leaks=0: do not report leaks; uninitialised=0: do not look for uninitialised reads, eager: each one is "
    "an error, whatever comes of it",
    WEDJAT_CHECKS | WEDJAT_APART)
