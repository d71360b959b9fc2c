// The hooks cuda.yaml names, by subject.
#pragma once

#include "interposer/shim/boxes.h"
#include "interposer/shim/copies.h"
#include "interposer/shim/device_info.h"
#include "interposer/shim/device_memory.h"
#include "interposer/shim/effects.h"
#include "interposer/shim/globals.h"
#include "interposer/shim/graphs.h"
#include "interposer/shim/host_functions.h"
#include "interposer/shim/host_memory.h"
#include "interposer/shim/images.h"
#include "interposer/shim/kernels.h"
#include "interposer/shim/last_contents.h"
#include "interposer/shim/pointer_queries.h"
#include "interposer/shim/proc_address.h"
#include "interposer/shim/streams.h"
