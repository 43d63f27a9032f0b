import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  client,
  orNothing,
  publish,
  pullRequestIn,
  repositoryOf
} from "./chunk-ZVVEDIJ2.js";
import {
  actionsCache,
  attempt,
  eventPayload,
  fail,
  runAction,
  say,
  setCacheHit,
  startedBy
} from "./chunk-LH7RYTLO.js";
import {
  getInput,
  setOutput
} from "./chunk-Q5BVC7RY.js";
import {
  code,
  gate,
  plain,
  settle
} from "./chunk-JKL5ABYJ.js";
import {
  external_exports,
  failsJob,
  parseConfig,
  rulesOf,
  thrownOutcome,
  withJob
} from "./chunk-5GUOTFHG.js";
import {
  InputError
} from "./chunk-JWUX6AV2.js";

// entrypoint/publish/of-gate.ts
import { relative } from "node:path";

// entrypoint/publish/history.ts
import { setTimeout as sleep } from "node:timers/promises";

// entrypoint/publish/history-page.ts
import { readFileSync } from "node:fs";

// entrypoint/publish/history-record.ts
var number = external_exports.number().nullable();
var schema = external_exports.object({
  time: external_exports.string().regex(/^[0-9T:.Z-]{10,40}$/),
  commit: external_exports.string().regex(/^[A-Za-z0-9]{0,64}$/),
  verdict: external_exports.enum(["pass", "regressed", "inconclusive", "not-gated", "invalid"]),
  cells: external_exports.array(external_exports.object({ cell: external_exports.string().max(200), gain: number, change: number, change_low: number, change_high: number })).max(1e3)
});
function recordsIn(lines) {
  return lines.split("\n").flatMap((line) => {
    try {
      return [schema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

// entrypoint/publish/history-page.ts
var asset = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
var PAGE = asset("./history-page.html");
var SCRIPT = asset("./history-page.js");
function historyPage(key, lines) {
  const data = JSON.stringify(recordsIn(lines)).replaceAll("<", "\\u003c");
  const slots = { key, data, script: SCRIPT };
  return PAGE.replace(/\{\{(\w+)\}\}/g, (slot, name) => slots[name] ?? slot);
}

// entrypoint/publish/history.ts
var KEPT = 500;
var TRIES = 5;
var EMPTY = 409;
function recordOf({ analysis, verdict }, commit, time) {
  if (analysis?.metric !== "goodput") return void 0;
  return {
    time: time.toISOString(),
    commit,
    verdict,
    cells: analysis.cells.map(({ workload, load, gain_head: gain, change, change_low, change_high }) => ({
      cell: `${workload}/${load}`,
      gain,
      change,
      change_low,
      change_high
    }))
  };
}
function appended(lines, record) {
  const all = [...lines.split("\n").filter(Boolean), JSON.stringify(record)];
  return `${all.slice(-KEPT).join("\n")}
`;
}
async function appendHistory(api, repository, branch, key, record) {
  const ref = `heads/${branch}`;
  const path = `async-php-bench/${key}.jsonl`;
  for (let attempt2 = 1; ; attempt2++) {
    const parent = await (await orNothing(api.rest.git.getRef({ ...repository, ref }), EMPTY))?.data.object.sha;
    const base = parent && (await api.rest.git.getCommit({ ...repository, commit_sha: parent })).data.tree.sha;
    const before = parent ? await orNothing(contentOf(api, repository, path, parent), EMPTY) : void 0;
    const lines = appended(before ?? "", record);
    const tree = await api.rest.git.createTree({
      ...repository,
      ...base ? { base_tree: base } : {},
      tree: [
        { path, mode: "100644", type: "blob", content: lines },
        { path: `async-php-bench/${key}.html`, mode: "100644", type: "blob", content: historyPage(key, lines) }
      ]
    });
    const commit = await api.rest.git.createCommit({
      ...repository,
      message: `async-php-bench ${key}: ${record.verdict} at ${record.commit.slice(0, 10)}`,
      tree: tree.data.sha,
      parents: parent ? [parent] : []
    });
    const { sha } = commit.data;
    try {
      if (parent) await api.rest.git.updateRef({ ...repository, ref, sha, force: false });
      else await api.rest.git.createRef({ ...repository, ref: `refs/${ref}`, sha });
      return;
    } catch (error) {
      const status = error.status;
      if (attempt2 === TRIES || status !== 409 && status !== 422) throw error;
      await sleep(200 * attempt2);
    }
  }
}
async function contentOf(api, repository, path, ref) {
  const { data } = await api.rest.repos.getContent({ ...repository, path, ref });
  if (Array.isArray(data) || data.type !== "file") throw new Error(`${path} on the history branch is not a file`);
  if (data.content) return Buffer.from(data.content, "base64").toString();
  const blob = await api.rest.git.getBlob({ ...repository, file_sha: data.sha });
  return Buffer.from(blob.data.content, "base64").toString();
}

// entrypoint/publish/history-branch.ts
async function historyBranch(api, repository, asked, file, input) {
  const { data } = await api.rest.repos.get({ ...repository });
  const main = data.default_branch;
  const branch = input !== void 0 ? input : await namedOn(api, repository, main, file);
  if (branch !== asked)
    throw new InputError(`history-branch: found "${asked}", but the configuration on ${main} says ${branch ? `"${branch}"` : "none"}`);
  if (branch === main) throw new InputError(`history-branch: "${branch}" is the default branch. Allowed: a branch for the history alone`);
  if (await isProtected(api, repository, branch))
    throw new InputError(`history-branch: "${branch}" is a protected branch. Allowed: a branch for the history alone`);
  return branch;
}
async function namedOn(api, repository, ref, path) {
  const content = await orNothing(api.rest.repos.getContent({ ...repository, path, ref }));
  const text = content && "content" in content.data ? Buffer.from(content.data.content, "base64").toString() : "";
  return parseConfig(text, `${path} on ${ref}`)["history-branch"];
}
async function isProtected(api, repository, branch) {
  return (await orNothing(api.rest.repos.getBranch({ ...repository, branch })))?.data.protected ?? false;
}

// entrypoint/publish/release.ts
import { readFileSync as readFileSync2 } from "node:fs";
import { join } from "node:path";
function releaseNotes({ verdict, analysis, reasons }, baseLabel) {
  if (!analysis) return "";
  const { change, change_low: low, change_high: high } = analysis.pooled;
  const percent = (x) => x === null ? "\u2013" : `${x >= 1 ? "+" : ""}${((x - 1) * 100).toFixed(1)} %`;
  const rows = analysis.cells.map(
    (cell) => `| ${code(`${cell.workload} / ${cell.load}`)} | ${times(cell.gain_base)} | ${times(cell.gain_head)} | ${percent(cell.change)} (${percent(cell.change_low)} to ${percent(cell.change_high)}) |`
  );
  return [
    analysis.metric === "goodput" ? "### Asynchronous gain" : "### Asynchronous gain in instructions per request, without time or waiting",
    "",
    `${verdict[0]?.toUpperCase()}${verdict.slice(1)}: ${plain(reasons[0] ?? "")}`,
    "",
    ...change === null ? [] : [
      `Against ${baseLabel === void 0 ? "base" : code(baseLabel)}, over all cells: ${percent(change)} (95 % CI ${percent(low)} to ${percent(high)}).`,
      ""
    ],
    "| workload / load | gain before | gain now | change (95 % CI) |",
    "|---|---:|---:|---:|",
    ...rows,
    ""
  ].join("\n");
}
function times(gain) {
  return gain === null ? "\u2013" : `${gain.toFixed(2)}x`;
}
var ASSETS = [
  ["analysis.json", "application/json"],
  ["report.html", "text/html"]
];
async function attachToRelease(api, repository, release, out) {
  const { upload_url: template } = (await api.rest.repos.getRelease({ ...repository, release_id: release })).data;
  const upload = template.replace(/\{.*$/, "");
  const there = await api.paginate(api.rest.repos.listReleaseAssets, { ...repository, release_id: release, per_page: 100 });
  for (const [file, type] of ASSETS) {
    const name = `async-php-bench-${file}`;
    const old = there.find((asset2) => asset2.name === name);
    if (old) await api.rest.repos.deleteReleaseAsset({ ...repository, asset_id: old.id });
    await api.request({
      method: "POST",
      url: `${upload}?name=${name}`,
      headers: { "content-type": type },
      data: readFileSync2(join(out, file))
    });
  }
}

// entrypoint/publish/of-gate.ts
async function publishGate(measured, rules, inputs) {
  const { token, out } = inputs;
  setOutput("release-notes", releaseNotes(measured, measured.baseLabel));
  if (!token || !process.env.GITHUB_REPOSITORY) return publish(measured, { out, rules });
  const place = { api: client(token, say), repository: repositoryOf(process.env.GITHUB_REPOSITORY) };
  const github = {
    ...place,
    pull: pullRequestIn(eventPayload().pull_request),
    runId: Number(process.env.GITHUB_RUN_ID ?? 0),
    mayWrite: true,
    andThen: async (outcome) => {
      await keepHistory(place, outcome, rules, inputs);
      await attach(place, outcome, out);
    }
  };
  return publish(measured, { out, rules, github });
}
async function keepHistory({ api, repository }, outcome, rules, inputs) {
  const asked = rules["history-branch"];
  const record = recordOf(outcome, process.env.GITHUB_SHA ?? "", /* @__PURE__ */ new Date());
  if (!asked || !record || eventPayload().pull_request) return;
  await attempt("history", "contents: write", async () => {
    const file = relative(process.env.GITHUB_WORKSPACE ?? inputs.workspace, inputs.source);
    const input = inputs.overrides["history-branch"];
    await appendHistory(api, repository, await historyBranch(api, repository, asked, file, input), rules["comment-key"], record);
  });
}
async function attach({ api, repository }, { analysis }, out) {
  const release = eventPayload().release?.id;
  if (!release || !analysis || getInput("attach-to-release") !== "true") return;
  await attempt("release asset", "contents: write", () => attachToRelease(api, repository, release, out));
}

// entrypoint/bin/gate-action.ts
runAction(async (inputs) => {
  const cache = actionsCache(inputs);
  const { outcome: measured, rules } = await withJob(say, (job) => judge(inputs, job), cache);
  setCacheHit(cache);
  const outcome = await publishGate(measured, rules, inputs);
  if (failsJob(outcome, rules)) fail(`${outcome.verdict}: ${outcome.reasons.join(" ")}`);
});
async function judge(inputs, job) {
  let rules = rulesOf(parseConfig("", inputs.source, inputs.overrides));
  try {
    const settled = await settle(inputs, startedBy(), job);
    rules = settled.rules;
    return { outcome: await gate(settled, inputs, job), rules };
  } catch (error) {
    return { outcome: thrownOutcome(error, job.signal), rules };
  }
}
