#include "traces/read/ctf_fields.h"

#include <mutex>
#include <unordered_set>

#include "traces/format/error.h"

namespace wedjat::traces {
namespace {

// Event and field names repeat endlessly: one copy of each, kept for good.
std::string_view intern(const char* name) {
  static std::mutex mutex;
  static std::unordered_set<std::string>& names = *new std::unordered_set<std::string>;
  const std::lock_guard lock(mutex);
  return *names.emplace(name).first;
}

Value array_value(const bt_field* field) {
  const std::uint64_t length = bt_field_array_get_length(field);
  const bt_field* first = length ? bt_field_array_borrow_element_field_by_index_const(field, 0) : nullptr;
  const auto* array_class = bt_field_borrow_class_const(field);
  const auto* element = bt_field_class_array_borrow_element_field_class_const(array_class);
  const bool is_unsigned =
      bt_field_class_type_is(bt_field_class_get_type(element), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER);
  const bool is_integer =
      bt_field_class_type_is(bt_field_class_get_type(element), BT_FIELD_CLASS_TYPE_INTEGER);
  if (!is_integer && first) throw std::runtime_error("a sequence of something other than integers");
  if (is_integer && bt_field_class_integer_get_field_value_range(element) <= 8) {
    Bytes bytes(length);
    for (std::uint64_t i = 0; i < length; ++i) {
      const bt_field* item = bt_field_array_borrow_element_field_by_index_const(field, i);
      bytes[i] = static_cast<std::byte>(
          is_unsigned ? bt_field_integer_unsigned_get_value(item)
                      : static_cast<std::uint64_t>(bt_field_integer_signed_get_value(item)));
    }
    return bytes;
  }
  std::vector<std::uint64_t> numbers(length);
  for (std::uint64_t i = 0; i < length; ++i) {
    const bt_field* item = bt_field_array_borrow_element_field_by_index_const(field, i);
    numbers[i] = is_unsigned ? bt_field_integer_unsigned_get_value(item)
                             : static_cast<std::uint64_t>(bt_field_integer_signed_get_value(item));
  }
  return numbers;
}

Value value_of(const bt_field* field) {
  const auto type = bt_field_get_class_type(field);
  if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
    return bt_field_integer_unsigned_get_value(field);
  if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
    return bt_field_integer_signed_get_value(field);
  if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
    return static_cast<double>(bt_field_real_single_precision_get_value(field));
  if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
    return bt_field_real_double_precision_get_value(field);
  if (type == BT_FIELD_CLASS_TYPE_STRING) return std::string(bt_field_string_get_value(field));
  if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) return array_value(field);
  throw std::runtime_error("a field of an unknown class");
}

void add_fields(const bt_field* structure, std::vector<Field>& fields) {
  if (!structure) return;
  const auto* structure_class = bt_field_borrow_class_const(structure);
  const std::uint64_t count = bt_field_class_structure_get_member_count(structure_class);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto* member = bt_field_class_structure_borrow_member_by_index_const(structure_class, i);
    const bt_field* field = bt_field_structure_borrow_member_field_by_index_const(structure, i);
    const char* name = bt_field_class_structure_member_get_name(member);
    try {
      fields.push_back({intern(name), value_of(field)});
    } catch (const std::runtime_error& error) {
      throw FormatError(std::string("field '") + name + "'", error.what());
    }
  }
}

// The member of a context structure, or 0.
std::int32_t context_number(const bt_field* context, const char* name) {
  const bt_field* field =
      context ? bt_field_structure_borrow_member_field_by_name_const(context, name) : nullptr;
  if (!field) return 0;
  return bt_field_class_type_is(bt_field_get_class_type(field), BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)
             ? static_cast<std::int32_t>(bt_field_integer_signed_get_value(field))
             : static_cast<std::int32_t>(bt_field_integer_unsigned_get_value(field));
}

}  // namespace

Event event_of(const bt_event* source) {
  Event event;
  const char* full_name = bt_event_class_get_name(bt_event_borrow_class_const(source));
  const std::string_view full = intern(full_name ? full_name : "");
  const auto colon = full.find(':');
  event.provider = colon == full.npos ? std::string_view() : full.substr(0, colon);
  event.name = colon == full.npos ? full : full.substr(colon + 1);
  add_fields(bt_event_borrow_payload_field_const(source), event.fields);
  const bt_field* context = bt_event_borrow_common_context_field_const(source);
  event.process = context_number(context, "vpid");
  event.thread = context_number(context, "vtid");
  event.sequence = event.number("seq");
  return event;
}

}  // namespace wedjat::traces
