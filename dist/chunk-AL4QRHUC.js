import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  harmless,
  messageOf,
  readInputs,
  visible
} from "./chunk-QGQUJF2X.js";
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
} from "./chunk-A2TQ63EB.js";

// entrypoint/publish/files.ts
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
function filesOf(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && !entry.name.endsWith(".new")).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

// entrypoint/publish/github.ts
import { readFileSync } from "node:fs";
import { join as join2 } from "node:path";

// entrypoint/publish/cut.ts
function cut(text, limit) {
  return text.length <= limit ? text : atLine(text.slice(0, limit));
}
function cutBytes(text, limit) {
  const bytes = Buffer.from(text);
  return bytes.length <= limit ? text : atLine(bytes.subarray(0, limit).toString());
}
function atLine(text) {
  const end = text.lastIndexOf("\n");
  return end > 0 ? text.slice(0, end) : text.replace(/[\ud800-\udbff\ufffd]+$/, "");
}

// entrypoint/publish/comment.ts
var COMMENT_LIMIT = 65536;
function marker(key, run) {
  return `<!-- async-php-bench:${key} run:${run} -->`;
}
function runOfComment(body, key) {
  const match = /^<!-- async-php-bench:([a-z0-9._-]+) run:(\d+) -->/.exec(body);
  const run = Number(match?.[2]);
  return match?.[1] === key && Number.isSafeInteger(run) ? run : void 0;
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
  return head + cut(summary2, room - note.length) + note + foot;
}
async function postComment(api, key, run, body) {
  const author = await api.author();
  const own = (await api.list()).filter((comment2) => comment2.user?.login === author);
  const existing = own.find((comment2) => runOfComment(comment2.body ?? "", key) !== void 0);
  if (!existing) {
    await api.create(body);
    return "created";
  }
  if (runOfComment(existing.body ?? "", key) > run) return "newer-exists";
  await api.update(existing.id, body);
  return "updated";
}

// entrypoint/publish/github.ts
function eventPayload() {
  const path = process.env.GITHUB_EVENT_PATH;
  if (!path) return {};
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}
function startedBy() {
  const { GITHUB_EVENT_NAME: name = "", GITHUB_REF: ref = "", GITHUB_SHA: sha = "" } = process.env;
  return { name, ref, sha, payload: eventPayload() };
}
function setOutputs(outcome, out) {
  const { analysis, accepted } = outcome;
  setOutput("verdict", outcome.verdict);
  setOutput("exit-code", String(outcome.exitCode));
  setOutput("accepted-by", accepted?.by ?? "");
  setOutput("change", analysis?.pooled.change ?? "");
  setOutput("change-low", analysis?.pooled.change_low ?? "");
  setOutput("change-high", analysis?.pooled.change_high ?? "");
  setOutput("results", out);
  setOutput("report", join2(out, "report.html"));
}
function annotate(outcome) {
  const text = outcome.reasons.join("\n");
  const title = `async-php-bench: ${outcome.verdict}`;
  if (outcome.accepted) warning(`${text}
Accepted by ${outcome.accepted.by}.`, { title });
  else if (outcome.verdict === "regressed" || outcome.verdict === "invalid") error(text, { title });
  else if (outcome.verdict === "inconclusive") warning(text, { title });
}
var SUMMARY_LIMIT = 1e6;
async function writeJobSummary(outcome) {
  await summary.addRaw(cutBytes(outcome.summary, SUMMARY_LIMIT), true).write();
}
async function upload(name, files, root) {
  if (!process.env.ACTIONS_RUNTIME_TOKEN || files.length === 0) return;
  const { DefaultArtifactClient } = await import("./artifact-QSWLAQ2T.js");
  await new DefaultArtifactClient().uploadArtifact(name, files, root);
}
async function uploadResults(out, key) {
  await upload(`async-php-bench-${key}`, filesOf(out), out);
}
function runLink(run) {
  return `${process.env.GITHUB_SERVER_URL}/${process.env.GITHUB_REPOSITORY}/actions/runs/${run}`;
}
async function comment(api, repository, issue, key, run, outcome) {
  const body = renderComment(key, run, outcome.summary, runLink(run));
  info(`comment: ${await postComment(commentsOf(api, repository, issue), key, run, body)}`);
}
function commentsOf(api, repository, issue) {
  const issueOf = { ...repository, issue_number: issue };
  return {
    list: () => api.paginate(api.rest.issues.listComments, { ...issueOf, per_page: 100 }),
    create: async (body) => void await api.rest.issues.createComment({ ...issueOf, body }),
    update: async (id, body) => void await api.rest.issues.updateComment({ ...repository, comment_id: id, body }),
    // The job's own token belongs to an app, which may not ask who it is.
    author: () => api.rest.users.getAuthenticated().then(
      ({ data }) => data.login,
      () => "github-actions[bot]"
    )
  };
}
async function attempt(what, permission, send) {
  try {
    await send();
    return true;
  } catch (error2) {
    const status = error2.status;
    const hint = status === 401 || status === 403 || status === 404 ? ` The job needs \`permissions: ${permission}\`; for pull requests from forks GitHub never gives it to the job that runs their code.` : "";
    notice(`async-php-bench: the ${what} could not be published: ${messageOf(error2).replace(/\.$/, "")}.${hint} The verdict stands.`);
    return false;
  }
}

// entrypoint/bin/action.ts
function say(line) {
  info(harmless(line));
}
function fail(message) {
  setFailed(visible(message));
}
function runAction(work) {
  const run = async () => {
    const token = getInput("github-token");
    if (token) setSecret(token);
    const workspace = process.env.GITHUB_WORKSPACE ?? process.cwd();
    const out = `${process.env.RUNNER_TEMP ?? "/tmp"}/async-php-bench-results`;
    await work(readInputs({ get: (key) => getInput(key) }, { workspace, out, yes: true, token }));
  };
  run().then(
    () => process.exit(),
    (error2) => {
      fail(messageOf(error2));
      process.exit(1);
    }
  );
}

export {
  cut,
  filesOf,
  eventPayload,
  startedBy,
  setOutputs,
  annotate,
  writeJobSummary,
  upload,
  uploadResults,
  runLink,
  comment,
  attempt,
  say,
  fail,
  runAction
};
