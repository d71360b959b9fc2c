// Textures that live as long as their scope, read without filtering or normalised coordinates.
#pragma once

#include "common/program.h"

namespace program {

class Texture {
 public:
  explicit Texture(const cudaResourceDesc& resource) {
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    description.filterMode = cudaFilterModePoint;
    for (cudaTextureAddressMode& mode : description.addressMode) mode = cudaAddressModeClamp;
    CUDA_CHECK(cudaCreateTextureObject(&texture_, &resource, &description, nullptr));
  }
  ~Texture() { cudaDestroyTextureObject(texture_); }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  operator cudaTextureObject_t() const { return texture_; }

 private:
  cudaTextureObject_t texture_ = 0;
};

// For tex1Dfetch: `count` elements of linear memory, which stays the caller's.
template <typename T>
class LinearTexture : public Texture {
 public:
  LinearTexture(T* data, std::size_t count) : Texture(resource(data, count)) {}

 private:
  static cudaResourceDesc resource(T* data, std::size_t count) {
    cudaResourceDesc description{};
    description.resType = cudaResourceTypeLinear;
    description.res.linear.devPtr = data;
    description.res.linear.desc = cudaCreateChannelDesc<T>();
    description.res.linear.sizeInBytes = count * sizeof(T);
    return description;
  }
};

// A CUDA array of rows of `width` elements.
template <typename T>
class Array2D {
 public:
  Array2D(const std::vector<T>& host, std::size_t width) {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
    const std::size_t height = host.size() / width, row = width * sizeof(T);
    CUDA_CHECK(cudaMallocArray(&array_, &channels, width, height));
    CUDA_CHECK(cudaMemcpy2DToArray(array_, 0, 0, host.data(), row, row, height, cudaMemcpyHostToDevice));
  }
  ~Array2D() { cudaFreeArray(array_); }
  Array2D(const Array2D&) = delete;
  Array2D& operator=(const Array2D&) = delete;
  cudaResourceDesc resource() const {
    cudaResourceDesc description{};
    description.resType = cudaResourceTypeArray;
    description.res.array.array = array_;
    return description;
  }

 private:
  cudaArray_t array_ = nullptr;
};

// For tex2D: an array of its own.
template <typename T>
class ArrayTexture : private Array2D<T>, public Texture {
 public:
  ArrayTexture(const std::vector<T>& host, std::size_t width)
      : Array2D<T>(host, width), Texture(Array2D<T>::resource()) {}
};

}  // namespace program
