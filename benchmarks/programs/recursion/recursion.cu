// Everything that calls: device functions, recursion, function pointers, virtual calls, the device heap,
// printf, assert.
#include <algorithm>
#include <cassert>
#include <new>

#include "common/program.h"

__noinline__ __device__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__noinline__ __device__ bool is_odd(unsigned n);
__noinline__ __device__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__noinline__ __device__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

// Sorts values[first, last) in the caller's local memory.
__noinline__ __device__ void quicksort(int* values, int first, int last) {
  if (last - first < 2) return;
  const int pivot = values[(first + last) / 2];
  int low = first, high = last - 1;
  while (low <= high) {
    while (values[low] < pivot) ++low;
    while (values[high] > pivot) --high;
    if (low <= high) {
      const int swapped = values[low];
      values[low++] = values[high];
      values[high--] = swapped;
    }
  }
  quicksort(values, first, high + 1);
  quicksort(values, low, last);
}

using Operation = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int exclusive_or(int a, int b) { return a ^ b; }
__device__ Operation operations[] = {add, multiply, exclusive_or};

struct Shape {
  __host__ __device__ virtual ~Shape() {}
  __host__ __device__ virtual int area() const = 0;
};
struct Square : Shape {
  __host__ __device__ explicit Square(int length) : side(length) {}
  __host__ __device__ int area() const override { return side * side; }
  int side;
};
struct Rectangle : Square {
  __host__ __device__ Rectangle(int first, int second) : Square(first), other(second) {}
  __host__ __device__ int area() const override { return side * other; }
  int other;
};

struct Result {
  unsigned fibonacci;
  int even, median, operation, area;
};

constexpr int kValues = 15;

__host__ __device__ int sample(int thread, int index) {
  return (thread * 7919 + index * 104729) % 1009 - 500;
}

__global__ void call_everything(int n, Result* results) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Result result;
  result.fibonacci = fibonacci(i % 13);
  result.even = is_even(i % 40);

  int values[kValues];
  for (int k = 0; k < kValues; ++k) values[k] = sample(i, k);
  quicksort(values, 0, kValues);
  result.median = values[kValues / 2];
  assert(values[0] <= result.median && result.median <= values[kValues - 1]);

  result.operation = operations[i % 3](i, values[3]);

  Shape* shape = i % 2 == 0 ? new Square(i) : new Rectangle(i, 3);
  assert(shape != nullptr);
  result.area = shape->area();
  delete shape;
  results[i] = result;
}

// One thread prints, so that the order of the lines is fixed.
__global__ void report(int n, const Result* results) {
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i) sum += results[i].fibonacci;
  printf("%s: %d results, fibonacci sum %llu, first median %d, %c%5.2f%%, %#x\n", "report", n, sum,
         results[0].median, '~', 100.0 * results[n - 1].even, results[n - 1].operation);
}

static unsigned host_fibonacci(unsigned n) {
  unsigned previous = 0, current = 1;
  for (; n > 0; --n) {
    const unsigned next = previous + current;
    previous = current;
    current = next;
  }
  return previous;
}

static Result expected_result(int i) {
  int values[kValues];
  for (int k = 0; k < kValues; ++k) values[k] = sample(i, k);
  std::sort(values, values + kValues);
  const unsigned a = i, b = values[3];
  const int operation = static_cast<int>(i % 3 == 0 ? a + b : i % 3 == 1 ? a * b : a ^ b);
  return {host_fibonacci(i % 13), i % 40 % 2 == 0, values[kValues / 2], operation,
          i % 2 == 0 ? i * i : i * 3};
}

int main(int argc, char** argv) {
  const int n = program::argument(argc, argv, 1, 2000);
  CUDA_CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  program::DeviceArray<Result> results(n);
  call_everything<<<program::blocks_for(n, 128), 128>>>(n, results);
  CHECK_LAUNCH();
  report<<<1, 1>>>(n, results);
  CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());

  std::vector<Result> expected;
  for (int i = 0; i < n; ++i) expected.push_back(expected_result(i));
  return program::verdict("recursion", program::equal_bits("results", results.to_host(), expected));
}
