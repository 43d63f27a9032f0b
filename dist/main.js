import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  client,
  findAcceptance,
  repositoryOf
} from "./chunk-HAJFCRBG.js";
import {
  annotate,
  attempt,
  comment,
  eventPayload,
  runAction,
  setOutputs,
  uploadResults,
  writeJobSummary
} from "./chunk-BESHZJ7N.js";
import {
  gate
} from "./chunk-7OCIA5RM.js";
import {
  failsJob,
  invalidOutcome,
  messageOf,
  withAcceptance,
  withJob
} from "./chunk-H2T3OATJ.js";
import "./chunk-7AOGM37P.js";
import {
  getInput,
  info,
  setFailed,
  setOutput
} from "./chunk-A2TQ63EB.js";
import "./chunk-LQK3ML4U.js";

// entrypoint/publish/release.ts
import { readFileSync } from "node:fs";
import { join } from "node:path";
function releaseNotes({ verdict, analysis, reasons }, baseLabel) {
  if (!analysis) return "";
  const { change, change_low: low, change_high: high } = analysis.pooled;
  const percent = (x) => x === null ? "\u2013" : `${x >= 1 ? "+" : ""}${((x - 1) * 100).toFixed(1)} %`;
  const rows = analysis.cells.map(
    (cell) => `| ${cell.workload} / ${cell.load} | ${times(cell.gain_base)} | ${times(cell.gain_head)} | ${percent(cell.change)} (${percent(cell.change_low)} to ${percent(cell.change_high)}) |`
  );
  return [
    "### Asynchronous gain",
    "",
    `${verdict[0]?.toUpperCase()}${verdict.slice(1)}: ${reasons[0] ?? ""}`,
    "",
    ...change === null ? [] : [`Against ${baseLabel ?? "base"}, over all cells: ${percent(change)} (95 % CI ${percent(low)} to ${percent(high)}).`, ""],
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

// entrypoint/main.ts
runAction(async (inputs) => {
  const payload = eventPayload();
  const event = { name: process.env.GITHUB_EVENT_NAME ?? "", ref: process.env.GITHUB_REF ?? "", payload };
  const measured = await withJob(
    (line) => info(line),
    (job) => gate(inputs, event, job).then(
      (done) => done,
      (error) => invalidOutcome(messageOf(error))
    )
  );
  const outcome = await publish(measured, inputs, payload);
  if (failsJob(outcome, (outcome.rules ?? inputs.config)["on-inconclusive"]))
    setFailed(`${outcome.verdict}: ${outcome.reasons.join(" ")}`);
});
async function publish(measured, inputs, payload) {
  const { token, out } = inputs;
  const key = inputs.config["comment-key"];
  const api = token && process.env.GITHUB_REPOSITORY ? client(token, info) : void 0;
  const repository = api && repositoryOf(process.env.GITHUB_REPOSITORY);
  const number = payload.pull_request?.number;
  const headSha = payload.pull_request?.head?.sha;
  const label = (measured.rules ?? inputs.config)["accept-label"];
  let outcome = measured;
  if (api && repository && number && headSha && label && measured.verdict === "regressed") {
    await attempt("acceptance", "issues: read, actions: read", async () => {
      outcome = withAcceptance(measured, await findAcceptance(api, repository, { number, headSha }, label));
    });
  }
  setOutputs(outcome, out);
  setOutput("release-notes", releaseNotes(outcome, outcome.baseLabel));
  annotate(outcome);
  await attempt("job summary", "contents: read", () => writeJobSummary(outcome));
  await attempt("artifact", "actions: write", () => uploadResults(out, key));
  if (!api || !repository) return outcome;
  if (number) {
    const run = Number(process.env.GITHUB_RUN_ID ?? 0);
    await attempt("comment", "pull-requests: write", () => comment(api, repository, number, key, run, outcome));
  }
  const release = payload.release?.id;
  if (release && getInput("attach-to-release") === "true" && outcome.analysis) {
    await attempt("release asset", "contents: write", () => attachToRelease(api, repository, release, out));
  }
  return outcome;
}
