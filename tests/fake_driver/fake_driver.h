// The scripted Vulkan driver: what a test may set, order and read back.
//
// In: the configuration and orders of a test, in its own process. Out: results of the driver and
// everything that it was asked to do. Next room: the driver itself, reached by vk_icd*.
//
// A test opens the library by the path in the driver manifest (so that it shares the loader's
// copy), or links it, and calls the functions below. A program that cannot call them is scripted by
// the environment variable FAKE_DRIVER: comma- or semicolon-separated `key=value` pairs; a key is
// the name of a field of struct fake_config; lists inside a value are separated by '+'. Example:
//   FAKE_DRIVER="families=gc2:64+c4+t:0;valid_bits=36;period=83.3333;host_query_reset=0;
//                missing=VK_EXT_calibrated_timestamps;completion=delayed"
// Three keys are no fields: valid_bits (of all families so far), costs (as fake_set_cost:
// entry:fixed:per_group) and faults (as fake_fail: command:nth:result), both lists.
// A family is its letters (g graphics, c compute, t transfer, s sparse, p protected, v video
// decode, e video encode), then optionally the count of queues, then optionally ':' and the valid
// bits of its timestamps.
//
// THE MODEL. Time is virtual, in nanoseconds from 0. Each queue has a front end that reads commands
// in order, and four units that do the work: COMPUTE, TRANSFER, GRAPHICS, INDIRECT (fetch of
// indirect arguments). A queue keeps
//   front      when the front end is free
//   done[u]    when all work of unit u that was issued so far is done
//   ready[u]   before when no further work of unit u may start (set by barriers and semaphores)
//   1. A batch starts with front = max(front, host clock at the submit call).
//   2. An action command of unit u: front += issue_ns; start = max(front, ready[u]); end = start +
//   cost;
//      done[u] = max(done[u], end). It does not wait for other commands: they overlap. Costs:
//        dispatch  fixed + per_group * x * y * z of its entry point (fake_set_cost), else the
//        default copy, fill, update, clear, blit, resolve, copy of query results   transfer_ns +
//        bytes * byte_ns draw, render pass content                                          draw_ns
//        everything else that works (FAKE_WORK in entries.def): work_ns, on the unit COMPUTE
//      An indirect dispatch also starts no earlier than ready[INDIRECT]; done[INDIRECT] = its
//      start.
//   3. A barrier from stages S to stages D: t = max over u in S of max(done[u], ready[u]), plus
//      barrier_ns (unless t is 0); ready[u] = max(ready[u], t) for all u in D. S takes in logically
//      earlier stages (COMPUTE has INDIRECT in it), D logically later ones (INDIRECT has COMPUTE
//      and GRAPHICS in it). TOP_OF_PIPE is no unit as S and all units as D; BOTTOM_OF_PIPE the
//      reverse. An event is the same in two halves. A waited semaphore is a barrier whose t is the
//      time at which it was signalled.
//   4. A timestamp at stage S: front += stamp_ns; time = max(front, done[u], ready[u] for all u in
//   S).
//      TOP_OF_PIPE and NONE: time = front. Later commands are not delayed by it.
//   5. ticks = (start_ticks + floor(time / period)) masked to the valid bits of the family
//   (from tick_reset_ns on the counter has started again: floor((time - tick_reset_ns) / period)).
//   A period of
//      0, infinity or NaN counts as 1.
//   6. Fences and submit-1 semaphores are signalled at max over all units of max(front, done,
//   ready).
// The host clock is 0 at fake_reset. A successful host wait moves it to the time of what was waited
// for, and fake_advance moves it. In completion mode `real` it is the real monotonic clock instead.
//
// WORKED EXAMPLES (issue_ns 10, stamp_ns 0, barrier_ns 0, period 1; dispatch A 5000, B 8000; host
// clock 0)
//   a. independent: stamp COMPUTE s0, A, stamp s1, B, stamp s2
//        s0 = 0; A issues at 10, ends 5010; s1 = 5010; B issues at 20, ends 8020; s2 = 8020
//        B is charged 3010: what it added.
//   b. the same with a barrier COMPUTE -> COMPUTE between s1 and B
//        ready = 5010; B runs 5010..13010; s2 = 13010; B is charged 8000.
//   c. b with s1 at TOP_OF_PIPE: s1 = front = 10: A is charged 10 and B 13000. Wrong stage, wrong
//   numbers. d. copy of 1000 bytes (transfer_ns 500, byte_ns 2: 2500 ns), s0 COMPUTE, A, s1 COMPUTE
//        copy runs 10..2510; s0 = 10 (no compute work before it); A issues at 20, ends 5020; s1 =
//        5020: 5010. With a barrier TRANSFER -> COMPUTE after the copy: s0 = 2510, A 2510..7510:
//        5000.
//   e. wrap: valid bits 36, start_ticks 2^36 - 100: s0, A, s1
//        s0 = 68719476636, s1 = 4910: (s1 - s0) masked = 5010.
#ifndef FAKE_DRIVER_H
#define FAKE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FAKE_API __attribute__((visibility("default")))
#define FAKE_MAX_FAMILIES 8
#define FAKE_LIST_BYTES 1024

enum fake_completion {
  FAKE_COMPLETION_IMMEDIATE, // a submission completes inside the submit call if its waits are met
  FAKE_COMPLETION_MANUAL,    // a vkQueueSubmit call completes when fake_complete says so
  FAKE_COMPLETION_DELAYED,   // a driver thread completes it delay_ms after the call
  FAKE_COMPLETION_REAL // the host clock is real; completes when the real clock is past its end
};

enum fake_query_mode {
  FAKE_QUERY_NORMAL,
  FAKE_QUERY_NEVER, // written, never available
  FAKE_QUERY_LATE,  // available late_ms after completion, or after fake_release_queries
  FAKE_QUERY_ZERO,  // available with value 0
  FAKE_QUERY_STALE  // the first stale_reads reads after a rewrite still give the previous value
};

struct fake_family {
  VkQueueFlags flags;
  uint32_t queue_count;
  uint32_t valid_bits;
};

// Filled by the test before vkCreateInstance; fields marked live count from the moment they are
// set.
struct fake_config {
  // Identity
  uint32_t api_version;
  VkPhysicalDeviceType type;
  uint32_t vendor_id, device_id, driver_version;
  VkDriverId driver_id;
  char name[128], driver_name[128], driver_info[128];
  uint32_t device_count; // 1 or 2; 2 form one device group
  struct fake_family families[FAKE_MAX_FAMILIES];
  uint32_t family_count;
  char missing[FAKE_LIST_BYTES];     // extensions not offered, separated by '+'
  uint32_t host_query_reset;         // feature offered
  uint32_t timeline_semaphore;       // feature offered
  uint32_t synchronization2;         // feature offered
  uint32_t maintenance4;             // feature offered
  uint32_t maintenance5;             // feature offered
  uint32_t pipeline_executable_info; // feature offered
  uint32_t protected_memory;         // feature offered
  uint32_t rare_extensions; // ray tracing, shader objects, performance queries and so on offered
  uint32_t shader_info;     // VK_AMD_shader_info offered
  uint32_t max_queries_per_pool; // a larger pool fails with OUT_OF_DEVICE_MEMORY; 0: no limit

  // Clock and costs (all live)
  float period;
  uint64_t start_ticks;
  uint64_t tick_reset_ns; // when the counter starts again at 0; 0: never
  uint64_t issue_ns, stamp_ns, barrier_ns;
  uint64_t dispatch_ns, group_ns; // for entry points without a cost of their own
  uint64_t transfer_ns;
  double byte_ns;
  uint64_t draw_ns;
  uint64_t work_ns; // ray tracing, builds, generated commands, video and so on

  // Completion (live)
  enum fake_completion completion;
  uint64_t delay_ms;
  uint64_t block_limit_ms; // a wait that lasts longer is a violation and returns VK_TIMEOUT

  // Queries (live)
  enum fake_query_mode query_mode;
  uint64_t late_ms;
  uint32_t stale_reads;
  uint64_t availability;      // the value written for "available"
  uint32_t reads_idle_device; // vkGetQueryPoolResults first waits until nothing is pending
  uint64_t query_call_us;     // a read or host reset really takes that long (widens races)
  uint64_t queue_call_us;     // the same for commands of a queue

  // Calibration (live). The monotonic domains answer host_origin_ns + host clock (mode real: the
  // real clock); the device domain the ticks of the host clock, plus calibration_offset ticks.
  uint64_t host_origin_ns;
  int64_t calibration_offset;
  uint64_t calibration_deviation;
  uint32_t calibration_domains; // bit 0 device, 1 CLOCK_MONOTONIC, 2 CLOCK_MONOTONIC_RAW

  // VK_EXT_memory_budget (live): of heap 0; heap 1 answers one more.
  uint64_t budget, usage;

  // What the compiler says of pipelines (live)
  uint32_t executables;     // of each pipeline
  uint32_t statistics;      // of each executable, on top of the six of every format: "more N"
  uint32_t odd_names;       // 1: names of any bytes, one of them without a NUL; 2: all without
  uint32_t announced_less;  // the call for a count answers one less than there are
  uint32_t representations; // of each executable: texts and binaries in turn
  uint32_t feedback_flags;  // VkPipelineCreationFeedbackFlags of a pipeline and its stages
  uint64_t feedback_ns, stage_feedback_ns;
  uint64_t refuse_flags; // vkCreate*Pipelines with one of them fails with refuse_result

  // Faults (live)
  char refuse_extensions[FAKE_LIST_BYTES]; // vkCreateDevice with one of them fails
  char refuse_features[FAKE_LIST_BYTES];   // hostQueryReset, pipelineExecutableInfo
  VkResult refuse_result;
  uint64_t lost_at_submit;  // the Nth submit call from now (1 = next) loses the device; 0 = never
  uint32_t lost_reads;      // reads of a lost device succeed with garbage, not DEVICE_LOST
  uint32_t expose_disabled; // proc addresses are non-NULL for commands that are not enabled
  uint32_t null_flagged_queues; // vkGetDeviceQueue answers NULL for queues created with flags

  // Speed (set before recording)
  uint32_t recording; // 0: vkCmd* return at once and nothing is executed
  uint32_t log;       // 0: no call counts, submissions or executions are kept
  // Without a loader: dispatchable handles get keys as a loader would give them (instance and
  // physical devices share one, a device and its queues and command buffers another) in place of
  // the magic word.
  uint32_t direct;
};

// One recorded command. Unused fields are 0. Valid until its command buffer is reset or freed.
struct fake_command {
  const char *name; // core name where there is one: "vkCmdPipelineBarrier2" for the KHR call too
  const char *text; // entry point of a dispatch or bound pipeline, label name; or NULL
  uint64_t object;  // pipeline bound, query pool, source or only buffer, event, image
  uint64_t object2; // destination buffer
  VkPipelineStageFlags2 src, dst; // barrier, event; the stage of a timestamp is in src
  uint32_t first, count;          // queries; secondaries, barriers or regions: count
  uint32_t x, y, z;               // groups
  uint32_t base_x, base_y, base_z;
  uint64_t offset, offset2, size, stride;
  uint32_t flags;
  uint32_t data_size;
  const void *data; // regions, pushed or updated bytes, secondaries
  int kind;         // for the driver
};

// One vkQueueSubmit, vkQueueSubmit2(KHR) or vkQueueBindSparse call, as received.
struct fake_submission {
  const char *name;
  VkQueue queue;
  VkFence fence;
  VkResult result;
  uint32_t count;
  const void *pointer; // the array pointer itself
  const void *bytes;   // copy of the array, count elements
  size_t byte_count;
  uint64_t deep_hash;       // as fake_hash_submits of the same arguments
  VkCommandBuffer *buffers; // all of them, in order
  uint32_t buffer_count;
};

// One executed command, in execution order.
struct fake_execution {
  const char *name;
  const char *entry; // of a dispatch
  VkQueue queue;
  uint32_t submission;       // number of the submit call, from 0
  uint32_t query;            // of a timestamp
  uint32_t x, y, z;          // groups really run
  uint64_t start_ns, end_ns; // a timestamp has start = end
};

// One vkCreateDevice call, as received.
struct fake_device_attempt {
  VkResult result;
  const VkDeviceCreateInfo *pointer;
  uint64_t deep_hash; // fake_hash_device_info of it
  uint32_t extension_count;
  char (*extensions)[VK_MAX_EXTENSION_NAME_SIZE];
  uint32_t chain_count;
  VkStructureType *chain; // of pNext, in order
  const void **chain_pointers;
  bool has_enabled_features; // pEnabledFeatures was given
  bool host_query_reset, pipeline_executable_info, synchronization2,
      timeline_semaphore; // asked for
};

// One pipeline of a vkCreate*Pipelines call, as received.
struct fake_creation {
  const char *command;
  const void *infos; // the array pointer itself
  uint32_t index;    // in it
  VkResult result;
  VkPipeline pipeline;
  uint64_t flags;     // those that count
  uint64_t old_flags; // of the create-info itself
  bool has_flags2;    // VkPipelineCreateFlags2CreateInfo is chained
  uint32_t chain_count;
  VkStructureType chain[16]; // of pNext, in order, as far as they fit
  const void *chain_pointers[16];
};

// Back to defaults plus FAKE_DRIVER; costs, faults, logs, violations and the clock are cleared.
// Call it with no live device. Any thread.
FAKE_API void fake_reset(void);
// The one configuration. Owned by the driver; no lock: change it while the driver is at rest.
FAKE_API struct fake_config *fake_config(void);
// Applies `key=value;...` as the environment variable does. False: an unknown key or bad value.
FAKE_API bool fake_configure(const char *text);

// Cost of a dispatch of pipelines with this entry point, past and future ones.
FAKE_API void fake_set_cost(const char *entry, uint64_t fixed_ns, uint64_t per_group_ns);
// The nth call of that command from now on (1 = next, 0 = every) returns that result. Any command
// that creates, allocates, submits, waits, maps, reads or ends. The driver does nothing in a failed
// call. VK_ERROR_DEVICE_LOST loses all devices, too.
FAKE_API void fake_fail(const char *name, uint32_t nth, VkResult result);

FAKE_API uint64_t fake_now(void);        // host clock, ns
FAKE_API void fake_advance(uint64_t ns); // no effect in mode real
// Ticks that a timestamp at that time has on a family with valid_bits.
FAKE_API uint64_t fake_ticks(uint64_t ns, uint32_t valid_bits);

// Manual mode: lets the next n submit calls complete (in order within each queue; calls whose waits
// are not met keep their turn). Returns how many submit calls are still pending.
FAKE_API uint32_t fake_complete(uint32_t n);
FAKE_API uint32_t fake_complete_all(void); // those pending now
FAKE_API uint32_t fake_pending(void);      // submit calls not complete, all devices
FAKE_API void fake_release_queries(void);  // FAKE_QUERY_LATE: everything complete becomes available
// From now on every device-level call that can returns VK_ERROR_DEVICE_LOST; what is pending
// completes with garbage in its queries.
FAKE_API void fake_lose_device(void);

FAKE_API uint32_t fake_violation_count(void);
FAKE_API const char *fake_violation(uint32_t index); // NULL past the end; valid until cleared
FAKE_API bool fake_has_violation(const char *part);  // one of them contains part
FAKE_API void fake_clear_violations(void);

FAKE_API uint64_t fake_call_count(const char *name); // of commands that fake_fail covers, and waits
FAKE_API const struct fake_command *fake_recorded(VkCommandBuffer buffer, uint32_t *count);
// One line a command, e.g. "vkCmdWriteTimestamp stage=0x800 pool=1 query=3"; free it. Handles are
// not printed; pools are numbered in order of creation.
FAKE_API char *fake_recorded_text(VkCommandBuffer buffer);
// The usage flags of its last vkBeginCommandBuffer.
FAKE_API VkCommandBufferUsageFlags fake_begin_flags(VkCommandBuffer buffer);
FAKE_API uint32_t fake_submission_count(void);
FAKE_API const struct fake_submission *fake_submission(uint32_t index);
FAKE_API uint32_t fake_execution_count(void);
FAKE_API const struct fake_execution *fake_execution(uint32_t index);
FAKE_API uint32_t fake_device_attempt_count(void);
FAKE_API const struct fake_device_attempt *fake_device_attempt(uint32_t index);
FAKE_API uint32_t fake_creation_count(void);
FAKE_API const struct fake_creation *fake_creation(uint32_t index);
FAKE_API void fake_clear_log(void);

// Hash over all bytes of the arguments, the arrays that they point to, and the whole pNext chain
// (pointer values included; the contents of structures of unknown type as far as their header).
FAKE_API uint64_t fake_hash_submits(const VkSubmitInfo *submits, uint32_t count);
FAKE_API uint64_t fake_hash_submits2(const VkSubmitInfo2 *submits, uint32_t count);
FAKE_API uint64_t fake_hash_device_info(const VkDeviceCreateInfo *info);

// Live objects of the device, and of all kinds that are counted (dispatchable ones excepted).
FAKE_API uint32_t fake_live_objects(void);

#ifdef __cplusplus
}
#endif
#endif
