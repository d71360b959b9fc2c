// All a generated wrapper needs.
#pragma once

#include "cuda_abi.h"
#include "entries.h"
#include "events.h"
#include "interposer/shim/call.h"
#include "interposer/shim/driver.h"
#include "interposer/shim/export.h"
#include "interposer/shim/hooks.h"
#include "interposer/shim/payload.h"
#include "interposer/shim/sequence.h"
