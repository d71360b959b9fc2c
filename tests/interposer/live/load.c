/* Loads a file that holds no PTX. */
#include "tests/interposer/live/check.h"

int main(int argc, char** argv) {
  CUcontext context;
  CUmodule module;
  EXPECT(argc > 1);
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  EXPECT_CODE(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoad(&module, argv[1]));
  return wrong;
}
