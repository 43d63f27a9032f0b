import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  failsJob,
  gate,
  invalidOutcome,
  messageOf,
  readInputs,
  withJob
} from "./chunk-K27MQ2Z7.js";
import {
  error,
  getInput,
  info,
  notice,
  setFailed,
  setOutput,
  setSecret,
  summary,
  warning
} from "./chunk-I64NQDQN.js";
import "./chunk-4SMVGCON.js";
import "./chunk-LQK3ML4U.js";

// entrypoint/publish/github.ts
import { readFileSync } from "node:fs";
import { join as join2 } from "node:path";

// entrypoint/publish/comment.ts
var COMMENT_LIMIT = 65536;
function marker(key, run) {
  return `<!-- async-php-bench:${key} run:${run} -->`;
}
function runOfComment(body, key) {
  const match = /^<!-- async-php-bench:([a-z0-9._-]+) run:(\d+) -->/.exec(body);
  return match && match[1] === key ? Number(match[2]) : void 0;
}
function renderComment(key, run, summary2, link) {
  const head = `${marker(key, run)}
`;
  const foot = link ? `
[Report and raw data](${link})
` : "\n";
  const room = COMMENT_LIMIT - head.length - foot.length;
  if (summary2.length <= room) return head + summary2 + foot;
  const note = "\n\n\u2026cut here; the whole summary is in the job summary.\n";
  const cut = summary2.slice(0, room - note.length);
  return head + cut.slice(0, cut.lastIndexOf("\n")) + note + foot;
}
async function postComment(api2, key, run, body) {
  const author = await api2.author();
  const own = (await api2.list()).filter((comment2) => comment2.user?.login === author);
  const existing = own.find((comment2) => runOfComment(comment2.body ?? "", key) !== void 0);
  if (!existing) {
    await api2.create(body);
    return "created";
  }
  if (runOfComment(existing.body ?? "", key) > run) return "newer-exists";
  await api2.update(existing.id, body);
  return "updated";
}

// entrypoint/publish/files.ts
import { readdirSync } from "node:fs";
import { join } from "node:path";
function filesOf(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && !entry.name.endsWith(".new")).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

// entrypoint/publish/github.ts
async function publish(outcome, out, to) {
  setOutputs(outcome, out);
  annotate(outcome);
  await attempt("job summary", async () => {
    await summary.addRaw(outcome.summary.slice(0, 1e6), true).write();
  });
  await attempt("artifact", () => upload(out, to.commentKey));
  await attempt("comment", () => comment(outcome, to));
}
function setOutputs(outcome, out) {
  const { analysis } = outcome;
  setOutput("verdict", outcome.verdict);
  setOutput("exit-code", String(outcome.exitCode));
  setOutput("change", analysis?.pooled.change ?? "");
  setOutput("change-low", analysis?.pooled.change_low ?? "");
  setOutput("change-high", analysis?.pooled.change_high ?? "");
  setOutput("results", out);
  setOutput("report", join2(out, "report.html"));
}
function annotate(outcome) {
  const text = outcome.reasons.join("\n");
  const title = `async-php-bench: ${outcome.verdict}`;
  if (outcome.verdict === "regressed" || outcome.verdict === "invalid") error(text, { title });
  else if (outcome.verdict === "inconclusive") warning(text, { title });
}
async function upload(out, key) {
  if (!process.env.ACTIONS_RUNTIME_TOKEN) return;
  const { DefaultArtifactClient } = await import("./artifact-ZJ7HM7SV.js");
  await new DefaultArtifactClient().uploadArtifact(`async-php-bench-${key}`, filesOf(out), out);
}
async function comment(outcome, to) {
  const number = to.payload.pull_request?.number;
  const repository = process.env.GITHUB_REPOSITORY;
  if (!number || !to.token || !repository) return;
  const run = Number(process.env.GITHUB_RUN_ID ?? 0);
  const link = `${process.env.GITHUB_SERVER_URL}/${repository}/actions/runs/${run}`;
  const done = await postComment(
    await api(to.token, repository, number),
    to.commentKey,
    run,
    renderComment(to.commentKey, run, outcome.summary, link)
  );
  info(`comment: ${done}`);
}
async function api(token, repository, issue) {
  const { getOctokit } = await import("./github-3ZZSGRNO.js");
  const octokit = getOctokit(token);
  const [owner, repo] = repository.split("/");
  const issueOf = { owner, repo, issue_number: issue };
  return {
    list: () => octokit.paginate(octokit.rest.issues.listComments, { ...issueOf, per_page: 100 }),
    create: async (body) => void await octokit.rest.issues.createComment({ ...issueOf, body }),
    update: async (id, body) => void await octokit.rest.issues.updateComment({ owner, repo, comment_id: id, body }),
    // The job's own token belongs to an app, which may not ask who it is.
    author: () => octokit.rest.users.getAuthenticated().then(
      ({ data }) => data.login,
      () => "github-actions[bot]"
    )
  };
}
async function attempt(what, send) {
  try {
    await send();
  } catch (error2) {
    const status = error2.status;
    const hint = status === 403 || status === 404 ? " The job needs `permissions: pull-requests: write`; for pull requests from forks GitHub never gives it." : "";
    notice(`async-php-bench: the ${what} could not be published: ${messageOf(error2)}.${hint} The verdict stands.`);
  }
}
function eventPayload() {
  const path = process.env.GITHUB_EVENT_PATH;
  if (!path) return {};
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}

// entrypoint/main.ts
async function main() {
  const token = getInput("github-token");
  if (token) setSecret(token);
  const workspace = process.env.GITHUB_WORKSPACE ?? process.cwd();
  const inputs = readInputs(
    { get: (key) => getInput(key) },
    { workspace, out: `${process.env.RUNNER_TEMP ?? "/tmp"}/async-php-bench-results`, yes: true, token }
  );
  const payload = eventPayload();
  const event = { name: process.env.GITHUB_EVENT_NAME ?? "", ref: process.env.GITHUB_REF ?? "", payload };
  const outcome = await withJob(
    (line) => info(line),
    (job) => gate(inputs, event, job).then(
      (done) => done,
      (error2) => invalidOutcome(messageOf(error2))
    )
  );
  await publish(outcome, inputs.out, { token, commentKey: inputs.config["comment-key"], payload });
  if (failsJob(outcome, inputs.config["on-inconclusive"])) setFailed(`${outcome.verdict}: ${outcome.reasons.join(" ")}`);
}
main().then(
  () => process.exit(),
  (error2) => {
    setFailed(messageOf(error2));
    process.exit(1);
  }
);
