/* Calls that the live driver does not carry out: told once, counted, not fatal. */
#include "tests/interposer/live/check.h"

int main(void) {
  CUgraphicsResource resource;
  CHECK(cuInit(0));
  EXPECT_CODE(CUDA_ERROR_NOT_SUPPORTED, cuGraphicsUnregisterResource(NULL));
  EXPECT_CODE(CUDA_ERROR_NOT_SUPPORTED, cuGraphicsUnregisterResource(NULL));
  EXPECT_CODE(CUDA_ERROR_NOT_SUPPORTED, cuGraphicsMapResources(1, &resource, NULL));
  printf("went on\n");
  return wrong;
}
