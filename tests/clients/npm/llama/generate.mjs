// Generates tokens with ggml's Vulkan backend. usage: node generate.mjs MODEL COUNT
// Prints the device and the tokens; never destroys the device (ggml does not).
import { getLlama } from "node-llama-cpp";

const [, , modelPath, count] = process.argv;
const llama = await getLlama({
  gpu: "vulkan",
  build: "never",
  usePrebuiltBinaries: true,
  progressLogs: false,
  skipDownload: true,
  vramPadding: 0,
  logLevel: "error",
});
console.log("gpu", llama.gpu, (await llama.getGpuDeviceNames()).join(", "));
const model = await llama.loadModel({ modelPath, gpuLayers: 999, ignoreMemorySafetyChecks: true });
const context = await model.createContext({ contextSize: 128, ignoreMemorySafetyChecks: true });
const tokens = [];
const prompt = model.tokenize("the thing in there");
for await (const token of context.getSequence().evaluate(prompt, { temperature: 0 })) {
  tokens.push(token);
  if (tokens.length >= Number(count)) {
    break;
  }
}
console.log("tokens", tokens.join(","));
await llama.dispose();
