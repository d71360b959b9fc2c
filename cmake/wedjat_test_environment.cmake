# Run by ctest before any test: none finds native code in the user's folder, or leaves it there.
set(ENV{WEDJAT_JIT_CACHE} off)
