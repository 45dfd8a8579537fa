"""The faults of planted_faults. In: nothing. Out: for each its name, the test that must turn red,
and what to put in the place of what.

A test is a name of layer_test, "ctest:NAME", or "endings:CASE". FAULTS are those that a layer like
this has had or must never have; ITEMS break one item of the checklist each, twenty that were drawn
at random."""

# name, test, [(file, text that occurs once, replacement)]
FAULTS = [
    ("wrong-stage", "TimingDurations.D15_BarrierMakesDispatchesFollowEachOther",
     [("layer/timing/record.c", "cmdbuf->dispatch_stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;",
       "cmdbuf->dispatch_stage = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;")]),
    ("no-mask", "TimingClock.D13_WrapOf36Bits",
     [("src/measure/ticks.c", "return clock->valid_bits >= 64 ?",
       "return clock->valid_bits >= 1 ?")]),
    ("neighbours-sample", "TimingDurations.D15_EveryMarkGetsItsOwnEnd",
     [("layer/timing/harvest.c", "uint64_t end = recording->ticks[mark->end];",
       "uint64_t end = recording->ticks[mark->end + 1];")]),
    ("stale-query", "TimingResubmit.D3_StaleValuesOfAnyMarkMeanNotReady",
     [("layer/timing/harvest.c", "if (ticks[i] == recording->ticks[first + i]) {",
       "if (ticks[i] == UINT64_MAX) {")]),
    ("lost-first-sample", "TimingProfile.D24_FirstUseIsMarkedAndKept",
     [("src/measure/aggregate.c", "  vkm_samples_add(&row->durations, duration_ns, begin_ns);",
       "  if (!first_use) {\n    vkm_samples_add(&row->durations, duration_ns, begin_ns);\n  }")]),
    ("no-reset-on-resubmission", "TimingResubmit.D3_HundredTimesEachExact",
     [("layer/timing/submit.c", "    vkm_slots_reset(device, recording->blocks);\n", "")]),
    ("specialization-ignored", "TimingProfile.G4_SpecializationMakesAKernel",
     [("src/kernel/identity.c", "at = put_hash(at, vkm_specialization_hash(kernel));",
       "at = put_hash(at, (struct vkm_hash){kernel->known, 0});")]),
    ("period-ignored", "TimingClock.D14_Period52",
     [("layer/timing/harvest.c", "(struct vkm_tick_clock){record->timestamp_period_ns,",
       "(struct vkm_tick_clock){1,")]),
    ("count-too-many", "TimingResubmit.D3_HundredTimesEachExact",
     [("src/measure/aggregate.c", "row->outcomes.measured++;",
       "row->outcomes.measured += first_use ? 2 : 1;")]),
    ("checkpoint-without-rename", "TimingProfile.F4_CheckpointIsWholeAndPutInPlaceAtOnce",
     [("src/profile/profile_write_file.c", "int file = open_temporary(name, directory_length);",
       "int file = open_temporary(name, directory_length);\n"
       "  close(file);\n"
       "  file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);"),
      ("src/profile/profile_write_file.c", "if (good && rename(name, path) == 0) {",
       "if (good && unlink(name) == 0) {")]),
    ("failed-submission-counted", "TimingSubmit.D38_G3_FailedSubmissionIsNotCounted",
     [("layer/timing/submit.c", "  if (result != VK_SUCCESS) {\n    withdraw(ticket);",
       "  if (result == VK_ERROR_UNKNOWN) {\n    withdraw(ticket);")]),
    ("barrier-in-a-duration", "TimingDurations.D15_TimeOfABarrierIsAGap",
     [("layer/timing/record.h", "  cmdbuf->chained = false;\n  if (what == VKM_BETWEEN_BARRIER) {",
       "  if (what == VKM_BETWEEN_BARRIER) {")]),
    ("application-waits-for-a-read", "TimingTrouble.D35_ReadsThatWaitAreLeftToTheCollector",
     [("layer/timing/submit.c", "if (queue->covered < queue->accepted) {",
       "if (queue->covered > queue->accepted) {")]),
    ("partial-signal-believed", "TimingCompletion.D33_SignalOfSomeStagesProvesNothing",
     [("layer/intercept/queues.c",
       "if (signal->stageMask & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) {",
       "if (signal->stageMask) {")]),
    ("resumed-rendering-stamped", "TimingState.D7_SuspendedInOneBufferResumedInTheNext",
     [("layer/intercept/commands.c",
       "VkRenderingFlags broken = VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_RESUMING_BIT;",
       "VkRenderingFlags broken = VK_RENDERING_SUSPENDING_BIT;")]),
    ("performance-query-not-last", "TimingQueries.D11_APerformanceQueryOfTheWholeBuffer",
     [("layer/timing/record.c", "    if (cmdbuf->performance_query) {",
       "    if (cmdbuf->performance_query && recording->reset_inside) {")]),
    ("shader-objects-unseen", "TimingShaders.C9_E4_BindsOfBothKindsReplaceEachOther",
     [("layer/intercept/shaders.c", "    if (stages[i] == VK_SHADER_STAGE_COMPUTE_BIT) {",
       "    if (stages[i] == VK_SHADER_STAGE_VERTEX_BIT) {")]),
    ("lost-device-polled", "Each/TimingTroubleLost.D38_TheLayerStopsPolling/vkQueueWaitIdle",
     [("layer/timing/harvest.c", "  if (atomic_load(&device->lost)) {\n    result = READ_ERROR;",
       "  if (false) {\n    result = READ_ERROR;")]),
    ("conditional-rendering-unflagged", "TimingConditional.D19_WhatMayNotHaveRunIsFlagged",
     [("layer/intercept/commands.c", "    cmdbuf->conditional = true;\n", "")]),
    ("markers-unseen", "TimingState.E10_DebugMarkersAreLabels",
     [("layer/intercept/names.c", "  label_begin(handle, marker->pMarkerName);\n", "")]),
    ("queue-used-by-the-collector", "TimingQueues.D36_OneThreadForEachQueue",
     [("layer/timing/collect.c", "static bool anything_pending(struct vkm_device *device) {\n",
       "static bool anything_pending(struct vkm_device *device) {\n"
       "  device->table.DeviceWaitIdle(device->handle);\n")]),
    ("queries-given-away-unread",
     "Ways/TimingLifetimeWays.D28_ResultsThatComeAfterTheRecordingIsGone/Begin",
     [("layer/timing/submit.c", "    vkm_recording_retain(recording);\n", ""),
      ("layer/timing/harvest.c", "  pthread_mutex_unlock(&device->submissions.lock);\n"
       "  vkm_recording_release(released);\n}",
       "  pthread_mutex_unlock(&device->submissions.lock);\n}")]),
]

ITEMS = [
    ("A3-no-disable-environment", "ctest:LoaderManifest",
     [("manifest/VkLayer_vkmeter.json.in",
       '"enable_environment": { "VKMETER": "1" },\n'
       '    "disable_environment": { "DISABLE_VKMETER": "1" }',
       '"enable_environment": { "VKMETER": "1" }')]),
    ("A4-another-enabling-value", "ctest:LoaderManifest",
     [("manifest/VkLayer_vkmeter.json.in", '"enable_environment": { "VKMETER": "1" }',
       '"enable_environment": { "VKMETER": "yes" }')]),
    ("A6-odd-format-version", "ctest:LoaderManifest",
     [("manifest/VkLayer_vkmeter.json.in", '"1.2.1"', '"1.9.0"')]),
    ("A7-wrong-architecture", "ctest:LoaderManifest",
     [("manifest/VkLayer_vkmeter.json.in", '"@VKM_LAYER_ARCH@"', '"32"')]),
    ("A11-elevated-not-noticed", "ctest:LoaderManifest",
     [("layer/session.c", "if (getauxval(AT_SECURE)) {", "if (getauxval(AT_SECURE) > 1) {")]),
    ("A20-flags-of-a-queue-dropped", "LoaderObjects.A20_QueuesWithFlags",
     [("layer/intercept/queues.c", "device->table.GetDeviceQueue2(handle, info, queue);",
       "device->table.GetDeviceQueue(handle, info->queueFamilyIndex, info->queueIndex, queue);")]),
    ("A22-devices-of-all-instances", "LoaderObjects.A22_TwoInstancesTwoDevicesEveryOrder",
     [("layer/device.c", "if (!instance || device->instance == instance) {",
       "if (!instance || device) {")]),
    ("A26-no-device-to-destroy", "LoaderObjects.A26_NullToEveryDestroyHook",
     [("layer/device.c", "struct vkm_device *device = handle ? vkm_device_of(handle) : NULL;\n"
       "  if (!device) {\n    return;", "struct vkm_device *device = vkm_device_of(handle);\n"
       "  if (!device) {\n    return;")]),
    ("B5-version-raised", "All/LoaderCreateVersion.B4_B5_B10_AdditionsByVersion/1",
     [("layer/instance.c", "  VkResult result = next(info, allocator, handle);\n",
       "  VkApplicationInfo raised = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};\n"
       "  VkInstanceCreateInfo copy = *info;\n"
       "  if (info->pApplicationInfo) {\n    raised = *info->pApplicationInfo;\n  }\n"
       "  raised.apiVersion = VK_API_VERSION_1_3;\n"
       "  copy.pApplicationInfo = &raised;\n"
       "  VkResult result = next(&copy, allocator, handle);\n")]),
    ("B12-a-slot-of-our-own", "LoaderCreate.B12_B13_EverythingElseIsTheApplications",
     [("layer/device.c",
       "  VkResult result =\n      creation->next(creation->physical, &copy.info,",
       "  VkDevicePrivateDataCreateInfo slot = {\n"
       "      VK_STRUCTURE_TYPE_DEVICE_PRIVATE_DATA_CREATE_INFO, copy.info.pNext, 1};\n"
       "  copy.info.pNext = &slot;\n"
       "  VkResult result =\n      creation->next(creation->physical, &copy.info,")]),
    ("C5-failure-forgets-the-others", "TimingManners.C5_APipelineBesideAFailedOneIsKnown",
     [("layer/intercept/pipelines.c",
       "if (pipelines[i] && (result >= 0 || !vkm_pipeline_of(device, pipelines[i]))) {",
       "if (pipelines[i] && result >= 0) {")]),
    ("D10-a-query-is-no-border", "TimingQueries.D10_D15_AQueryEndsTheChain",
     [("layer/intercept/commands.c", "    vkm_record_between(cmdbuf, VKM_BETWEEN_WORK);\n"
       "    if (cmdbuf->recording && vkm_is_performance_pool",
       "    if (cmdbuf->recording && vkm_is_performance_pool")]),
    ("D14-an-infinite-period", "TimingClock.D14_PeriodInfinite",
     [("src/measure/ticks.c", "return isfinite(period_ns) && period_ns > 0 &&",
       "return period_ns > 0 &&")]),
    ("D21-queues-merged", "TimingSubmit.D21_TwoQueues",
     [("layer/intercept/queues.c", "  note_queue(device, *queue, family, index);",
       "  note_queue(device, *queue, family, 0 * index);")]),
    ("D42-protected-not-noticed", "TimingStamps.D42_ProtectedCommandBufferIsLeftAlone",
     [("layer/timing/record.c", "if (cmdbuf->pool->is_protected) {", "if (!cmdbuf->pool) {")]),
    ("E4-state-kept-after-secondaries", "TimingKernels.E4_StateIsNeitherInheritedNorKept",
     [("layer/timing/record.c", "  cmdbuf->pipeline = NULL; /* state is undefined after "
       "vkCmdExecuteCommands */\n", "")]),
    ("E10-null-names", "TimingState.E10_NamesThatAreNull",
     [("layer/intercept/names.c", "DebugUtilsObjectNameInfoEXT *info) {\n"
       "  struct vkm_device *device = vkm_device_of(handle);\n"
       "  if (vkm_device_active(device) && info->pObjectName) {",
       "DebugUtilsObjectNameInfoEXT *info) {\n"
       "  struct vkm_device *device = vkm_device_of(handle);\n"
       "  if (vkm_device_active(device)) {")]),
    ("F5-fork-not-noticed", "endings:fork_exit",
     [("layer/session.c", "pthread_atfork(NULL, NULL, in_child) == 0",
       "pthread_atfork(NULL, NULL, NULL) == 0 && in_child != NULL")]),
    ("F13-handles-of-32-bits", "Handles.F13_HandlesThatDifferInTheirUpperHalfAreTwo",
     [("layer/handles.c", "atomic_store_explicit(&table->slots[at].key, key,",
       "atomic_store_explicit(&table->slots[at].key, (uint32_t)key,")]),
    ("G2-secondaries-not-counted", "TimingSecondaryNested.D5_G2_EachLevelHasItsTimes",
     [("layer/timing/submit.c", "  return publish_children(ticket, recording, parent);\n",
       "  return true;\n")]),
]
