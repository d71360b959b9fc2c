// Runs measuring kernels on a GPU and prints what their clocks say: one line for each kernel and number of
// warps.
//
//   run PLAN VALUES > RESULTS
//
// A line of the plan names a module, a kernel of it, how often its loops are to run (0: for some ten thousand
// cycles), and the CTAs an SM and warps a CTA to try ("1x1 1x4 2x32", "1*4" on all SMs). A kernel that fails
// or does not end takes its process with it: the plan goes on behind it in a process of its own.
#include <cuda.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr unsigned kRounds = 6;  // the first one only warms caches
constexpr unsigned kMostSms = 256;
constexpr int kPatience = 5000;  // milliseconds without a result
constexpr int kFailures = 40;
constexpr double kCycles = 60000;  // of the second loop, where the plan leaves its length open
constexpr unsigned kMostTurns = 256;
constexpr unsigned kTexels = 256;  // of a row, and rows
constexpr std::size_t kMemory = 256u << 20, kTimes = 64u << 20, kMeeting = 4096;

// CTAs of an SM and warps of a CTA; `1*4` runs on all SMs, `1x4` on one. Several CTAs of one SM take all of
// them.
struct Shape {
  unsigned blocks, warps;
  bool everywhere;
};

struct Job {
  std::string module, entry;
  unsigned n;
  std::vector<Shape> shapes;
};

// What a warp writes down in every round, as `kernel.py` lays it out.
struct Stamps {
  std::uint64_t clock[4];
  std::uint32_t sm, unused[7];
};

void check(CUresult result, const std::string& what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "?";
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "%s: %s\n", what.c_str(), name);
  std::_Exit(3);
}

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    std::cerr << file << ": cannot be read\n";
    std::_Exit(2);
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Job> read_plan(const std::string& file) {
  std::vector<Job> jobs;
  std::istringstream lines(contents(file));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Job job;
    words >> job.module >> job.entry >> job.n;
    unsigned blocks = 0, warps = 0;
    char by = 0;
    while (words >> blocks >> by >> warps) job.shapes.push_back({blocks, warps, by == '*' || blocks > 1});
    if (job.shapes.empty()) {
      std::cerr << file << ": not a job: " << line << "\n";
      std::_Exit(2);
    }
    jobs.push_back(job);
  }
  return jobs;
}

class Device {
 public:
  explicit Device(const std::string& values) {
    CUdevice device = 0;
    CUcontext context = nullptr;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuDeviceGetAttribute(&sms_, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
          "cuDeviceGetAttribute");
    for (auto [to, bytes] :
         {std::pair{&times_, kTimes}, {&values_, values.size()}, {&memory_, kMemory}, {&meeting_, kMeeting}})
      check(cuMemAlloc(to, bytes), "cuMemAlloc");
    check(cuMemsetD8(memory_, 0, kMemory), "cuMemsetD8");
    check(cuMemcpyHtoD(values_, values.data(), values.size()), "cuMemcpyHtoD");
    textures_ = {picture(4, CU_TR_FILTER_MODE_LINEAR),
                 picture(1, CU_TR_FILTER_MODE_POINT),
                 line(1),
                 line(4),
                 picture(1, CU_TR_FILTER_MODE_LINEAR),
                 plane()};
  }

  // Cycles by which the second loop took longer than the first, divided by how often the loops ran, for each
  // SM and round.
  std::vector<double> measure(const Job& job, const Shape& shape) {
    const auto [blocks, warps, everywhere] = shape;
    const bool meet = blocks > 1;
    const CUfunction kernel = function(job);
    int fitting = 0;
    check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&fitting, kernel, static_cast<int>(warps * 32), 0),
          "occupancy");
    if (fitting < static_cast<int>(blocks)) return {};
    const unsigned ctas = everywhere ? whole_clusters(kernel, blocks * static_cast<unsigned>(sms_)) : 1;
    unsigned n = job.n;
    if (n == 0) {
      launch(kernel, ctas, warps, meet, 1);
      const double longest = longest_second(warps);
      n = std::clamp(static_cast<unsigned>(kCycles / std::max(longest, 1.0)), 2u, kMostTurns);
    }
    launch(kernel, ctas, warps, meet, n);
    return differences(warps, blocks, n);
  }

 private:
  struct Span {
    std::uint64_t begin = UINT64_MAX, end = 0;
    void add(std::uint64_t from, std::uint64_t to) { begin = std::min(begin, from), end = std::max(end, to); }
    double length() const { return static_cast<double>(end - begin); }
  };

  void launch(CUfunction kernel, unsigned ctas, unsigned warps, bool meet, unsigned n) {
    CUdeviceptr meeting = meet ? meeting_ : 0;
    unsigned rounds = kRounds;
    void* parameters[] = {&times_, &values_, &memory_, &meeting, &n, &rounds, &textures_};
    check(cuMemsetD8(meeting_, 0, kMeeting), "cuMemsetD8");
    check(cuLaunchKernel(kernel, ctas, 1, 1, warps * 32, 1, 1, 0, nullptr, parameters, nullptr),
          "cuLaunchKernel");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
    stamps_.resize(std::size_t{ctas} * kRounds * warps);
    check(cuMemcpyDtoH(stamps_.data(), times_, stamps_.size() * sizeof(Stamps)), "cuMemcpyDtoH");
  }

  static unsigned whole_clusters(CUfunction kernel, unsigned ctas) {
    int width = 0;
    check(cuFuncGetAttribute(&width, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, kernel), "cuFuncGetAttribute");
    return width > 1 ? ctas / static_cast<unsigned>(width) * static_cast<unsigned>(width) : ctas;
  }

  // Textures of so many floats a texel, all zero: of an array, and of linear memory, which is what kernels
  // write to, in a line or in rows.
  CUtexObject line(unsigned floats) const {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = memory_, resource.res.linear.format = CU_AD_FORMAT_FLOAT;
    resource.res.linear.numChannels = floats, resource.res.linear.sizeInBytes = 1u << 20;
    const CUDA_TEXTURE_DESC how{};
    CUtexObject texture = 0;
    check(cuTexObjectCreate(&texture, &resource, &how, nullptr), "cuTexObjectCreate");
    return texture;
  }
  CUtexObject plane() const {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D.devPtr = memory_, resource.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
    resource.res.pitch2D.numChannels = 1;
    resource.res.pitch2D.width = resource.res.pitch2D.height = kTexels;
    resource.res.pitch2D.pitchInBytes = kTexels * sizeof(float);
    CUDA_TEXTURE_DESC how{};
    how.filterMode = CU_TR_FILTER_MODE_LINEAR;
    CUtexObject texture = 0;
    check(cuTexObjectCreate(&texture, &resource, &how, nullptr), "cuTexObjectCreate");
    return texture;
  }
  static CUtexObject picture(unsigned floats, CUfilter_mode filter) {
    CUDA_ARRAY_DESCRIPTOR shape{};
    shape.Width = shape.Height = kTexels;
    shape.Format = CU_AD_FORMAT_FLOAT;
    shape.NumChannels = floats;
    CUarray array = nullptr;
    check(cuArrayCreate(&array, &shape), "cuArrayCreate");
    const std::size_t row = std::size_t{kTexels} * floats * 4;
    const std::string zeros(row * kTexels, '\0');
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = zeros.data(), copy.srcPitch = row;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array;
    copy.WidthInBytes = row, copy.Height = kTexels;
    check(cuMemcpy2D(&copy), "cuMemcpy2D");
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC how{};
    how.filterMode = filter;
    CUtexObject texture = 0;
    check(cuTexObjectCreate(&texture, &resource, &how, nullptr), "cuTexObjectCreate");
    return texture;
  }

  // Without the first round, in which the instructions are fetched: turns would be too few by it.
  double longest_second(unsigned warps) const {
    double longest = 0;
    for (std::size_t i = 0; i < stamps_.size(); ++i)
      if (i / warps % kRounds != 0)
        longest = std::max(longest, static_cast<double>(stamps_[i].clock[3] - stamps_[i].clock[2]));
    return longest;
  }

  std::vector<double> differences(unsigned warps, unsigned blocks, unsigned n) const {
    struct Both {
      Span first, second;
      unsigned warps = 0;
    };
    std::vector<Both> spans(std::size_t{kMostSms} * kRounds);  // by SM and round
    for (std::size_t i = 0; i < stamps_.size(); ++i) {
      const unsigned round = i / warps % kRounds;
      const Stamps& s = stamps_[i];
      if (s.sm >= kMostSms) continue;
      Both& both = spans[std::size_t{s.sm} * kRounds + round];
      both.first.add(s.clock[0], s.clock[1]);
      both.second.add(s.clock[2], s.clock[3]);
      ++both.warps;
    }
    std::vector<double> found;
    for (std::size_t i = 0; i < spans.size(); ++i)
      if (i % kRounds != 0 && spans[i].warps == warps * blocks)
        found.push_back((spans[i].second.length() - spans[i].first.length()) / n);
    return found;
  }

  CUfunction function(const Job& job) {
    if (job.module != name_) {
      if (module_ != nullptr) check(cuModuleUnload(module_), "cuModuleUnload");
      check(cuModuleLoadData(&module_, contents(job.module).c_str()), job.module);
      name_ = job.module;
    }
    CUfunction function = nullptr;
    check(cuModuleGetFunction(&function, module_, job.entry.c_str()), job.entry);
    return function;
  }

  int sms_ = 0;
  CUdeviceptr times_ = 0, values_ = 0, memory_ = 0, meeting_ = 0;
  std::array<CUtexObject, 6> textures_{};  // as `probes/textures.py` has them
  CUmodule module_ = nullptr;
  std::string name_;
  std::vector<Stamps> stamps_;
};

void work(const std::vector<Job>& jobs, std::size_t first, const std::string& values, int out) {
  Device device(values);
  for (std::size_t i = first; i < jobs.size(); ++i) {
    std::ostringstream line;
    line << i << '\t' << jobs[i].entry;
    for (const Shape& shape : jobs[i].shapes) {
      std::vector<double> found = device.measure(jobs[i], shape);
      std::sort(found.begin(), found.end());
      line << '\t' << shape.blocks << (shape.everywhere ? '*' : 'x') << shape.warps << ' ';
      if (found.empty()) {
        line << '-';
      } else {
        line << found.front() << ' ' << found[found.size() / 2] << ' ' << found.back();
      }
    }
    line << '\n';
    const std::string text = line.str();
    if (write(out, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::_Exit(3);
  }
}

// Runs jobs from `first` on in a process of its own, prints its results and returns the first job that has
// none.
std::size_t run(const std::vector<Job>& jobs, std::size_t first, const std::string& values) {
  int ends[2];
  if (pipe(ends) != 0) std::_Exit(3);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    work(jobs, first, values, ends[1]);
    std::_Exit(0);
  }
  close(ends[1]);
  std::string all;
  for (pollfd waiting{ends[0], POLLIN, 0}; poll(&waiting, 1, kPatience) > 0;) {
    char buffer[65536];
    const ssize_t got = read(ends[0], buffer, sizeof buffer);
    if (got <= 0) break;
    all.append(buffer, static_cast<std::size_t>(got));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  all.resize(all.rfind('\n') + 1);  // npos + 1 is 0
  std::cout << all << std::flush;
  return first + static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n'));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: run PLAN VALUES > RESULTS\n";
    return 2;
  }
  const std::vector<Job> jobs = read_plan(argv[1]);
  const std::string values = contents(argv[2]);
  int failures = 0;
  for (std::size_t next = 0; next < jobs.size() && failures < kFailures;) {
    const std::size_t reached = run(jobs, next, values);
    if (reached == jobs.size()) break;
    std::cout << reached << '\t' << jobs[reached].entry << "\tfailed\n";
    ++failures;
    next = reached + 1;
  }
  return failures < kFailures ? 0 : 3;
}
