// The recorder hides everything but the driver API (exports.map says so a second time to the linker).
#pragma once

#define WEDJAT_EXPORT __attribute__((visibility("default")))
