// Forces between particles in boxes and in their up to 26 neighbours, a block a box, in double precision.
#include "common/program.h"

constexpr int kParticles = 100, kThreads = 128;  // of a box, of a block

struct FourVector {
  double v, x, y, z;
};

__host__ __device__ inline double dot(const FourVector& a, const FourVector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

struct Box {
  int offset, neighbours;
  int neighbour[26];
};

__global__ void forces(double alpha, int boxes, const Box* box, const FourVector* rv, const double* qv,
                       FourVector* fv) {
  const int bx = blockIdx.x;
  if (bx >= boxes) return;
  __shared__ FourVector rA_shared[kParticles];
  __shared__ FourVector rB_shared[kParticles];
  __shared__ double qB_shared[kParticles];
  const double a2 = 2.0 * alpha * alpha;
  const int first_i = box[bx].offset;
  for (int w = threadIdx.x; w < kParticles; w += kThreads) rA_shared[w] = rv[first_i + w];
  __syncthreads();
  for (int k = 0; k < 1 + box[bx].neighbours; k++) {
    const int pointer = k == 0 ? bx : box[bx].neighbour[k - 1];
    const int first_j = box[pointer].offset;
    for (int w = threadIdx.x; w < kParticles; w += kThreads) {
      rB_shared[w] = rv[first_j + w];
      qB_shared[w] = qv[first_j + w];
    }
    __syncthreads();
    for (int w = threadIdx.x; w < kParticles; w += kThreads) {
      for (int j = 0; j < kParticles; j++) {
        const double r2 = rA_shared[w].v + rB_shared[j].v - dot(rA_shared[w], rB_shared[j]);
        const double u2 = a2 * r2;
        const double vij = exp(-u2);
        const double fs = 2 * vij;
        const double dx = rA_shared[w].x - rB_shared[j].x, fxij = fs * dx;
        const double dy = rA_shared[w].y - rB_shared[j].y, fyij = fs * dy;
        const double dz = rA_shared[w].z - rB_shared[j].z, fzij = fs * dz;
        fv[first_i + w].v += qB_shared[j] * vij;
        fv[first_i + w].x += qB_shared[j] * fxij;
        fv[first_i + w].y += qB_shared[j] * fyij;
        fv[first_i + w].z += qB_shared[j] * fzij;
      }
    }
    __syncthreads();
  }
}

static std::vector<Box> cube_of_boxes(int n) {
  std::vector<Box> boxes;
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        Box box{static_cast<int>(boxes.size()) * kParticles, 0, {}};
        for (int i = 0; i < 27; ++i) {
          const int a = x + i % 3 - 1, b = y + i / 3 % 3 - 1, c = z + i / 9 - 1;
          if (i == 13 || std::min({a, b, c}) < 0 || std::max({a, b, c}) >= n) continue;
          box.neighbour[box.neighbours++] = (c * n + b) * n + a;
        }
        boxes.push_back(box);
      }
  return boxes;
}

static std::vector<double> reference(double alpha, const std::vector<Box>& boxes,
                                     const std::vector<FourVector>& rv, const std::vector<double>& qv) {
  std::vector<double> fv;
  for (const Box& home : boxes)
    for (int i = home.offset; i < home.offset + kParticles; ++i) {
      double v = 0, x = 0, y = 0, z = 0;
      for (int k = -1; k < home.neighbours; ++k) {
        const int first = k < 0 ? home.offset : boxes[home.neighbour[k]].offset;
        for (int j = first; j < first + kParticles; ++j) {
          const double vij = std::exp(-2 * alpha * alpha * (rv[i].v + rv[j].v - dot(rv[i], rv[j])));
          v += qv[j] * vij;
          x += qv[j] * 2 * vij * (rv[i].x - rv[j].x);
          y += qv[j] * 2 * vij * (rv[i].y - rv[j].y);
          z += qv[j] * 2 * vij * (rv[i].z - rv[j].z);
        }
      }
      fv.insert(fv.end(), {v, x, y, z});
    }
  return fv;
}

int main(int argc, char** argv) {
  const int n = program::size(argc, argv, 3, 10);
  constexpr double kAlpha = 0.5;
  const std::vector<Box> boxes_host = cube_of_boxes(n);
  const std::size_t particles = boxes_host.size() * kParticles;
  program::Random random(21);
  const auto tenth = [&] { return (1 + random.below(10)) / 10.0; };
  std::vector<FourVector> rv_host(particles);
  for (FourVector& r : rv_host) r = {tenth(), tenth(), tenth(), tenth()};
  std::vector<double> qv_host(particles);
  for (double& q : qv_host) q = tenth();

  program::DeviceArray<Box> boxes(boxes_host);
  program::DeviceArray<FourVector> rv(rv_host), fv(std::vector<FourVector>(particles, {0, 0, 0, 0}));
  program::DeviceArray<double> qv(qv_host);
  forces<<<static_cast<unsigned>(boxes_host.size()), kThreads>>>(kAlpha, static_cast<int>(boxes_host.size()),
                                                                 boxes, rv, qv, fv);
  CHECK_LAUNCH();

  std::vector<double> got;
  for (const FourVector& f : fv.to_host()) got.insert(got.end(), {f.v, f.x, f.y, f.z});
  return program::verdict(
      "lavaMD", program::close("forces", got, reference(kAlpha, boxes_host, rv_host, qv_host), 1e-12));
}
