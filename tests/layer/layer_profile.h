// A profile as a test reads it: with cJSON, so that it shares no code with the writer.
//
// In: the path of a JSON document. Out: rows, queues, coverage in plain structures. A member that
// is missing fails the test that asks for it.
#ifndef LAYER_PROFILE_H
#define LAYER_PROFILE_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <cjson/cJSON.h>

using Counts = std::map<std::string, int64_t>;
using Nanoseconds = std::vector<int64_t>;

struct Outcomes {
  int64_t recorded = 0; // of coverage only
  int64_t executed = 0, measured = 0, control = 0;
  Counts untimed, missed, rejected;
};

struct KernelRow {
  Outcomes outcomes;
  std::string pipeline;        // id
  std::vector<int64_t> groups; // empty: null
  std::vector<int64_t> base;
  std::string kind, phase;
  Nanoseconds samples;
  int64_t seen = 0, kept = 0;
  int64_t sum = 0, min = 0, max = 0, median = 0; // of durations; 0 where nothing was measured
  int64_t gap_sum = 0, gap_count = 0;
  int64_t overlap_possible = 0, conditional = 0;
  int64_t first_use = -1; // -1: null
  Nanoseconds begins;     // sample_begins_ns, empty without SAMPLE_TIMES
};

struct QueueRow {
  int64_t device = 0, family = 0, index = 0, submissions = 0, command_buffers = 0;
  int64_t busy = 0, idle = 0, first = 0, last = 0;
};

class Profile {
public:
  explicit Profile(const std::string &path);
  bool Exists() const {
    return root_ != nullptr;
  }
  const cJSON *Root() const {
    return root_.get();
  }
  // Member by member, "devices.0.clock.source"; nullptr where there is none.
  const cJSON *At(const std::string &path) const;
  std::string Text(const std::string &path) const; // "(none)" where it is no string
  int64_t Number(const std::string &path) const;   // INT64_MIN where it is no number
  bool Flag(const std::string &path) const;

  // All rows of the pipelines with this entry point, in order.
  std::vector<KernelRow> Rows(const std::string &entry) const;
  // The one row; the test fails when there is none or more.
  KernelRow Row(const std::string &entry) const;
  // The one row of a kind that runs no pipeline, e.g. "copy".
  KernelRow Kind(const std::string &kind) const;
  Outcomes Coverage(const std::string &kind = "dispatch") const;
  std::vector<QueueRow> Queues() const;

private:
  std::shared_ptr<cJSON> root_;
};

#endif
