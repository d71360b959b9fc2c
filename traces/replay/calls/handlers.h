// One function a driver call (or a few of one meaning): see dispatch.cpp for the table.
#pragma once

#include "cuda_abi.h"
#include "traces/replay/state/replayer.h"

namespace wedjat::traces::handle {

// memory_calls.cpp
void drop_context(Replayer& replayer, const Call& call);
void allocate(Replayer& replayer, const Call& call);
void allocate_pitch(Replayer& replayer, const Call& call);
void free(Replayer& replayer, const Call& call);
void fill(Replayer& replayer, const Call& call);
void fill_2d(Replayer& replayer, const Call& call);

// copy_calls.cpp, copy.cpp
void copy_any(Replayer& replayer, const Call& call);
void copy_peer(Replayer& replayer, const Call& call);
void copy_to_device(Replayer& replayer, const Call& call);
void copy_to_host(Replayer& replayer, const Call& call);
void copy_on_device(Replayer& replayer, const Call& call);
void copy_host_to_array(Replayer& replayer, const Call& call);
void copy_array_to_host(Replayer& replayer, const Call& call);
void copy_device_to_array(Replayer& replayer, const Call& call);
void copy_array_to_device(Replayer& replayer, const Call& call);
void copy_array_to_array(Replayer& replayer, const Call& call);
void copy_batch(Replayer& replayer, const Call& call);
void copy_box_batch(Replayer& replayer, const Call& call);
void copy_2d(Replayer& replayer, const Call& call);
void copy_3d(Replayer& replayer, const Call& call);

// virtual_memory_calls.cpp
void create_memory(Replayer& replayer, const Call& call);
void release_memory(Replayer& replayer, const Call& call);
void retain_memory(Replayer& replayer, const Call& call);
void map_memory(Replayer& replayer, const Call& call);
void unmap_memory(Replayer& replayer, const Call& call);

// shared_handle_calls.cpp
void give_memory(Replayer& replayer, const Call& call);
void open_memory(Replayer& replayer, const Call& call);
void close_memory(Replayer& replayer, const Call& call);

// multicast_calls.cpp
void create_multicast(Replayer& replayer, const Call& call);
void bind_multicast_memory(Replayer& replayer, const Call& call);
void bind_multicast_address(Replayer& replayer, const Call& call);
void unbind_multicast(Replayer& replayer, const Call& call);

// texture_calls.cpp
void create_array(Replayer& replayer, const Call& call);
void destroy_array(Replayer& replayer, const Call& call);
void create_mipmapped_array(Replayer& replayer, const Call& call);
void level_of_mipmapped_array(Replayer& replayer, const Call& call);
void destroy_mipmapped_array(Replayer& replayer, const Call& call);
void create_texture(Replayer& replayer, const Call& call);
void destroy_texture(Replayer& replayer, const Call& call);
void create_surface(Replayer& replayer, const Call& call);
void destroy_surface(Replayer& replayer, const Call& call);

// texture_reference_calls.cpp
void find_texture_reference(Replayer& replayer, const Call& call);
void set_reference_array(Replayer& replayer, const Call& call);
void set_reference_memory(Replayer& replayer, const Call& call);
void set_reference_format(Replayer& replayer, const Call& call);
void set_reference_sampling(Replayer& replayer, const Call& call);
void set_reference_border(Replayer& replayer, const Call& call);
void set_surface_reference(Replayer& replayer, const Call& call);

// stream_memory_calls.cpp
void write_value(Replayer& replayer, const Call& call);
void wait_value(Replayer& replayer, const Call& call);
void batch_memory_operations(Replayer& replayer, const Call& call);
// The CUstreamBatchMemOpParams of a stream or a graph node.
void memory_operations(Replayer& replayer, const Call& call, const Bytes& list, std::size_t count);

// host_ranges.cpp
void host_function(Replayer& replayer, const Call& call);

// module_calls.cpp
void load_module(Replayer& replayer, const Call& call);
void load_library(Replayer& replayer, const Call& call);
void kernel_of_library(Replayer& replayer, const Call& call);
void module_of_library(Replayer& replayer, const Call& call);
void unload_module(Replayer& replayer, const Call& call);
void unload_library(Replayer& replayer, const Call& call);

// link_calls.cpp
void link_add(Replayer& replayer, const Call& call);
void link_complete(Replayer& replayer, const Call& call);
void link_destroy(Replayer& replayer, const Call& call);

// launch_calls.cpp
void launch(Replayer& replayer, const Call& call);
// What the call says of the launch, its attributes included.
device::LaunchConfig launch_config(Replayer& replayer, const Call& call);
std::vector<CUlaunchAttribute> launch_attributes(Replayer& replayer, const Call& call);

// graph_calls.cpp
void begin_capture(Replayer& replayer, const Call& call);
void end_capture(Replayer& replayer, const Call& call);
void create_condition(Replayer& replayer, const Call& call);
void create_graph(Replayer& replayer, const Call& call);
void destroy_graph(Replayer& replayer, const Call& call);
void clone_graph(Replayer& replayer, const Call& call);
void find_in_clone(Replayer& replayer, const Call& call);
void child_graph(Replayer& replayer, const Call& call);
void add_node(Replayer& replayer, const Call& call);
void destroy_node(Replayer& replayer, const Call& call);
void add_dependencies(Replayer& replayer, const Call& call);
void remove_dependencies(Replayer& replayer, const Call& call);
void set_node(Replayer& replayer, const Call& call);
void set_node_attribute(Replayer& replayer, const Call& call);
void copy_node_attributes(Replayer& replayer, const Call& call);
void instantiate_graph(Replayer& replayer, const Call& call);
void destroy_executable(Replayer& replayer, const Call& call);
void set_node_of_executable(Replayer& replayer, const Call& call);
void enable_node(Replayer& replayer, const Call& call);
void update_executable(Replayer& replayer, const Call& call);
void launch_graph(Replayer& replayer, const Call& call);

}  // namespace wedjat::traces::handle
