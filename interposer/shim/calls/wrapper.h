// All a generated wrapper needs.
#pragma once

#include "cuda_abi.h"
#include "entries.h"
#include "events.h"
#include "interposer/shim/calls/hooks.h"
#include "interposer/shim/driver/driver.h"
#include "interposer/shim/events/call.h"
#include "interposer/shim/events/export.h"
#include "interposer/shim/events/payload.h"
#include "interposer/shim/events/sequence.h"
