// What a viewer makes of a trace. In: bytes. Out: slices, stages, counters, with names; and all
// that a viewer would have found fault with. Numbers of fields are Perfetto's published ones.
#ifndef TIMELINE_VIEWER_HPP
#define TIMELINE_VIEWER_HPP

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "timeline_wire.hpp"

namespace viewer {

using Values = std::map<std::string, std::string>;

struct Track {
  std::string name, description, kind; // "process", "thread", "counter", "track"
  uint64_t parent = 0;
  int64_t rank = 0, unit = 0;
  uint64_t tid = 0;
};

struct Slice {
  uint64_t track = 0;
  std::string name, category;
  int64_t begin = 0, end = 0;
  size_t depth = 0;
  Values notes;
  std::vector<uint64_t> flows, terminating, submits, waits;
};

struct Stage {
  std::string name, queue, stage, kernel, groups, local_size;
  uint64_t category = 0, id = 0, submission = 0, context_pid = 0, gpu = 0;
  int64_t begin = 0, end = 0;
  Values kernel_args, launch_args, extra;
};

struct Point { // instants and counters
  uint64_t track = 0;
  std::string name, category;
  int64_t at = 0, value = 0;
  Values notes;
};

class Trace {
public:
  explicit Trace(const std::string &bytes) {
    const auto packets = wire::Message(bytes).messages(1);
    packet_count = packets.size();
    for (const wire::Message &packet : packets) {
      take(packet);
    }
    std::stable_sort(events_.begin(), events_.end(),
                     [](const auto &a, const auto &b) { return a.at < b.at; });
    for (const Event &event : events_) {
      place(event);
    }
    for (const auto &open : open_) {
      if (!open.second.empty()) {
        fault("a slice without an end: " + open.second.back().name);
      }
    }
  }

  std::vector<std::string> faults;
  std::map<uint64_t, Track> tracks;
  std::vector<Slice> slices; // in order of their ends
  std::vector<Stage> stages; // in order of the file
  std::vector<Point> instants, counters;
  std::vector<std::map<uint64_t, uint64_t>> snapshots;
  std::set<uint64_t> sequences;
  uint64_t primary_clock = 0, default_clock = 0;
  size_t packet_count = 0;

  std::vector<Slice> on(const std::string &track_name) const {
    std::vector<Slice> found;
    for (const Slice &slice : slices) {
      if (tracks.at(slice.track).name == track_name) {
        found.push_back(slice);
      }
    }
    return found;
  }
  // "a.b" for b within a, in order of begin, on tracks of this name.
  std::vector<const Slice *> called(const std::string &name) const {
    std::vector<const Slice *> found;
    for (const Slice &slice : slices) {
      if (slice.name == name) {
        found.push_back(&slice);
      }
    }
    return found;
  }

private:
  struct Event {
    int64_t at;
    uint64_t type;
    Slice slice;
    int64_t value;
  };

  void fault(const std::string &text) {
    faults.push_back(text);
  }

  std::string name_of(uint32_t table, uint64_t iid) {
    const auto found = names_.find({table, iid});
    if (found == names_.end()) {
      fault("a name that was not told: table " + std::to_string(table) + ", " +
            std::to_string(iid));
      return "?";
    }
    return found->second;
  }

  void take(const wire::Message &packet) {
    const uint64_t sequence = packet.number(10);
    sequences.insert(sequence);
    if (packet.number(13) == 1) {
      names_.clear();
      kernels_.clear();
      started_ = true;
    } else if (packet.number(13) != 2 || !started_) {
      fault("a packet that does not say it needs what was told before");
    }
    if (packet.has(59)) {
      default_clock = packet.message(59).number(58);
    }
    if (packet.has(6)) {
      take_clocks(packet.message(6));
    }
    if (packet.has(60)) {
      take_track(packet.message(60));
    }
    if (packet.has(12)) {
      take_names(packet.message(12));
    }
    if (packet.has(8) && snapshots.empty()) {
      fault("a time before the clocks were told");
    }
    if (packet.has(11)) {
      take_event(packet.message(11), static_cast<int64_t>(packet.number(8)));
    }
    if (packet.has(53)) {
      take_stage(packet.message(53), static_cast<int64_t>(packet.number(8)));
    }
  }

  void take_clocks(const wire::Message &snapshot) {
    std::map<uint64_t, uint64_t> clocks;
    std::string which;
    for (const wire::Message &clock : snapshot.messages(1)) {
      clocks[clock.number(1)] = clock.number(2);
    }
    for (const auto &clock : clocks) {
      which += std::to_string(clock.first) + " ";
    }
    for (const auto &clock : clocks) { // of each set of clocks; the wall clock may be set
      uint64_t &before = clock_before_[which + ":" + std::to_string(clock.first)];
      if (clock.first != 1 && clock.second < before) {
        fault("a clock goes backwards: " + std::to_string(clock.first));
      }
      before = clock.second;
    }
    if (snapshot.has(2)) {
      primary_clock = snapshot.number(2);
    }
    snapshots.push_back(clocks);
  }

  void take_track(const wire::Message &told) {
    Track track;
    const uint64_t uuid = told.number(1);
    if (uuid == 0) {
      fault("a track without a number");
    }
    track.name = told.text(2);
    track.description = told.text(14);
    track.kind = "track";
    track.parent = told.number(5);
    track.rank = static_cast<int64_t>(told.number(12));
    if (told.has(3)) {
      track.kind = "process";
      track.name = told.message(3).text(6);
    } else if (told.has(4)) {
      track.kind = "thread";
      track.name = told.message(4).text(5);
      track.tid = told.message(4).number(2);
    } else if (told.has(8)) {
      track.kind = "counter";
      track.unit = static_cast<int64_t>(told.message(8).number(3));
    }
    if (track.parent != 0 && tracks.count(track.parent) == 0) {
      fault("a track below one that was not told: " + track.name);
    }
    tracks[uuid] = track;
  }

  void take_names(const wire::Message &data) {
    for (const uint32_t table : {1U, 2U, 3U, 1001U, 24U, 29U}) {
      for (const wire::Message &name : data.messages(table)) {
        if (name.number(1) == 0) {
          fault("a name without a number");
        }
        names_[{table, name.number(1)}] = name.text(2);
        categories_[name.number(1)] = table == 24 ? name.number(4) : categories_[name.number(1)];
      }
    }
    for (const wire::Message &context : data.messages(23)) {
      contexts_[context.number(1)] = context.number(2);
      if (context.number(3) != 2) {
        fault("a context that is not Vulkan's");
      }
    }
    for (const wire::Message &kernel : data.messages(1000)) {
      Values values = args(kernel.messages(5));
      values[""] = kernel.text(2);
      kernels_[kernel.number(1)] = values;
    }
  }

  // Arguments of kernels and launches.
  Values args(const std::vector<wire::Message> &told) {
    Values values;
    for (const wire::Message &arg : told) {
      values[name_of(1001, arg.number(1))] = value(arg, 3, 4, 5, 7);
    }
    return values;
  }
  std::string value(const wire::Message &told, uint32_t integer, uint32_t plain, uint32_t real,
                    uint32_t text) {
    if (told.has(integer)) {
      return std::to_string(static_cast<int64_t>(told.number(integer)));
    }
    if (told.has(plain)) {
      return std::to_string(told.number(plain));
    }
    if (told.has(real)) {
      return std::to_string(told.real(real));
    }
    return told.has(text) ? name_of(29, told.number(text)) : told.text(6);
  }

  void take_event(const wire::Message &told, int64_t at) {
    Event event{at, told.number(9), {}, static_cast<int64_t>(told.number(30))};
    Slice &slice = event.slice;
    slice.track = told.number(11);
    if (tracks.count(slice.track) == 0) {
      fault("an event on a track that was not told");
    }
    slice.name = told.has(10) ? name_of(2, told.number(10)) : told.text(23);
    for (const uint64_t category : told.numbers(3)) {
      slice.category = name_of(1, category);
    }
    for (const wire::Message &note : told.messages(4)) {
      slice.notes[name_of(3, note.number(1))] = value(note, 4, 3, 5, 17);
    }
    slice.flows = told.numbers(47);
    slice.terminating = told.numbers(48);
    if (told.has(3000)) {
      slice.submits = told.message(3000).numbers(1);
      slice.waits = told.message(3000).numbers(2);
    }
    events_.push_back(event);
  }

  static std::string size(const wire::Message &told) {
    return std::to_string(told.number(1)) + "," + std::to_string(told.number(2)) + "," +
           std::to_string(told.number(3));
  }

  void take_stage(const wire::Message &told, int64_t at) {
    Stage stage;
    stage.begin = at;
    stage.end = at + static_cast<int64_t>(told.number(2));
    stage.id = told.number(1);
    stage.submission = told.number(10);
    stage.gpu = told.number(11);
    stage.context_pid = contexts_.count(told.number(5)) != 0 ? contexts_[told.number(5)] : 0;
    stage.queue = name_of(24, told.number(13));
    stage.stage = name_of(24, told.number(14));
    stage.category = categories_[told.number(14)];
    stage.name = name_of(2, told.number(20));
    if (told.has(19)) {
      if (kernels_.count(told.number(19)) == 0) {
        fault("a kernel that was not told");
      }
      stage.kernel_args = kernels_[told.number(19)];
      stage.kernel = stage.kernel_args[""];
    }
    if (told.has(21)) {
      const wire::Message launch = told.message(21);
      stage.groups = launch.has(1) ? size(launch.message(1)) : "";
      stage.local_size = launch.has(2) ? size(launch.message(2)) : "";
      stage.launch_args = args(launch.messages(3));
    }
    for (const wire::Message &extra : told.messages(6)) {
      stage.extra[extra.text(1)] = extra.text(2);
    }
    stages.push_back(stage);
  }

  void place(const Event &event) {
    std::vector<Slice> &open = open_[event.slice.track];
    if (event.type == 1) {
      open.push_back(event.slice);
      open.back().begin = event.at;
      open.back().depth = open.size() - 1;
    } else if (event.type == 2) {
      if (open.empty()) {
        fault("an end without a begin");
        return;
      }
      open.back().end = event.at;
      slices.push_back(open.back());
      open.pop_back();
    } else {
      (event.type == 3 ? instants : counters)
          .push_back({event.slice.track, event.slice.name, event.slice.category, event.at,
                      event.value, event.slice.notes});
    }
  }

  bool started_ = false;
  std::map<std::pair<uint32_t, uint64_t>, std::string> names_;
  std::map<uint64_t, uint64_t> categories_, contexts_;
  std::map<uint64_t, Values> kernels_;
  std::map<std::string, uint64_t> clock_before_;
  std::vector<Event> events_;
  std::map<uint64_t, std::vector<Slice>> open_;
};

} // namespace viewer

#endif
