// A driver-API program that launches `increment` of the PTX text its argument names, on zeros and for no
// element.
#include <fstream>
#include <iterator>
#include <string>

#include "tests/interposer/driver_calls.h"

using namespace test;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  begin();
  const CUfunction increment = function_of(load(text.c_str()), "increment");
  const char zeros[4096] = {};
  CUdeviceptr data = device_memory(sizeof zeros);
  to_device(data, zeros, sizeof zeros);
  unsigned count = 0;
  void* parameters[] = {&data, &count};
  launch(increment, 1, 32, nullptr, parameters);
  wait();
  return 0;
}
