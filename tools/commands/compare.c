/* vkmeter compare. In: two sides. Out: what changed, and whether that fails. Next: model/side,
 * model/comparison, the views. */
#include <stdint.h>
#include <string.h>

#include "args.h"
#include "commands/commands.h"
#include "commands/sides.h"
#include "message.h"
#include "model/baseline.h"
#include "model/noise_file.h"
#include "model/segment.h"
#include "model/side.h"
#include "nearest.h"
#include "output.h"

static bool are_two(const struct vkm_args *args) {
  size_t count = args->operand_count;
  if (args->list != VKM_NO_LIST || count == VKM_SIDES) {
    return true;
  }
  bool row_apart = args->view.explain && args->view.explain_row == NULL && count == VKM_SIDES + 1;
  vkm_error("compare takes BASE and NEW, and %zu %s given; %s", count,
            count == 1 ? "path is" : "paths are",
            row_apart ? "a row is named in one word: --explain=ROW"
                      : "put the runs of a side into a directory, or write --base FILE... --new "
                        "FILE...");
  return false;
}

/* What names the two sides. */
static bool find_sources(const struct vkm_args *args, struct vkm_side_source *sources) {
  const char *directory = vkm_baseline_directory(args->baseline_dir);
  for (int side = 0; side < VKM_SIDES; side++) {
    const struct vkm_list_span *list = &args->lists[side];
    bool lists = args->list != VKM_NO_LIST;
    size_t first = lists ? list->first : (size_t)side;
    size_t count = lists ? list->count : 1;
    if (lists && !list->given) {
      vkm_error("--%s is missing; give both --base FILE... and --new FILE...",
                side == VKM_BASE ? "base" : "new");
      return false;
    }
    sources[side] = (struct vkm_side_source){side == VKM_BASE ? "base" : "new",
                                             args->operands + first, count, directory};
  }
  return are_two(args);
}

static bool reads_twice(const struct vkm_args *args) {
  size_t count = 0;
  for (size_t i = 0; i < args->operand_count; i++) {
    count += strcmp(args->operands[i], "-") == 0;
  }
  if (count > 1) {
    vkm_error("- is given %zu times, the standard input can be read once; give a path", count);
  }
  return count > 1;
}

static void explain_never_promoted(const struct vkm_side *side, const char *directory) {
  struct vkm_baselines known;
  if (!vkm_baselines_list(&known, directory)) {
    return;
  }
  const char *near = vkm_baselines_nearest(&known, side->label + 1);
  if (near != NULL) {
    vkm_warning("nobody promoted a baseline '%s', so nothing is comparable; did you mean @%s?",
                side->label + 1, near);
  } else {
    vkm_warning("nobody promoted a baseline '%s' in '%s', so nothing is comparable; promote one "
                "with vkmeter baseline update %s FILE...",
                side->label + 1, directory, side->label + 1);
  }
  vkm_baselines_finish(&known);
}

/* Which segments a baseline lacks decides the model; here is what to do about it. */
static void explain_segments(const struct vkm_side *baseline, size_t dropped,
                             const struct vkm_side *other) {
  if (baseline->profile_count > 0 || other->profile_count == 0) {
    return;
  }
  const struct vkm_read_device *device = vkm_segment_device(&other->profiles[0]);
  char driver[512] = "";
  if (device != NULL) {
    vkm_driver_text(device, driver, sizeof driver);
  }
  vkm_note(
      "%s has nothing recorded with %s, driver %s, vkmeter %s on this system; it has %zu %s of "
      "others (vkmeter baseline list)",
      baseline->label, device && device->name ? device->name : "this device", driver,
      other->profiles[0].run.vkmeter_version ? other->profiles[0].run.vkmeter_version : "?",
      dropped, dropped == 1 ? "profile" : "profiles");
}

/* With differences allowed every segment may have a counterpart. */
static void narrow(struct vkm_side *sides, const struct vkm_args *args) {
  for (int side = 0; side < VKM_SIDES; side++) {
    struct vkm_side *other = &sides[VKM_SIDES - 1 - side];
    if (sides[side].never_promoted) {
      explain_never_promoted(&sides[side], vkm_baseline_directory(args->baseline_dir));
    } else if (sides[side].baseline && args->compare.allow_different == 0) {
      size_t dropped = vkm_side_narrow(&sides[side], other);
      explain_segments(&sides[side], dropped, other);
    }
  }
}

static void warn_of_panels(const struct vkm_comparison *comparison) {
  for (size_t i = 0; i < comparison->panel_count; i++) {
    const struct vkm_panel *panel = &comparison->panels[i];
    if (panel->incomparable_because != NULL && !comparison->sides[VKM_BASE]->never_promoted &&
        !comparison->sides[VKM_NEW]->never_promoted) {
      vkm_warning("not comparable: %s", panel->incomparable_because);
    }
    if (panel->allowed != NULL) {
      vkm_warning("compared although they differ: %s", panel->allowed);
    }
  }
}

/* Every panel may lack the row that is to be explained, but not all of them. */
static bool has_row(const struct vkm_comparison *comparison, const char *name) {
  for (size_t i = 0; i < comparison->panel_count; i++) {
    for (size_t row = 0; row < comparison->panels[i].row_count; row++) {
      if (strcmp(comparison->panels[i].rows[row].name, name) == 0) {
        return true;
      }
    }
  }
  return false;
}

static const char *nearest_row(const struct vkm_comparison *comparison, const char *name) {
  const char *nearest = NULL;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < comparison->panel_count; i++) {
    for (size_t row = 0; row < comparison->panels[i].row_count; row++) {
      const char *known = comparison->panels[i].rows[row].name;
      size_t edits = vkm_edits(name, known);
      if (edits < least && vkm_is_near(name, edits)) {
        nearest = known;
        least = edits;
      }
    }
  }
  return nearest;
}

static bool can_explain(const struct vkm_comparison *comparison, const char *name) {
  if (name == NULL || has_row(comparison, name)) {
    return true;
  }
  const char *near = nearest_row(comparison, name);
  if (near != NULL) {
    vkm_error("--explain=%s: no row has this name; did you mean %s?", name, near);
  } else {
    vkm_error("--explain=%s: no row has this name; -v lists all of them", name);
  }
  return false;
}

static const char *const GATE_WORDS[VKM_GATE_COUNT][2] = {
    [VKM_GATE_SLOWER] = {"row slower", "rows slower"},
    [VKM_GATE_LIKELY_SLOWER] = {"row likely slower", "rows likely slower"},
    [VKM_GATE_GONE] = {"row gone", "rows gone"},
    [VKM_GATE_NEW] = {"row new", "rows new"},
    [VKM_GATE_UNCLEAR] = {"row unclear", "rows unclear"},
    [VKM_GATE_ENVIRONMENT] = {"environment drifted", "environments drifted"},
    [VKM_GATE_INCOMPARABLE] = {"row incomparable", "rows incomparable"},
    [VKM_GATE_ERROR] = {"run failed", "runs failed"},
};

/* What tripped; without a gate, how to have one. */
static void explain_gates(const struct vkm_comparison *comparison) {
  const struct vkm_gate *gate = &comparison->gate;
  for (unsigned kind = 0; kind < VKM_GATE_COUNT; kind++) {
    size_t count = vkm_gate_count(comparison, (enum vkm_gate_kind)kind);
    if ((gate->tripped & 1U << kind) != 0) {
      vkm_error("--fail-on=%s: %zu %s", vkm_gate_name((enum vkm_gate_kind)kind), count,
                GATE_WORDS[kind][count != 1]);
    }
  }
  size_t slower = vkm_gate_count(comparison, VKM_GATE_SLOWER);
  size_t weather = vkm_gate_weather(comparison);
  if (weather > 0) {
    vkm_note(
        "%zu of %zu %s the same code on both sides: the machine got slower; record again, both "
        "sides in turns, or take it out with --adjust-drift",
        weather, slower, slower == 1 ? "slower row has" : "slower rows have");
  }
  if (slower > 0 && gate->requested == 0) {
    vkm_note("%zu %s; add --fail-on=slower to fail on this", slower,
             GATE_WORDS[VKM_GATE_SLOWER][slower != 1]);
  }
}

static struct vkm_outcome judge(const struct vkm_args *args, struct vkm_side *sides,
                                const struct vkm_noise *noise) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_compare_settings settings = args->compare;
  settings.warmup = args->warmup;
  settings.noise = noise;
  struct vkm_comparison comparison;
  if (!vkm_comparison_build(&comparison, &sides[VKM_BASE], &sides[VKM_NEW], &settings)) {
    return outcome;
  }
  vkm_gate_judge(&comparison, args->fail_on);
  if (!can_explain(&comparison, args->view.explain_row)) {
    vkm_comparison_finish(&comparison);
    return outcome;
  }
  if (vkm_output_comparison(args, &comparison)) {
    bool failed = sides[VKM_BASE].error_count + sides[VKM_NEW].error_count > 0;
    outcome.kind = comparison.gate.tripped != 0 || failed ? VKM_OUTCOME_GATE : VKM_OUTCOME_DONE;
  }
  for (int side = 0; side < VKM_SIDES; side++) {
    vkm_side_warn(&sides[side]);
    vkm_side_name_errors(&sides[side]);
  }
  warn_of_panels(&comparison);
  explain_gates(&comparison);
  vkm_comparison_finish(&comparison);
  return outcome;
}

/* False: reported. */
static bool load_noise(struct vkm_noise *noise, const struct vkm_args *args) {
  if (!vkm_noise_read(noise, args->noise)) {
    return false;
  }
  if (noise->stat != args->compare.stat) {
    vkm_error("'%s' is the noise of another --stat; give that one, or make the file again with "
              "vkmeter noise --stat",
              args->noise);
    vkm_noise_finish(noise);
    return false;
  }
  return true;
}

static struct vkm_outcome compare(const struct vkm_args *args, struct vkm_side *sides) {
  struct vkm_noise noise;
  if (args->noise != NULL && !load_noise(&noise, args)) {
    return (struct vkm_outcome){VKM_OUTCOME_TROUBLE, 0};
  }
  narrow(sides, args);
  struct vkm_outcome outcome = judge(args, sides, args->noise != NULL ? &noise : NULL);
  if (args->noise != NULL) {
    vkm_noise_finish(&noise);
  }
  return outcome;
}

struct vkm_outcome vkm_command_compare(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_side_source sources[VKM_SIDES];
  struct vkm_side sides[VKM_SIDES];
  if (!find_sources(args, sources) || reads_twice(args)) {
    return outcome;
  }
  bool base = vkm_side_load(&sides[VKM_BASE], &sources[VKM_BASE]);
  bool fresh = vkm_side_load(&sides[VKM_NEW], &sources[VKM_NEW]);
  if (base && fresh) {
    outcome = compare(args, sides);
  }
  if (base) {
    vkm_side_finish(&sides[VKM_BASE]);
  }
  if (fresh) {
    vkm_side_finish(&sides[VKM_NEW]);
  }
  return outcome;
}
