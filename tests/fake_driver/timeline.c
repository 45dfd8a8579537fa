// The virtual clock: executes the commands of one batch by the model in fake_driver.h.
//
// In: a batch whose waits are met. Out: times in the queue, query values, moved bytes, the end
// time. Next room: queue.c publishes all of it when the batch completes.
#include "internal.h"

#include <string.h>

#define BIT(unit) (1U << (unit))
enum { ALL_UNITS = (1U << UNIT_COUNT) - 1 };

static const VkPipelineStageFlags2 transfer_stages =
    VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT |
    VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT;
// All that is no other unit's.
static const VkPipelineStageFlags2 not_graphics =
    VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT |
    VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT |
    VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT |
    VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT |
    VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT;

static uint32_t units_of(VkPipelineStageFlags2 stages) {
  uint32_t units = 0;
  if ((stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0) {
    units = ALL_UNITS;
  }
  if ((stages & VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT) != 0) {
    units |= BIT(UNIT_COMPUTE);
  }
  if ((stages & transfer_stages) != 0) {
    units |= BIT(UNIT_TRANSFER);
  }
  if ((stages & ~not_graphics) != 0) {
    units |= BIT(UNIT_GRAPHICS);
  }
  if ((stages & VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT) != 0) {
    units |= BIT(UNIT_INDIRECT);
  }
  return units;
}

uint32_t fake_units_before(VkPipelineStageFlags2 stages) {
  uint32_t units = units_of(stages);
  if ((stages & VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT) != 0) {
    units = ALL_UNITS;
  }
  if ((units & (BIT(UNIT_COMPUTE) | BIT(UNIT_GRAPHICS))) != 0) {
    units |= BIT(UNIT_INDIRECT);
  }
  return units;
}

uint32_t fake_units_after(VkPipelineStageFlags2 stages) {
  uint32_t units = units_of(stages);
  if ((stages & VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT) != 0) {
    units = ALL_UNITS;
  }
  if ((units & BIT(UNIT_INDIRECT)) != 0) {
    units |= BIT(UNIT_COMPUTE) | BIT(UNIT_GRAPHICS);
  }
  return units;
}

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

uint64_t fake_reached(const struct fake_queue *queue, uint32_t units) {
  uint64_t time = 0;
  for (int unit = 0; unit < UNIT_COUNT; unit++) {
    if ((units & BIT(unit)) != 0) {
      time = later(time, later(queue->done[unit], queue->ready[unit]));
    }
  }
  return time;
}

uint64_t fake_all_done(const struct fake_queue *queue) {
  return later(queue->front, fake_reached(queue, ALL_UNITS));
}

void fake_order_after(struct fake_queue *queue, uint32_t units, uint64_t time_ns) {
  for (int unit = 0; unit < UNIT_COUNT; unit++) {
    if ((units & BIT(unit)) != 0) {
      queue->ready[unit] = later(queue->ready[unit], time_ns);
    }
  }
}

struct run {
  struct fake_node *node;
  struct fake_queue *queue;
  const struct fake_config *config;
};

static void note(const struct run *run, const struct fake_command *command, uint64_t start_ns,
                 uint64_t end_ns, const uint32_t groups[3]) {
  fake_log_execution(&(struct fake_execution){
      .name = command->name,
      .entry = command->kind == KIND_DISPATCH || command->kind == KIND_DISPATCH_INDIRECT
                   ? command->text
                   : NULL,
      .queue = (VkQueue)run->queue,
      .submission = run->node->number,
      .query = command->first,
      .x = groups != NULL ? groups[0] : 0,
      .y = groups != NULL ? groups[1] : 0,
      .z = groups != NULL ? groups[2] : 0,
      .start_ns = start_ns,
      .end_ns = end_ns,
  });
}

static uint64_t issue(struct run *run, enum fake_unit unit) {
  run->queue->front += run->config->issue_ns;
  return later(run->queue->front, run->queue->ready[unit]);
}

static void finish(struct run *run, enum fake_unit unit, uint64_t end_ns) {
  run->queue->done[unit] = later(run->queue->done[unit], end_ns);
}

static void run_dispatch(struct run *run, const struct fake_command *command) {
  uint32_t groups[3] = {command->x, command->y, command->z};
  uint64_t start = issue(run, UNIT_COMPUTE);
  if (command->kind == KIND_DISPATCH_INDIRECT) {
    start = later(start, run->queue->ready[UNIT_INDIRECT]);
    finish(run, UNIT_INDIRECT, start);
    const uint8_t *arguments = fake_bytes(command->object, command->offset, sizeof groups);
    if (arguments != NULL) {
      memcpy(groups, arguments, sizeof groups);
    }
  }
  const struct fake_cost *cost = (const struct fake_cost *)(uintptr_t)command->object2;
  bool scripted = cost != NULL && cost->scripted;
  uint64_t fixed = scripted ? cost->fixed_ns : run->config->dispatch_ns;
  uint64_t each = scripted ? cost->per_group_ns : run->config->group_ns;
  uint64_t end = start + fixed + each * groups[0] * groups[1] * groups[2];
  finish(run, UNIT_COMPUTE, end);
  run->queue->work_count++;
  note(run, command, start, end, groups);
}

static void run_transfer(struct run *run, const struct fake_command *command) {
  uint64_t start = issue(run, UNIT_TRANSFER);
  double moving = run->config->byte_ns * (double)fake_transfer_bytes(command);
  uint64_t end = start + run->config->transfer_ns + (uint64_t)moving;
  fake_transfer_move(command);
  finish(run, UNIT_TRANSFER, end);
  note(run, command, start, end, NULL);
}

static void run_copy_queries(struct run *run, const struct fake_command *command) {
  uint64_t start = fake_query_copy_time_locked(command, issue(run, UNIT_TRANSFER));
  uint64_t end =
      start + run->config->transfer_ns + (uint64_t)(run->config->byte_ns * 8.0 * command->count);
  fake_query_copy_locked(command, start);
  finish(run, UNIT_TRANSFER, end);
  note(run, command, start, end, NULL);
}

static void run_draw(struct run *run, const struct fake_command *command) {
  uint64_t start = issue(run, UNIT_GRAPHICS);
  uint64_t end = start + run->config->draw_ns;
  finish(run, UNIT_GRAPHICS, end);
  run->queue->work_count++;
  note(run, command, start, end, NULL);
}

static void run_work(struct run *run, const struct fake_command *command) {
  uint64_t start = issue(run, UNIT_COMPUTE);
  uint64_t end = start + run->config->work_ns;
  finish(run, UNIT_COMPUTE, end);
  note(run, command, start, end, NULL);
}

static void run_stamp(struct run *run, const struct fake_command *command) {
  struct fake_queue *queue = run->queue;
  queue->front += run->config->stamp_ns;
  uint64_t time = later(queue->front, fake_reached(queue, fake_units_before(command->src)));
  fake_query_stamp_locked(run->node, command, time);
  note(run, command, time, time, NULL);
}

static void run_barrier(struct run *run, const struct fake_command *command) {
  const VkPipelineStageFlags2(*pairs)[2] = command->data;
  uint64_t times[64];
  uint32_t count = command->count < 64 ? command->count : 64;
  // All sources are looked at before any destination moves: the dependencies are one command.
  for (uint32_t i = 0; i < count; i++) {
    times[i] = fake_reached(run->queue, fake_units_before(pairs[i][0]));
    times[i] += times[i] > 0 ? run->config->barrier_ns : 0;
  }
  for (uint32_t i = 0; i < count; i++) {
    fake_order_after(run->queue, fake_units_after(pairs[i][1]), times[i]);
  }
}

static void run_event(struct run *run, const struct fake_command *command) {
  struct fake_event *event = (struct fake_event *)(uintptr_t)command->object;
  if (command->kind == KIND_SET_EVENT) {
    event->set = true;
    event->time_ns =
        later(run->queue->front, fake_reached(run->queue, fake_units_before(command->src)));
    pthread_cond_broadcast(&fake_changed);
  } else if (command->kind == KIND_RESET_EVENT) {
    event->set = false;
  } else {
    const VkEvent *events = command->data;
    for (uint32_t i = 0; i < command->count; i++) {
      uint64_t time = FAKE_OBJECT(fake_event, events[i])->time_ns + run->config->barrier_ns;
      fake_order_after(run->queue, fake_units_after(command->dst), time);
    }
  }
}

static void run_query(struct run *run, const struct fake_command *command) {
  switch (command->kind) {
  case KIND_STAMP:
    run_stamp(run, command);
    break;
  case KIND_RESET_QUERIES:
    fake_query_reset_locked(run->node, command);
    note(run, command, run->queue->front, run->queue->front, NULL);
    break;
  case KIND_COPY_QUERIES:
    run_copy_queries(run, command);
    break;
  case KIND_BEGIN_QUERY:
    fake_query_begin_locked(run->node, command);
    break;
  default:
    fake_query_end_locked(run->node, command);
    break;
  }
}

static void run_buffer(struct run *run, const struct fake_cb *cb);

static void run_command(struct run *run, const struct fake_command *command) {
  switch ((enum fake_kind)command->kind) {
  case KIND_STATE:
    break;
  case KIND_DISPATCH:
  case KIND_DISPATCH_INDIRECT:
    run_dispatch(run, command);
    break;
  case KIND_COPY:
  case KIND_FILL:
  case KIND_UPDATE:
  case KIND_IMAGE_TRANSFER:
    run_transfer(run, command);
    break;
  case KIND_DRAW:
    run_draw(run, command);
    break;
  case KIND_WORK:
    run_work(run, command);
    break;
  case KIND_BARRIER:
    run_barrier(run, command);
    break;
  case KIND_SET_EVENT:
  case KIND_RESET_EVENT:
  case KIND_WAIT_EVENTS:
    run_event(run, command);
    break;
  case KIND_EXECUTE: {
    const VkCommandBuffer *secondaries = command->data;
    for (uint32_t i = 0; i < command->count; i++) {
      run_buffer(run, (const struct fake_cb *)secondaries[i]);
    }
    break;
  }
  default:
    run_query(run, command);
    break;
  }
}

static void run_buffer(struct run *run, const struct fake_cb *cb) {
  for (uint32_t i = 0; i < cb->count; i++) {
    run_command(run, &cb->commands[i]);
  }
}

void fake_run_locked(struct fake_node *node) {
  struct run run = {node, node->queue, fake_settings()};
  run.queue->front = later(run.queue->front, node->clock_ns);
  for (uint32_t i = 0; i < node->wait_count; i++) {
    fake_order_after(run.queue, fake_units_after(node->waits[i].stages),
                     fake_semaphore_time(node->waits[i].semaphore, node->waits[i].value));
  }
  for (uint32_t i = 0; i < node->buffer_count; i++) {
    run_buffer(&run, node->buffers[i]);
  }
  for (uint32_t i = 0; i < node->signal_count; i++) {
    node->signals[i].time_ns = later(
        run.queue->front, fake_reached(run.queue, fake_units_before(node->signals[i].stages)));
  }
  node->end_ns = fake_all_done(run.queue);
}
