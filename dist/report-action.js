import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  client,
  findAcceptance,
  headOf,
  isFork,
  pullRequestOf,
  repositoryOf
} from "./chunk-7WKNYYXG.js";
import {
  downloadData
} from "./chunk-YRYJ5W4S.js";
import {
  annotate,
  attempt,
  comment,
  cut,
  eventPayload,
  fail,
  runAction,
  runLink,
  say,
  setOutputs,
  uploadResults,
  writeJobSummary
} from "./chunk-AL4QRHUC.js";
import {
  InputError,
  analyse,
  exitCodeOf,
  external_exports,
  failsJob,
  invalidOutcome,
  messageOf,
  provision,
  summaryIn,
  visible,
  withAcceptance,
  withJob
} from "./chunk-QGQUJF2X.js";
import "./chunk-7AOGM37P.js";
import "./chunk-A2TQ63EB.js";
import "./chunk-LQK3ML4U.js";

// entrypoint/report-fork.ts
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// entrypoint/publish/check.ts
var LIMIT = 65535;
var TITLE_LIMIT = 200;
function conclusionOf(outcome, onInconclusive, isFork2) {
  if (outcome.accepted) return isFork2 ? "neutral" : "success";
  if (outcome.verdict === "regressed" || outcome.verdict === "invalid") return "failure";
  if (outcome.verdict === "inconclusive" && onInconclusive === "fail") return "failure";
  if (isFork2 || outcome.verdict === "not-gated") return "neutral";
  return outcome.verdict === "inconclusive" && onInconclusive === "warn" ? "neutral" : "success";
}
async function createCheck(api, repository, { key, headSha, outcome, conclusion, link }) {
  await api.rest.checks.create({
    ...repository,
    name: key === "default" ? "async gain" : `async gain (${key})`,
    head_sha: headSha,
    status: "completed",
    conclusion,
    ...link ? { details_url: link } : {},
    output: {
      title: titleOf(outcome),
      summary: cut(outcome.summary, LIMIT)
    }
  });
}
function titleOf({ verdict, accepted, reasons }) {
  const line = visible(`${verdict}${accepted ? `, accepted by ${accepted.by}` : ""}: ${reasons[0] ?? ""}`).replace(/\s+/g, " ");
  return cut(line, TITLE_LIMIT);
}

// entrypoint/publish/untrusted.ts
var name = external_exports.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/);
var commit = external_exports.string().regex(/^[0-9a-f]{40}$/);
var count = external_exports.number().int().nonnegative();
var measure = external_exports.number().nonnegative();
var KINDS_LIMIT = 20;
var errors = external_exports.record(external_exports.string().regex(/^[a-z][a-z-]{0,30}$/), count).refine((kinds) => Object.keys(kinds).length <= KINDS_LIMIT);
var schema = external_exports.object({
  schema: external_exports.literal(1),
  job: name,
  seed: count,
  looks: external_exports.union([external_exports.literal(1), external_exports.literal(2)]),
  modes: external_exports.array(name).max(6),
  connections: count,
  commits: external_exports.object({ head: commit, base: commit.nullable() }),
  plan: external_exports.object({
    blocks: count,
    runs: count,
    cells: external_exports.array(external_exports.object({ workload: name, load: name, concurrency: count, warmup_s: measure, window_s: measure })).max(400)
  }),
  // Per request: by arm, workload and verb.
  statements: external_exports.record(
    external_exports.string().regex(/^(base|head)\/[a-z0-9][a-z0-9._-]{0,39}$/),
    external_exports.record(name, external_exports.partialRecord(external_exports.enum(["insert", "select", "update", "delete"]), count))
  ).optional(),
  probes_ms: external_exports.array(measure).max(1e5),
  runs: external_exports.array(
    external_exports.object({
      job: name,
      block: count,
      position: count,
      workload: name,
      load: name,
      revision: external_exports.enum(["base", "head"]),
      mode: name,
      attempt: count,
      errors,
      little: external_exports.number().nullable(),
      idle: external_exports.boolean()
    })
  ).max(1e5)
});
function numbersOnly(text) {
  if (text === void 0 || !isModest(text)) return void 0;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return void 0;
  }
}
var DEPTH_LIMIT = 32;
var CONTAINERS_LIMIT = 1e6;
function isModest(text) {
  let depth = 0;
  let containers = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') i = endOfString(text, i);
    else if (character === "]" || character === "}") depth--;
    else if (character === "[" || character === "{") {
      if (++depth > DEPTH_LIMIT || ++containers > CONTAINERS_LIMIT) return false;
    }
  }
  return true;
}
function endOfString(text, start) {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"') return i;
  }
  return text.length;
}
function merged(runs) {
  const [first] = runs;
  if (!first) return void 0;
  return {
    ...first,
    // Blocks of several jobs are looked at once.
    looks: runs.length > 1 ? 1 : first.looks,
    probes_ms: runs.flatMap((run) => run.probes_ms),
    runs: runs.flatMap((run) => run.runs)
  };
}

// entrypoint/report-fork.ts
async function report(inputs) {
  if (!inputs.token) throw new InputError("github-token: report needs one, with actions: read and pull-requests: write");
  const api = client(inputs.token, say);
  const repository = repositoryOf(process.env.GITHUB_REPOSITORY);
  const key = inputs.config["comment-key"];
  const label = inputs.config["accept-label"];
  const measurement = await measurementOf(eventPayload(), api, repository);
  const { runId, headSha, pullRequest } = measurement;
  let outcome = await judged(inputs, api, repository, runId, key);
  if (outcome.verdict === "regressed" && pullRequest && label) {
    await attempt("acceptance", "issues: read, actions: read", async () => {
      outcome = withAcceptance(outcome, await findAcceptance(api, repository, pullRequest, label));
    });
  }
  setOutputs(outcome, inputs.out);
  annotate(outcome);
  await attempt("job summary", "contents: read", () => writeJobSummary(outcome));
  await attempt("artifact", "actions: write", () => uploadResults(inputs.out, key));
  if (pullRequest) {
    await attempt("comment", "pull-requests: write", () => comment(api, repository, pullRequest.number, key, runId, outcome));
  }
  if (headSha) {
    const conclusion = conclusionOf(outcome, inputs.config["on-inconclusive"], measurement.isFork);
    await attempt("check", "checks: write", () => createCheck(api, repository, { key, headSha, outcome, conclusion, link: runLink(runId) }));
  }
  return outcome;
}
async function measurementOf(payload, api, repository) {
  const run = payload.workflow_run;
  if (run) {
    checkRun(run);
    const pullRequest = await pullRequestOf(api, repository, run);
    if (!pullRequest) say(`no open pull request has the head ${run.head_sha}; there is nowhere to comment`);
    return { runId: run.id, headSha: run.head_sha, pullRequest, isFork: isFork(run.head_repository?.full_name, repository) };
  }
  const origin = payload.pull_request?.head;
  const fork = origin?.repo !== void 0 && isFork(origin.repo?.full_name, repository);
  const head = headOf(payload.pull_request);
  const runId = Number(process.env.GITHUB_RUN_ID);
  const headSha = origin?.sha ?? process.env.GITHUB_SHA;
  return {
    runId,
    headSha,
    isFork: fork,
    pullRequest: head && { ...head, isFork: fork }
  };
}
function checkRun(run) {
  if (!Number.isInteger(run.id) || !/^[0-9a-f]{40}$/.test(run.head_sha))
    throw new InputError("workflow_run: the event names no run and no commit");
}
async function judged(inputs, api, repository, runId, key) {
  return withJob(say, async (job) => {
    try {
      const { rscript } = await provision(
        { engine: "none", modes: [], database: "none", report: true, composer: false },
        { yes: true, say: job.say }
      );
      const data = await downloadData(api, repository, runId, key, job.directory);
      const runs = data.flatMap(({ run: run2 }) => numbersOnly(run2) ?? []);
      const run = runs.length === data.length ? merged(runs) : void 0;
      const file = join(job.directory, "run.json");
      if (run) writeFileSync(file, JSON.stringify(run));
      mkdirSync(inputs.out, { recursive: true });
      const analysis = await analyse({
        rscript,
        samples: data.map(({ samples }) => samples),
        out: inputs.out,
        run: run && file,
        modes: inputs.config.modes.map((mode) => typeof mode === "string" ? mode : mode.name),
        gate: inputs.config.gate,
        looks: run?.looks ?? 1,
        report: true
      });
      return {
        verdict: analysis.verdict,
        reasons: analysis.reasons,
        summary: summaryIn(inputs.out),
        exitCode: exitCodeOf(analysis.verdict),
        analysis
      };
    } catch (error) {
      return invalidOutcome(messageOf(error));
    }
  });
}

// entrypoint/bin/report-action.ts
runAction(async (inputs) => {
  const outcome = await report(inputs);
  if (failsJob(outcome, inputs.config)) fail(`${outcome.verdict}: ${outcome.reasons.join(" ")}`);
});
