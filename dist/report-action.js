import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  branchesAt,
  client,
  orNothing,
  othersAt,
  publish,
  repositoryOf,
  subjectOf
} from "./chunk-ZVVEDIJ2.js";
import {
  downloadData
} from "./chunk-URYNDPMN.js";
import {
  attempt,
  cut,
  eventPayload,
  fail,
  runAction,
  runLink,
  say
} from "./chunk-LH7RYTLO.js";
import "./chunk-Q5BVC7RY.js";
import {
  COLUMNS,
  COUNTS,
  COUNT_COLUMNS,
  FULL_BLOCKS,
  LOOKS_AT,
  MOST_REPETITIONS,
  SAMPLES,
  analyse,
  blocksAtMost,
  blocksWanted,
  composeSummary,
  entryPathOf,
  exitCodeOf,
  external_exports,
  failsJob,
  invalidOutcome,
  isWhollyGated,
  provision,
  quadsAtMost,
  visible,
  withJob
} from "./chunk-5GUOTFHG.js";
import {
  InputError,
  MeasurementError,
  messageOf
} from "./chunk-JWUX6AV2.js";

// entrypoint/report-fork.ts
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

// entrypoint/publish/check.ts
var LIMIT = 65535;
var TITLE_LIMIT = 200;
function conclusionOf(outcome, rules, { isFork, others, gaps }) {
  const { verdict, accepted } = outcome;
  if (verdict === "invalid" || verdict === "regressed" && !accepted) return "failure";
  if (verdict === "inconclusive" && rules["on-inconclusive"] === "fail") return "failure";
  if (!isWhollyGated(outcome) && !accepted && rules["on-not-gated"] === "fail") return "failure";
  if (isFork || others.length) return "action_required";
  if (verdict === "not-gated" || gaps.length) return "neutral";
  return verdict === "inconclusive" && rules["on-inconclusive"] === "warn" ? "neutral" : "success";
}
async function createCheck(api, repository, { key, headSha, outcome, rules, standing, link }) {
  await api.rest.checks.create({
    ...repository,
    name: key === "default" ? "async gain" : `async gain (${key})`,
    head_sha: headSha,
    status: "completed",
    conclusion: conclusionOf(outcome, rules, standing),
    ...link ? { details_url: link } : {},
    output: {
      title: titleOf(outcome, standing),
      summary: cut(composeSummary(outcome), LIMIT)
    }
  });
}
function titleOf({ verdict, accepted, reasons }, { isFork, others }) {
  const words = [
    `${verdict}${accepted ? `, accepted by ${accepted.by}` : ""}`,
    ...isFork ? ["not verified: the fork's code ran on the machine that measured this"] : [],
    ...others.length ? [`not for ${others.map((number) => `#${number}`).join(", ")}, with the same head and another base`] : []
  ];
  return cut(visible(`${words.join("; ")}: ${reasons[0] ?? ""}`).replace(/\s+/g, " "), TITLE_LIMIT);
}

// entrypoint/publish/commits.ts
var UNKNOWN = 422;
async function measuredPullRequest(api, repository, commits, pulls, expected) {
  const refusals = await Promise.all(pulls.map((pull) => refusalOf(api, repository, commits, pull, expected)));
  const fitting2 = pulls.filter((_, i) => refusals[i] === void 0);
  const [only, another] = fitting2;
  if (!only) throw new MeasurementError(refusals.join("\n"));
  if (!another) return only;
  const exact = fitting2.filter(({ mergeSha }) => mergeSha === commits.head);
  if (exact.length === 1) return exact[0];
  throw new MeasurementError(
    `run.json: commits: they match the pull requests ${fitting2.map(({ number, base }) => `#${number} (into ${base})`).join(" and ")}, which have the same head. The data do not show which one was measured, so none gets the verdict.`
  );
}
async function refusalOf(api, repository, { head, base }, pull, expected) {
  const whose = `of pull request #${pull.number}`;
  if (head === base) return `run.json: commits: base and head are both ${head}, so nothing was compared. Expected base and head ${whose}.`;
  if (head !== pull.headSha) {
    const parents = await parentsOf(api, repository, head);
    const [first, second] = parents ?? [];
    if (parents?.length !== 2 || second !== pull.headSha)
      return `run.json: commits.head: found ${head}${parents ? ` with the parents ${parents.join(", ") || "none"}` : ", which GitHub does not know"}; expected the head ${whose}, ${pull.headSha}, or its merge into ${pull.base}.`;
    if (base !== null && expected.baseline === "auto" && first !== base)
      return `run.json: commits.base: found ${base}, expected the first parent of the merge that was measured, ${first}.`;
    if (!await isOn(api, repository, first, pull.base))
      return `run.json: commits.head: found the merge ${head}, whose first parent ${first} is not on ${pull.base}; expected a merge of ${pull.headSha} into ${pull.base}.`;
  }
  if (base === null) {
    const isExpected = expected.baseline === "none" || await lacksAny(api, repository, pull.base, [expected.entry, expected.file]);
    return isExpected ? void 0 : `run.json: commits.base: found none, expected a commit of ${pull.base}.`;
  }
  if (!await isOn(api, repository, base, pull.base))
    return `run.json: commits.base: found ${base}, expected the tip of ${pull.base} at the time of the run, or an ancestor of it.`;
  if (expected.baseline !== "auto") return void 0;
  const left = (await compare(api, repository, pull.base, pull.headSha))?.merge_base_commit.sha;
  if (left !== void 0 && !await isOn(api, repository, left, base))
    return `run.json: commits.base: found ${base}, which is older than ${left}, where the head ${whose} left ${pull.base}. Expected the tip of ${pull.base} at the time of the run.`;
  return void 0;
}
async function checkEventCommits(api, repository, { head: found, base }, head, before) {
  if (found !== head) throw new MeasurementError(`run.json: commits.head: found ${found}, expected the commit of the event, ${head}.`);
  if (base === head) throw new MeasurementError(`run.json: commits: base and head are both ${head}, so nothing was compared.`);
  if (base !== null && base !== before && !await isOn(api, repository, base, head))
    throw new MeasurementError(`run.json: commits.base: found ${base}, expected ${before ? `${before} or ` : ""}an ancestor of ${head}.`);
}
async function parentsOf(api, repository, commit2) {
  const found = await orNothing(api.rest.git.getCommit({ ...repository, commit_sha: commit2 }), UNKNOWN);
  return found?.data.parents.map(({ sha }) => sha);
}
async function isOn(api, repository, commit2, tip) {
  const compared = await compare(api, repository, commit2, tip);
  return compared !== void 0 && ["ahead", "identical"].includes(compared.status);
}
async function compare(api, repository, one, other) {
  const request = { ...repository, basehead: `${one}...${other}`, per_page: 1 };
  return (await orNothing(api.rest.repos.compareCommitsWithBasehead(request), UNKNOWN))?.data;
}
async function lacksAny(api, repository, ref, paths) {
  const found = await Promise.all(paths.map((path) => orNothing(api.rest.repos.getContent({ ...repository, path, ref }))));
  return found.includes(void 0);
}

// entrypoint/publish/csv-rows.ts
function csvRows(csv, columns) {
  const lines = csv.replace(/^\ufeff/, "").split(/\r\n?|\n/);
  return lines.slice(1).filter(Boolean).map((line) => Object.fromEntries(line.split(",").map((text, i) => [columns[i], text])));
}

// entrypoint/publish/coverage.ts
function rowsOf(csv) {
  return csvRows(csv, COLUMNS);
}
var nameOf = (entry) => typeof entry === "string" ? entry : String(entry.name);
function modeNames(config) {
  return config.modes.map(nameOf);
}
function checkConditions(jobs, config) {
  for (const { job, run } of jobs) {
    const pairs = [
      ["job", run.job, job],
      ["modes", run.modes.join(", "), modeNames(config).join(", ")],
      ["connections", run.connections, config.connections],
      ["instances", run.instances, config.instances]
    ];
    for (const [key, found, expected] of pairs)
      if (found !== expected)
        throw new MeasurementError(
          `run.json of job ${run.job}: ${key}: found ${found}, expected ${expected}${key === "job" ? " by the name of its artifact" : ", from the configuration of the job that reports. Put the inputs of measure into that file"}.`
        );
  }
}
function decidingFile({ profile }) {
  if (profile !== "work") return { file: SAMPLES, rowsIn: ({ samples }) => rowsOf(samples) };
  return {
    file: COUNTS,
    rowsIn: ({ job, samples, counts = "" }) => {
      if (rowsOf(samples).length > 0)
        throw new MeasurementError(`${SAMPLES} of job ${job}: found runs, but the configuration has profile: work, which makes none.`);
      return csvRows(counts, COUNT_COLUMNS);
    }
  };
}
function coverageOf(jobs, config) {
  const cells = new Map(
    config.workloads.flatMap(
      (workload) => Object.entries(config.loads).map(([load, { concurrency }]) => [`${nameOf(workload)}/${load}`, concurrency])
    )
  );
  const hasBase = jobs[0]?.run.commits.base !== null;
  const seen = /* @__PURE__ */ new Set();
  const { file, rowsIn } = decidingFile(config);
  for (const one of jobs) {
    const { job } = one;
    for (const row of rowsIn(one)) {
      const cell = `${row.workload}/${row.load}`;
      const connections = cells.get(cell) ?? config.loads[row.load]?.concurrency;
      if (row.job !== job) throw new MeasurementError(`${file} of job ${job}: found a run of job ${row.job}.`);
      if (row.revision === "base" && !hasBase)
        throw new MeasurementError(`${file}: found runs of base, but run.json names no commit of base.`);
      if (row.revision === "base" && !cells.has(cell))
        throw new MeasurementError(`${file}: found the cell ${cell} for base and head, expected ${[...cells.keys()].join(", ")}.`);
      const concurrency = Number(row.concurrency);
      if (connections !== void 0 && concurrency !== connections && !(config.profile === "work" && concurrency === 1))
        throw new MeasurementError(`${file}: found ${cell} at concurrency ${row.concurrency}, expected ${connections}.`);
      seen.add(`${cell} ${row.revision} ${row.mode}`);
    }
  }
  const all = [...cells.keys()];
  if (!hasBase) return { cells: { gated: all.length, of: all.length }, gaps: [] };
  const arms = ["base", "head"].flatMap((revision) => modeNames(config).map((mode) => `${revision} ${mode}`));
  const missing = all.filter((cell) => arms.some((arm) => !seen.has(`${cell} ${arm}`)));
  const words = new Set(jobs.flatMap(({ run }) => run.ungated.filter(({ why }) => why === "redefined").map(({ workload }) => workload)));
  const redefined = all.filter((cell) => !missing.includes(cell) && words.has(cell.split("/")[0]));
  const gated = all.length - missing.length - redefined.length;
  const sentence = [
    `${gated} of ${all.length} cells gated`,
    ...missing.length ? [`not measured for base and head in every mode: ${missing.join(", ")}`] : [],
    ...redefined.length ? [`defined differently by base and head: ${redefined.join(", ")}`] : []
  ].join("; ");
  if (gated === 0) throw new MeasurementError(`${file}: ${sentence}.`);
  return { cells: { gated, of: all.length }, gaps: gated < all.length ? [`${sentence}.`] : [] };
}

// entrypoint/publish/copies.ts
var LATENCIES = ["p50_ms", "p95_ms", "p99_ms", "max_ms"];
var MEASURES = [
  "duration_s",
  "requests",
  "succeeded",
  "goodput_rps",
  "cpu_us_per_request",
  "peak_memory_mib",
  "memory_growth_kib_per_1k",
  "half_ratio"
];
function fingerprint(row) {
  if (Number(row.goodput_rps) === 0) return void 0;
  const columns = LATENCIES.every((column) => row[column]) ? LATENCIES : MEASURES;
  return columns.map((column) => `${column} ${row[column] && Number(row[column])}`).join(", ");
}
function placeOf({ job, block, workload, load, revision, mode }) {
  return `job ${job}, block ${block}, ${revision}/${mode} of ${workload}/${load}`;
}
function refuseCopies(jobs) {
  const seen = /* @__PURE__ */ new Map();
  for (const row of jobs.flatMap(({ samples }) => rowsOf(samples))) {
    const key = fingerprint(row);
    if (key === void 0) continue;
    const first = seen.get(key);
    if (first)
      throw new MeasurementError(
        `samples.csv: ${placeOf(row)}: found the numbers of ${placeOf(first)}, to the last digit (${key}). No two runs are that alike: was one file given twice?`
      );
    seen.set(key, row);
  }
}

// entrypoint/publish/counts.ts
function checkCounts(jobs, { instructions, profile }) {
  for (const { job, counts } of jobs) {
    const file = `instructions.csv of job ${job}`;
    if (counts === void 0) {
      const wanting = profile === "work" ? "profile: work" : instructions === "auto" || instructions === "off" ? void 0 : `instructions: ${instructions}`;
      if (wanting) throw new MeasurementError(`${file}: missing, expected by the configuration (${wanting}).`);
      continue;
    }
    if (instructions === "off") throw new MeasurementError(`${file}: found, but the configuration has instructions: off.`);
    for (const row of csvRows(counts, COUNT_COLUMNS)) {
      if (row.job !== job) throw new MeasurementError(`${file}: found a count of job ${row.job}.`);
      if (Number(row.repetition) > MOST_REPETITIONS)
        throw new MeasurementError(`${file}: found repetition ${row.repetition}, a job has ${MOST_REPETITIONS} at most.`);
      if (instructions !== "auto" && row.tool !== instructions)
        throw new MeasurementError(`${file}: found counts by ${row.tool}, expected ${instructions}.`);
    }
  }
}

// entrypoint/publish/schedule.ts
var MIN_BLOCKS = 6;
var ONCE = { looks: 1, look: 1 };
function cellsByBlock({ samples, run }) {
  const redefined = new Set(run.ungated.flatMap(({ workload, why }) => why === "redefined" ? [workload] : []));
  const rows = rowsOf(samples).filter(({ workload }) => !redefined.has(workload));
  const hasBase = rows.some(({ revision }) => revision === "base");
  const cellOf = ({ workload, load }) => `${workload}/${load}`;
  const gated = [...new Set(rows.filter(({ revision }) => !hasBase || revision === "base").map(cellOf))].sort();
  const blocks = /* @__PURE__ */ new Map();
  for (const row of rows) {
    if (!gated.includes(cellOf(row))) continue;
    const block = Number(row.block);
    blocks.set(block, (blocks.get(block) ?? /* @__PURE__ */ new Set()).add(cellOf(row)));
  }
  return { gated, blocks: new Map([...blocks].sort(([a], [b]) => a - b)) };
}
function isLeftOpen(config) {
  return config.blocks === null && config.profile === "full";
}
function lookOf(jobs, config) {
  const [first] = jobs;
  if (!first || jobs.length > 1 || !isLeftOpen(config)) return ONCE;
  const { gated, blocks } = cellsByBlock(first);
  const last = Math.max(0, ...blocks.keys());
  if (first.run.looks === 1 && last <= FULL_BLOCKS) return ONCE;
  const earliest = 1 + LOOKS_AT.findIndex((at) => quadsOf(blocks) <= at * gated.length);
  const latest = LOOKS_AT.filter((at) => at <= last).length;
  return { looks: 4, look: Math.max(earliest, Math.min(first.run.look ?? 1, latest), 1) };
}
function quadsOf(blocks) {
  return [...blocks.values()].reduce((sum, cells) => sum + cells.size, 0);
}
function checkSchedule(jobs, config) {
  const quick = config.profile === "quick";
  if (config.profile === "work") return;
  for (const job of jobs) {
    const { gated, blocks } = cellsByBlock(job);
    const most = blocksAtMost(config.blocks, quick, gated.length);
    const last = Math.max(...rowsOf(job.samples).map(({ block }) => Number(block)));
    if (last > most) throw new MeasurementError(`samples.csv of job ${job.job}: found block ${last}, a job has ${most} at most.`);
    const quads = quadsAtMost(config.blocks, quick) * gated.length;
    if (quadsOf(blocks) > quads)
      throw new MeasurementError(`samples.csv of job ${job.job}: found ${quadsOf(blocks)} quads of cells, a job has ${quads} at most.`);
    if (isLeftOpen(config)) checkChanges(job.job, gated, blocks);
  }
}
function checkChanges(job, gated, blocks) {
  const named = [...blocks].map(([block, cells]) => ({ block, cells: [...cells].sort().join(", ") }));
  const changes = named.filter(({ cells }, i) => cells !== (i === 0 ? gated.join(", ") : named[i - 1]?.cells));
  const wrong = changes.find(({ block }, i) => block <= LOOKS_AT[0] || i >= LOOKS_AT.length - 1);
  if (wrong)
    throw new MeasurementError(`samples.csv of job ${job}: block ${wrong.block} has the cells ${wrong.cells}: no look is before it.`);
}
function missingBlocks(blocks, isOpen, jobs, config) {
  if (config.profile === "work") return [];
  const adapts = lookOf(jobs, config).looks === 4;
  const planned = adapts ? LOOKS_AT[0] : blocksWanted(config.blocks, config.profile === "quick");
  const told = `${blocks} of ${planned} planned blocks are complete`;
  if (blocks < MIN_BLOCKS && planned >= MIN_BLOCKS)
    throw new MeasurementError(`samples.csv: ${told}; below ${MIN_BLOCKS} nothing can be gated.`);
  if (blocks < planned) return [`${told}.`];
  const last = Math.max(0, ...jobs.flatMap((job) => [...cellsByBlock(job).blocks.keys()]));
  const hasStopped = isOpen && adapts && last < LOOKS_AT.at(-1);
  return hasStopped ? [`${last} blocks did not decide, but the measurement did not continue as planned.`] : [];
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
  looks: external_exports.union([external_exports.literal(1), external_exports.literal(2), external_exports.literal(4)]),
  look: count.optional(),
  modes: external_exports.array(name).max(6),
  connections: count,
  instances: external_exports.enum(["pool", "shared"]),
  commits: external_exports.object({ head: commit, base: commit.nullable() }),
  ungated: external_exports.array(external_exports.object({ workload: name, why: external_exports.enum(["redefined", "new", "dropped"]) })).max(40).default([]),
  plan: external_exports.object({
    blocks: count,
    runs: count,
    cells: external_exports.array(external_exports.object({ workload: name, load: name, concurrency: count, warmup_s: measure, window_s: measure })).max(400)
  }),
  // Statements per request, by arm, workload and verb.
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
function trusted(text, number) {
  const run = numbersOnly(text);
  if (run) return run;
  throw new MeasurementError(
    `run.json of artifact ${number}: ${text === void 0 ? "missing" : "not what measure writes"}. Expected the file that measure leaves beside samples.csv. It names the compared commits.`
  );
}
function merged(runs) {
  const first = runs[0];
  const told = ({ head, base }) => `base ${base ?? "none"} and head ${head}`;
  const different = runs.find(({ commits }) => told(commits) !== told(first.commits));
  if (different)
    throw new MeasurementError(
      `run.json: commits: found ${told(first.commits)} in job ${first.job}, ${told(different.commits)} in job ${different.job}; expected the same in every job.`
    );
  return { ...first, probes_ms: runs.flatMap((run) => run.probes_ms), runs: runs.flatMap((run) => run.runs) };
}

// entrypoint/report-fork.ts
async function report(inputs) {
  if (!inputs.token) throw new InputError("github-token: report needs one, with actions: read and pull-requests: write");
  const api = client(inputs.token, say);
  const repository = repositoryOf(process.env.GITHUB_REPOSITORY);
  const key = inputs.config["comment-key"];
  const subject = await subjectOf(eventPayload(), process.env, api, repository);
  if (subject.pulls?.length === 0) return nothingToJudge(subject, inputs);
  const { outcome: found, pull, gaps } = await judged(inputs, api, repository, subject);
  const { runId, headSha, isFork } = subject;
  const github = {
    ...{ api, repository, pull, runId, mayWrite: await mayWrite(api, repository, subject) },
    andThen: async (outcome) => {
      await attempt("check", "checks: write, pull-requests: read", async () => {
        const standing = { isFork, gaps, others: isFork ? [] : await othersAt(api, repository, headSha, pull) };
        await createCheck(api, repository, { key, headSha, outcome, rules: inputs.config, standing, link: runLink(runId) });
      });
    }
  };
  return publish(found, { out: inputs.out, rules: inputs.config, github });
}
async function nothingToJudge({ headSha }, { out, config }) {
  const reason = `No open pull request has the head ${headSha}: it has moved on or was closed, so nothing is judged or published.`;
  say(reason);
  const outcome = {
    verdict: "not-gated",
    reasons: [reason],
    parts: { analysis: `${reason}
` },
    exitCode: exitCodeOf("not-gated")
  };
  return publish(outcome, { out, rules: config });
}
async function mayWrite(api, repository, { isFork, headSha }) {
  if (!isFork) return true;
  try {
    const [branch] = await branchesAt(api, repository, headSha);
    if (branch)
      say(`no comment and no check: ${headSha} is also the head of the branch ${branch} of this repository, whose own run judges it`);
    return !branch;
  } catch (error) {
    say(`no comment and no check: whether ${headSha} is also the head of a branch of this repository is unknown: ${messageOf(error)}`);
    return false;
  }
}
async function judged(inputs, api, repository, subject) {
  return withJob(say, async (job) => {
    let pull = subject.pulls?.length === 1 ? subject.pulls[0] : void 0;
    try {
      const data = await downloadData(api, repository, subject.runId, inputs.config["comment-key"], job.directory);
      const jobs = data.map(({ job: name2, samples, counts, run: record }, i) => ({
        ...{ job: name2, samples: readFileSync(samples, "utf8"), counts, run: trusted(record, i + 1) }
      }));
      const run = merged(jobs.map((one) => one.run));
      pull = await verified(inputs, api, repository, run.commits, subject);
      checkConditions(jobs, inputs.config);
      checkCounts(data, inputs.config);
      return { pull, ...await analysed(inputs, job, data, jobs, run) };
    } catch (error) {
      return { pull, outcome: invalidOutcome(messageOf(error)), gaps: [] };
    }
  });
}
async function verified({ config, source, workspace }, api, repository, commits, { pulls, headSha, before }) {
  const file = relative(process.env.GITHUB_WORKSPACE ?? workspace, source);
  if (pulls) return measuredPullRequest(api, repository, commits, pulls, { baseline: config.baseline, entry: entryPathOf(config), file });
  await checkEventCommits(api, repository, commits, headSha, before);
  return void 0;
}
async function analysed({ config, out }, job, data, jobs, run) {
  const { rscript } = await provision(
    { engine: "none", modes: [], database: { from: "none" }, report: true, composer: false },
    { yes: true, say: job.say }
  );
  const file = join(job.directory, "run.json");
  writeFileSync(file, JSON.stringify(run));
  const results = join(job.directory, "results");
  const request = {
    rscript,
    samples: data.map(({ samples }) => samples),
    out: results,
    run: file,
    modes: modeNames(config),
    gate: config.gate,
    ...lookOf(jobs, config)
  };
  const { cells, gaps: ofCells } = await fitting(jobs, config).catch(async (error) => {
    await analyse({ ...request, report: false });
    throw error;
  });
  const { analysis, summary } = await analyse({ ...request, report: true });
  const gaps = [...ofCells, ...missingBlocks(analysis.blocks, analysis.verdict === "inconclusive", jobs, config)];
  cpSync(results, out, { recursive: true });
  const { verdict, reasons } = analysis;
  const outcome = { verdict, reasons: [...gaps, ...reasons], parts: { gaps, analysis: summary }, exitCode: exitCodeOf(verdict), analysis };
  return { outcome: { ...outcome, coverage: cells }, gaps };
}
async function fitting(jobs, config) {
  const coverage = coverageOf(jobs, config);
  checkSchedule(jobs, config);
  refuseCopies(jobs);
  return coverage;
}

// entrypoint/bin/report-action.ts
runAction(async (inputs) => {
  const outcome = await report(inputs);
  if (failsJob(outcome, inputs.config)) fail(`${outcome.verdict}: ${outcome.reasons.join(" ")}`);
});
