/* Texture and surface references, and launches as they were before cuLaunchKernel. */
#include "objects.h"

static CUtexref a_reference, reference, found_reference;
static CUsurfref a_surface_reference, surface_reference;
static CUmodule reference_module;
static CUaddress_mode an_address_mode;
static CUfilter_mode a_filter_mode;
static CUarray_format a_format;
static float another_float, a_colour[4];

/* What the cases need and objects.h does not make: made by the first case that asks. */
static CUtexref made_reference(void) {
  static const char* const text =
      ".version 4.3\n.target sm_52\n.address_size 64\n.visible .global .texref picture;\n"
      ".visible .global .surfref drawing;\n.visible .entry e() { ret; }\n";
  if (reference_module == NULL) {
    cuModuleLoadData(&reference_module, text);
    cuModuleGetTexRef(&found_reference, reference_module, "picture");
    cuModuleGetSurfRef(&surface_reference, reference_module, "drawing");
  }
  if (reference == NULL) cuTexRefCreate(&reference);
  return reference;
}
static CUtexref found(void) { return made_reference(), found_reference; }
static CUsurfref drawing(void) { return made_reference(), surface_reference; }
static CUmodule with_references(void) { return made_reference(), reference_module; }

/* The old way to launch: size, block, offset of the parameter. */
static CUresult old_launch(unsigned size, int threads, int offset) {
  cuParamSetSize(store, size);
  cuFuncSetBlockShape(store, threads, 1, 1);
  cuParamSetv(store, offset, &memory, sizeof memory);
  return cuLaunchGrid(store, 1, 1);
}

#define REFERENCE_CASES(X)                                                                                   \
  X(cuModuleGetTexRef(NULL, with_references(), "picture"))                                                   \
  X(cuModuleGetTexRef(&a_reference, NULL, "picture"))                                                        \
  X(cuModuleGetTexRef(&a_reference, with_references(), NULL))                                                \
  X(cuModuleGetTexRef(&a_reference, with_references(), "nothing"))                                           \
  X(cuModuleGetTexRef(&a_reference, with_references(), "drawing"))                                           \
  X(cuModuleGetTexRef(&a_reference, with_references(), "picture"))                                           \
  X(cuModuleGetTexRef(&a_reference, module, "word"))                                                         \
  X(cuModuleGetSurfRef(NULL, with_references(), "drawing"))                                                  \
  X(cuModuleGetSurfRef(&a_surface_reference, with_references(), "picture"))                                  \
  X(cuModuleGetSurfRef(&a_surface_reference, with_references(), "nothing"))                                  \
  X(cuModuleGetSurfRef(&a_surface_reference, with_references(), "drawing"))                                  \
  X(cuTexRefCreate(NULL))                                                                                    \
  X(cuTexRefCreate(&a_reference))                                                                            \
  X(cuTexRefDestroy(NULL))                                                                                   \
  X(cuTexRefDestroy(a_reference))                                                                            \
  X(cuTexRefSetArray(NULL, array, 1))                                                                        \
  X(cuTexRefSetArray(made_reference(), NULL, 1))                                                             \
  X(cuTexRefSetArray(made_reference(), array, 0))                                                            \
  X(cuTexRefSetArray(made_reference(), array, 1))                                                            \
  X(cuTexRefSetArray(made_reference(), array, 2))                                                            \
  X(cuTexRefSetArray(found(), array, 1))                                                                     \
  X(cuTexRefSetMipmappedArray(found(), mipmapped, 1))                                                        \
  X(cuTexRefSetMipmappedArray(found(), NULL, 1))                                                             \
  X(cuTexRefSetMipmappedArray(NULL, mipmapped, 1))                                                           \
  X(cuTexRefSetAddress(&a_size, NULL, memory, 64))                                                           \
  X(cuTexRefSetAddress(&a_size, found(), memory, 64))                                                        \
  X(cuTexRefSetAddress(NULL, found(), memory, 64))                                                           \
  X(cuTexRefSetAddress(&a_size, found(), memory + 4, 64))                                                    \
  X(cuTexRefSetAddress(NULL, found(), memory + 4, 64))                                                       \
  X(cuTexRefSetAddress(&a_size, found(), memory, 0))                                                         \
  X(cuTexRefSetAddress(&a_size, found(), 0, 64))                                                             \
  X(cuTexRefSetAddress(&a_size, found(), freed, 64))                                                         \
  X(cuTexRefSetAddress(&a_size, found(), memory, (size_t)1 << 40))                                           \
  X(cuTexRefSetAddress2D(found(), (CUDA_ARRAY_DESCRIPTOR[]){flat(16, 4, CU_AD_FORMAT_FLOAT, 1)}, memory,     \
                         64))                                                                                \
  X(cuTexRefSetAddress2D(found(), (CUDA_ARRAY_DESCRIPTOR[]){flat(16, 4, CU_AD_FORMAT_FLOAT, 1)}, memory,     \
                         60))                                                                                \
  X(cuTexRefSetAddress2D(found(), (CUDA_ARRAY_DESCRIPTOR[]){flat(16, 4, CU_AD_FORMAT_FLOAT, 1)}, memory + 4, \
                         64))                                                                                \
  X(cuTexRefSetAddress2D(found(), (CUDA_ARRAY_DESCRIPTOR[]){flat(16, 4, CU_AD_FORMAT_FLOAT, 1)}, memory,     \
                         32))                                                                                \
  X(cuTexRefSetAddress2D(found(), (CUDA_ARRAY_DESCRIPTOR[]){flat(0, 4, CU_AD_FORMAT_FLOAT, 1)}, memory, 64)) \
  X(cuTexRefSetAddress2D(found(), (CUDA_ARRAY_DESCRIPTOR[]){flat(16, 4, CU_AD_FORMAT_FLOAT, 3)}, memory,     \
                         192))                                                                               \
  X(cuTexRefSetAddress2D(found(), NULL, memory, 64))                                                         \
  X(cuTexRefSetFormat(found(), CU_AD_FORMAT_FLOAT, 1))                                                       \
  X(cuTexRefSetFormat(found(), CU_AD_FORMAT_FLOAT, 3))                                                       \
  X(cuTexRefSetFormat(found(), CU_AD_FORMAT_FLOAT, 0))                                                       \
  X(cuTexRefSetFormat(found(), 99, 1))                                                                       \
  X(cuTexRefSetFormat(NULL, CU_AD_FORMAT_FLOAT, 1))                                                          \
  X(cuTexRefSetAddressMode(found(), 0, CU_TR_ADDRESS_MODE_BORDER))                                           \
  X(cuTexRefSetAddressMode(found(), 3, CU_TR_ADDRESS_MODE_CLAMP))                                            \
  X(cuTexRefSetAddressMode(found(), -1, CU_TR_ADDRESS_MODE_CLAMP))                                           \
  X(cuTexRefSetAddressMode(found(), 0, 9))                                                                   \
  X(cuTexRefSetFilterMode(found(), CU_TR_FILTER_MODE_LINEAR))                                                \
  X(cuTexRefSetFilterMode(found(), 9))                                                                       \
  X(cuTexRefSetFilterMode(NULL, 0))                                                                          \
  X(cuTexRefSetMipmapFilterMode(found(), 9))                                                                 \
  X(cuTexRefSetMipmapLevelBias(found(), 1e9f))                                                               \
  X(cuTexRefSetMipmapLevelClamp(found(), 2, 1))                                                              \
  X(cuTexRefSetMaxAnisotropy(found(), 99))                                                                   \
  X(cuTexRefSetFlags(found(), 0x8000))                                                                       \
  X(cuTexRefSetFlags(found(), 3))                                                                            \
  X(cuTexRefSetBorderColor(found(), NULL))                                                                   \
  X(cuTexRefSetBorderColor(found(), a_colour))                                                               \
  X(cuTexRefGetAddress(&a_pointer, made_reference()))                                                        \
  X(cuTexRefGetAddress(NULL, found()))                                                                       \
  X(cuTexRefGetAddress(&a_pointer, found()))                                                                 \
  X(cuTexRefGetArray(&an_array, made_reference()))                                                           \
  X(cuTexRefGetArray(&an_array, found()))                                                                    \
  X(cuTexRefGetMipmappedArray(&a_mipmapped, found()))                                                        \
  X(cuTexRefGetAddressMode(&an_address_mode, found(), 0))                                                    \
  X(cuTexRefGetAddressMode(&an_address_mode, found(), 3))                                                    \
  X(cuTexRefGetAddressMode(NULL, found(), 0))                                                                \
  X(cuTexRefGetFilterMode(&a_filter_mode, found()))                                                          \
  X(cuTexRefGetFilterMode(&a_filter_mode, NULL))                                                             \
  X(cuTexRefGetFormat(&a_format, &a_number, found()))                                                        \
  X(cuTexRefGetFormat(NULL, NULL, found()))                                                                  \
  X(cuTexRefGetMipmapFilterMode(&a_filter_mode, found()))                                                    \
  X(cuTexRefGetMipmapLevelBias(&a_float, found()))                                                           \
  X(cuTexRefGetMipmapLevelClamp(&a_float, &another_float, found()))                                          \
  X(cuTexRefGetMaxAnisotropy(&a_number, found()))                                                            \
  X(cuTexRefGetBorderColor(a_colour, found()))                                                               \
  X(cuTexRefGetFlags(&a_word, found()))                                                                      \
  X(cuTexRefGetFlags(NULL, found()))                                                                         \
  X(cuSurfRefSetArray(drawing(), layered, 0))                                                                \
  X(cuSurfRefSetArray(drawing(), array, 0))                                                                  \
  X(cuSurfRefSetArray(drawing(), layered, 1))                                                                \
  X(cuSurfRefSetArray(drawing(), NULL, 0))                                                                   \
  X(cuSurfRefSetArray(NULL, layered, 0))                                                                     \
  X(cuSurfRefGetArray(&an_array, drawing()))                                                                 \
  X(cuSurfRefGetArray(&an_array, NULL))                                                                      \
  X(cuSurfRefGetArray(NULL, drawing()))                                                                      \
  X(cuFuncSetBlockShape(NULL, 1, 1, 1))                                                                      \
  X(cuFuncSetBlockShape(store, 0, 1, 1))                                                                     \
  X(cuFuncSetBlockShape(store, 1025, 1, 1))                                                                  \
  X(cuFuncSetBlockShape(bounded, 65, 1, 1))                                                                  \
  X(cuFuncSetBlockShape(store, 1, 1, 65))                                                                    \
  X(cuFuncSetBlockShape(store, 1, 1, 1))                                                                     \
  X(cuFuncSetSharedSize(NULL, 0))                                                                            \
  X(cuFuncSetSharedSize(store, 64))                                                                          \
  X(cuFuncSetSharedSize(store, 1 << 20))                                                                     \
  X(cuFuncSetSharedSize(store, 0))                                                                           \
  X(cuParamSetSize(NULL, 8))                                                                                 \
  X(cuParamSetSize(store, 8))                                                                                \
  X(cuParamSetSize(store, 1 << 20))                                                                          \
  X(cuParamSetSize(store, 4))                                                                                \
  X(cuParamSetv(store, 0, &memory, 8))                                                                       \
  X(cuParamSetv(store, 64, &memory, 8))                                                                      \
  X(cuParamSetv(store, 1 << 20, &memory, 8))                                                                 \
  X(cuParamSetv(store, -1, &memory, 8))                                                                      \
  X(cuParamSetv(store, 0, NULL, 8))                                                                          \
  X(cuParamSetv(NULL, 0, &memory, 8))                                                                        \
  X(cuParamSeti(store, 0, 1))                                                                                \
  X(cuParamSeti(store, 1 << 20, 1))                                                                          \
  X(cuParamSeti(NULL, 0, 1))                                                                                 \
  X(cuParamSetf(store, 0, 1))                                                                                \
  X(cuParamSetTexRef(store, -1, found()))                                                                    \
  X(cuParamSetTexRef(store, 0, found()))                                                                     \
  X(cuParamSetTexRef(store, -1, NULL))                                                                       \
  X(cuLaunchGrid(NULL, 1, 1))                                                                                \
  X(old_launch(8, 1, 0))                                                                                     \
  X(old_launch(4, 1, 0))                                                                                     \
  X(old_launch(16, 1, 0))                                                                                    \
  X(cuLaunchGrid(store, 0, 1))                                                                               \
  X(cuLaunchGrid(store, 1, 70000))                                                                           \
  X(cuLaunchGrid(store, -1, 1))                                                                              \
  X(cuLaunch(store))                                                                                         \
  X(cuLaunch(bounded))                                                                                       \
  X(cuLaunchGridAsync(store, 1, 1, (CUstream)host))                                                          \
  X(cuLaunchGridAsync(store, 1, 1, stream))
