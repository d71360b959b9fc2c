// Which launches happen before which: streams and events, as the driver calls of the program order them.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <wedjat/tool.hpp>

namespace race_check {

class Streams {
 public:
  using Launches = std::set<std::uint32_t>;

  void call(const wedjat_call& c) {
    const std::string_view name = c.name;
    const auto is = [&](std::string_view base) { return name.starts_with(base); };
    // The nodes of a graph run one after another, each by the call that was captured: its stream says nothing
    // then.
    if (is("cuGraphLaunch"))
      in_graph_ = !c.is_exit;
    else if (in_graph_)
      return;
    const bool launches = is("cuLaunch") || is("cuGraphLaunch");
    if (launches) launching_ = c.is_exit ? std::nullopt : number(c, "hStream");
    if (c.status != 0) return;
    if (is("cuStreamCreate")) {  // entered with flags, left with a handle
      constexpr std::uint64_t non_blocking = 1;
      if (!c.is_exit)
        flags_ = number(c, "Flags").value_or(number(c, "flags").value_or(0));
      else if (const auto made = number(c, "phStream"))
        apart_[*made] = flags_ == non_blocking;
    } else if (c.is_exit) {
      return;
    } else if (is("cuEventRecord")) {
      if (const auto event = number(c, "hEvent")) events_[*event] = known(number(c, "hStream").value_or(0));
    } else if (is("cuStreamWaitEvent")) {
      const auto event = number(c, "hEvent"), stream = number(c, "hStream");
      if (event && stream) add(streams_[*stream], events_[*event]);
    } else if (is("cuStreamSynchronize") || is("cuStreamQuery")) {
      add(host_, known(number(c, "hStream").value_or(0)));
    } else if (is("cuEventSynchronize") || is("cuEventQuery")) {
      if (const auto event = number(c, "hEvent")) add(host_, events_[*event]);
    } else if (is("cuCtxSynchronize") || is("cuMemFree") || is("cuStreamDestroy")) {
      host_ = all_;
    } else if (is("cuMemcpy") && name.find("Async") == name.npos) {
      add(host_, known(0));
    }
  }

  /// A launch begins. Returns whether all launches so far happen before it.
  bool launch(std::uint32_t index) {
    before_ = !launching_ ? all_ : known(*launching_);
    const bool ordered = before_.size() == all_.size();
    if (ordered) {  // it stands for all of them from now on
      all_.clear(), host_.clear(), streams_.clear(), events_.clear();
    }
    all_.insert(index);
    if (launching_) {
      Launches& stream = streams_[*launching_];
      stream = ordered ? Launches{} : before_;
      stream.insert(index);
    } else {
      host_ = all_;
    }
    return ordered;
  }
  /// Of a launch before the last one: it happens before the last one.
  bool is_before(std::uint32_t index) const { return before_.contains(index); }

 private:
  static void add(Launches& to, const Launches& from) { to.insert(from.begin(), from.end()); }
  static std::optional<std::uint64_t> number(const wedjat_call& c, std::string_view name) {
    for (const auto& argument : wedjat::arguments(c)) {
      const std::string_view field = argument.name;
      if (field == name || (field.starts_with(name) && field.substr(name.size()) == "_out"))
        return argument.number;
    }
    return std::nullopt;
  }
  bool is_apart(std::uint64_t stream) const {
    const auto found = apart_.find(stream);
    return found != apart_.end() && found->second;
  }
  // What happens before the next thing in the stream. The legacy stream and the blocking ones wait for each
  // other.
  Launches known(std::uint64_t stream) {
    Launches all = host_;
    add(all, streams_[stream]);
    constexpr std::uint64_t legacy = 1;
    const bool is_legacy = stream == 0 || stream == legacy;
    if (is_apart(stream)) return all;
    for (const auto& [other, launches] : streams_)
      if (is_legacy ? !is_apart(other) : other == 0 || other == legacy) add(all, launches);
    return all;
  }

  std::map<std::uint64_t, Launches> streams_, events_;
  std::map<std::uint64_t, bool> apart_;
  Launches all_, host_, before_;
  std::uint64_t flags_ = 0;
  bool in_graph_ = false;
  std::optional<std::uint64_t> launching_;  // stream of the launch at hand, if its call says it
};

}  // namespace race_check
