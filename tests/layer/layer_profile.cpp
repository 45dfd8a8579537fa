// See layer_profile.h.
#include "layer_profile.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

namespace {

const cJSON *Member(const cJSON *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

// Exact up to 2^53, which no value of a test reaches.
int64_t Integer(const cJSON *item) {
  return cJSON_IsNumber(item) ? static_cast<int64_t>(item->valuedouble) : INT64_MIN;
}

int64_t Get(const cJSON *object, const char *name) {
  const cJSON *item = Member(object, name);
  EXPECT_TRUE(cJSON_IsNumber(item)) << name;
  return Integer(item);
}

int64_t GetOr(const cJSON *object, const char *name, int64_t otherwise) {
  const cJSON *item = Member(object, name);
  return cJSON_IsNumber(item) ? Integer(item) : otherwise;
}

std::string GetText(const cJSON *object, const char *name) {
  const cJSON *item = Member(object, name);
  return cJSON_IsString(item) ? item->valuestring : "(none)";
}

Nanoseconds GetList(const cJSON *object, const char *name) {
  Nanoseconds out;
  const cJSON *item;
  cJSON_ArrayForEach(item, Member(object, name)) {
    out.push_back(Integer(item));
  }
  return out;
}

Counts GetCounts(const cJSON *object, const char *name) {
  Counts out;
  const cJSON *item;
  EXPECT_TRUE(cJSON_IsObject(Member(object, name))) << name;
  cJSON_ArrayForEach(item, Member(object, name)) {
    out[item->string] = Integer(item);
  }
  return out;
}

Outcomes GetOutcomes(const cJSON *object, const char *executed) {
  Outcomes out;
  out.recorded = GetOr(object, "recorded", 0);
  out.executed = Get(object, executed);
  out.measured = Get(object, "measured");
  out.control = Get(object, "control");
  out.untimed = GetCounts(object, "untimed");
  out.missed = GetCounts(object, "missed");
  out.rejected = GetCounts(object, "rejected");
  return out;
}

KernelRow GetRow(const cJSON *kernel) {
  KernelRow row;
  row.outcomes = GetOutcomes(kernel, "executions");
  row.pipeline = GetText(kernel, "pipeline");
  row.groups = GetList(kernel, "groups");
  row.base = GetList(kernel, "base");
  row.kind = GetText(kernel, "kind");
  row.phase = GetText(kernel, "phase");
  row.samples = GetList(kernel, "samples");
  row.begins = GetList(kernel, "sample_begins_ns");
  row.seen = Get(kernel, "samples_seen");
  row.kept = Get(kernel, "samples_kept");
  const cJSON *duration = Member(kernel, "duration");
  row.sum = GetOr(duration, "sum", 0);
  row.min = GetOr(duration, "min", 0);
  row.max = GetOr(duration, "max", 0);
  row.median = GetOr(duration, "median", 0);
  const cJSON *gap = Member(kernel, "gap_before");
  row.gap_sum = GetOr(gap, "sum", 0);
  row.gap_count = GetOr(gap, "count", 0);
  row.overlap_possible = Get(kernel, "overlap_possible");
  row.conditional = Get(kernel, "conditional");
  row.first_use = GetOr(kernel, "first_use", -1);
  return row;
}

} // namespace

Profile::Profile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  std::string document = text.str();
  if (!document.empty()) {
    root_ = std::shared_ptr<cJSON>(cJSON_ParseWithLength(document.data(), document.size()),
                                   cJSON_Delete);
  }
}

const cJSON *Profile::At(const std::string &path) const {
  const cJSON *at = root_.get();
  std::istringstream parts(path);
  for (std::string part; at != nullptr && std::getline(parts, part, '.');) {
    at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, std::stoi(part)) : Member(at, part.c_str());
  }
  return at;
}

std::string Profile::Text(const std::string &path) const {
  const cJSON *item = At(path);
  return cJSON_IsString(item) ? item->valuestring : "(none)";
}

int64_t Profile::Number(const std::string &path) const {
  return Integer(At(path));
}

bool Profile::Flag(const std::string &path) const {
  const cJSON *item = At(path);
  EXPECT_TRUE(cJSON_IsBool(item)) << path;
  return cJSON_IsTrue(item) != 0;
}

std::vector<KernelRow> Profile::Rows(const std::string &entry) const {
  std::set<std::string> ids;
  const cJSON *item;
  cJSON_ArrayForEach(item, At("pipelines")) {
    if (GetText(item, "entry_point") == entry) {
      ids.insert(GetText(item, "id"));
    }
  }
  std::vector<KernelRow> rows;
  cJSON_ArrayForEach(item, At("kernels")) {
    if (ids.count(GetText(item, "pipeline")) != 0) {
      rows.push_back(GetRow(item));
    }
  }
  return rows;
}

KernelRow Profile::Row(const std::string &entry) const {
  std::vector<KernelRow> rows = Rows(entry);
  EXPECT_EQ(rows.size(), 1U) << "rows of " << entry;
  return rows.empty() ? KernelRow() : rows[0];
}

KernelRow Profile::Kind(const std::string &kind) const {
  std::vector<KernelRow> rows;
  const cJSON *item;
  cJSON_ArrayForEach(item, At("kernels")) {
    KernelRow row = GetRow(item);
    if (row.kind == kind) {
      rows.push_back(row);
    }
  }
  EXPECT_EQ(rows.size(), 1U) << "rows of kind " << kind;
  return rows.empty() ? KernelRow() : rows[0];
}

Outcomes Profile::Coverage(const std::string &kind) const {
  const cJSON *item = At("coverage." + kind);
  EXPECT_TRUE(cJSON_IsObject(item)) << kind;
  return item != nullptr ? GetOutcomes(item, "executed") : Outcomes();
}

std::vector<QueueRow> Profile::Queues() const {
  std::vector<QueueRow> out;
  const cJSON *item;
  cJSON_ArrayForEach(item, At("queues")) {
    out.push_back({Get(item, "device"), Get(item, "family"), Get(item, "index"),
                   Get(item, "submissions"), Get(item, "command_buffers"),
                   GetOr(item, "busy_ns", INT64_MIN), GetOr(item, "idle_ns", INT64_MIN),
                   GetOr(item, "first_ns", INT64_MIN), GetOr(item, "last_ns", INT64_MIN)});
  }
  return out;
}
