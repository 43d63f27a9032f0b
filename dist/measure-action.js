import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  artifactName
} from "./chunk-URYNDPMN.js";
import {
  actionsCache,
  fail,
  filesOf,
  runAction,
  say,
  setCacheHit,
  startedBy,
  upload
} from "./chunk-LH7RYTLO.js";
import {
  getInput,
  setOutput
} from "./chunk-Q5BVC7RY.js";
import {
  measure,
  settle
} from "./chunk-JKL5ABYJ.js";
import {
  COUNTS,
  FULL_BLOCKS,
  LOGS,
  RUN,
  SAMPLES,
  withJob
} from "./chunk-5GUOTFHG.js";
import {
  InputError,
  messageOf
} from "./chunk-JWUX6AV2.js";

// entrypoint/bin/measure-action.ts
import { existsSync } from "node:fs";
import { join } from "node:path";

// entrypoint/plan/matrix.ts
function matrixOf(rules, jobs) {
  const count = Number(jobs);
  const blocks = rules.blocks ?? FULL_BLOCKS;
  if (!Number.isInteger(count) || count < 1 || count > Math.min(64, blocks)) {
    throw new InputError(
      `plan-jobs: found "${jobs}", allowed: 1 to ${Math.min(64, blocks)}, so that each of them measures a block of ${blocks}`
    );
  }
  const share = Math.floor(blocks / count);
  const rest = blocks % count;
  return { include: Array.from({ length: count }, (_, i) => ({ job: String(i + 1), blocks: share + (i < rest ? 1 : 0) })) };
}

// entrypoint/bin/measure-action.ts
runAction(async (inputs) => {
  const jobs = getInput("plan-jobs");
  if (jobs) {
    const { rules } = await withJob(say, (job) => settle(inputs, startedBy(), job));
    setOutput("matrix", JSON.stringify(matrixOf(rules, jobs)));
    return;
  }
  const cache = actionsCache(inputs);
  const failure = await withJob(say, async (job) => measure(await settle(inputs, startedBy(), job), inputs, job), cache).then(
    () => void 0,
    (error) => error
  );
  setOutput("results", inputs.out);
  setCacheHit(cache);
  if (failure) fail(messageOf(failure));
  const files = [SAMPLES, COUNTS, RUN].map((name) => join(inputs.out, name)).filter((file) => existsSync(file));
  const logs = filesOf(join(inputs.out, LOGS));
  if (files.length) await upload(artifactName(inputs.config["comment-key"], inputs.job), [...files, ...logs], inputs.out);
});
