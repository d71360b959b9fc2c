#include "race_check.hpp"

WEDJAT_TOOL(race_check::RaceCheck, "race_check", "unordered conflicting accesses of shared and global memory",
            "spaces=shared or global: only these", WEDJAT_CHECKS | WEDJAT_APART)
