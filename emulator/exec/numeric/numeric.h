// Everything a generated executor may use.
#pragma once
#include "emulator/exec/numeric/arithmetic.h"
#include "emulator/exec/numeric/blend.h"
#include "emulator/exec/numeric/float_bits.h"
#include "emulator/exec/numeric/integers.h"
#include "emulator/exec/numeric/narrow.h"
#include "emulator/exec/numeric/odd.h"
#include "emulator/exec/numeric/rounding_scope.h"
#include "emulator/exec/numeric/to_integer.h"
