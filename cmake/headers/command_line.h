// See wedjat_headers.cmake. What reads a command line is not worth optimising, and took half of the time to
// compile each command.
#pragma once
#include <cctype>
#include <cmath>
#include <deque>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <locale>
#include <numeric>
#include <sstream>

#include "cmake/headers/headers.h"

#pragma clang optimize off
#include <CLI/CLI.hpp>
#pragma clang optimize on
