// Arrays, textures and surfaces through the library.
#include <limits>

#include "tests/cli/library/library.h"

namespace {

WedjatShape shape_of(std::uint64_t width, std::uint64_t height, std::uint32_t levels = 0) {
  return {sizeof(WedjatShape), WEDJAT_FORMAT_F32, 1, width, height, 0, 0, 0, levels};
}

// to = tex2D(texture, x, y)
const std::string fetch =
    head + R"(.visible .entry k(.param .u64 to, .param .u64 texture, .param .f32 x, .param .f32 y) {
  .reg .b64 %d<2>; .reg .f32 %f<6>;
  ld.param.u64 %d0, [to]; ld.param.u64 %d1, [texture]; ld.param.f32 %f0, [x]; ld.param.f32 %f1, [y];
  tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%d1, {%f0, %f1}];
  st.global.f32 [%d0], %f2;
  ret;
})";

float fetched(const Device& device, std::uint64_t texture, float x, float y) {
  const std::uint64_t to = device.allocate(4);
  const WedjatArgument arguments[] = {WEDJAT_ARGUMENT_OF(to), WEDJAT_ARGUMENT_OF(texture),
                                      WEDJAT_ARGUMENT_OF(x), WEDJAT_ARGUMENT_OF(y)};
  const WedjatLaunch launch = shape(1, 1);
  const WedjatStatus status = wedjat_kernel_launch(device.kernel(fetch), &launch, arguments, 4, nullptr);
  INFO(wedjat_last_error()->message);
  REQUIRE(status == WEDJAT_OK);
  return device.read<float>(to, 1)[0];
}

const std::vector<float> texels{0, 1, 2, 3, 10, 11, 12, 13};

WedjatArray* array_of_texels(const Device& device) {
  const WedjatShape wanted = shape_of(4, 2);
  WedjatArray* array = nullptr;
  REQUIRE(wedjat_array_create(device.handle, &wanted, &array) == WEDJAT_OK);
  REQUIRE(wedjat_array_write(array, 0, texels.data(), 32) == WEDJAT_OK);
  return array;
}

}  // namespace

TEST_CASE("a texture of an array, nearest and linear") {
  const Device device;
  WedjatArray* const array = array_of_texels(device);
  std::uint64_t texture = 0;
  REQUIRE(wedjat_texture_create(array, nullptr, &texture) == WEDJAT_OK);
  CHECK(fetched(device, texture, 2.5f, 1.5f) == 12);
  CHECK(fetched(device, texture, 100, 0) == 3);  // clamped
  WedjatSampler sampler{};
  sampler.size = sizeof sampler;
  sampler.linear = sampler.normalized = 1;
  for (std::uint32_t& beyond : sampler.beyond) beyond = WEDJAT_BEYOND_BORDER;
  sampler.border[0] = 7;
  REQUIRE(wedjat_texture_create(array, &sampler, &texture) == WEDJAT_OK);
  CHECK(fetched(device, texture, 0.5f, 0.5f) == 6.5f);
  CHECK(fetched(device, texture, 5, 5) == 7);
  // The texels stay while an object uses them.
  REQUIRE(wedjat_array_free(array) == WEDJAT_OK);
  CHECK(fetched(device, texture, 0.5f, 0.5f) == 6.5f);
  REQUIRE(wedjat_object_free(device.handle, texture) == WEDJAT_OK);
  check_error(wedjat_object_free(device.handle, texture), WEDJAT_WRONG_ARGUMENT, "no texture or surface");
}

TEST_CASE("a texture of device memory with a pitch") {
  const Device device;
  std::vector<float> memory(16);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x) memory[8 * y + x] = texels[4 * y + x];
  const std::uint64_t at = device.copy_of(memory);
  const WedjatShape wanted = shape_of(4, 2);
  std::uint64_t texture = 0;
  REQUIRE(wedjat_texture_create_linear(device.handle, at, 32, &wanted, nullptr, &texture) == WEDJAT_OK);
  CHECK(fetched(device, texture, 1.5f, 1.5f) == 11);
  const auto wrong = [&](WedjatStatus status, const char* text) {
    check_error(status, WEDJAT_WRONG_ARGUMENT, text);
  };
  wrong(wedjat_texture_create_linear(device.handle, at, 15, &wanted, nullptr, &texture), "pitch");
  wrong(wedjat_texture_create_linear(device.handle, at, 64, &wanted, nullptr, &texture), "allocated");
  wrong(wedjat_texture_create_linear(device.handle, at, ~std::uint64_t{0}, &wanted, nullptr, &texture),
        "allocated");
  wrong(wedjat_texture_create_linear(device.handle, at + 40, 0, &wanted, nullptr, &texture), "allocated");
  const WedjatShape levels = shape_of(4, 2, 2);
  wrong(wedjat_texture_create_linear(device.handle, at, 0, &levels, nullptr, &texture), "one level");
}

TEST_CASE("a surface is written by a kernel") {
  const Device device;
  WedjatArray* const array = array_of_texels(device);
  std::uint64_t surface = 0, bytes = 0;
  REQUIRE(wedjat_surface_create(array, &surface) == WEDJAT_OK);
  const WedjatArgument argument = WEDJAT_ARGUMENT_OF(surface);
  const WedjatLaunch launch = shape(1, 1);
  WedjatKernel* const kernel = device.kernel(
      head +
      ".visible .entry k(.param .u64 s) { .reg .b64 %d; .reg .b32 %r<3>; ld.param.u64 %d, [s];\n"
      "mov.u32 %r0, 4; mov.u32 %r1, 1; mov.b32 %r2, 0f42280000;\n"
      "sust.b.2d.b32.trap [%d, {%r0, %r1}], {%r2}; ret; }");
  const WedjatStatus status = wedjat_kernel_launch(kernel, &launch, &argument, 1, nullptr);
  INFO(wedjat_last_error()->message);
  REQUIRE(status == WEDJAT_OK);
  REQUIRE(wedjat_array_bytes(array, 0, &bytes) == WEDJAT_OK);
  REQUIRE(bytes == 32);
  std::vector<float> got(8);
  REQUIRE(wedjat_array_read(array, 0, got.data(), bytes) == WEDJAT_OK);
  CHECK(got[5] == 42);
  CHECK(got[4] == 10);
}

TEST_CASE("variables of a module are bound to textures") {
  const Device device;
  std::uint64_t texture = 0;
  REQUIRE(wedjat_texture_create(array_of_texels(device), nullptr, &texture) == WEDJAT_OK);
  WedjatModule* const module = device.load(head + R"(.visible .global .texref picture;
.visible .global .align 4 .u32 number;
.visible .entry k(.param .u64 to) {
  .reg .b64 %d; .reg .f32 %f<6>;
  ld.param.u64 %d, [to];
  mov.f32 %f0, 0f40200000; mov.f32 %f1, 0f3fc00000;
  tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [picture, {%f0, %f1}];
  st.global.f32 [%d], %f2;
  ret;
})");
  WedjatKernel* kernel = nullptr;
  REQUIRE(wedjat_module_kernel(module, "k", &kernel) == WEDJAT_OK);
  check_error(wedjat_module_bind(module, "number", texture), WEDJAT_WRONG_ARGUMENT,
              "no .texref or .surfref number");
  check_error(wedjat_module_bind(module, "absent", texture), WEDJAT_WRONG_ARGUMENT,
              "no .texref or .surfref absent");
  check_error(wedjat_module_bind(module, "picture", 3), WEDJAT_WRONG_ARGUMENT, "no texture");
  REQUIRE(wedjat_module_bind(module, "picture", texture) == WEDJAT_OK);
  const std::uint64_t to = device.allocate(4);
  const WedjatArgument argument = WEDJAT_ARGUMENT_OF(to);
  const WedjatLaunch launch = shape(1, 1);
  REQUIRE(wedjat_kernel_launch(kernel, &launch, &argument, 1, nullptr) == WEDJAT_OK);
  CHECK(device.read<float>(to, 1)[0] == 12);
}

TEST_CASE("shapes and samplers that there are not") {
  const Device device;
  const auto refused = [&](auto set, const char* text) {
    WedjatShape wanted = shape_of(8, 8);
    set(wanted);
    WedjatArray* array = nullptr;
    check_error(wedjat_array_create(device.handle, &wanted, &array), WEDJAT_WRONG_ARGUMENT, text);
    CHECK(array == nullptr);
  };
  refused([](auto& s) { s.size = 0; }, "size is 0");
  refused([](auto& s) { s.format = 8; }, "format is 8");
  refused([](auto& s) { s.channels = 3; }, "3 channels");
  refused([](auto& s) { s.width = 0; }, "width is 0");
  refused([](auto& s) { s.height = 65537; }, "65537 texels");
  refused([](auto& s) { s.layered = 1; }, "depth is 0");
  refused([](auto& s) { s.cube = 1; }, "6 faces");
  refused([](auto& s) { s.cube = 1, s.depth = 12; }, "6 faces");
  refused([](auto& s) { s.levels = 5; }, "5 levels");
  WedjatArray* const array = array_of_texels(device);
  WedjatArray* mipmapped = nullptr;
  const WedjatShape levels = shape_of(4, 2, 3);
  REQUIRE(wedjat_array_create(device.handle, &levels, &mipmapped) == WEDJAT_OK);
  std::uint64_t number = 0;
  REQUIRE(wedjat_array_bytes(mipmapped, 2, &number) == WEDJAT_OK);
  CHECK(number == 4);
  check_error(wedjat_array_bytes(mipmapped, 3, &number), WEDJAT_WRONG_ARGUMENT, "level 3");
  check_error(wedjat_texture_create(mipmapped, nullptr, &number), WEDJAT_WRONG_ARGUMENT, "normalized");
  check_error(wedjat_array_write(array, 0, texels.data(), 31), WEDJAT_WRONG_ARGUMENT,
              "31 bytes, the level has 32");
  std::vector<char> many(33);
  check_error(wedjat_array_read(array, 0, many.data(), 33), WEDJAT_WRONG_ARGUMENT, "33 bytes");
  WedjatSampler sampler{};
  sampler.size = sizeof sampler;
  sampler.beyond[1] = 9;
  check_error(wedjat_texture_create(array, &sampler, &number), WEDJAT_WRONG_ARGUMENT, "beyond[1] is 9");
  sampler.beyond[1] = 0;
  sampler.mip_bias = std::numeric_limits<float>::quiet_NaN();
  check_error(wedjat_texture_create(array, &sampler, &number), WEDJAT_WRONG_ARGUMENT, "finite");
}
