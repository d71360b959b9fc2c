// The hooks cuda.yaml names, by subject.
#pragma once

#include "interposer/shim/calls/boxes.h"
#include "interposer/shim/calls/effects.h"
#include "interposer/shim/calls/globals.h"
#include "interposer/shim/calls/graphs.h"
#include "interposer/shim/calls/host_functions.h"
#include "interposer/shim/calls/images.h"
#include "interposer/shim/calls/kernels.h"
#include "interposer/shim/calls/pointer_queries.h"
#include "interposer/shim/driver/proc_address.h"
#include "interposer/shim/memory/copies.h"
#include "interposer/shim/memory/device_info.h"
#include "interposer/shim/memory/device_memory.h"
#include "interposer/shim/memory/host_memory.h"
#include "interposer/shim/memory/last_contents.h"
#include "interposer/shim/memory/streams.h"
