/* Records of good runs. In: a sample. Out: a JSON file beside its profile. Next: model/sample_file,
 * baselines. */
#include "launch/sample_record.h"

#include "base/text.h"
#include "deliver.h"

static void append_outputs(const struct vkm_sample_record *record, struct vkm_text *text) {
  vkm_text_string(text, ",\"outputs\":[");
  for (size_t i = 0; record->outputs != NULL && record->outputs[i] != NULL; i++) {
    const struct vkm_output_digest *digest = &record->sample->outputs[i];
    vkm_text_string(text, i > 0 ? ",{\"name\":" : "{\"name\":");
    vkm_text_json(text, record->outputs[i]);
    vkm_text_string(text, ",\"bytes\":");
    vkm_text_u64(text, digest->bytes);
    if (record->decimals[i] >= 0) {
      vkm_text_string(text, ",\"decimals\":");
      vkm_text_i64(text, record->decimals[i]);
    }
    vkm_text_string(text, ",\"sha256\":");
    vkm_text_json(text, digest->sha256);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

bool vkm_sample_record_write(const struct vkm_sample_record *record, const char *path) {
  const struct vkm_sample *sample = record->sample;
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_text_string(&text, "{\"schema\":\"vkmeter.sample/1\",\"vkmeter_version\":\"" VKM_VERSION
                         "\",\"run\":");
  vkm_text_json(&text, record->run);
  vkm_text_string(&text, ",\"sequence\":");
  vkm_text_u64(&text, sample->sequence);
  vkm_text_string(&text, ",\"wall_ns\":");
  vkm_text_i64(&text, sample->wall_ns);
  vkm_text_string(&text, ",\"resident_peak_bytes\":");
  if (sample->resident_peak_bytes > 0) {
    vkm_text_i64(&text, sample->resident_peak_bytes);
  } else {
    vkm_text_string(&text, "null");
  }
  append_outputs(record, &text);
  vkm_text_string(&text, "}\n");
  bool written = vkm_deliver(path, &text);
  vkm_text_finish(&text);
  return written;
}
