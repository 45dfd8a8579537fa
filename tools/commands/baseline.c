/* vkmeter baseline. In: runs, a name. Out: a baseline that compare knows as @NAME; the list of
 * them. Next: model/promote, model/baseline. */
#include "model/baseline.h"

#include <string.h>
#include <unistd.h>

#include "args.h"
#include "commands/commands.h"
#include "deliver.h"
#include "message.h"
#include "model/promote.h"
#include "views/baselines.h"
#include "views/term.h"

static bool check_sources(char *const *operands, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(operands[i], "-") == 0 || operands[i][0] == '@') {
      vkm_error("'%s' cannot be promoted; give the files or the directory that runs were recorded "
                "into",
                operands[i]);
      return false;
    }
  }
  return true;
}

static struct vkm_outcome update(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  const char *directory = vkm_baseline_directory(args->baseline_dir);
  if (args->operand_count < 3) {
    vkm_error("baseline update needs NAME and FILE...; see vkmeter help baseline");
    return outcome;
  }
  const char *name = args->operands[1];
  struct vkm_side_source source = {name, args->operands + 2, args->operand_count - 2, directory};
  struct vkm_side side;
  if (!vkm_baseline_name_check(name) || !check_sources(source.operands, source.operand_count) ||
      !vkm_side_load(&side, &source)) {
    return outcome;
  }
  if (!vkm_promotable(&side, args->require)) {
    vkm_error("baseline '%s' stays as it was", name);
    outcome.kind = VKM_OUTCOME_GATE;
  } else if (vkm_baseline_write(&side, directory, name)) {
    outcome.kind = VKM_OUTCOME_DONE;
  }
  vkm_side_finish(&side);
  return outcome;
}

static struct vkm_outcome list(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  const char *directory = vkm_baseline_directory(args->baseline_dir);
  struct vkm_baselines baselines;
  if (args->operand_count > 1) {
    vkm_error("baseline list takes nothing, '%s' is too much; give --baseline-dir=DIR for another "
              "directory",
              args->operands[1]);
    return outcome;
  }
  if (!vkm_baselines_list(&baselines, directory)) {
    return outcome;
  }
  struct vkm_view_settings settings = args->view;
  vkm_term_resolve(&settings, STDOUT_FILENO);
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_view_baselines(&baselines, &settings, &text);
  if (baselines.count == 0) {
    vkm_note("no baseline in '%s'; promote one with vkmeter baseline update NAME FILE...",
             directory);
  }
  if (vkm_deliver(NULL, &text)) {
    outcome.kind = VKM_OUTCOME_DONE;
  }
  vkm_text_finish(&text);
  vkm_baselines_finish(&baselines);
  return outcome;
}

struct vkm_outcome vkm_command_baseline(const struct vkm_args *args) {
  const char *action = args->operands[0];
  if (strcmp(action, "update") == 0) {
    return update(args);
  }
  if (strcmp(action, "list") == 0) {
    return list(args);
  }
  vkm_error("unknown action '%s' of baseline; give update or list", action);
  return (struct vkm_outcome){VKM_OUTCOME_TROUBLE, 0};
}
