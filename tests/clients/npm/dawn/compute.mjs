// A matrix product, a reduction and an indirect reduction on WebGPU, through Dawn.
// usage: node compute.mjs [destroy | exit]: how it ends, else by itself; by device.destroy() or by
// process.exit(). VKM_DAWN_OPTIONS: options for Dawn, parted by spaces. Prints the sums, and Dawn's
// own durations of the passes in ns on lines that begin with "pass".
import { create, globals } from "webgpu";

Object.assign(globalThis, globals);

const SIDE = 64;
const ITERATIONS = 10;
const GROUPS = (SIDE * SIDE) / 256;

const product = `
override TILE: u32 = 8;
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@compute @workgroup_size(TILE, TILE) fn multiply(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < ${SIDE}u; k++) {
    sum += a[id.y * ${SIDE}u + k] * b[k * ${SIDE}u + id.x];
  }
  c[id.y * ${SIDE}u + id.x] = sum;
}`;

const reduction = `
@group(0) @binding(0) var<storage, read> c: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
var<workgroup> part: array<f32, 256>;
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u) {
  part[local] = c[id.x];
  workgroupBarrier();
  for (var half = 128u; half > 0u; half >>= 1u) {
    if (local < half) {
      part[local] += part[local + half];
    }
    workgroupBarrier();
  }
  if (local == 0u) {
    sums[group.x] = part[0];
  }
}`;

const options = (process.env.VKM_DAWN_OPTIONS ?? "").split(" ").filter(Boolean);
const gpu = create(["backend=vulkan", ...options]);
const adapter = await gpu.requestAdapter();
if (!adapter) {
  console.log("no adapter");
  process.exit(1);
}
console.log("adapter", adapter.info.vendor, adapter.info.device, adapter.info.description);
const timed = adapter.features.has("timestamp-query");
const device = await adapter.requestDevice({ requiredFeatures: timed ? ["timestamp-query"] : [] });
device.addEventListener("uncapturederror", (event) => console.log("error", event.error.message));

// Dawn crashes when these are collected while the device works.
globalThis.alive = [gpu, adapter];

const { STORAGE, COPY_DST, COPY_SRC, INDIRECT, MAP_READ, QUERY_RESOLVE } = GPUBufferUsage;
const buffer = (size, usage) => device.createBuffer({ size, usage });
const pipeline = (label, code, entryPoint, constants) =>
  device.createComputePipeline({
    label,
    layout: "auto",
    compute: { module: device.createShaderModule({ label, code }), entryPoint, constants },
  });
const bind = (target, buffers) =>
  device.createBindGroup({
    layout: target.getBindGroupLayout(0),
    entries: buffers.map((each, binding) => ({ binding, resource: { buffer: each } })),
  });

const left = new Float32Array(SIDE * SIDE).map((_, i) => (i % 7) - 3);
const right = new Float32Array(SIDE * SIDE).map((_, i) => (i % 5) - 2);
const a = buffer(left.byteLength, STORAGE | COPY_DST);
const b = buffer(right.byteLength, STORAGE | COPY_DST);
const c = buffer(left.byteLength, STORAGE);
const sums = buffer(GROUPS * 4, STORAGE | COPY_SRC);
const groups = buffer(12, INDIRECT | COPY_DST);
const result = buffer(GROUPS * 4, COPY_DST | MAP_READ);
const stamps = buffer(256, QUERY_RESOLVE | COPY_SRC);
const times = buffer(16, COPY_DST | MAP_READ);
device.queue.writeBuffer(a, 0, left);
device.queue.writeBuffer(b, 0, right);
device.queue.writeBuffer(groups, 0, new Uint32Array([GROUPS, 1, 1]));
const multiply = pipeline("multiply", product, "multiply", { TILE: 8 });
const reduce = pipeline("reduce", reduction, "main");
const multiplied = bind(multiply, [a, b, c]);
const reduced = bind(reduce, [c, sums]);
const queries = timed ? device.createQuerySet({ type: "timestamp", count: 2 }) : null;

async function iterate(index) {
  const encoder = device.createCommandEncoder({ label: `iteration ${index}` });
  const pass = encoder.beginComputePass({
    label: `pass ${index}`,
    timestampWrites: queries
      ? { querySet: queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 }
      : undefined,
  });
  pass.pushDebugGroup("multiply");
  pass.setPipeline(multiply);
  pass.setBindGroup(0, multiplied);
  pass.dispatchWorkgroups(SIDE / 8, SIDE / 8);
  pass.popDebugGroup();
  pass.setPipeline(reduce);
  pass.setBindGroup(0, reduced);
  pass.dispatchWorkgroups(GROUPS);
  pass.dispatchWorkgroupsIndirect(groups, 0);
  pass.end();
  if (queries) {
    encoder.resolveQuerySet(queries, 0, 2, stamps, 0);
    encoder.copyBufferToBuffer(stamps, 0, times, 0, 16);
  }
  encoder.copyBufferToBuffer(sums, 0, result, 0, GROUPS * 4);
  device.queue.submit([encoder.finish()]);
  await result.mapAsync(GPUMapMode.READ);
  const sum = new Float32Array(result.getMappedRange()).reduce((x, y) => x + y, 0);
  result.unmap();
  if (queries) {
    await times.mapAsync(GPUMapMode.READ);
    const [begin, end] = new BigUint64Array(times.getMappedRange());
    console.log(`pass ${index} ${end - begin}`);
    times.unmap();
  }
  return sum;
}

let expected = 0;
for (let row = 0; row < SIDE; row++) {
  for (let column = 0; column < SIDE; column++) {
    for (let k = 0; k < SIDE; k++) {
      expected += left[row * SIDE + k] * right[k * SIDE + column];
    }
  }
}
for (let index = 0; index < ITERATIONS; index++) {
  const sum = await iterate(index);
  console.log(`sum ${sum}`, Math.abs(sum - expected) < 1 ? "OK" : `WRONG, not ${expected}`);
}
if (process.argv[2] === "destroy") {
  device.destroy();
} else if (process.argv[2] === "exit") {
  process.exit(0);
}
