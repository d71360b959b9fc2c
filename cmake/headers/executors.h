// See wedjat_headers.cmake. What generated executors include, each what it uses.
#pragma once
#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>

#include "emulator/exec/access/context.h"
#include "emulator/exec/access/memory_access.h"
#include "emulator/exec/access/misaligned.h"
#include "emulator/exec/access/transfer.h"
#include "emulator/exec/cta/barrier_port.h"
#include "emulator/exec/matrix/aligned.h"
#include "emulator/exec/matrix/exact.h"
#include "emulator/exec/matrix/fragment.h"
#include "emulator/exec/matrix/permute.h"
#include "emulator/exec/matrix/tile.h"
#include "emulator/exec/numeric/lane_bits.h"
#include "emulator/exec/numeric/numeric.h"
#include "emulator/exec/tensor/tensor_copy.h"
#include "emulator/exec/texture/surface.h"
#include "emulator/exec/texture/texture.h"
#include "emulator/exec/warp/multicast.h"
#include "emulator/exec/warp/pieces.h"
#include "emulator/exec/warp/special.h"
