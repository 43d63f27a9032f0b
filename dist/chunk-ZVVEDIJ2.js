import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  annotate,
  attempt,
  cut,
  getOctokit,
  require_light,
  retry,
  runLink,
  say,
  setOutputs,
  uploadResults,
  writeJobSummary
} from "./chunk-LH7RYTLO.js";
import {
  info
} from "./chunk-Q5BVC7RY.js";
import {
  composeSummary,
  failsJob,
  isWhollyGated,
  writeSummary
} from "./chunk-5GUOTFHG.js";
import {
  InputError,
  __toESM
} from "./chunk-JWUX6AV2.js";

// node_modules/@octokit/plugin-throttling/dist-bundle/index.js
var import_light = __toESM(require_light(), 1);
var VERSION = "0.0.0-development";
var noop = () => Promise.resolve();
function wrapRequest(state, request, options) {
  return state.retryLimiter.schedule(doRequest, state, request, options);
}
async function doRequest(state, request, options) {
  const { pathname } = new URL(options.url, "http://github.test");
  const isAuth = isAuthRequest(options.method, pathname);
  const isWrite = !isAuth && options.method !== "GET" && options.method !== "HEAD";
  const isSearch = options.method === "GET" && pathname.startsWith("/search/");
  const isGraphQL = pathname.startsWith("/graphql");
  const retryCount = ~~request.retryCount;
  const jobOptions = retryCount > 0 ? { priority: 0, weight: 0 } : {};
  if (state.clustering) {
    jobOptions.expiration = 1e3 * 60;
  }
  if (isWrite || isGraphQL) {
    await state.write.key(state.id).schedule(jobOptions, noop);
  }
  if (isWrite && state.triggersNotification(pathname)) {
    await state.notifications.key(state.id).schedule(jobOptions, noop);
  }
  if (isSearch) {
    await state.search.key(state.id).schedule(jobOptions, noop);
  }
  const req = (isAuth ? state.auth : state.global).key(state.id).schedule(jobOptions, request, options);
  if (isGraphQL) {
    const res = await req;
    if (res.data.errors != null && res.data.errors.some((error) => error.type === "RATE_LIMITED")) {
      const error = Object.assign(new Error("GraphQL Rate Limit Exceeded"), {
        response: res,
        data: res.data
      });
      throw error;
    }
  }
  return req;
}
function isAuthRequest(method, pathname) {
  return method === "PATCH" && // https://docs.github.com/en/rest/apps/apps?apiVersion=2022-11-28#create-a-scoped-access-token
  /^\/applications\/[^/]+\/token\/scoped$/.test(pathname) || method === "POST" && // https://docs.github.com/en/rest/apps/oauth-applications?apiVersion=2022-11-28#reset-a-token
  (/^\/applications\/[^/]+\/token$/.test(pathname) || // https://docs.github.com/en/rest/apps/apps?apiVersion=2022-11-28#create-an-installation-access-token-for-an-app
  /^\/app\/installations\/[^/]+\/access_tokens$/.test(pathname) || // https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
  pathname === "/login/oauth/access_token");
}
var triggers_notification_paths_default = [
  "/orgs/{org}/invitations",
  "/orgs/{org}/invitations/{invitation_id}",
  "/orgs/{org}/teams/{team_slug}/discussions",
  "/orgs/{org}/teams/{team_slug}/discussions/{discussion_number}/comments",
  "/repos/{owner}/{repo}/collaborators/{username}",
  "/repos/{owner}/{repo}/commits/{commit_sha}/comments",
  "/repos/{owner}/{repo}/issues",
  "/repos/{owner}/{repo}/issues/{issue_number}/comments",
  "/repos/{owner}/{repo}/issues/{issue_number}/sub_issue",
  "/repos/{owner}/{repo}/issues/{issue_number}/sub_issues/priority",
  "/repos/{owner}/{repo}/pulls",
  "/repos/{owner}/{repo}/pulls/{pull_number}/comments",
  "/repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies",
  "/repos/{owner}/{repo}/pulls/{pull_number}/merge",
  "/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers",
  "/repos/{owner}/{repo}/pulls/{pull_number}/reviews",
  "/repos/{owner}/{repo}/releases",
  "/teams/{team_id}/discussions",
  "/teams/{team_id}/discussions/{discussion_number}/comments"
];
function routeMatcher(paths) {
  const regexes = paths.map(
    (path) => path.split("/").map((c) => c.startsWith("{") ? "(?:.+?)" : c).join("/")
  );
  const regex2 = `^(?:${regexes.map((r) => `(?:${r})`).join("|")})[^/]*$`;
  return new RegExp(regex2, "i");
}
var regex = routeMatcher(triggers_notification_paths_default);
var triggersNotification = regex.test.bind(regex);
var groups = {};
var createGroups = function(Bottleneck, common) {
  groups.global = new Bottleneck.Group({
    id: "octokit-global",
    maxConcurrent: 10,
    ...common
  });
  groups.auth = new Bottleneck.Group({
    id: "octokit-auth",
    maxConcurrent: 1,
    ...common
  });
  groups.search = new Bottleneck.Group({
    id: "octokit-search",
    maxConcurrent: 1,
    minTime: 2e3,
    ...common
  });
  groups.write = new Bottleneck.Group({
    id: "octokit-write",
    maxConcurrent: 1,
    minTime: 1e3,
    ...common
  });
  groups.notifications = new Bottleneck.Group({
    id: "octokit-notifications",
    maxConcurrent: 1,
    minTime: 3e3,
    ...common
  });
};
function throttling(octokit, octokitOptions) {
  const {
    enabled = true,
    Bottleneck = import_light.default,
    id = "no-id",
    timeout = 1e3 * 60 * 2,
    // Redis TTL: 2 minutes
    connection
  } = octokitOptions.throttle || {};
  if (!enabled) {
    return {};
  }
  const common = { timeout };
  if (typeof connection !== "undefined") {
    common.connection = connection;
  }
  const state = Object.assign(
    {
      clustering: connection != null,
      triggersNotification,
      fallbackSecondaryRateRetryAfter: 60,
      retryAfterBaseValue: 1e3,
      id
    },
    octokitOptions.throttle
  );
  if (typeof state.onSecondaryRateLimit !== "function" || typeof state.onRateLimit !== "function") {
    throw new Error(`octokit/plugin-throttling error:
        You must pass the onSecondaryRateLimit and onRateLimit error handlers.
        See https://octokit.github.io/rest.js/#throttling

        const octokit = new Octokit({
          throttle: {
            onSecondaryRateLimit: (retryAfter, options) => {/* ... */},
            onRateLimit: (retryAfter, options) => {/* ... */}
          }
        })
    `);
  }
  let initialized = false;
  const initializeBottleneck = () => {
    if (initialized) {
      return;
    }
    initialized = true;
    if (groups.global == null) {
      createGroups(Bottleneck, common);
    }
    state.global = state.global ?? groups.global;
    state.auth = state.auth ?? groups.auth;
    state.search = state.search ?? groups.search;
    state.write = state.write ?? groups.write;
    state.notifications = state.notifications ?? groups.notifications;
    state.retryLimiter = state.retryLimiter ?? new Bottleneck();
    const events = {};
    const emitter = new Bottleneck.Events(events);
    events.on("secondary-limit", state.onSecondaryRateLimit);
    events.on("rate-limit", state.onRateLimit);
    events.on(
      "error",
      (e) => octokit.log.warn("Error in throttling-plugin limit handler", e)
    );
    state.retryLimiter.on("failed", async function(error, info2) {
      const [state2, request, options] = info2.args;
      const { pathname } = new URL(options.url, "http://github.test");
      const shouldRetryGraphQL = pathname.startsWith("/graphql") && error.status !== 401;
      if (!(shouldRetryGraphQL || error.status === 403 || error.status === 429)) {
        return;
      }
      const retryCount = ~~request.retryCount;
      request.retryCount = retryCount;
      options.request.retryCount = retryCount;
      const { wantRetry, retryAfter = 0 } = await (async function() {
        if (/\bsecondary rate\b/i.test(error.message)) {
          const retryAfter2 = Number(error.response.headers["retry-after"]) || state2.fallbackSecondaryRateRetryAfter;
          const wantRetry2 = await emitter.trigger(
            "secondary-limit",
            retryAfter2,
            options,
            octokit,
            retryCount
          );
          return { wantRetry: wantRetry2, retryAfter: retryAfter2 };
        }
        if (error.response.headers != null && error.response.headers["x-ratelimit-remaining"] === "0" || (error.response.data?.errors ?? []).some(
          (error2) => error2.type === "RATE_LIMITED"
        )) {
          const rateLimitReset = new Date(
            ~~error.response.headers["x-ratelimit-reset"] * 1e3
          ).getTime();
          const retryAfter2 = Math.max(
            // Add one second so we retry _after_ the reset time
            // https://docs.github.com/en/rest/overview/resources-in-the-rest-api?apiVersion=2022-11-28#exceeding-the-rate-limit
            Math.ceil((rateLimitReset - Date.now()) / 1e3) + 1,
            0
          );
          const wantRetry2 = await emitter.trigger(
            "rate-limit",
            retryAfter2,
            options,
            octokit,
            retryCount
          );
          return { wantRetry: wantRetry2, retryAfter: retryAfter2 };
        }
        return {};
      })();
      if (wantRetry) {
        request.retryCount++;
        return retryAfter * state2.retryAfterBaseValue;
      }
    });
  };
  octokit.hook.wrap("request", (request, options) => {
    initializeBottleneck();
    return wrapRequest(state, request, options);
  });
  return {};
}
throttling.VERSION = VERSION;
throttling.triggersNotification = triggersNotification;

// entrypoint/publish/client.ts
var ANSWER_LIMIT_MS = 3e4;
var PATIENCE_S = 90;
var TRIES = 3;
function client(token, say2, answerLimitMs = ANSWER_LIMIT_MS) {
  const onLimit = (kind) => (after, options, _, count) => {
    const isWorth = after <= PATIENCE_S && count < TRIES;
    say2(`${options.method} ${options.url}: ${kind}; ${isWorth ? `trying again in ${after} s` : "giving up"}`);
    return isWorth;
  };
  return getOctokit(
    token,
    {
      baseUrl: process.env.GITHUB_API_URL || "https://api.github.com",
      throttle: {
        onRateLimit: onLimit("rate limit"),
        onSecondaryRateLimit: onLimit("secondary rate limit"),
        fallbackSecondaryRateRetryAfter: 10
      },
      retry: { retries: TRIES - 1 }
    },
    // The first plugin is the innermost, so each try has its own time limit.
    limited(answerLimitMs),
    retry,
    throttling
  );
}
function limited(ms) {
  return (octokit) => {
    octokit.hook.wrap("request", (request, options) => {
      options.request = { ...options.request, signal: AbortSignal.timeout(ms) };
      return request(options);
    });
  };
}
function repositoryOf(text) {
  const match = /^([A-Za-z0-9_.-]+)\/([A-Za-z0-9_.-]+)$/.exec(text ?? "");
  if (!match) throw new Error(`GITHUB_REPOSITORY: found "${text ?? ""}", expected owner/name`);
  return { owner: match[1], repo: match[2] };
}
async function orNothing(answer, ...also) {
  try {
    return await answer;
  } catch (error) {
    const { status } = error;
    if (status !== void 0 && [404, ...also].includes(status)) return void 0;
    throw error;
  }
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
function shownLine({ head, verdict, regressed }) {
  return `<!-- head:${head} verdict:${verdict}${regressed ? ` regressed:${regressed}` : ""} -->
`;
}
function shownIn(body) {
  const last = body.trimEnd().split("\n").at(-1) ?? "";
  const [, head, verdict, regressed] = /^<!-- head:([0-9a-f]{40}) verdict:([a-z-]+)(?: regressed:([0-9TZ:.+-]+))? -->$/.exec(last) ?? [];
  return head && verdict ? { head, verdict, regressed } : void 0;
}
function renderComment(key, run, summary, link, shown) {
  const head = `${marker(key, run)}
`;
  const foot = (link ? `
[Report and raw data](${link})
` : "\n") + (shown ? `
${shownLine(shown)}` : "");
  const room = COMMENT_LIMIT - head.length - foot.length;
  if (summary.length <= room) return head + summary + foot;
  const note = "\n\n\u2026cut here; the whole summary is in the job summary.\n";
  return head + cut(summary, room - note.length) + note + foot;
}
async function ownComments(api, key) {
  const author = await api.author();
  return (await api.list()).flatMap((comment2) => {
    const run = comment2.user?.login === author ? runOfComment(comment2.body ?? "", key) : void 0;
    return run === void 0 ? [] : [{ ...comment2, run }];
  });
}
async function ownComment(api, key, run) {
  return (await ownComments(api, key)).find((comment2) => comment2.run <= run);
}
async function postComment(api, key, run, body, mayCreate = true) {
  const all = await ownComments(api, key);
  const newer = all.map((comment2) => comment2.run).filter((one) => one > run);
  if (newer.length && await api.isSuperseded(newer)) return "newer-exists";
  const existing = all.find((comment2) => comment2.run <= run);
  if (!existing && !mayCreate) return "not-needed";
  if (!existing) {
    await api.create(body);
    return "created";
  }
  await api.update(existing.id, body);
  return "updated";
}

// entrypoint/publish/superseded.ts
async function isSuperseded(api, repository, pull, own, claimed) {
  if (!await isCurrent(api, repository, pull)) return true;
  const placeOf = async (run) => {
    const { data } = await api.rest.actions.getWorkflowRun({ ...repository, run_id: run });
    return JSON.stringify([data.workflow_id, data.event, data.head_branch, data.head_repository?.id]);
  };
  try {
    const place = await placeOf(own);
    for (const run of claimed) if (await placeOf(run).catch(() => void 0) === place) return true;
  } catch {
  }
  return false;
}
async function isCurrent(api, repository, { number, headSha }) {
  const { data } = await api.rest.pulls.get({ ...repository, pull_number: number }).catch(() => ({ data: void 0 }));
  return data?.head.sha === headSha;
}

// entrypoint/publish/comments.ts
async function comment(api, repository, judgement, outcome, shown) {
  const { key, run, mayCreate } = judgement;
  const body = renderComment(key, run, composeSummary(outcome), runLink(run), shown);
  info(`comment: ${await postComment(commentsOf(api, repository, judgement), key, run, body, mayCreate)}`);
}
function commentsOf(api, repository, { pull, run }) {
  const issueOf = { ...repository, issue_number: pull.number };
  return {
    list: () => api.paginate(api.rest.issues.listComments, { ...issueOf, per_page: 100 }),
    create: async (body) => void await api.rest.issues.createComment({ ...issueOf, body }),
    update: async (id, body) => void await api.rest.issues.updateComment({ ...repository, comment_id: id, body }),
    // The job's own token belongs to an app, which may not ask for its login.
    author: () => api.rest.users.getAuthenticated().then(
      ({ data }) => data.login,
      () => "github-actions[bot]"
    ),
    isSuperseded: (runs) => isSuperseded(api, repository, pull, run, runs)
  };
}

// entrypoint/publish/accept.ts
var MOVES = ["head_ref_force_pushed", "head_ref_deleted", "head_ref_restored", "base_ref_changed", "automatic_base_change_succeeded"];
function labelledBy(events, label) {
  let current;
  for (const { event, created_at: at, actor, label: named } of events) {
    if (named?.name !== label) continue;
    const by = actor?.login ?? "";
    if (event === "labeled") current = { by, at, isBot: !by || actor?.type === "Bot" || by.endsWith("[bot]") };
    if (event === "unlabeled") current = void 0;
  }
  return current;
}
function regressedSince(comment2, head, events) {
  const shown = shownIn(comment2?.body ?? "");
  if (shown?.head !== head) return void 0;
  const times = [shown.regressed, shown.verdict === "regressed" ? comment2?.updated_at : void 0];
  const moved = Math.max(0, ...events.filter(({ event }) => MOVES.includes(event)).map(({ created_at: at }) => Date.parse(at)));
  return times.find((time) => time !== void 0 && Date.parse(time) > moved);
}
async function findAcceptance({ api, repository, pull, key, run, label, mayBeAuthor, say: say2 }) {
  const events = await api.paginate(api.rest.issues.listEvents, {
    ...repository,
    issue_number: pull.number,
    per_page: 100
  });
  const since = regressedSince(await ownComment(commentsOf(api, repository, { pull, run }), key, run), pull.headSha, events);
  const put = labelledBy(events, label);
  if (!put) return { accepted: void 0, since };
  const refusal = await refusalOf();
  if (refusal) say2(`the label "${label}" of ${put.by || "somebody unknown"} at ${put.at} accepts nothing: ${refusal}`);
  return { accepted: refusal ? void 0 : { by: put.by, at: put.at }, since };
  async function refusalOf() {
    const { by, at, isBot } = put;
    if (!since || Date.parse(at) <= Date.parse(since))
      return `it was not added after a regression of ${pull.headSha} had been published${since ? `, which was at ${since}` : ""}`;
    if (isBot) return "a bot cannot accept";
    if (!mayBeAuthor && ["", by.toLowerCase()].includes(pull.author.toLowerCase()))
      return "the author of the pull request cannot accept it (accept-author is false)";
    const { data } = await api.rest.repos.getCollaboratorPermissionLevel({ ...repository, username: by });
    return ["admin", "write"].includes(data.permission) ? void 0 : `write permission is needed, found "${data.permission}"`;
  }
}

// entrypoint/publish/loudness.ts
function asksForComment(outcome, rules) {
  switch (rules.comment) {
    case "always":
      return true;
    case "on-change":
      return !isPlainPass(outcome);
    case "on-alert":
      return isAlert(outcome, rules);
  }
}
function isPlainPass(outcome) {
  const cells = outcome.analysis?.cells ?? [];
  return outcome.verdict === "pass" && isWhollyGated(outcome) && cells.every(({ verdict }) => verdict === "pass") && !warns(outcome);
}
function isAlert(outcome, rules) {
  if (outcome.verdict === "regressed" || outcome.verdict === "invalid" || warns(outcome)) return true;
  return failsJob(outcome, rules) || !isWhollyGated(outcome) && rules["on-not-gated"] === "warn";
}
function warns({ analysis }) {
  return (analysis?.warnings ?? []).length > 0;
}

// entrypoint/publish/on-pull-request.ts
async function afterLabel(place, outcome) {
  const label = place.rules["accept-label"];
  let result = { outcome, since: void 0 };
  if (!label) return result;
  await attempt("acceptance", "issues: read, pull-requests: read", async () => {
    const { accepted, since } = await findAcceptance({ ...place, label, mayBeAuthor: place.rules["accept-author"] });
    result = { outcome: accepted && outcome.verdict === "regressed" ? { ...outcome, accepted } : outcome, since };
  });
  return result;
}
async function showOn(place, outcome, since) {
  const { api, repository, rules } = place;
  await attempt("comment", "pull-requests: write", async () => {
    const mayCreate = asksForComment(outcome, rules);
    await comment(api, repository, { ...place, mayCreate }, outcome, await shownNow(place, outcome.verdict, since));
  });
}
async function shownNow({ api, repository, pull, rules }, verdict, since) {
  if (!rules["accept-label"]) return void 0;
  const { data } = await api.rest.pulls.get({ ...repository, pull_number: pull.number });
  return data.head.sha === pull.headSha ? { head: pull.headSha, verdict, regressed: since } : void 0;
}

// entrypoint/publish/publish.ts
async function publish(found, { out, rules, github }) {
  const key = rules["comment-key"];
  const place = github?.pull && { api: github.api, repository: github.repository, pull: github.pull, key, run: github.runId, rules, say };
  const { outcome, since } = place ? await afterLabel(place, found) : { outcome: found, since: void 0 };
  writeSummary(outcome, out);
  setOutputs(outcome, out);
  annotate(outcome);
  await attempt("job summary", "contents: read", () => writeJobSummary(outcome));
  await attempt("artifact", "actions: write", () => uploadResults(out, key));
  if (!github?.mayWrite) return outcome;
  if (place) await showOn(place, outcome, since);
  await github.andThen(outcome);
  return outcome;
}

// entrypoint/publish/pull-request.ts
async function subjectOf(payload, env, api, repository) {
  const run = payload.workflow_run;
  if (run) {
    if (!Number.isInteger(run.id) || !/^[0-9a-f]{40}$/.test(run.head_sha))
      throw new InputError("workflow_run: the event names no run and no commit");
    const ofFork = isFork(run.head_repository?.full_name, repository);
    const pulls = run.event === "pull_request" ? await pullRequestsOf(api, repository, run) : void 0;
    return { runId: run.id, headSha: run.head_sha, isFork: ofFork, pulls };
  }
  const runId = Number(env.GITHUB_RUN_ID);
  const pull = payload.pull_request;
  if (!pull) {
    const before = payload.merge_group?.base_sha ?? payload.before;
    return { runId, headSha: env.GITHUB_SHA ?? "", isFork: false, pulls: void 0, before };
  }
  const known = pullRequestIn(pull);
  if (!known?.headSha || !known.base) throw new InputError("pull_request: the event names no number, head or base");
  return { runId, headSha: known.headSha, isFork: isFork(pull.head?.repo?.full_name, repository), pulls: [known] };
}
async function pullRequestsOf(api, repository, run) {
  const { head_repository: from, head_branch: branch, head_sha: sha } = run;
  if (!from || !branch) return [];
  const open = await api.paginate(api.rest.pulls.list, {
    ...repository,
    state: "open",
    head: `${from.owner.login}:${branch}`,
    per_page: 100
  });
  return open.filter(({ head }) => head.sha === sha && head.ref === branch && head.repo?.full_name === from.full_name).map((pull) => ({
    number: pull.number,
    headSha: sha,
    base: pull.base.ref,
    author: pull.user?.login ?? "",
    mergeSha: pull.merge_commit_sha
  }));
}
function pullRequestIn(pullRequest) {
  const { number, head, base, user } = pullRequest ?? {};
  return number ? { number, headSha: head?.sha ?? "", base: base?.ref ?? "", author: user?.login ?? "" } : void 0;
}
function isFork(fullName, { owner, repo }) {
  return fullName?.toLowerCase() !== `${owner}/${repo}`.toLowerCase();
}
async function branchesAt(api, repository, commit) {
  const { data } = await api.rest.repos.listBranchesForHeadCommit({ ...repository, commit_sha: commit });
  return data.map(({ name }) => name);
}
async function othersAt(api, repository, commit, pull) {
  const all = await api.paginate(api.rest.repos.listPullRequestsAssociatedWithCommit, { ...repository, commit_sha: commit, per_page: 100 });
  return all.filter(({ state, head }) => state === "open" && head.sha === commit && !isFork(head.repo?.full_name, repository)).filter(({ number, base }) => number !== pull?.number && base.ref !== pull?.base).map(({ number }) => number);
}

export {
  client,
  repositoryOf,
  orNothing,
  publish,
  subjectOf,
  pullRequestIn,
  branchesAt,
  othersAt
};
