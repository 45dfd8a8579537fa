// What the rooms of the driver share: objects, the one lock, faults and the log.
//
// In: nothing. Out: types and verbs for every .c file here. Next room: proc.c finds the commands,
// record*.c fills command buffers, submit.c queues them, timeline.c runs them, queries.c gives
// results.
//
// fake_mutex guards everything except recording, which the application synchronizes. Verbs that end
// in _locked want it held. Handles of non-dispatchable objects are the addresses of their
// structures.
#ifndef FAKE_INTERNAL_H
#define FAKE_INTERNAL_H

#include "fake_driver.h"

#include <pthread.h>
#include <stdatomic.h>

enum fake_extension {
#define FAKE_EXTENSION(name, version, level) FAKE_##name,
#include "extensions.def"
#undef FAKE_EXTENSION
  FAKE_EXTENSION_COUNT,
  FAKE_NONE = FAKE_EXTENSION_COUNT
};
#define FAKE_BIT(extension) (1ULL << (extension))

struct fake_extension_row {
  const char *name;
  uint32_t version;
  char level; // 'i' or 'd'
  bool rare;  // offered only with rare_extensions
};
extern const struct fake_extension_row fake_extensions[FAKE_EXTENSION_COUNT];

enum fake_unit { UNIT_COMPUTE, UNIT_TRANSFER, UNIT_GRAPHICS, UNIT_INDIRECT, UNIT_COUNT };

enum fake_kind {
  KIND_STATE, // costs nothing, does nothing
  KIND_DISPATCH,
  KIND_DISPATCH_INDIRECT,
  KIND_COPY,
  KIND_FILL,
  KIND_UPDATE,
  KIND_IMAGE_TRANSFER,
  KIND_DRAW,
  KIND_WORK, // of another kind, on the unit COMPUTE
  KIND_BARRIER,
  KIND_STAMP,
  KIND_RESET_QUERIES,
  KIND_COPY_QUERIES,
  KIND_BEGIN_QUERY,
  KIND_END_QUERY,
  KIND_SET_EVENT,
  KIND_RESET_EVENT,
  KIND_WAIT_EVENTS,
  KIND_EXECUTE
};

struct fake_physical {
  uintptr_t key;
  struct fake_instance *instance;
  uint32_t index;
};

struct fake_instance {
  uintptr_t key;
  uint32_t api; // VK_API_VERSION of the application, at least 1.0
  uint64_t extensions;
  struct fake_physical physicals[2];
  uint32_t physical_count;
};

// Header of every non-dispatchable object; linked into its device.
struct fake_object {
  struct fake_object *next, *previous;
  struct fake_device *device;
  const char *type;
  uint64_t serial;
};

struct fake_node; // submit.c

struct fake_queue {
  uintptr_t key;
  struct fake_device *device;
  uint32_t family, index;
  VkDeviceQueueCreateFlags flags;
  atomic_int in_use;
  struct fake_node *head, *tail;
  uint64_t front, done[UNIT_COUNT], ready[UNIT_COUNT];
  uint64_t work_count; // dispatches and draws executed, the value of begin/end queries
};

struct fake_device {
  uintptr_t key;
  struct fake_device *next; // live devices
  struct fake_instance *instance;
  struct fake_physical *physical;
  uint32_t api;
  uint64_t extensions;
  uint64_t instance_extensions;
  bool host_query_reset, synchronization2, timeline_semaphore, executable_info;
  bool profiling_lock; // VK_KHR_performance_query
  bool orphan;         // its instance is gone
  bool lost;
  struct fake_queue *queues;
  uint32_t queue_count;
  struct fake_object objects; // list head
  struct fake_query_pool *dead_pools;
  struct fake_cb *spare_buffers;
  pthread_t worker;
  bool worker_runs, worker_stops;
};

struct fake_memory {
  struct fake_object object;
  VkDeviceSize size;
  uint8_t *bytes;
  uint32_t type;
};

struct fake_buffer {
  struct fake_object object;
  VkDeviceSize size;
  VkBufferUsageFlags2 usage;
  struct fake_memory *memory;
  VkDeviceSize offset;
};

struct fake_fence {
  struct fake_object object;
  bool signaled;
  uint64_t time_ns;
  uint32_t pending;
};

struct fake_point {
  uint64_t value, time_ns;
};

struct fake_semaphore {
  struct fake_object object;
  bool timeline;
  uint64_t value;            // binary: 0 or 1
  struct fake_point *points; // when each value was reached
  uint32_t point_count, point_capacity;
  uint32_t pending;
};

struct fake_event {
  struct fake_object object;
  bool set;
  uint64_t time_ns;
};

// The host sees `value` while `available`; the device side is ahead of it until completion.
struct fake_query {
  uint64_t value, previous, device_value, device_time_ns, begin_count;
  int64_t available_real_ns; // FAKE_QUERY_LATE
  uint32_t stale_reads;
  uint32_t pending; // submissions that use it
  bool available, device_available, initialized, written_before, device_pending_late;
};

struct fake_access; // queries.c: host calls that are inside a range now

struct fake_query_pool {
  struct fake_object object;
  struct fake_query_pool *next_dead;
  VkQueryType type;
  uint32_t count;
  uint32_t number;
  bool destroyed;
  bool whole_buffer; // a performance counter of scope COMMAND_BUFFER is in it
  uint32_t counter_count;
  struct fake_query *queries;
  struct fake_access *accesses;
};

struct fake_cost {
  struct fake_cost *next;
  char *entry;
  bool scripted;
  uint64_t fixed_ns, per_group_ns;
};

struct fake_pipeline {
  struct fake_object object;
  struct fake_cost *cost;
  VkPipelineBindPoint point;
  uint64_t flags;
};

struct fake_shader {
  struct fake_object object;
  struct fake_cost *cost;
  VkShaderStageFlagBits stage;
};

struct fake_command_pool {
  struct fake_object object;
  VkCommandPoolCreateFlags flags;
  uint32_t family;
  struct fake_cb *buffers;
};

enum fake_cb_state { CB_INITIAL, CB_RECORDING, CB_EXECUTABLE, CB_INVALID };

struct fake_chunk;

struct fake_cb {
  uintptr_t key;
  bool quiet; // recording is off: every vkCmd* returns at once
  bool secondary, in_pass;
  bool suspends, suspended; // dynamic rendering
  bool conditional;         // between begin and end of conditional rendering
  uint32_t active_queries;  // bits of the types that are begun
  bool must_end_query;      // with a performance query over the whole buffer
  struct fake_device *device;
  struct fake_command_pool *pool;
  struct fake_cb *next; // of the pool, or spare
  enum fake_cb_state state;
  VkCommandBufferUsageFlags usage;
  uint32_t pending;
  struct fake_cost *compute; // of the bound pipeline or shader object
  struct fake_command *commands;
  uint32_t count, capacity;
  struct fake_chunk *chunks;
};

extern pthread_mutex_t fake_mutex;
extern pthread_cond_t fake_changed; // anything that a host wait may wait for; CLOCK_MONOTONIC
extern struct fake_device *fake_devices;

#define FAKE_HANDLE(type, object) ((type)(uintptr_t)(object))
#define FAKE_OBJECT(type, handle) ((struct type *)(uintptr_t)(handle))
#define FAKE_ID(handle) ((uint64_t)(uintptr_t)(handle))

// Counts the call and returns the scripted failure, if it is its turn.
VkResult fake_enter(const char *name);
#define FAKE_ENTER()                                                                               \
  do {                                                                                             \
    VkResult scripted_ = fake_enter(__func__ + sizeof "fake_" - 1);                                \
    if (scripted_ != VK_SUCCESS) {                                                                 \
      return scripted_;                                                                            \
    }                                                                                              \
  } while (0)

struct fake_config *fake_settings(void); // as fake_config
void fake_violate(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool fake_listed(const char *list, const char *name); // list separated by '+'
int64_t fake_real_ns(void);
uint64_t fake_clock_locked(void);
int64_t fake_clock_origin_locked(void); // real time of host clock 0, mode real
void fake_clock_reach_locked(uint64_t ns);
struct fake_cost *fake_cost_of(const char *entry);
uint32_t fake_valid_bits(uint32_t family);
VkQueueFlags fake_family_flags(uint32_t family);
uintptr_t fake_key(const void *group); // first word of a dispatchable object
void fake_settings_reset(void);
void fake_script_reset(void);
void fake_violations_reset(void);

// objects.c
void *fake_object_new(struct fake_device *device, const char *type, size_t size);
void fake_object_delete(void *object); // NULL is fine
void fake_object_unlink(void *object); // for those whose memory outlives them
void fake_objects_report(struct fake_device *device);
uint64_t fake_next_serial(void);

// extensions.c
uint64_t fake_offered(char level);
uint64_t fake_extension_bit(const char *name); // 0: unknown
// Violation unless core since `version` (a VK_API_VERSION, 0: never) or one of the extensions is
// enabled.
void fake_require(struct fake_device *device, uint32_t version, uint64_t any, const char *name);

// features.c, properties.c
void fake_fill_features(VkPhysicalDeviceFeatures *features);
struct fake_asked {
  bool host_query_reset, executable_info, synchronization2, timeline_semaphore;
};
struct fake_asked fake_asked_features(const VkDeviceCreateInfo *info);

// log.c
void fake_log_submission(const struct fake_submission *submission);
void fake_log_execution(const struct fake_execution *execution);
void fake_log_attempt(const VkDeviceCreateInfo *info, VkResult result);
void fake_log_creation(const struct fake_creation *creation);
void fake_log_reset(void);
void fake_query_numbers_reset(void); // queries.c
uint32_t fake_submit_number(void);

// buffers.c: storage of recordings
struct fake_command *fake_push(struct fake_cb *cb, enum fake_kind kind, const char *name);
void fake_push_data(struct fake_cb *cb, struct fake_command *command, const void *data,
                    size_t size);
const char *fake_push_text(struct fake_cb *cb, const char *text);
#define FAKE_CB(handle)                                                                            \
  struct fake_cb *cb = (struct fake_cb *)(handle);                                                 \
  if (cb->quiet) {                                                                                 \
    return;                                                                                        \
  }

// submit.c, queue.c
struct fake_wait {
  struct fake_semaphore *semaphore;
  uint64_t value;
  VkPipelineStageFlags2 stages;
  uint64_t time_ns; // of a signal, once run
};
struct fake_effect { // what becomes visible to the host when the submission completes
  struct fake_query *query;
  uint64_t value;
  bool write; // else reset
};
struct fake_node {
  struct fake_node *next;
  struct fake_queue *queue;
  struct fake_cb **buffers;
  struct fake_wait *waits, *signals;
  struct fake_fence *fence;
  struct fake_effect *effects;
  uint32_t buffer_count, wait_count, signal_count, effect_count, effect_capacity;
  uint32_t number;  // of the submit call
  bool first, last; // of the call
  bool started;
  uint64_t clock_ns, end_ns;
  int64_t due_ns; // real; 0 now
};
void fake_nodes_drop(struct fake_device *device);
void fake_spare_buffers_free(struct fake_device *device); // buffers.c
void fake_node_enqueue_locked(struct fake_node *node);
void fake_pump_locked(void);
void fake_effect_add(struct fake_node *node, struct fake_query *query, bool write, uint64_t value);
void fake_node_free(struct fake_node *node);
void fake_lose_locked(struct fake_device *device);
void fake_worker_start_locked(struct fake_device *device); // worker.c
void fake_credits_reset(void);
bool fake_device_idle_locked(const struct fake_device *device);
bool fake_queue_enter(struct fake_queue *queue, const char *name);
void fake_queue_leave(struct fake_queue *queue);
// Waits until done(argument) under the lock; VK_TIMEOUT, or DEVICE_LOST where `device` was lost.
VkResult fake_block_locked(struct fake_device *device, bool (*done)(void *), void *argument,
                           uint64_t timeout_ns, const char *name);
void fake_count_uses_locked(struct fake_cb *cb, int change);

// sync.c
uint64_t fake_semaphore_time(const struct fake_semaphore *semaphore, uint64_t value);
bool fake_semaphore_reached(const struct fake_semaphore *semaphore, uint64_t value);
void fake_semaphore_signal_locked(struct fake_semaphore *semaphore, uint64_t value,
                                  uint64_t time_ns);

// timeline.c
void fake_run_locked(struct fake_node *node);
uint32_t fake_units_before(VkPipelineStageFlags2 stages); // masks of units
uint32_t fake_units_after(VkPipelineStageFlags2 stages);
uint64_t fake_all_done(const struct fake_queue *queue);
uint64_t fake_reached(const struct fake_queue *queue, uint32_t units);
void fake_order_after(struct fake_queue *queue, uint32_t units, uint64_t time_ns);

// transfer.c
uint8_t *fake_bytes(uint64_t buffer, uint64_t offset,
                    uint64_t size); // NULL: out of range or unbound
uint64_t fake_transfer_bytes(const struct fake_command *command);
void fake_transfer_move(const struct fake_command *command);

// queries.c
void fake_query_stamp_locked(struct fake_node *node, const struct fake_command *command,
                             uint64_t time_ns);
void fake_query_reset_locked(struct fake_node *node, const struct fake_command *command);
void fake_query_begin_locked(struct fake_node *node, const struct fake_command *command);
void fake_query_end_locked(struct fake_node *node, const struct fake_command *command);
uint64_t fake_query_copy_time_locked(const struct fake_command *command, uint64_t start_ns);
void fake_query_copy_locked(const struct fake_command *command, uint64_t start_ns);
void fake_effects_publish_locked(struct fake_node *node);
void fake_queries_free_dead(struct fake_device *device);

// performance.c
VkResult fake_performance_pool(struct fake_query_pool *pool, const VkQueryPoolCreateInfo *info);
void fake_performance_begin(struct fake_cb *cb, const struct fake_query_pool *pool);
void fake_performance_end(const struct fake_cb *cb); // at vkEndCommandBuffer

#define FAKE_ENTRY(name, scope, version, extension) __typeof__(*(PFN_##name)NULL) fake_##name;
#define FAKE_ALIAS(name, core, scope, version, extension)
#define FAKE_STUB(name, version)
#define FAKE_WORK(name, version, extension, kind, family, place)                                   \
  VKAPI_ATTR void VKAPI_CALL fake_##name(VkCommandBuffer buffer);
#include "entries.def"
#undef FAKE_WORK
#undef FAKE_ENTRY
#undef FAKE_ALIAS
#undef FAKE_STUB

#endif
