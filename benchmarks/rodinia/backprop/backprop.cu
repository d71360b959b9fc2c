// One training step of a perceptron with one hidden layer: the two large loops on the GPU, the small ones on
// the host.
#include "common/program.h"

constexpr int kHidden = 16, kTile = 16;
constexpr double kEta = 0.3, kMomentum = 0.3;  // doubles: so are the products with them
constexpr int kRow = kHidden + 1;  // of a weight matrix; row 0 and column 0 belong to the threshold

// Each block multiplies 16 inputs with their weights and sums over them, in a tree, for all hidden units.
__global__ void layer_forward(const float* input, float* input_weights, float* partial_sums) {
  const int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int index = kRow * kTile * by + kRow * ty + tx + 1 + kRow;
  __shared__ float input_node[kTile];
  __shared__ float weight_matrix[kTile][kHidden];
  if (tx == 0) input_node[ty] = input[kTile * by + ty + 1];
  __syncthreads();
  weight_matrix[ty][tx] = input_weights[index];
  __syncthreads();
  weight_matrix[ty][tx] = weight_matrix[ty][tx] * input_node[ty];
  __syncthreads();
  for (int i = 1; i <= __log2f(static_cast<float>(kTile)); i++) {
    const int power_two = static_cast<int>(__powf(2.0f, static_cast<float>(i)));
    if (ty % power_two == 0)
      weight_matrix[ty][tx] = weight_matrix[ty][tx] + weight_matrix[ty + power_two / 2][tx];
    __syncthreads();
  }
  input_weights[index] = weight_matrix[ty][tx];  // nobody reads the products: only the traffic is wanted
  if (tx == 0) partial_sums[by * kHidden + ty] = weight_matrix[tx][ty];
}

__global__ void adjust_weights(const float* delta, const float* layer, float* weights, float* old_changes) {
  const int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int index = kRow * kTile * by + kRow * ty + tx + 1 + kRow;
  const int index_y = kTile * by + ty + 1, index_x = tx + 1;
  weights[index] += (kEta * delta[index_x] * layer[index_y]) + (kMomentum * old_changes[index]);
  old_changes[index] = (kEta * delta[index_x] * layer[index_y]) + (kMomentum * old_changes[index]);
  __syncthreads();
  if (ty == 0 && by == 0) {
    weights[index_x] += (kEta * delta[index_x]) + (kMomentum * old_changes[index_x]);
    old_changes[index_x] = (kEta * delta[index_x]) + (kMomentum * old_changes[index_x]);
  }
}

static double squash(double x) { return 1 / (1 + std::exp(-x)); }

// What the hidden units hand back: errors of one output unit with the given target, times the slope.
static std::vector<float> hidden_deltas(const std::vector<double>& hidden,
                                        const std::vector<float>& output_weights, double target) {
  double sum = output_weights[0];
  for (int j = 1; j <= kHidden; ++j) sum += hidden[j] * output_weights[j];
  const double output = squash(sum), output_delta = output * (1 - output) * (target - output);
  std::vector<float> deltas(kRow);
  for (int j = 1; j <= kHidden; ++j)
    deltas[j] = static_cast<float>(hidden[j] * (1 - hidden[j]) * output_delta * output_weights[j]);
  return deltas;
}

int main(int argc, char** argv) {
  const int inputs = program::size(argc, argv, 2048, 1 << 19) / kTile * kTile;
  if (inputs == 0) return program::verdict("backprop", false);
  auto layer = program::random_between(0.0f, 1.0f, inputs + 1, 1);
  layer[0] = 1.0f;
  const std::size_t count = static_cast<std::size_t>(inputs + 1) * kRow;
  const auto weights_host = program::random_between(-0.05f, 0.05f, count, 2);
  const auto changes_host = program::random_between(-0.01f, 0.01f, count, 3);
  const auto output_weights = program::random_floats(kRow, 4);

  const dim3 block(kTile, kTile), grid(1, inputs / kTile);
  program::DeviceArray<float> input(layer), scratch(weights_host), partial(inputs);
  layer_forward<<<grid, block>>>(input, scratch, partial);
  CHECK_LAUNCH();
  const auto sums = partial.to_host();
  std::vector<double> hidden(kRow), expected_hidden(kRow);
  for (int j = 1; j <= kHidden; ++j) {
    double sum = weights_host[j];
    for (int b = 0; b < inputs / kTile; ++b) sum += sums[b * kHidden + j - 1];
    hidden[j] = squash(sum);
    double expected = weights_host[j];
    for (int i = 1; i <= inputs; ++i)
      expected += double(layer[i]) * weights_host[static_cast<std::size_t>(i) * kRow + j];
    expected_hidden[j] = squash(expected);
  }

  const auto deltas = hidden_deltas(hidden, output_weights, 0.1);
  program::DeviceArray<float> delta(deltas), weights(weights_host), changes(changes_host);
  adjust_weights<<<grid, block>>>(delta, input, weights, changes);
  CHECK_LAUNCH();

  std::vector<double> expected(weights_host.begin(), weights_host.end());
  for (int i = 0; i <= inputs; ++i)
    for (int j = 1; j <= kHidden; ++j) {
      const std::size_t at = static_cast<std::size_t>(i) * kRow + j;
      expected[at] += kEta * deltas[j] * layer[i] + kMomentum * changes_host[at];
    }
  const bool forward = program::close("hidden units", hidden, expected_hidden, 1e-5);
  return program::verdict("backprop",
                          program::close("weights", weights.to_host(), expected, 1e-5) && forward);
}
