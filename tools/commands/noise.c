/* vkmeter noise. In: runs of one build. Out: how much each row varies between them. Next:
 * compare --noise. */
#include "args.h"
#include "commands/commands.h"
#include "deliver.h"
#include "message.h"
#include "model/baseline.h"
#include "model/noise_file.h"
#include "model/side.h"

static bool deliver(const struct vkm_noise *noise, const char *path) {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_noise_write(noise, &text);
  bool good = vkm_deliver(path, &text);
  vkm_text_finish(&text);
  return good;
}

static bool learn(const struct vkm_args *args, const struct vkm_side *side) {
  if (side->run_count < VKM_NOISE_RUNS_NEEDED) {
    vkm_error("noise needs at least %d runs of the same build, %zu %s given; record more with "
              "vkmeter run --repeat",
              VKM_NOISE_RUNS_NEEDED, side->run_count, side->run_count == 1 ? "is" : "are");
    return false;
  }
  struct vkm_noise noise;
  if (!vkm_noise_build(&noise, side, args->compare.stat, args->warmup)) {
    return false;
  }
  bool good = deliver(&noise, args->file);
  if (good && noise.too_few_count > 0) {
    vkm_note("%zu %s left out: timed in fewer than %d runs", noise.too_few_count,
             noise.too_few_count == 1 ? "row is" : "rows are", VKM_NOISE_RUNS_NEEDED);
  }
  if (good && args->file != NULL) {
    vkm_note("wrote the noise of %zu %s over %zu runs to '%s'; see vkmeter compare --noise",
             noise.row_count, noise.row_count == 1 ? "row" : "rows", side->run_count, args->file);
  }
  vkm_noise_finish(&noise);
  return good;
}

struct vkm_outcome vkm_command_noise(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_side side;
  struct vkm_side_source source = {"noise", args->operands, args->operand_count,
                                   vkm_baseline_directory(args->baseline_dir)};
  if (!vkm_side_load(&side, &source)) {
    return outcome;
  }
  for (size_t i = 0; i < side.error_count; i++) {
    vkm_error("'%s': the run failed: %s; it is in no figure, record it again", side.errors[i].path,
              side.errors[i].cause);
  }
  if (learn(args, &side)) {
    outcome.kind = side.error_count > 0 ? VKM_OUTCOME_GATE : VKM_OUTCOME_DONE;
  }
  vkm_side_finish(&side);
  return outcome;
}
