#include "traces/read/ctf_reader.h"

#include <babeltrace2/babeltrace.h>

#include <algorithm>
#include <memory>
#include <string>

#include "traces/format/error.h"
#include "traces/read/ctf_fields.h"

namespace wedjat::traces {
namespace {

// What the sink component collects into; `failure` carries an exception across the C callbacks.
struct Collector {
  std::vector<Event>* events;
  std::string failure;
  bt_message_iterator* iterator = nullptr;
};

// Takes the thread's babeltrace error as text.
std::string current_error() {
  const bt_error* error = bt_current_thread_take_error();
  if (!error) return "unknown babeltrace error";
  std::string text;
  for (std::uint64_t i = 0; i < bt_error_get_cause_count(error); ++i) {
    if (!text.empty()) text += "; ";
    text += bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, i));
  }
  bt_error_release(error);
  return text;
}

bt_component_class_initialize_method_status sink_initialize(bt_self_component_sink* self,
                                                            bt_self_component_sink_configuration*,
                                                            const bt_value*, void* data) {
  bt_self_component_set_data(bt_self_component_sink_as_self_component(self), data);
  return bt_self_component_sink_add_input_port(self, "in", nullptr, nullptr) ==
                 BT_SELF_COMPONENT_ADD_PORT_STATUS_OK
             ? BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK
             : BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
}

Collector& collector_of(bt_self_component_sink* self) {
  return *static_cast<Collector*>(bt_self_component_get_data(bt_self_component_sink_as_self_component(self)));
}

bt_component_class_sink_graph_is_configured_method_status sink_configured(bt_self_component_sink* self) {
  auto* port = bt_self_component_sink_borrow_input_port_by_index(self, 0);
  Collector& collector = collector_of(self);
  return bt_message_iterator_create_from_sink_component(self, port, &collector.iterator) ==
                 BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK
             ? BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK
             : BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
}

bt_component_class_sink_consume_method_status sink_consume(bt_self_component_sink* self) {
  Collector& collector = collector_of(self);
  bt_message_array_const messages;
  std::uint64_t count = 0;
  switch (bt_message_iterator_next(collector.iterator, &messages, &count)) {
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
      return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
      return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_AGAIN;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
      break;
    default:
      return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    try {
      if (bt_message_get_type(messages[i]) == BT_MESSAGE_TYPE_EVENT)
        collector.events->push_back(event_of(bt_message_event_borrow_event_const(messages[i])));
    } catch (const std::exception& error) {
      if (collector.failure.empty()) collector.failure = error.what();
    }
    bt_message_put_ref(messages[i]);
  }
  return collector.failure.empty() ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK
                                   : BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
}

void sink_finalize(bt_self_component_sink* self) {
  bt_message_iterator_put_ref(collector_of(self).iterator);
  collector_of(self).iterator = nullptr;
}

template <class T, void (*put)(const T*)>
struct Put {
  void operator()(const T* object) const { put(object); }
};
using ClassRef = std::unique_ptr<const bt_component_class_sink,
                                 Put<bt_component_class_sink, bt_component_class_sink_put_ref>>;
using GraphRef = std::unique_ptr<const bt_graph, Put<bt_graph, bt_graph_put_ref>>;
using PluginRef = std::unique_ptr<const bt_plugin, Put<bt_plugin, bt_plugin_put_ref>>;
using ValueRef = std::unique_ptr<const bt_value, Put<bt_value, bt_value_put_ref>>;

[[noreturn]] void fail(const std::filesystem::path& folder) {
  throw FormatError(folder.string(), current_error());
}

PluginRef plugin(const char* name, const std::filesystem::path& folder) {
  const bt_plugin* found = nullptr;
  if (bt_plugin_find(name, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &found) != BT_PLUGIN_FIND_STATUS_OK)
    throw FormatError(folder.string(), std::string("babeltrace2's plugin '") + name + "' is not installed");
  return PluginRef(found);
}

// source.ctf.fs over one CTF trace -> filter.utils.muxer -> our sink.
void run_graph(const std::filesystem::path& folder, Collector& collector) {
  bt_current_thread_clear_error();  // what tearing down an earlier graph may have left
  const PluginRef ctf = plugin("ctf", folder), utils = plugin("utils", folder);
  bt_graph* graph = bt_graph_create(0);
  const GraphRef graph_ref(graph);

  bt_value* params = bt_value_map_create();
  const ValueRef params_ref(params);
  bt_value* inputs = bt_value_array_create();
  const ValueRef inputs_ref(inputs);
  bt_value_array_append_string_element(inputs, folder.c_str());
  bt_value_map_insert_entry(params, "inputs", inputs);

  const bt_component_source* source = nullptr;
  if (bt_graph_add_source_component(
          graph, bt_plugin_borrow_source_component_class_by_name_const(ctf.get(), "fs"), "events", params,
          BT_LOGGING_LEVEL_NONE, &source) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
    fail(folder);
  const bt_component_filter* muxer = nullptr;
  if (bt_graph_add_filter_component(
          graph, bt_plugin_borrow_filter_component_class_by_name_const(utils.get(), "muxer"), "muxer",
          nullptr, BT_LOGGING_LEVEL_NONE, &muxer) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
    fail(folder);

  bt_component_class_sink* sink_class = bt_component_class_sink_create("collector", sink_consume);
  const ClassRef sink_class_ref(sink_class);
  bt_component_class_sink_set_initialize_method(sink_class, sink_initialize);
  bt_component_class_sink_set_graph_is_configured_method(sink_class, sink_configured);
  bt_component_class_sink_set_finalize_method(sink_class, sink_finalize);
  const bt_component_sink* sink = nullptr;
  if (bt_graph_add_sink_component_with_initialize_method_data(graph, sink_class, "sink", nullptr, &collector,
                                                              BT_LOGGING_LEVEL_NONE,
                                                              &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
    fail(folder);

  for (std::uint64_t i = 0; i < bt_component_source_get_output_port_count(source); ++i)
    if (bt_graph_connect_ports(graph, bt_component_source_borrow_output_port_by_index_const(source, i),
                               bt_component_filter_borrow_input_port_by_index_const(muxer, i),
                               nullptr) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
      fail(folder);
  if (bt_graph_connect_ports(graph, bt_component_filter_borrow_output_port_by_index_const(muxer, 0),
                             bt_component_sink_borrow_input_port_by_index_const(sink, 0),
                             nullptr) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
    fail(folder);

  if (bt_graph_run(graph) != BT_GRAPH_RUN_STATUS_OK) fail(folder);
}

}  // namespace

std::vector<Event> read_ctf(const std::filesystem::path& events, std::vector<std::string>* damage) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(events)) throw FormatError(events.string(), "the folder of events is missing");
  std::vector<fs::path>
      traces;  // LTTng writes one CTF trace a user (or process): the folders with a metadata file
  for (const auto& entry : fs::recursive_directory_iterator(events))
    if (entry.is_regular_file() && entry.path().filename() == "metadata")
      traces.push_back(entry.path().parent_path());
  if (traces.empty()) throw FormatError(events.string(), "no CTF metadata file below this folder");
  std::sort(traces.begin(), traces.end());

  std::vector<Event> found;
  for (const auto& trace : traces) {
    Collector collector{&found, {}};
    try {
      run_graph(trace, collector);
    } catch (const FormatError& error) {
      if (!damage) throw;
      damage->push_back(error.what());
    }
    if (!collector.failure.empty()) throw FormatError(trace.string(), collector.failure);
  }
  return found;
}

}  // namespace wedjat::traces
