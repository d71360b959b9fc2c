// What this library does beside the compilers it stands in front of. Their types are plain here: the project
// builds without their headers, and one that a program brings may be of any version.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wedjat::keep_ptx {

// nvrtcResult nvrtcGetCUBIN(nvrtcProgram, char*)
using GetProgramCubin = int(void* program, char* cubin);
int get_program_cubin(GetProgramCubin* real, void* program, char* cubin);

// nvJitLinkResult nvJitLink…(nvJitLinkHandle, …)
using CreateLink = int(void** link, std::uint32_t count, const char** options);
using AddLinkData = int(void* link, int type, const void* data, std::size_t size, const char* name);
using AddLinkFile = int(void* link, int type, const char* path);
using GetLinkedCubin = int(void* link, void* cubin);
using DestroyLink = int(void** link);
int create_link(CreateLink* real, void** link, std::uint32_t count, const char** options);
int add_link_data(AddLinkData* real, void* link, int type, const void* data, std::size_t size,
                  const char* name);
int add_link_file(AddLinkFile* real, void* link, int type, const char* path);
int get_linked_cubin(GetLinkedCubin* real, void* link, void* cubin);
int destroy_link(DestroyLink* real, void** link);

}  // namespace wedjat::keep_ptx
