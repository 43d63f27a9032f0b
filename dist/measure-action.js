import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  artifactName
} from "./chunk-CZ64QTH3.js";
import {
  fail,
  filesOf,
  getInput,
  runAction,
  say,
  setOutput,
  startedBy,
  upload
} from "./chunk-C4LGU52S.js";
import {
  measure,
  settle
} from "./chunk-5QJFOWBW.js";
import {
  FULL_BLOCKS,
  InputError,
  LOGS,
  messageOf,
  withJob
} from "./chunk-C67FCAO2.js";

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
  const failure = await withJob(say, async (job) => measure(await settle(inputs, startedBy(), job), inputs, job)).then(
    () => void 0,
    (error) => error
  );
  setOutput("results", inputs.out);
  if (failure) fail(messageOf(failure));
  const files = ["samples.csv", "run.json"].map((name) => join(inputs.out, name)).filter((file) => existsSync(file));
  const logs = filesOf(join(inputs.out, LOGS));
  if (files.length) await upload(artifactName(inputs.config["comment-key"], inputs.job), [...files, ...logs], inputs.out);
});
