import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  client,
  orNothing,
  publish,
  pullRequestIn,
  repositoryOf
} from "./chunk-KXCMOQ74.js";
import {
  attempt,
  eventPayload,
  fail,
  getInput,
  runAction,
  say,
  setOutput,
  startedBy
} from "./chunk-C4LGU52S.js";
import {
  code,
  gate,
  plain,
  settle
} from "./chunk-HXT5S5SX.js";
import {
  InputError,
  external_exports,
  failsJob,
  invalidOutcome,
  messageOf,
  parseConfig,
  rulesOf,
  withJob
} from "./chunk-C67FCAO2.js";

// entrypoint/publish/of-gate.ts
import { relative } from "node:path";

// entrypoint/publish/history.ts
import { setTimeout as sleep } from "node:timers/promises";

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
function historyPage(key, lines) {
  const data = JSON.stringify(recordsIn(lines)).replaceAll("<", "\\u003c");
  return PAGE.replaceAll("KEY", () => key).replace("DATA", () => data);
}
var PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Asynchronous gain: KEY</title>
<style>
  :root { color-scheme: light dark; --line: #0072b2; --bad: #d55e00; --grid: #8884 }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
  svg { width: 100%; height: auto; overflow: visible }
  svg text { font-size: 11px; fill: currentColor }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums }
  td, th { padding: .2rem .8rem .2rem 0; text-align: right } td:first-child, th:first-child { text-align: left }
</style>
<h1>Asynchronous gain: KEY</h1>
<p>Goodput of the asynchronous mode against the synchronous one at each commit, cell by cell. Bars: 95 % confidence interval of the change against its base, drawn around the gain.
Orange squares: regressed.</p>
<div id="charts"></div>
<script>
const records = DATA
const WIDTH = 900, HEIGHT = 220, LEFT = 44, BOTTOM = 24
const svg = (name, attributes, text) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  if (text !== undefined) element.textContent = text
  return element
}
const cells = [...new Set(records.flatMap((record) => record.cells.map(({ cell }) => cell)))]
for (const name of cells) {
  const points = records.map((record, i) => ({ i, record, ...record.cells.find(({ cell }) => cell === name) })).filter(({ gain }) => gain > 0)
  if (!points.length) continue
  const low = (p) => (p.change ? p.gain * p.change_low / p.change : p.gain)
  const high = (p) => (p.change ? p.gain * p.change_high / p.change : p.gain)
  const top = Math.max(1.1, ...points.map(high)) * 1.05, floor = Math.min(0.9, ...points.map(low)) * 0.95
  const x = (i) => LEFT + (i + 0.5) * (WIDTH - LEFT) / records.length
  const y = (gain) => (HEIGHT - BOTTOM) * (1 - (gain - floor) / (top - floor))
  const latest = points.at(-1)
  const chart = svg('svg', { viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, role: 'img', 'aria-label': name + ': gain over ' + points.length + ' commits, latest ' + latest.gain.toFixed(2) })
  for (let step = 0; step <= 4; step++) {
    const gain = floor + (top - floor) * step / 4
    chart.append(svg('line', { x1: LEFT, x2: WIDTH, y1: y(gain), y2: y(gain), stroke: 'var(--grid)' }), svg('text', { x: 0, y: y(gain) + 4 }, gain.toFixed(2)))
  }
  chart.append(svg('polyline', { points: points.map((p) => x(p.i) + ',' + y(p.gain)).join(' '), fill: 'none', stroke: 'var(--line)', 'stroke-width': 1.5 }))
  for (const p of points) {
    const isBad = p.record.verdict === 'regressed'
    const colour = isBad ? 'var(--bad)' : 'var(--line)'
    chart.append(svg('line', { x1: x(p.i), x2: x(p.i), y1: y(low(p)), y2: y(high(p)), stroke: colour, 'stroke-width': 2 }))
    const mark = isBad ? svg('rect', { x: x(p.i) - 5, y: y(p.gain) - 5, width: 10, height: 10, fill: colour }) : svg('circle', { cx: x(p.i), cy: y(p.gain), r: 4, fill: colour })
    mark.append(svg('title', {}, p.record.commit.slice(0, 10) + ', ' + p.record.time.slice(0, 10) + ': ' + p.gain.toFixed(2) + 'x, ' + p.record.verdict))
    chart.append(mark)
  }
  for (const p of [points[0], latest]) chart.append(svg('text', { x: x(p.i), y: HEIGHT - 6, 'text-anchor': 'middle' }, p.record.commit.slice(0, 7)))
  const heading = document.createElement('h2')
  heading.textContent = name
  document.getElementById('charts').append(heading, chart)
}
</script>
<noscript>The charts need JavaScript. The data are in KEY.jsonl beside this page.</noscript>
</html>
`;

// entrypoint/publish/history.ts
var KEPT = 500;
var TRIES = 5;
var EMPTY = 409;
function recordOf({ analysis, verdict }, commit, time) {
  return analysis && {
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
  if (Array.isArray(data) || data.type !== "file") throw new Error(`${path} on the history branch is no file`);
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
import { readFileSync } from "node:fs";
import { join } from "node:path";
function releaseNotes({ verdict, analysis, reasons }, baseLabel) {
  if (!analysis) return "";
  const { change, change_low: low, change_high: high } = analysis.pooled;
  const percent = (x) => x === null ? "\u2013" : `${x >= 1 ? "+" : ""}${((x - 1) * 100).toFixed(1)} %`;
  const rows = analysis.cells.map(
    (cell) => `| ${code(`${cell.workload} / ${cell.load}`)} | ${times(cell.gain_base)} | ${times(cell.gain_head)} | ${percent(cell.change)} (${percent(cell.change_low)} to ${percent(cell.change_high)}) |`
  );
  return [
    "### Asynchronous gain",
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
    const old = there.find((asset) => asset.name === name);
    if (old) await api.rest.repos.deleteReleaseAsset({ ...repository, asset_id: old.id });
    await api.request({
      method: "POST",
      url: `${upload}?name=${name}`,
      headers: { "content-type": type },
      data: readFileSync(join(out, file))
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
  const { outcome: measured, rules } = await withJob(say, (job) => judge(inputs, job));
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
    return { outcome: invalidOutcome(messageOf(error)), rules };
  }
}
