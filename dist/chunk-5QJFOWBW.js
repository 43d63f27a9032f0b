import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  Cancelled,
  IDENTITIES_MOST,
  InputError,
  LOG_KEPT,
  MeasurementError,
  NOTHING_KNOWN,
  OF_BUILT_INS,
  PACKAGE,
  PRINTABLE,
  PRINTABLE_RULE,
  ProcessGroup,
  TAIL_LINES,
  __toESM,
  analyse,
  announcements,
  apart,
  areApart,
  askedVersions,
  atRest,
  bare,
  blocksWanted,
  cellName,
  cpuUsOf,
  emptyFiles,
  entryPathOf,
  exec,
  exitCodeOf,
  external_exports,
  fenced,
  fileInside,
  hasIdentities,
  identitiesOf,
  inherited,
  installedDatabase,
  lastLines,
  logEnd,
  makePlan,
  memoryKibOf,
  messageOf,
  modeIn,
  modulesOf,
  names,
  ofApp,
  online,
  parseConfig,
  printed,
  processes,
  provision,
  refuseRepeated,
  releaseToBuild,
  requestOf,
  require_dist,
  rulesOf,
  runNow,
  scratch,
  seconds,
  servedBy,
  shortestQuadS,
  socketsOf,
  spawnPiped,
  subdirectory,
  unconfined,
  unknownName,
  visible,
  which,
  withIdentity,
  workloadFor,
  writeResults
} from "./chunk-C67FCAO2.js";

// entrypoint/system/http.ts
import { request } from "node:http";
function ask(url, { method = "GET", headers = {}, body, timeoutMs = 1e4 } = {}) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => call.destroy(new Error(`no answer within ${timeoutMs / 1e3} s`)), timeoutMs);
    const fail = (error) => {
      clearTimeout(timer);
      reject(error);
    };
    const call = request(url, { method, headers, agent: false }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", fail);
      response.on("end", () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() });
      });
    });
    call.on("error", fail);
    call.end(body);
  });
}

// entrypoint/measure/failure.ts
var BODY_SHOWN = 300;
var ASKING_MS = 1e3;
var ANSWER_LIMIT_MS = 5e3;
async function failureOf(server, cell, memory, message) {
  const kib = memory.map(({ memoryKib }) => memoryKib).filter((value) => value > 0);
  const memoryMib = kib.length ? Math.max(...kib) / 1024 : null;
  if (!server) return { message, logTail: "", log: "", memoryMib };
  const answer = await failingAnswer(server.url, cell);
  return { message, logTail: await atRest(() => server.logTail()), log: await server.log(), answer, memoryMib };
}
async function failingAnswer(url, cell) {
  const deadline = Date.now() + ASKING_MS;
  do {
    const answers2 = await Promise.all(Array.from({ length: cell.load.concurrency }, () => answerOf(url, cell)));
    const { status, contains } = cell.workload.expect;
    const failing = answers2.find((answer) => answer.status !== status || contains !== void 0 && !answer.body.includes(contains));
    if (failing) return { status: failing.status, body: failing.body.slice(0, BODY_SHOWN) };
  } while (Date.now() < deadline);
  return void 0;
}
async function answerOf(url, cell) {
  const { path, ...request2 } = requestOf(cell.workload);
  try {
    return await ask(url + path, { ...request2, timeoutMs: ANSWER_LIMIT_MS });
  } catch (error) {
    return { status: null, body: messageOf(error) };
  }
}
function describeFailure({ revision, mode, workload, load, errors, failure }) {
  const { message, logTail, answer, memoryMib } = failure;
  const parts = [
    `${revision}/${mode}, ${workload}/${load}: ${kindsOf([errors])}.`,
    message && `${message}${/[.!?]$/.test(message) ? "" : "."}`,
    memoryMib !== null && `It held up to ${memoryMib.toFixed(0)} MiB.`,
    answer && sentenceOf(answer)
  ];
  return `${parts.filter(Boolean).join(" ")}${logTail ? `
The server's log ends with:
${logTail}` : ""}`;
}
function sentenceOf({ status, body }) {
  return status === null ? `Asked again, it did not answer: ${body}.` : `Asked again, it answered ${status}: ${JSON.stringify(body)}.`;
}
function kindsOf(errors) {
  return [...new Set(errors.flatMap((kinds) => Object.keys(kinds)))].join(", ") || "no answer inside the window";
}
function shownFailures(runs) {
  const failed2 = runs.filter((run2) => run2.failure !== void 0);
  const arms = [...new Set(failed2.map(armOf))];
  return arms.map((arm) => {
    const ofArm = failed2.filter((run2) => armOf(run2) === arm);
    return ofArm.find((run2) => run2.failure.logTail !== "") ?? ofArm[0];
  });
}
function armOf({ revision, mode }) {
  return `${revision}/${mode}`;
}

// entrypoint/analyse/differences.ts
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

// entrypoint/revisions/credentials.ts
var DETOUR = /^(filter|http|url|protocol|core\.gitproxy)\b/;
var USUAL = /^http\.[^\n]*\.extraheader$|^filter\.lfs\.required$/;
var LFS = /^filter\.lfs\.(clean|smudge|process)\ngit-lfs (clean|smudge|filter-process)( --skip)?( -- %f)?$/;
function credentialVariables(server, token) {
  const header = `http.${server}/.extraheader`;
  const settings = [
    // Empty first: it takes away the header that actions/checkout left in the workspace, since GitHub refuses a second one.
    [header, ""],
    [header, `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`],
    // Programs that git would ask where the server refuses the token.
    ["credential.helper", ""],
    ["core.askPass", ""]
  ];
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value]
    ])
  ]);
}
function isElsewhere(list2) {
  const fields = list2.split("\0");
  return fields.some((setting, i) => {
    const scope = fields[i - 1];
    if (i % 2 === 0 || scope !== "local" && scope !== "worktree") return false;
    const [name = ""] = setting.split("\n");
    return DETOUR.test(name) && !USUAL.test(name) && !LFS.test(setting);
  });
}

// entrypoint/revisions/git.ts
var HARDENED = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.alternateRefsCommand=true",
  "protocol.ext.allow=never",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "safe.bareRepository=explicit",
  // It would go on in the background, with the environment of the command that it follows.
  "maintenance.auto=false"
].flatMap((setting) => ["-c", setting]);
var ASKING = /* @__PURE__ */ new Set(["fetch", "cat-file", "ls-tree", "worktree"]);
var Git = class {
  constructor(directory, token = "", server = process.env.GITHUB_SERVER_URL ?? "") {
    this.directory = directory;
    this.token = token;
    this.server = server;
  }
  directory;
  token;
  server;
  /** Output of a command that must work. @throws InputError with git's own words */
  async run(...args) {
    const done = await this.exec(args);
    if (done.code !== 0) throw new InputError(`git ${args[0]}: ${done.stderr.trim().split("\n").slice(-3).join("; ") || "failed"}`);
    return done.stdout.trim();
  }
  /** Output of a command, or undefined where it fails. */
  async try(...args) {
    const done = await this.exec(args);
    return done.code === 0 ? done.stdout.trim() : void 0;
  }
  /** The text of a file of a commit as it is: no work tree, so no link is followed and no filter runs. Undefined where it cannot be read. */
  async blob(commit, path) {
    const done = await this.exec(["cat-file", "blob", `${commit}:${path}`]);
    return done.code === 0 ? done.stdout : void 0;
  }
  /** The commit of HEAD. @throws InputError if the directory is no repository, or has no commit */
  async head() {
    if (!await this.isRepository()) throw new InputError(`${this.directory}: not a git repository. Base and head are two of its commits.`);
    const commit = await this.commit("HEAD");
    if (!commit) throw new InputError(`${this.directory}: the repository has no commit yet.`);
    return commit;
  }
  async isRepository() {
    return await this.try("rev-parse", "--show-toplevel") !== void 0;
  }
  /** The full name of a commit that is here. */
  commit(ref) {
    return this.try("rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`);
  }
  /** The commit of a ref; a shallow clone is deepened as far as needed. */
  async reach(ref) {
    const here = await this.commit(ref);
    if (here) return here;
    if (!await this.try("remote", "get-url", "origin")) return void 0;
    if (/^[0-9a-f]{40}$/.test(ref)) {
      await this.try("fetch", "--quiet", "--no-tags", "--depth=1", "origin", ref);
    } else if (await this.try("rev-parse", "--is-shallow-repository") === "true") {
      await this.try("fetch", "--quiet", "--tags", "--unshallow", "origin");
    } else {
      await this.try("fetch", "--quiet", "--tags", "origin");
    }
    return await this.commit(ref) ?? await this.commit(`origin/${ref}`);
  }
  /** Whether a checkout left its token in the workspace's configuration, where the app can read it. */
  async holdsToken() {
    return /extraheader[^\n]*\n[^\0]*authorization/i.test(await this.ownSettings());
  }
  async exec(args) {
    const credentials = ASKING.has(args[0]) ? await this.credentials() : {};
    const env = online({ GIT_TERMINAL_PROMPT: "0", GIT_NO_REPLACE_OBJECTS: "1", ...credentials });
    return exec(["git", "-c", `safe.directory=${this.directory}`, ...HARDENED, ...args], { cwd: this.directory, env, timeoutMs: 3e5 });
  }
  /** For a remote of the job's own server, where the workspace's configuration leads them nowhere else. */
  async credentials() {
    if (!this.token || !this.server) return {};
    const remote = await this.try("remote", "get-url", "origin");
    if (!remote?.startsWith(`${this.server}/`) || isElsewhere(await this.ownSettings())) return {};
    return credentialVariables(this.server, this.token);
  }
  /** Of the repository itself, as git prints them with -z: scope, then name and value. */
  async ownSettings() {
    return await this.try("config", "--list", "--show-scope", "-z") ?? "";
  }
};

// entrypoint/analyse/differences.ts
async function differencesOf({ base, head }, { servers, statements, loaded }, served, workspace) {
  if (!base) return void 0;
  const changed = await new Git(workspace).try("diff", "--name-only", "-z", "--no-renames", base.commit, head.commit);
  const { dockerfile } = served.docker;
  return {
    servers,
    statements,
    loaded,
    packages: { base: packagesIn(base), head: packagesIn(head) },
    files: (changed ?? "").split("\0").filter(Boolean),
    bootstrap: [entryPathOf(served), ...dockerfile ? [dockerfile] : []]
  };
}
function packagesIn({ directory }) {
  for (const name of ["vendor/composer/installed.json", "composer.lock"]) {
    const file = join(directory, name);
    if (!existsSync(file)) continue;
    try {
      const { packages } = JSON.parse(readFileSync(file, "utf8"));
      return Object.fromEntries((packages ?? []).map(({ name: of, version }) => [String(of), String(version)]));
    } catch {
    }
  }
  return {};
}

// entrypoint/analyse/failures.ts
var SHOWN = 6e3;
function whyRunsFailed(failures) {
  const text = failures.map((failure) => describeFailure(failure).slice(0, SHOWN)).join("\n\n");
  return `
<details open><summary>Why runs failed</summary>

${fenced(text)}
</details>
`;
}
function failureInALine(failure) {
  const [first, ...log] = visible(describeFailure(failure)).split("\n");
  return log.length > 1 ? `${first} The log ends with: ${log.at(-1)}` : first;
}

// entrypoint/analyse/judge.ts
import { existsSync as existsSync2 } from "node:fs";
import { join as join2 } from "node:path";
async function isDecided(planned, job) {
  return (await analyseJob(planned, job, { report: false })).verdict !== "inconclusive";
}
async function analyseJob({ inputs, settled: settled2, tools, plan: plan2 }, job, { report }) {
  const { out } = inputs;
  const { modes, rules, coverage } = settled2;
  const run2 = join2(out, "run.json");
  const { analysis, summary } = await analyse({
    rscript: tools.rscript,
    samples: [join2(out, "samples.csv")],
    out,
    run: existsSync2(run2) ? run2 : void 0,
    modes: modes.map((mode) => mode.name),
    gate: rules.gate,
    looks: plan2.looks,
    report
  }).catch((error) => {
    throw job.signal.aborted ? new Cancelled("The analysis was cancelled.") : error;
  });
  return {
    verdict: analysis.verdict,
    reasons: analysis.reasons,
    parts: { analysis: summary },
    exitCode: exitCodeOf(analysis.verdict),
    analysis,
    coverage
  };
}

// entrypoint/system/markdown.ts
function code(text) {
  const shown = text.replace(/[^\x20-\x7e]/g, "?").replace(/[`<>|]/g, "?").slice(0, 120);
  return `\`${shown || "''"}\``;
}
var LINKED = /www\.|:\/\/|[@#]|\bgh-\d|(?<![a-z0-9])[0-9a-f]{7,40}(?![a-z0-9])/i;
function plain(sentence2) {
  return sentence2.replace(/\s+/g, " ").replace(/[^ ]+/g, (word) => {
    const [, text = "", end = ""] = /^(.*?)([,.:;)]*)$/s.exec(word) ?? [];
    const span = /^\(?`([^`]+)`$/.exec(text);
    if (span) return `${text.startsWith("(") ? "(" : ""}${code(span[1])}${end}`;
    return LINKED.test(text) ? code(text) + end : word.replace(/[\\`*_[\]|<>&~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  });
}

// entrypoint/analyse/suspects.ts
var FILES_SHOWN = 15;
var BOOTSTRAP = /(^|\/)(bootstrap|config|bench|\.env[^/]*)(\/|$)|(^|\/)(composer\.(json|lock)|index\.php|Dockerfile[^/]*|Kernel\.php|[^/]+\.ini)$/i;
function suspects(differences2) {
  const lines = [
    ...ofStatements(differences2.statements),
    ...ofServers(differences2.servers),
    ...ofPackages(differences2.packages),
    ...ofFiles(differences2),
    ...ofLoaded(differences2)
  ];
  const body = lines.length ? lines.map((line) => `- ${line}`).join("\n") : "Nothing: PHP, extensions, settings, hook flags, packages, statements and bootstrap files are the same. Look into the code that a request runs.";
  return `
<details open><summary>What differs between base and head and can move the gain</summary>

${body}

</details>
`;
}
function ofStatements(statements) {
  const modesOf2 = /* @__PURE__ */ new Map();
  for (const [name, workloads] of Object.entries(statements)) {
    const [revision, mode] = name.split("/");
    if (revision !== "head") continue;
    const ofBase = statements[`base/${mode}`] ?? {};
    for (const [workload, head] of Object.entries(workloads)) {
      const base = Object.hasOwn(ofBase, workload) ? ofBase[workload] : void 0;
      for (const verb of new Set(base ? [...Object.keys(head), ...Object.keys(base)] : [])) {
        const [made, before] = [head[verb] ?? 0, base?.[verb] ?? 0];
        if (made === before) continue;
        const line = `workload ${code(workload)} makes ${made} ${verb.toUpperCase()} ${made === 1 ? "statement" : "statements"} per request instead of ${before}`;
        modesOf2.set(line, [...modesOf2.get(line) ?? [], mode]);
      }
    }
  }
  return [...modesOf2].map(([line, modes]) => `${line} (${modes.map(code).join(", ")})`);
}
function ofServers(servers) {
  const lines = /* @__PURE__ */ new Set();
  for (const [name, head] of Object.entries(servers)) {
    const [revision, mode] = name.split("/");
    const base = servers[`base/${mode}`];
    if (revision !== "head" || !base) continue;
    for (const { path, from, to } of changes(flat(base), flat(head))) lines.add(`${label(path)}: ${code(from)} \u2192 ${code(to)}`);
  }
  return [...lines];
}
function label(path) {
  const [group, ...rest] = path.split("/");
  const name = rest.join("/");
  if (group === "extensions") return `extension ${code(name)}`;
  if (group === "ini") return `setting ${code(name)}`;
  return path === "swoole/hook_flags" ? "Swoole's hook flags" : code(path);
}
var MEASURED = /^(waits|waits_ms|sapi)$/;
function flat(value, prefix = "") {
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, inner]) => {
      if (prefix === "" && MEASURED.test(key)) return {};
      return typeof inner === "object" && inner !== null ? flat(inner, `${prefix}${key}/`) : { [prefix + key]: String(inner) };
    })
  );
}
function ofPackages({ base, head }) {
  return changes(base, head).map(({ path, from, to }) => `package ${code(path)}: ${code(from)} \u2192 ${code(to)}`);
}
function ofFiles({ files, bootstrap }) {
  const starting = files.filter((file) => bootstrap.includes(file) || BOOTSTRAP.test(file));
  return starting.length ? [`files that start the app: ${firstOf(starting.map(code))} (of ${files.length} changed files)`] : [];
}
function ofLoaded({ files, loaded }) {
  const arms = Object.entries(loaded).flatMap(
    ([name, workloads]) => Object.entries(workloads).map(([workload, { perRequest, files: of }]) => ({
      of: new Set(of),
      perRequest,
      by: perRequest ? code(workload) : `in ${code(name.split("/")[1])}`
    }))
  );
  const changed = files.flatMap((file) => {
    const loading = arms.filter(({ of }) => of.has(file));
    const exact = loading.filter(({ perRequest }) => perRequest);
    const by = new Set((exact.length ? exact : loading).map((arm) => arm.by));
    return by.size ? [`${code(file)} (${[...by].join(", ")})`] : [];
  });
  return changed.length ? [`changed files that the workloads load: ${firstOf(changed)}`] : [];
}
function firstOf(items) {
  const more = items.length > FILES_SHOWN ? ` and ${items.length - FILES_SHOWN} more` : "";
  return items.slice(0, FILES_SHOWN).join(", ") + more;
}
function changes(base, head) {
  const of = (values, path) => Object.hasOwn(values, path) ? values[path] : void 0;
  return [.../* @__PURE__ */ new Set([...Object.keys(base), ...Object.keys(head)])].filter((path) => of(base, path) !== of(head, path)).sort().map((path) => ({ path, from: of(base, path) ?? "none", to: of(head, path) ?? "none" }));
}

// entrypoint/analyse/conclude.ts
async function conclude(measured, job) {
  const { inputs, settled: settled2, checked } = measured;
  const { revisions, served } = settled2;
  const judged = { ...await analyseJob(measured, job, { report: true }), baseLabel: revisions.base?.label };
  const failures = shownFailures(measured.measured.notes);
  const outcome = failures.length ? { ...detailed(judged, whyRunsFailed(failures)), reasons: [...judged.reasons, ...failures.map(failureInALine)] } : judged;
  if (outcome.verdict !== "regressed") return outcome;
  const differences2 = await differencesOf(revisions, checked, served.head, inputs.workspace);
  return differences2 ? detailed(outcome, suspects(differences2)) : outcome;
}
function detailed(outcome, block) {
  return { ...outcome, parts: { ...outcome.parts, details: [...outcome.parts.details ?? [], block] } };
}

// entrypoint/provision/scope.ts
import { existsSync as existsSync3 } from "node:fs";
import { join as join3 } from "node:path";
function scopeOf(rules, modes, directories, engine) {
  const { database } = rules;
  return {
    engine,
    modes,
    asked: askedVersions(rules),
    database: database.startsWith("mysql://") ? "external" : database,
    report: true,
    composer: directories.some((directory) => existsSync3(join3(directory, "composer.json"))),
    apps: directories
  };
}

// entrypoint/engines/docker/daemon/docker.ts
var LIMIT_MS = 6e4;
function tryDocker(args, options = {}) {
  return exec(command(args), { timeoutMs: LIMIT_MS, ...options, ...surroundings(options.variables) });
}
function command(args) {
  return [which("docker") ?? "docker", ...args];
}
var CLIENT = /^(DOCKER_.*|BUILDX_BUILDER|BUILDX_CONFIG|SSH_AUTH_SOCK|XDG_RUNTIME_DIR|XDG_CONFIG_HOME)$/;
function surroundings(variables = {}) {
  const env = online({
    ...inherited(CLIENT),
    BUILDKIT_PROGRESS: "plain",
    // Attestations hold the time of a build: the same image would have another id each time, and what is made of it would be made again.
    BUILDX_NO_DEFAULT_ATTESTATIONS: "1",
    // Else buildx runs git in the checkout, to name its commit.
    BUILDX_GIT_INFO: "false",
    ...variables
  });
  return { ...apart(), env };
}
async function docker(args, options = {}) {
  const done = await tryDocker(args, options);
  if (done.code === 0) return done.stdout.trim();
  throw new MeasurementError(`docker ${args[0]}: ${lastLines(printed(done))}`);
}
function environmentFlags(variables) {
  const isOwn = (name) => /^(PATH|HOME|TMPDIR|LD_.*|DOCKER_.*|SSH_.*|BUILDKIT_.*|[A-Za-z]+_PROXY|[a-z]+_proxy)$/.test(name);
  const entries2 = Object.entries(variables);
  return {
    flags: entries2.flatMap(([name, value]) => ["--env", isOwn(name) ? `${name}=${value}` : name]),
    variables: Object.fromEntries(entries2.filter(([name]) => !isOwn(name)))
  };
}
async function findDaemon() {
  if (!which("docker")) return "docker is not on the PATH";
  const done = await tryDocker(["info", "--format", "{{json .}}"]);
  const info = done.stdout.trim().startsWith("{") ? JSON.parse(done.stdout) : {};
  if (typeof info.ServerVersion !== "string" || info.ServerVersion === "") {
    const errors = Array.isArray(info.ServerErrors) ? info.ServerErrors.join(" ") : done.stderr.trim().split("\n").at(-1);
    return `no Docker daemon answers: ${errors || "no output"}`;
  }
  const endpoint = process.env.DOCKER_HOST || (await tryDocker(["context", "inspect", "--format", "{{.Endpoints.docker.Host}}"])).stdout.trim();
  return {
    version: info.ServerVersion,
    cpus: Number(info.NCPU),
    memoryBytes: Number(info.MemTotal),
    kernel: String(info.KernelVersion),
    arch: String(info.Architecture),
    os: String(info.OperatingSystem),
    storage: String(info.Driver),
    cgroup: `v${info.CgroupVersion ?? 1}`,
    host: await resolved(endpoint)
  };
}
async function resolved(endpoint) {
  const host = hostOf(endpoint);
  if (host === void 0 || !endpoint.startsWith("ssh://")) return host;
  const settings = await exec(["ssh", "-G", host], { ...apart(), timeoutMs: 1e4 });
  return /^hostname (\S+)$/m.exec(settings.stdout)?.[1] ?? host;
}
function hostOf(endpoint) {
  const match = /^(?:tcp|ssh|https?):\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)/.exec(endpoint);
  return match?.[1];
}

// entrypoint/engines/choose.ts
async function chooseEngine({ engine }, { docker: docker2 }, say) {
  const namesImage = docker2.dockerfile !== void 0 || docker2.image !== void 0;
  if (engine === "host" || engine === "auto" && !namesImage) return { engine: "host" };
  const daemon = await findDaemon();
  if (typeof daemon !== "string") return { engine: "docker", daemon };
  if (engine === "docker") {
    throw new MeasurementError(`engine: docker: ${daemon}. Start one, set DOCKER_HOST, or take \`engine: host\`.`);
  }
  say(`warning: the configuration names an image, but ${daemon}; the app is served by this machine's own PHP`);
  return { engine: "host" };
}

// entrypoint/system/machine.ts
import { createHash } from "node:crypto";
import { readFileSync as readFileSync2 } from "node:fs";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
var IDLE_SHARE = 0.05;
var IDLE_MS = 300;
var SEPARABLE_CPUS = 4;
function cpuSets(ids, on) {
  if (ids.length < SEPARABLE_CPUS) return { appCpus: ids.length };
  const load = on.load ? ids.slice(-1) : [];
  const others = ids.slice(0, ids.length - load.length);
  const database = on.database ? others.slice(-Math.floor(others.length / 3)) : [];
  const app = others.slice(0, others.length - database.length);
  return {
    appCpus: app.length,
    app: app.join(),
    ...database.length > 0 ? { database: database.join() } : {},
    ...load.length > 0 ? { load: load.join() } : {}
  };
}
function describeSets({ app = "all", database = "all", load = "all" }) {
  return { app, database, load };
}
function allowedCpus() {
  const list2 = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync2("/proc/self/status", "utf8"))?.[1] ?? "0";
  return parseCpuList(list2).slice(0, availableParallelism());
}
function parseCpuList(list2) {
  return list2.split(",").flatMap((part) => {
    const [first, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
function pinned(command2, set) {
  return set === void 0 ? command2 : ["taskset", "-c", set, ...command2];
}
var localMachine = {
  description: {
    cpu: cpus()[0]?.model ?? "unknown",
    cpus: availableParallelism(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    arch: process.arch
  },
  stat: async () => readFileSync2("/proc/stat", "utf8"),
  async probeMs() {
    const block = Buffer.alloc(1 << 20);
    const start2 = process.hrtime.bigint();
    for (let i = 0; i < 100; i++) createHash("sha256").update(block).digest();
    return Number(process.hrtime.bigint() - start2) / 1e6;
  }
};
async function waitUntilIdle(machine, limitMs) {
  const deadline = Date.now() + limitMs;
  for (; ; ) {
    const before = cpuTimes(await machine.stat());
    await sleep(IDLE_MS);
    const after = cpuTimes(await machine.stat());
    const busy = (after.busy - before.busy) / Math.max(1, after.total - before.total);
    if (busy < IDLE_SHARE) return true;
    if (Date.now() >= deadline) return false;
  }
}
function cpuTimes(stat) {
  const line = stat.split("\n", 1)[0];
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const total = ticks.reduce((a, b) => a + b, 0);
  return { busy: total - ticks[3] - ticks[4], total };
}
var PROBE_TOLERANCE = 0.25;
function isOffMedian(probeMs, earlier) {
  if (earlier.length < 5) return false;
  const sorted = [...earlier].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  return Math.abs(probeMs / median - 1) > PROBE_TOLERANCE;
}

// entrypoint/engines/shared/environment.ts
var KEPT_MEMORY = { MALLOC_MMAP_THRESHOLD_: "33554432", MALLOC_TRIM_THRESHOLD_: "268435456" };
function appEnvironment({ env }, outer, iniDirectories, database) {
  return {
    ...ofApp(outer),
    ...KEPT_MEMORY,
    APP_ENV: "prod",
    APP_DEBUG: "0",
    PHP_INI_SCAN_DIR: iniDirectories,
    // An Xdebug that php.ini itself loads.
    XDEBUG_MODE: "off",
    ...database ? databaseVariables(database.access, database.name) : {},
    ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)]))
  };
}
function benchVariables(paths, { instances, connections }, database) {
  return {
    APB_PROJECT: paths.project,
    APB_APP: paths.app,
    APB_FRONT: paths.front,
    APB_WORKLOADS: JSON.stringify(paths.handlers),
    APB_DIRECTORY: paths.directory,
    APB_INSTANCES: instances,
    APB_CONNECTIONS: String(connections),
    ...database ? {
      APB_DB_DSN: `mysql:host=${database.access.host};port=${database.access.port};dbname=${database.name};charset=utf8mb4`,
      APB_DB_USER: database.access.user,
      APB_DB_PASSWORD: database.access.password
    } : {}
  };
}
function purposeVariables(purpose) {
  return purpose === "preflight" ? { APB_PREFLIGHT: "1" } : {};
}
function startVariables(runtime, start2) {
  return {
    APB_NONCE: start2.nonce,
    APB_ADDRESS: start2.address,
    APB_PORT: String(start2.port),
    APB_WORKERS: String(start2.workers),
    APB_CONCURRENT: runtime.concurrent ? "1" : "0",
    APB_SCRATCH: start2.directory
  };
}
function workersOf(runtime, connections, cpus2) {
  return runtime.workers === "cpus" ? Math.min(cpus2, connections) : connections;
}
function databaseVariables(access, name) {
  const login = `${encodeURIComponent(access.user)}:${encodeURIComponent(access.password)}`;
  return {
    DATABASE_URL: `mysql://${login}@${access.host}:${access.port}/${name}?charset=utf8mb4`,
    DB_CONNECTION: "mysql",
    DB_HOST: access.host,
    DB_PORT: String(access.port),
    DB_NAME: name,
    DB_DATABASE: name,
    DB_USER: access.user,
    DB_USERNAME: access.user,
    DB_PASSWORD: access.password
  };
}
function iniFile({ php }, extensionFiles) {
  const settings = {
    "opcache.enable": 1,
    "opcache.enable_cli": 1,
    "opcache.validate_timestamps": 0,
    "opcache.memory_consumption": 192,
    "opcache.max_accelerated_files": 2e4,
    "opcache.jit": "disable",
    "opcache.jit_buffer_size": 0,
    realpath_cache_size: "4M",
    realpath_cache_ttl: 600,
    memory_limit: "256M",
    max_execution_time: 0,
    "zend.assertions": -1,
    display_errors: 0,
    log_errors: 1,
    html_errors: 0,
    expose_php: 0,
    "pcov.enabled": 0,
    // hey keeps no cookies, so each request that starts a session leaves a file: in the directory that goes with the run.
    "session.save_path": "${APB_DIRECTORY}",
    ...php.ini
  };
  const lines = Object.entries(settings).map(
    ([key, value]) => `${key} = ${typeof value === "string" ? JSON.stringify(value) : Number(value)}
`
  );
  return [...extensionFiles.map((file) => `extension = ${JSON.stringify(file)}
`), ...lines].join("");
}

// entrypoint/engines/docker/container/server.ts
import { randomBytes } from "node:crypto";

// entrypoint/engines/shared/health.ts
import { setTimeout as sleep2 } from "node:timers/promises";

// entrypoint/engines/shared/listening.ts
var LISTENING = "0A";
var PRINT_SOCKETS = "cat /proc/net/tcp /proc/net/tcp6; ls -l /proc/[0-9]*/fd";
function listeningPorts(text) {
  const own = new Set([...text.matchAll(/socket:\[(\d+)\]/g)].map(([, inode]) => inode));
  const ports = text.split("\n").flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === LISTENING && own.has(inode) ? [Number.parseInt(local?.split(":").at(-1) ?? "", 16)] : [];
  });
  return [...new Set(ports)].sort((a, b) => a - b);
}
function elsewhere(port, ports) {
  if (ports.includes(port)) return "";
  const found = ports.length ? `its processes listen on port${ports.length > 1 ? "s" : ""} ${ports.join(", ")} instead` : "none of its processes listens on a TCP port";
  return `; ${found}. The command must listen on the port in the variable PORT, which it can also take as {port}`;
}

// entrypoint/engines/shared/health.ts
var START_LIMIT_MS = 3e4;
var ERROR_LIMIT_MS = 3e3;
var ERROR_PAUSE_MS = 100;
var Hopeless = class extends Error {
};
async function untilAllWorkersAnswer(url, nonce, workers, ended2) {
  const seen = /* @__PURE__ */ new Set();
  let last = "nothing";
  let firstError = 0;
  await until(
    async () => {
      const answer = await ask(`${url}/_bench/health`, { timeoutMs: 2e3 });
      last = `${answer.status} ${answer.body.slice(0, 200)}`.trim();
      if (answer.status !== 200) {
        firstError ||= Date.now();
        if (Date.now() - firstError > ERROR_LIMIT_MS) throw new Hopeless(`its health path answers ${last}`);
        await sleep2(ERROR_PAUSE_MS);
        return false;
      }
      const health = JSON.parse(answer.body);
      if (health.nonce !== nonce) throw new Hopeless(`another server answers at ${url}`);
      seen.add(health.pid);
      return seen.size >= workers;
    },
    ended2,
    () => `${seen.size} of ${workers} workers answered within ${START_LIMIT_MS / 1e3} s; the last answer was ${last}`
  );
}
async function untilHealthy({ url, health, port }, ended2, ports) {
  let last = "";
  await until(
    async () => {
      const { status } = await ask(url + health, { timeoutMs: 2e3 });
      last = ` (the last answer was ${status})`;
      return status >= 200 && status < 400;
    },
    ended2,
    async () => `no answer below 400 from ${health} on port ${port} within ${START_LIMIT_MS / 1e3} s${last}${elsewhere(port, await ports())}`
  );
}
async function until(isTrue, ended2, failure) {
  const deadline = Date.now() + START_LIMIT_MS;
  for (; ; ) {
    const end = await ended2();
    if (end) throw new Error(`the server ended with ${end}`);
    try {
      if (await isTrue()) return;
    } catch (error) {
      if (error instanceof Hopeless) throw error;
    }
    if (Date.now() > deadline) throw new Error(await failure());
    await sleep2(10);
  }
}
var COUNTER_LIMIT_MS = 1e3;
async function countersOf(server, path, workers) {
  if (path === void 0) return void 0;
  const seen = /* @__PURE__ */ new Map();
  try {
    for (const deadline = Date.now() + COUNTER_LIMIT_MS; Date.now() < deadline && seen.size < workers; ) {
      const counters = JSON.parse((await ask(server.url + path, { timeoutMs: 5e3 })).body);
      if (typeof counters.pid !== "number") return counters;
      seen.set(counters.pid, counters);
    }
  } catch {
    if (seen.size === 0) return void 0;
  }
  return { of: workers, workers: [...seen.values()] };
}
var SETTLED_MS = 300;
var LOOKS = 8;
async function settled(pids) {
  let last = await pids();
  for (let look = 1; look < LOOKS; look++) {
    await sleep2(SETTLED_MS);
    const now = await pids();
    if (now.join() === last.join()) break;
    last = now;
  }
  return last;
}
function lostProcesses(own, now, { via }) {
  const lost = own.filter((pid) => !now.includes(pid));
  if (lost.length === 0) return void 0;
  return `${lost.length} of ${own.length} server processes ended or were replaced${via === "command" ? `. ${KEEP_WORKERS}` : ""}`;
}
var KEEP_WORKERS = "If they did not crash, let the command keep its workers: --max-requests=0 in Octane, max_request 0 in Swoole";

// entrypoint/engines/shared/refusal.ts
var REFUSAL = /The app is refused: (.+)$/m;
function refusalIn(log, project) {
  return REFUSAL.exec(log)?.[1]?.replaceAll(`${project}/`, "");
}

// entrypoint/engines/shared/template.ts
function fill(text, values) {
  return text.replace(/\{([a-z][a-z-]*)\}/g, (_, name) => {
    const value = values[name];
    if (value === void 0) throw new Error(`no value for {${name}}; known: ${Object.keys(values).join(", ")}`);
    return value;
  });
}
function fillCommand(command2, values) {
  return command2.map((argument) => fill(argument, values)).filter((argument) => argument !== "");
}

// entrypoint/engines/docker/image/dockerfiles.ts
var OURS = "/opt/async-php-bench";
var BIN = "/opt/async-php-bench-bin";
var SCRATCH = "/var/lib/async-php-bench";
var FIRST_PORT = 8080;
function portOf(revision, mode, modes) {
  const index = modes.findIndex(({ name }) => name === mode.name);
  return FIRST_PORT + 2 * index + (revision === "head" ? 0 : 1);
}
function portsOf(modes) {
  return modes.flatMap((mode) => [portOf("head", mode, modes), portOf("base", mode, modes)]);
}
function needLines(modes, extensions, isComposerNeeded, asked) {
  const ofRuntimes = modes.flatMap((mode) => mode.via === "runtime" ? mode.runtime.needs : []);
  const lines = ofRuntimes.flatMap((need2) => {
    if ("binary" in need2) return [`${need2["version-of-php"] ? "versioned" : "binary"} ${need2.binary} ${need2.apt ?? "-"}`];
    return "extension" in need2 ? [`extension ${need2.extension} ${need2.apt ?? "-"} ${peclFields(need2.pecl, asked[need2.extension])}`] : [];
  });
  const known = new Set(ofRuntimes.flatMap((need2) => "extension" in need2 ? [need2.extension] : []));
  const ofApp2 = ["opcache", ...extensions.filter((name) => !known.has(name))].map(
    (name) => `extension ${name} ${PACKAGES[name] ?? `php{php}-${name}`} ${PECL.has(name) ? name : "-"}`
  );
  return [.../* @__PURE__ */ new Set([...ofApp2, ...lines, ...isComposerNeeded ? ["binary composer composer", "binary unzip unzip"] : []])];
}
function peclFields(pecl2, asked) {
  if (!pecl2) return "-";
  const release2 = releaseToBuild(pecl2, asked);
  const options = Object.entries(pecl2.with).map(([extension, { option, apt }]) => [extension, option, apt ?? "-"].join(":"));
  return [release2 ? `${pecl2.package}-${release2}` : "-", options.join() || "-", asked ?? "-", pecl2.pie ?? "-"].join(" ");
}
var PACKAGES = {
  pdo_mysql: "php{php}-mysql",
  mysqli: "php{php}-mysql",
  pdo_sqlite: "php{php}-sqlite3",
  pdo_pgsql: "php{php}-pgsql",
  dom: "php{php}-xml",
  simplexml: "php{php}-xml",
  xmlreader: "php{php}-xml",
  xmlwriter: "php{php}-xml"
};
var PECL = /* @__PURE__ */ new Set(["redis", "apcu", "igbinary", "mongodb", "imagick", "amqp", "memcached", "swoole"]);
function equippedDockerfile(from, user) {
  return [
    `FROM ${from}`,
    "USER root",
    "COPY . /opt/async-php-bench-equip/",
    "RUN sh /opt/async-php-bench-equip/equip.sh < /opt/async-php-bench-equip/needs",
    `USER ${user || "root"}`,
    ""
  ].join("\n");
}
function revisionDockerfile(from, project, user, app, entry) {
  return [
    `FROM ${from}`,
    "USER root",
    `COPY bench ${OURS}`,
    // A new volume takes over what its directory in the image has.
    `RUN chmod -R a+rX ${OURS} && mkdir -p ${SCRATCH} && chmod 1777 ${SCRATCH} && mkdir -p ${project}`,
    ...app === "checkout" ? [`RUN chown ${user} ${project}`, `COPY --chown=${user} app ${project}`] : [],
    ...app === "entry" ? [`COPY ${JSON.stringify(["app/entry.php", `${project}/${entry}`])}`, `RUN chmod a+r ${quoted(`${project}/${entry}`)}`] : [],
    `WORKDIR ${project}`,
    `USER ${user}`,
    ""
  ].join("\n");
}
function startScript(runtime, values) {
  const commands = runtime.processes.map(({ command: command2, socket }) => ({ line: fillCommand(command2, values).map(quoted).join(" "), socket }));
  const last = commands.pop();
  return [
    "set -eu",
    `mkdir -p ${values.dir} ${SCRATCH}/files`,
    ...runtime.templates.map((template) => `cp ${OURS}/modes/${runtime.name}/${template} ${values.dir}/${template}`),
    ...commands.flatMap(({ line, socket }) => [
      `${line} &`,
      ...socket ? [
        "n=0",
        `until [ -S ${fillCommand([socket], values)[0]} ]; do`,
        "    kill -0 $! 2> /dev/null || exit 1",
        "    n=$((n + 1)); [ $n -lt 600 ] || exit 1",
        "    sleep 0.05",
        "done"
      ] : []
    ]),
    `exec ${last.line}`,
    ""
  ].join("\n");
}
function quoted(argument) {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

// entrypoint/engines/docker/container/conversation.ts
var END = ".";
var ANSWER_LIMIT_MS2 = 1e4;
var Conversation = class {
  child;
  text = "";
  errors = "";
  waiting;
  ended;
  /** @param args of docker: `exec -i …` or `run -i …` */
  constructor(args) {
    this.child = spawnPiped(command(args), surroundings());
    this.child.stdout.setEncoding("utf8").on("data", (chunk) => this.hear(chunk));
    this.child.stderr.setEncoding("utf8").on("data", (chunk) => {
      this.errors = (this.errors + chunk).slice(-2e3);
    });
    this.child.once("error", (error) => this.end(error.message));
    this.child.once("close", (code2) => this.end(`exit code ${code2} ${this.errors.trim()}`));
  }
  /** Why nobody answers any more, or undefined. */
  get over() {
    return this.ended;
  }
  /** One question at a time. @throws MeasurementError if the process is gone or silent */
  ask(line) {
    if (this.ended !== void 0) return Promise.reject(new MeasurementError(`A container stopped answering: ${this.ended}`));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.end(`no answer in ${ANSWER_LIMIT_MS2 / 1e3} s`), ANSWER_LIMIT_MS2);
      const settle2 = () => {
        clearTimeout(timer);
        this.waiting = void 0;
      };
      this.waiting = {
        resolve: (lines) => {
          settle2();
          resolve(lines);
        },
        reject: (error) => {
          settle2();
          reject(error);
        }
      };
      this.child.stdin.write(`${line}
`);
    });
  }
  close() {
    this.ended ??= "it was ended";
    this.child.stdin.end();
    this.child.kill("SIGKILL");
  }
  hear(chunk) {
    this.text += chunk;
    const end = this.text.indexOf(`
${END}
`);
    if (end < 0 || !this.waiting) return;
    const lines = this.text.slice(0, end).split("\n");
    this.text = this.text.slice(end + END.length + 2);
    this.waiting.resolve(lines);
  }
  end(why) {
    this.ended ??= why;
    this.waiting?.reject(new MeasurementError(`A container stopped answering: ${this.ended}`));
  }
};

// entrypoint/engines/docker/container/cgroup.ts
var FILES = {
  cpu: ["cpu.stat", "cpuacct/cpuacct.usage"],
  memory: ["memory.current", "memory/memory.usage_in_bytes"],
  peak: ["memory.peak", "memory/memory.max_usage_in_bytes"],
  stat: ["memory.stat", "memory/memory.stat"],
  pids: ["cgroup.procs", "memory/cgroup.procs"],
  throttled: ["cpu.stat", "cpu/cpu.stat"]
};
var READER = [
  "cd /sys/fs/cgroup || exit 1",
  "while read -r _; do",
  ...Object.entries(FILES).flatMap(([key, [second, first]]) => [
    `f=${second}; [ -r "$f" ] || f=${first}`,
    `[ -r "$f" ] && while IFS= read -r line || [ -n "$line" ]; do printf '${key} %s\\n' "$line"; done < "$f"`
  ]),
  `printf '${END}\\n'`,
  "done"
].join("\n");
function parseCounters(lines) {
  const of = (key) => lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
  const field = (key, ...names2) => {
    const row = of(key).find((line) => names2.includes(line.split(" ")[0]));
    return row === void 0 ? void 0 : Number(row.split(" ")[1]);
  };
  const usage = field("cpu", "usage_usec") ?? nanoseconds(of("cpu")[0]);
  const memory = Number(of("memory")[0]);
  if (usage === void 0 || !Number.isFinite(usage) || !Number.isFinite(memory)) {
    throw new Error("the container shows no cgroup files of CPU time and memory under /sys/fs/cgroup");
  }
  const inactive = field("stat", "total_inactive_file") ?? field("stat", "inactive_file") ?? 0;
  const peak = of("peak")[0];
  return {
    cpuUs: usage,
    workingSetKib: (memory - inactive) / 1024,
    peakKib: peak === void 0 ? null : Number(peak) / 1024,
    pids: of("pids").map(Number),
    throttledUs: field("throttled", "throttled_usec") ?? (field("throttled", "throttled_time") ?? 0) / 1e3
  };
}
function nanoseconds(line) {
  return line === void 0 ? void 0 : Number(line) / 1e3;
}

// entrypoint/engines/docker/container/limits.ts
var CONFINED = ["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--pids-limit", "4096"];
function limitFlags({ memory, cgroup }) {
  return [
    ...CONFINED,
    ...["--memory", memory, "--memory-swap", memory],
    // In version 1 a container sees its own groups anyway.
    ...cgroup === "v2" ? ["--cgroupns", "private"] : [],
    ...["--log-driver", "json-file", "--log-opt", "max-size=10m"]
  ];
}
function setupCapabilities(owner) {
  return owner === "root" ? ["CHOWN", "DAC_OVERRIDE", "FOWNER"].flatMap((name) => ["--cap-add", name]) : [];
}

// entrypoint/engines/docker/container/route.ts
import { connect } from "node:net";
function publishFlags(route, ports) {
  return route.via === "port" ? ports.flatMap((port) => ["--publish", String(port)]) : [];
}
async function urlOf(name, port, route) {
  if (route.via === "address") return `http://${await addressOf(name)}:${port}`;
  const published = await docker(["port", name, `${port}/tcp`]);
  return `http://${route.host}:${/:(\d+)$/m.exec(published)?.[1]}`;
}
function addressOf(name) {
  return docker(["inspect", "--format", "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}", name]);
}
async function findRoute(host, labels, network, image) {
  if (host !== void 0) return { via: "port", host };
  const name = `async-php-bench-${labels.job}-reach`;
  await docker([
    "run",
    "--detach",
    "--name",
    name,
    ...labels.flags,
    ...CONFINED,
    "--network",
    network,
    "--entrypoint",
    "sleep",
    image,
    "30"
  ]);
  try {
    return await answers(await addressOf(name)) ? { via: "address" } : { via: "port", host: "127.0.0.1" };
  } finally {
    await tryDocker(["rm", "--force", name]);
  }
}
function answers(address) {
  return new Promise((resolve) => {
    const socket = connect(9, address);
    const end = (isThere) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(2e3, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", (error) => end(error.code === "ECONNREFUSED"));
  });
}

// entrypoint/engines/docker/container/server.ts
var ContainerServer = class _ContainerServer {
  constructor(url, name, mode, workers, reader) {
    this.url = url;
    this.name = name;
    this.mode = mode;
    this.workers = workers;
    this.reader = reader;
  }
  url;
  name;
  mode;
  workers;
  reader;
  last;
  own = [];
  /**
   * @throws InputError if the app is refused
   * @throws MeasurementError with the log's end if the server does not answer with this start's nonce
   */
  static async start(mode, options) {
    const name = `async-php-bench-${options.labels.job}-${options.revision}-${mode.name}-${randomBytes(3).toString("hex")}`;
    const nonce = randomBytes(12).toString("hex");
    let server;
    try {
      await run(name, nonce, mode, options);
      const url = await urlOf(options.place.owner ?? name, options.port, options.route);
      server = new _ContainerServer(url, name, mode, options.workers, new Conversation(["exec", "--interactive", name, "sh", "-c", READER]));
      if (mode.via === "runtime") {
        const { workers } = options;
        await untilAllWorkersAnswer(url, nonce, mode.runtime.workers === "cpus" ? workers : 1, () => ended(name));
      } else {
        const { health } = mode;
        await untilHealthy(
          { url, health, port: options.port },
          () => ended(name),
          async () => listeningPorts((await tryDocker(["exec", name, "sh", "-c", PRINT_SOCKETS])).stdout)
        );
      }
      const pids = async (container) => (await container.counters()).pids;
      const started = server;
      server.own = mode.via === "runtime" ? await pids(started) : await settled(() => pids(started));
      return server;
    } catch (error) {
      const log = await atRest(() => logTailOf(name, mode));
      const refusal = refusalIn(await logOf(name, KEPT_LINES), options.project);
      server?.reader.close();
      await remove(name);
      if (refusal) throw new InputError(`${options.revision}: ${refusal}`);
      throw new MeasurementError(`${mode.name} of ${options.revision} did not start: ${error.message}${log ? `
${log}` : ""}`);
    }
  }
  async usage() {
    const asked = Date.now();
    const { cpuUs, workingSetKib } = await this.counters();
    return { at: (asked + Date.now()) / 2, cpuUs, memoryKib: workingSetKib };
  }
  async clock() {
    const { at, cpuUs } = await this.usage();
    return { at, cpuUs };
  }
  async lost() {
    return lostProcesses(this.own, (await this.counters()).pids, this.mode);
  }
  async status() {
    const own = await countersOf(this, this.mode.via === "runtime" ? this.mode.runtime.status : void 0, this.workers);
    const { peakKib, throttledUs } = this.last ?? { peakKib: null, throttledUs: 0 };
    return { ...own, cgroup_peak_mib: peakKib === null ? null : peakKib / 1024, cgroup_throttled_us: throttledUs };
  }
  logTail() {
    return logTailOf(this.name, this.mode);
  }
  async log() {
    return (await logOf(this.name, KEPT_LINES)).slice(-LOG_KEPT);
  }
  async stop() {
    this.reader.close();
    const emptied = await tryDocker(["exec", this.name, "sh", "-c", EMPTY_FILES]);
    if (emptied.code === 0) await tryDocker(["rm", "--force", this.name]);
    else await remove(this.name);
  }
  async counters() {
    this.last = parseCounters(await this.reader.ask("read"));
    return this.last;
  }
};
var EMPTY_FILES = `for file in ${SCRATCH}/files/*; do if [ -f "$file" ]; then : > "$file"; fi; done`;
async function run(name, nonce, mode, options) {
  const { labels, place, port } = options;
  const start2 = { nonce, address: "0.0.0.0", port, workers: options.workers, directory: `${SCRATCH}/run` };
  const ofStart = mode.via === "runtime" ? startVariables(mode.runtime, start2) : { PORT: String(port) };
  const { flags, variables } = environmentFlags({ ...options.environment, ...ofStart });
  const volumeLabels = labels.flags.filter((flag) => flag !== "--label").map((label2) => `,volume-label=${label2}`);
  await docker(
    [
      ...["run", "--detach", "--init", "--name", name, ...labels.flags],
      ...place.owner ? ["--network", `container:${place.owner}`] : ["--network", place.network, ...publishFlags(options.route, [port])],
      ...limitFlags(options),
      ...options.cpus ? ["--cpuset-cpus", options.cpus] : [],
      ...options.isReadOnly ? ["--read-only", "--tmpfs", "/tmp:rw,mode=1777", "--tmpfs", "/run:rw,mode=1777"] : [],
      ...["--mount", `type=volume,dst=${SCRATCH}${volumeLabels.join("")}`],
      ...["--workdir", options.project, ...flags, "--entrypoint", "sh", options.image, `${OURS}/modes/${mode.name}/start.sh`]
    ],
    { variables }
  );
}
async function ended(name) {
  const state = await tryDocker(["inspect", "--format", "{{.State.Running}} {{.State.ExitCode}} {{.State.OOMKilled}}", name]);
  const [running, code2, isOutOfMemory] = state.stdout.trim().split(" ");
  if (running === "true") return void 0;
  return state.code === 0 ? `exit code ${code2}${isOutOfMemory === "true" ? ", out of memory" : ""}` : "its container gone";
}
var LOOKED_AT_LINES = 200;
var KEPT_LINES = 2e3;
async function logTailOf(name, mode) {
  return logEnd(await logOf(name, LOOKED_AT_LINES), mode.via === "runtime" ? mode.runtime : NOTHING_KNOWN, TAIL_LINES);
}
async function logOf(name, lines) {
  const { stdout, stderr } = await tryDocker(["logs", "--tail", String(lines), name]);
  return stdout + stderr;
}
async function remove(name) {
  await tryDocker(["rm", "--force", "--volumes", name]);
}

// entrypoint/engines/docker/job.ts
import { randomBytes as randomBytes3 } from "node:crypto";

// entrypoint/engines/docker/container/database-server.ts
import { randomBytes as randomBytes2 } from "node:crypto";
import { readFileSync as readFileSync4 } from "node:fs";
import { join as join6 } from "node:path";
import { setTimeout as sleep4 } from "node:timers/promises";

// entrypoint/engines/shared/database.ts
import { readFileSync as readFileSync3, writeFileSync } from "node:fs";
import { join as join4 } from "node:path";
var SERVER_SETTINGS = {
  "innodb-buffer-pool-size": "1G",
  // MariaDB's name, and that of MySQL since 8.0.30; a server warns of the one that it does not know.
  "loose-innodb-log-file-size": "256M",
  "loose-innodb-redo-log-capacity": "256M",
  "innodb-flush-log-at-trx-commit": "2",
  "innodb-flush-method": "fsync",
  "innodb-doublewrite": "0",
  "max-connections": "1200",
  "character-set-server": "utf8mb4"
};
var Database = class {
  /** @param directory for snapshots */
  constructor(server, directory) {
    this.server = server;
    this.directory = directory;
  }
  server;
  directory;
  snapshots = /* @__PURE__ */ new Map();
  created = [];
  /** Statements that a reading of the counters adds to them: MySQL's client selects the server's version when it connects. */
  perReading;
  readings = 0;
  get access() {
    return this.server.access;
  }
  get description() {
    return this.server.description;
  }
  async create(name) {
    await this.sql(`DROP DATABASE IF EXISTS \`${name}\`; CREATE DATABASE \`${name}\``);
    this.created.push(name);
  }
  /** Keeps the present content of a database, tables, routines and triggers, as what restore() brings back. */
  async snapshot(name) {
    const dumped = await this.server.dump(["--single-transaction", "--routines", "--triggers", "--events", "--hex-blob", name]);
    if (dumped.code !== 0) throw new MeasurementError(`The database ${name} cannot be dumped: ${lastLines(dumped.stderr)}`);
    const file = join4(this.directory, `${name}.sql`);
    writeFileSync(file, dumped.stdout, { mode: 384 });
    this.snapshots.set(name, file);
  }
  /** Brings the snapshots back, so that a run never starts with another run's rows. */
  async restore(names2) {
    const restoring = names2.map(
      (name) => `DROP DATABASE \`${name}\`; CREATE DATABASE \`${name}\`; USE \`${name}\`; SET foreign_key_checks = 0;
${readFileSync3(this.snapshots.get(name), "utf8")}
`
    );
    await this.sql(restoring.join(""));
  }
  /** @throws MeasurementError if the server refuses it or is gone */
  async sql(statements) {
    const done = await this.server.client(["-N", "--batch"], statements);
    if (done.code !== 0)
      throw new MeasurementError(await this.server.lost() ?? `The database refused a statement: ${lastLines(done.stderr)}`);
    return done.stdout;
  }
  /** Statements that the server has run so far, by verb in lower case, without those of the readings themselves. @throws MeasurementError as sql() */
  async statementCounts() {
    this.perReading ??= difference(await this.readCounts(), await this.readCounts());
    const counts = await this.readCounts();
    this.readings++;
    return Object.fromEntries(Object.entries(counts).map(([verb, count]) => [verb, count - this.readings * (this.perReading?.[verb] ?? 0)]));
  }
  async readCounts() {
    const rows = await this.sql("SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_insert', 'Com_select', 'Com_update', 'Com_delete')");
    return Object.fromEntries(
      rows.trim().split("\n").map((row) => row.split("	")).map(([name, count]) => [name.slice(4).toLowerCase(), Number(count)])
    );
  }
  async close() {
    for (const name of this.created) await this.server.client(["-e", `DROP DATABASE IF EXISTS \`${name}\``]);
    await this.server.stop();
  }
};
function difference(before, after) {
  return Object.fromEntries(Object.entries(after).map(([verb, count]) => [verb, count - (before[verb] ?? 0)]));
}

// entrypoint/engines/docker/daemon/labels.ts
import { hostname } from "node:os";
import { setTimeout as sleep3 } from "node:timers/promises";
var JOB = "async-php-bench.job";
var OWNER = "async-php-bench.owner";
var CACHE_LABEL = "async-php-bench.cache=1";
var open = /* @__PURE__ */ new Set();
process.on("exit", () => {
  for (const job of open) {
    const filter = ["--quiet", "--filter", `label=${JOB}=${job}`];
    for (const [list2, remove2] of [
      [
        ["ps", "--all", ...filter],
        ["rm", "--force", "--volumes"]
      ],
      [
        ["volume", "ls", ...filter],
        ["volume", "rm", "--force"]
      ]
    ]) {
      const ids = runNow(command(list2), surroundings(), 1e4).split("\n").filter(Boolean);
      if (ids.length) runNow(command([...remove2, ...ids]), surroundings(), 2e4);
    }
  }
});
function labelsOf(job) {
  open.add(job);
  const owner = `${hostname()}/${process.pid}/${startTime(process.pid)}`;
  return { job, flags: ["--label", `${JOB}=${job}`, "--label", `${OWNER}=${owner}`] };
}
async function removeJob(job) {
  const label2 = `label=${JOB}=${job}`;
  let failures = await removeWhere([label2], () => true);
  for (let again = 0; again < 5 && (failures.length || (await tryDocker(["ps", "--all", "--quiet", "--filter", label2])).stdout.trim()); again++) {
    await sleep3(500);
    failures = await removeWhere([label2], () => true);
  }
  if (failures.length === 0) open.delete(job);
  return failures;
}
async function removeLeftovers() {
  await removeWhere([`label=${JOB}`], isOrphan);
}
function isOrphan(owner) {
  const [host, pid, start2] = owner.split("/");
  return host === hostname() && startTime(Number(pid)) !== start2;
}
function startTime(pid) {
  return processes().find((candidate) => candidate.pid === pid)?.startTime;
}
async function removeWhere(filters, wanted) {
  const filter = filters.flatMap((condition) => ["--filter", condition]);
  const label2 = `{{.Label "${OWNER}"}}`;
  const kinds = [
    [
      ["ps", "--all", ...filter, "--format", `{{.ID}} ${label2}`],
      ["rm", "--force", "--volumes"]
    ],
    [
      ["volume", "ls", ...filter, "--format", `{{.Name}} ${label2}`],
      ["volume", "rm", "--force"]
    ],
    [
      ["network", "ls", ...filter, "--format", `{{.ID}} ${label2}`],
      ["network", "rm"]
    ]
  ];
  const failures = [];
  for (const [list2, remove2] of kinds) {
    const rows = (await tryDocker(list2)).stdout.split("\n").filter(Boolean);
    const ids = rows.map((row) => row.split(" ")).filter(([, owner]) => wanted(owner ?? ""));
    await removeAll(
      ids.map(([id]) => id),
      remove2,
      failures
    );
  }
  await removeAll(await imagesOf(filter, wanted), ["image", "rm", "--force"], failures);
  return failures;
}
async function imagesOf(filter, wanted) {
  const ids = [...new Set((await tryDocker(["images", "--quiet", "--no-trunc", ...filter])).stdout.split("\n").filter(Boolean))];
  if (ids.length === 0) return [];
  const rows = await tryDocker(["image", "inspect", "--format", `{{.Id}} {{index .Config.Labels "${OWNER}"}}`, ...ids]);
  return rows.stdout.split("\n").filter(Boolean).map((row) => row.split(" ")).filter(([, owner]) => wanted(owner ?? "")).map(([id]) => id);
}
async function removeAll(ids, remove2, failures) {
  for (const id of ids) {
    const done = await tryDocker([...remove2, id]);
    if (done.code !== 0 && !/No such|not found|already in progress/i.test(done.stderr))
      failures.push(`docker ${remove2.join(" ")} ${id}: ${done.stderr.trim()}`);
  }
}

// entrypoint/engines/docker/image/build.ts
import { createHash as createHash2 } from "node:crypto";
import { join as join5 } from "node:path";

// entrypoint/engines/docker/image/build-cache.ts
import { existsSync as existsSync4 } from "node:fs";
async function cachedBuild(scope) {
  if (!hasActionsCache(process.env)) return void 0;
  builder ??= makeBuilder();
  const name = await builder;
  return name ? { arguments: cached(scope, name), variables: inherited(KEY) } : void 0;
}
var KEY = /^ACTIONS_(RUNTIME_TOKEN|RESULTS_URL|CACHE_URL|CACHE_SERVICE_V2)$/;
var PREFIX = "async-php-bench-";
var builder;
async function makeBuilder() {
  const name = `${PREFIX}${process.pid}`;
  return (await tryDocker(["buildx", "create", "--name", name, "--driver", "docker-container"])).code === 0 ? name : void 0;
}
async function removeBuilder() {
  const name = await builder;
  builder = void 0;
  if (name) await tryDocker(["buildx", "rm", "--force", name]);
}
async function removeForgottenBuilders() {
  for (const name of forgottenBuilders((await tryDocker(["buildx", "ls"])).stdout, (pid) => existsSync4(`/proc/${pid}`))) {
    await tryDocker(["buildx", "rm", "--force", name]);
  }
}
function forgottenBuilders(list2, isAlive) {
  return [...list2.matchAll(new RegExp(`^${PREFIX}(\\d+)\\b`, "gm"))].filter(([, pid]) => !isAlive(Number(pid))).map(([name]) => name);
}
function hasActionsCache(env) {
  return Boolean(env.ACTIONS_RUNTIME_TOKEN && (env.ACTIONS_RESULTS_URL || env.ACTIONS_CACHE_URL));
}
function cached(scope, builderName) {
  const name = `async-php-bench-${scope}`;
  return [
    "buildx",
    "build",
    "--builder",
    builderName,
    "--load",
    "--cache-from",
    `type=gha,scope=${name}`,
    "--cache-to",
    `type=gha,scope=${name},mode=max,ignore-error=true`
  ];
}

// entrypoint/engines/docker/image/build.ts
var HERE = join5(PACKAGE, "entrypoint", "engines", "docker", "image");
var IN_CONTAINERS = join5(PACKAGE, "entrypoint", "engines", "docker", "container");
var BUILD_LIMIT_MS = 18e5;
async function bring(name) {
  const here = await idOf(name);
  if (here) return here;
  const pulled = await tryDocker(["pull", "--quiet", name], { timeoutMs: BUILD_LIMIT_MS });
  if (pulled.code !== 0) throw new MeasurementError(`The image ${name} is not here and cannot be pulled: ${lastLines(printed(pulled), 3)}.`);
  return await idOf(name);
}
async function idOf(name) {
  const found = await tryDocker(["image", "inspect", "--format", "{{.Id}}", name]);
  return found.code === 0 ? found.stdout.trim() : void 0;
}
async function build(args, what, cache) {
  const options = { timeoutMs: BUILD_LIMIT_MS };
  const withCache = cache && await cachedBuild(cache.scope);
  const first = withCache && await tryDocker([...withCache.arguments, ...args], { ...options, variables: withCache.variables });
  if (first?.code === 0) return;
  const done = await tryDocker(["build", "--force-rm", ...args], options);
  if (done.code !== 0)
    throw new MeasurementError(`${what} cannot be built:
${ownWords(done.stdout + done.stderr) ?? lastLines(printed(done), 40)}`);
  if (first) cache?.say(`${what} was built without the layer cache. With it: ${lastLines(printed(first), 1)}`);
}
function ownWords(log) {
  const lines = log.split("\n").map((line) => line.replace(/^#\d+ [\d.]+ /, ""));
  const start2 = lines.findIndex((line) => line.startsWith("async-php-bench: "));
  const end = lines.findIndex((line, i) => i > start2 && !/^( {2}|Put it)/.test(line));
  return start2 < 0 ? void 0 : lines.slice(start2, end < 0 ? void 0 : end).join("\n");
}
function cacheTag(kind, ...parts) {
  return `async-php-bench-${kind}:${createHash2("sha256").update(parts.join("\0")).digest("hex").slice(0, 16)}`;
}

// entrypoint/engines/docker/container/database-server.ts
var START_LIMIT_MS2 = 12e4;
var TMPFS = "3g";
function databaseName({ job }) {
  return `async-php-bench-${job}-database`;
}
async function containerDatabase(options) {
  const { rules, daemon, labels, network, route, ports, image, cpus: cpus2 } = options;
  const wanted = rules.limits["database-storage"];
  const storage = wanted === "auto" ? daemon.memoryBytes > 12 * 2 ** 30 ? "tmpfs" : "disk" : wanted;
  const name = databaseName(labels);
  const user = await docker(["run", "--rm", ...labels.flags, ...CONFINED, "--network", "none", "--entrypoint", "id", image, "-u", "mysql"]);
  const password = randomBytes2(12).toString("hex");
  const labelsOfVolume = labels.flags.filter((flag) => flag !== "--label").map((label2) => `,volume-label=${label2}`);
  await docker(
    [
      ...["run", "--detach", "--init", "--name", name, ...labels.flags, "--network", network, ...publishFlags(route, ports)],
      ...["--user", user, "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--read-only", "--tmpfs", "/tmp"],
      ...storage === "tmpfs" ? ["--tmpfs", `/var/lib/mysql:rw,mode=0700,uid=${user},size=${TMPFS}`] : ["--mount", `type=volume,dst=/var/lib/mysql${labelsOfVolume.join("")}`],
      ...cpus2 ? ["--cpuset-cpus", cpus2] : [],
      ...["--env", "APB_PASSWORD", "--entrypoint", "sh", image, "-c", readFileSync4(join6(IN_CONTAINERS, "database.sh"), "utf8"), "database"],
      ...Object.entries(SERVER_SETTINGS).map(([key, value]) => `--${key}=${value}`)
    ],
    { variables: { APB_PASSWORD: password } }
  );
  const isRunning = async () => (await tryDocker(["inspect", "--format", "{{.State.Running}}", name])).stdout.trim() === "true";
  const login = ["--no-defaults", "--host=127.0.0.1", "--port=3306", "--user=bench", "--protocol=tcp"];
  const variables = { MYSQL_PWD: password };
  const run2 = (path, args, input) => tryDocker(["exec", "--interactive", "--env", "MYSQL_PWD", name, path, ...login, ...args], { input, variables, timeoutMs: 6e5 });
  const script = "for p in mariadb mysql; do command -v $p && break; done; for p in mariadb-dump mysqldump; do command -v $p && break; done";
  const programs2 = await tryDocker(["exec", name, "sh", "-c", script]);
  const [client = "", dump = ""] = programs2.stdout.trim().split("\n");
  const deadline = Date.now() + START_LIMIT_MS2;
  let answer = programs2;
  while (answer.code !== 0 || answer === programs2) {
    if (!await isRunning() || Date.now() > deadline) {
      throw new MeasurementError(`The database in the image ${image} did not start:
${await logs(name)}`);
    }
    await sleep4(200);
    answer = await run2(client, ["-N", "-e", "SELECT VERSION()"]);
  }
  return {
    // In one name space with the arms, as on any one machine: a bridge between the two costs each query system time, 1 to 2 ms a request of
    // the invoice workload, which would be measured as the app's.
    access: { host: "127.0.0.1", port: 3306, user: "bench", password },
    description: {
      kind: client.endsWith("mariadb") ? "mariadb" : "mysql",
      version: answer.stdout.trim(),
      private: true,
      image,
      storage,
      settings: SERVER_SETTINGS
    },
    client: (args, input) => run2(client, args, input),
    dump: (args) => run2(dump, args),
    lost: async () => await isRunning() ? void 0 : `The database container is gone:
${await logs(name)}`,
    stop: async () => void await tryDocker(["rm", "--force", "--volumes", name])
  };
}
async function logs(name) {
  return lastLines(printed(await tryDocker(["logs", "--tail", "15", name])));
}
async function databaseImage(rules, base, directory, say) {
  const configured = rules.limits["database-image"];
  const name = configured ?? (rules.database === "mysql" ? "mysql:8.4" : "mariadb:11.4");
  try {
    await bring(name);
    return name;
  } catch (error) {
    if (configured || rules.database === "mysql") throw error;
    say(`${messageOf(error)} So MariaDB comes from the packages of ${base} instead`);
  }
  const dockerfile = readFileSync4(join6(HERE, "database.Dockerfile"), "utf8");
  const tag = cacheTag("database", await bring(base), dockerfile);
  if (!await idOf(tag)) {
    const context = subdirectory(directory, "database-image");
    const flags = [
      "--build-arg",
      `BASE=${base}`,
      "--label",
      CACHE_LABEL,
      "--tag",
      tag,
      "--file",
      join6(HERE, "database.Dockerfile"),
      context
    ];
    await build(flags, "a database image", { scope: "database", say });
  }
  return tag;
}

// entrypoint/engines/docker/job.ts
function jobOf(options) {
  const { rules, daemon } = options;
  const id = randomBytes3(4).toString("hex");
  const hasDatabase = rules.database !== "none";
  return {
    ...options,
    id,
    labels: labelsOf(id),
    network: `async-php-bench-${id}`,
    hasDatabase,
    cpus: cpuSets([...Array(daemon.cpus).keys()], { database: hasDatabase, load: daemon.host === void 0 }),
    // Half of the machine, the same for every arm; the other half is the database's and the load's.
    memory: rules.limits.memory ?? `${Math.floor(daemon.memoryBytes / 2 ** 21)}m`
  };
}
function servedBy2({ served }, revision) {
  return served[revision];
}
function checkoutsOf({ checkouts }) {
  return Object.values(checkouts);
}
function placeOf({ network, labels, hasDatabase }) {
  return { network, owner: hasDatabase ? databaseName(labels) : void 0 };
}

// entrypoint/system/settle-all.ts
async function allOf(steps) {
  await Promise.allSettled(steps);
  return Promise.all(steps);
}

// entrypoint/engines/shared/composer.ts
import { existsSync as existsSync5 } from "node:fs";
import { join as join7 } from "node:path";
function composerCommand(directory) {
  if (!existsSync5(join7(directory, "composer.json"))) return void 0;
  const verb = existsSync5(join7(directory, "composer.lock")) ? "install" : "update";
  return [verb, "--no-dev", "--classmap-authoritative", "--no-interaction", "--no-progress"];
}

// entrypoint/engines/shared/revision-databases.ts
import { randomBytes as randomBytes4 } from "node:crypto";
import { readFileSync as readFileSync5 } from "node:fs";
var RevisionDatabases = class {
  constructor(database, served) {
    this.database = database;
    this.served = served;
  }
  database;
  served;
  id = randomBytes4(4).toString("hex");
  get access() {
    return this.database.access;
  }
  app(revision) {
    return `apb_${this.id}_${revision}`;
  }
  bench(revision) {
    return `apb_${this.id}_${revision}_bench`;
  }
  /** Before composer and setup: config caches freeze what they see. */
  async create(revision) {
    await this.database.create(this.app(revision));
    await this.database.create(this.bench(revision));
  }
  /** After setup: what every run begins with. */
  async snapshot(revision) {
    for (const { builtIn: builtIn2 } of this.served[revision]?.workloads ?? []) {
      if (builtIn2?.schema) await this.database.sql(`USE \`${this.bench(revision)}\`;
${readFileSync5(builtIn2.schema, "utf8")}`);
    }
    await this.database.snapshot(this.app(revision));
    await this.database.snapshot(this.bench(revision));
  }
  async restore(revision) {
    await this.database.restore([this.app(revision), this.bench(revision)]);
  }
};

// entrypoint/engines/docker/container/machine.ts
var ContainerMachine = class _ContainerMachine {
  constructor(conversation, description) {
    this.conversation = conversation;
    this.description = description;
  }
  conversation;
  description;
  static async start(labels, image, daemon) {
    const conversation = new Conversation([
      ...["run", "--interactive", "--rm", "--name", `async-php-bench-${labels.job}-machine`, ...labels.flags, "--network", "none"],
      ...[...CONFINED, "--read-only", "--memory", "256m", "--entrypoint", `${BIN}/php`],
      ...[image, `${OURS}/machine.php`]
    ]);
    const model = (await conversation.ask("cpu")).find((line) => line.startsWith("model name"));
    return new _ContainerMachine(conversation, {
      cpu: model?.split(":")[1]?.trim() ?? "unknown",
      cpus: daemon.cpus,
      memory_gib: Math.round(daemon.memoryBytes / 2 ** 30),
      kernel: daemon.kernel,
      arch: daemon.arch,
      os: daemon.os
    });
  }
  /** Why it no longer speaks, or undefined. */
  get over() {
    return this.conversation.over;
  }
  async stat() {
    return (await this.conversation.ask("stat")).join("\n");
  }
  async probeMs() {
    return Number((await this.conversation.ask("probe"))[0]);
  }
  close() {
    this.conversation.close();
  }
};

// entrypoint/engines/docker/container/steps.ts
var LIMIT_MS2 = 9e5;
var FOREVER = "while :; do sleep 3600; done";
async function runSteps(steps, options) {
  const { revision, image, environment, place, labels, say } = options;
  const name = `async-php-bench-${labels.job}-${revision}-setup`;
  const { flags, variables } = environmentFlags({ ...environment, COMPOSER_HOME: "/tmp/composer" });
  await docker([
    ...["run", "--detach", "--init", "--name", name, ...labels.flags],
    ...["--network", place.owner ? `container:${place.owner}` : place.network],
    ...[...limitFlags(options), ...setupCapabilities(image.owner)],
    ...["--user", image.owner, "--workdir", image.project],
    ...["--entrypoint", "sh", image.tag, "-c", FOREVER]
  ]);
  for (const step of steps) {
    say(`${revision}: ${step}`);
    const done = await tryDocker(["exec", ...flags, name, "sh", "-c", step], { variables, timeoutMs: LIMIT_MS2 });
    if (done.code !== 0) {
      throw new MeasurementError(`setup of ${revision}: \`${step}\` ended with ${done.code}:
${lastLines(printed(done), 20)}`);
    }
  }
  const user = image.record.user;
  await docker(["commit", "--change", `USER ${user}`, name, image.tag], { timeoutMs: LIMIT_MS2 });
  await tryDocker(["rm", "--force", "--volumes", name]);
}

// entrypoint/engines/docker/image/images.ts
import { existsSync as existsSync7, readFileSync as readFileSync11, writeFileSync as writeFileSync4 } from "node:fs";
import { join as join13 } from "node:path";

// entrypoint/engines/shared/entry.ts
import { existsSync as existsSync6, readFileSync as readFileSync6 } from "node:fs";
import { basename, dirname, join as join8 } from "node:path";
function entryOf({ directory, revision, label: label2 }, { app, front }) {
  const hasApp = existsSync6(join8(directory, app));
  if (front === null) return { app: hasApp ? app : "", front: "" };
  const place = `front: ${revision} (${label2})`;
  if (!existsSync6(join8(directory, front))) throw new InputError(`${place} has no ${front}. Allowed: a PHP script of the repository`);
  if (hasApp) throw new InputError(`${place} has both ${front} and the entry file ${app}. Remove one of them, or the key front`);
  return { app: "", front };
}
function scriptValues(runtimeDirectory, front) {
  const script = front === "" ? `${runtimeDirectory}/front.php` : front;
  return { script, "script-name": front === "" ? "/index.php" : `/${basename(front)}`, "document-root": dirname(script) };
}
function frontFunctions({ front, php }) {
  if (front === null) return "";
  const ours = [...readFileSync6(join8(PACKAGE, "php", "functions.php"), "utf8").matchAll(/^function (\w+)\(/gm)].map((match) => match[1]);
  const theirs = String(php.ini.disable_functions ?? "").split(",");
  return `-ddisable_functions=${[...theirs, ...ours].filter(Boolean).join(",")}`;
}

// entrypoint/engines/docker/image/context.ts
import { cpSync, mkdirSync, readFileSync as readFileSync8, writeFileSync as writeFileSync2 } from "node:fs";
import { join as join10 } from "node:path";

// entrypoint/engines/shared/classes.ts
import { readdirSync, readFileSync as readFileSync7 } from "node:fs";
import { join as join9 } from "node:path";
var HEADER = /^<\?php\s+declare\(strict_types=1\);\n/;
function bundledClasses(directory) {
  const texts = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name.endsWith(".php")).map((entry) => readFileSync7(join9(entry.parentPath ?? entry.path, entry.name), "utf8"));
  const isInterface = (text) => /^interface /m.test(text);
  const ordered = [...texts.filter(isInterface), ...texts.filter((text) => !isInterface(text))];
  return `<?php

declare(strict_types=1);
${ordered.map((text) => text.replace(HEADER, "")).join("")}`;
}

// entrypoint/engines/shared/placeholders.ts
function placeholders({ needs }, placement) {
  const { directory, log, runtime, front, frontFunctions: frontFunctions2, address, port, connections, cpus: cpus2, classes, isRoot, binary } = placement;
  const programs2 = ["php", ...needs.flatMap((need2) => "binary" in need2 ? [need2.binary] : [])];
  const paths = programs2.flatMap((name) => {
    const path = binary(name);
    return path === void 0 ? [] : [[name, path]];
  });
  return {
    ...Object.fromEntries(paths),
    dir: directory,
    log,
    runtime,
    ...scriptValues(runtime, front),
    "front-functions": frontFunctions2,
    address,
    port: String(port),
    connections: String(connections),
    cpus: String(cpus2),
    preload: classes && `-dopcache.preload=${classes}`,
    "root-flag": isRoot ? "--allow-to-run-as-root" : "",
    "preload-user": isRoot ? "-dopcache.preload_user=root" : "",
    "pool-user": isRoot ? "user = root\ngroup = root" : "",
    "nginx-user": isRoot ? "user root;" : ""
  };
}

// entrypoint/engines/docker/image/context.ts
function copyOurs(bench, contents) {
  const { modes, workloads } = contents.served;
  const copy = (from, to) => cpSync(from, join10(bench, to), { recursive: true, filter: (path) => !path.includes("/tests") || path.includes("/vendor/") });
  copy(join10(PACKAGE, "php", "src"), "php/src");
  for (const name of ["autoload.php", "functions.php"]) copy(join10(PACKAGE, "php", name), `php/${name}`);
  for (const { name, builtIn: builtIn2 } of workloads) if (builtIn2) copy(builtIn2.directory, `workloads/${name}`);
  writeFileSync2(join10(bench, "classes.php"), bundledClasses(join10(PACKAGE, "php", "src")));
  writeFileSync2(join10(bench, "machine.php"), readFileSync8(join10(IN_CONTAINERS, "machine.php")));
  writeFileSync2(join10(subdirectory(bench, "ini"), "async-php-bench.ini"), iniFile(contents.served, []));
  copy(join10(PACKAGE, "runtimes"), "runtimes");
  for (const mode of modes) {
    writeStart(subdirectory(bench, join10("modes", mode.name)), mode, contents);
  }
}
function writeStart(directory, mode, contents) {
  const port = portOf(contents.revision, mode, contents.served.modes);
  const script = join10(directory, "start.sh");
  if (mode.via === "command") {
    const command2 = mode.command.replaceAll("{port}", String(port));
    writeFileSync2(script, `mkdir -p ${SCRATCH}/files
exec sh -c ${quoted(command2)}
`);
    return;
  }
  const values = valuesInImage(mode.runtime, port, contents);
  for (const template of mode.runtime.templates) {
    writeFileSync2(join10(directory, template), fill(readFileSync8(join10(mode.runtime.directory, template), "utf8"), values));
  }
  writeFileSync2(script, startScript(mode.runtime, values));
}
function valuesInImage(runtime, port, { served, front, connections, cpus: cpus2 }) {
  return placeholders(runtime, {
    directory: `${SCRATCH}/run`,
    log: "/proc/self/fd/2",
    runtime: `${OURS}/runtimes/${runtime.name}`,
    front,
    frontFunctions: frontFunctions(served),
    address: "0.0.0.0",
    port,
    connections,
    cpus: cpus2,
    classes: "opcache.preload" in served.php.ini ? "" : `${OURS}/classes.php`,
    // Nobody in a container of ours is root.
    isRoot: false,
    // equip.sh puts links there.
    binary: (name) => `${BIN}/${name}`
  });
}
function copyApp(directory, to, { app }, isWhole) {
  const file = app ? fileInside(directory, app) : void 0;
  if (isWhole) {
    const git = join10(directory, ".git");
    cpSync(directory, to, { recursive: true, verbatimSymlinks: true, filter: (path) => path !== git });
  } else if (file) {
    mkdirSync(to);
    cpSync(file, join10(to, "entry.php"));
  }
}

// entrypoint/engines/docker/image/equip.ts
import { readFileSync as readFileSync9, writeFileSync as writeFileSync3 } from "node:fs";
import { join as join11 } from "node:path";
async function equip(source, needs, job) {
  const script = readFileSync9(join11(HERE, "equip.sh"), "utf8");
  const tag = cacheTag("equipped", source.id, script, ...needs);
  if (await idOf(tag)) return tag;
  const context = subdirectory(job.directory, `equip-${tag.slice(-8)}`);
  writeFileSync3(join11(context, "equip.sh"), script);
  writeFileSync3(join11(context, "needs"), `${needs.join("\n")}
`);
  writeFileSync3(join11(context, "Dockerfile"), equippedDockerfile(source.name, source.user));
  if (needs.some((need2) => need2.startsWith("binary composer "))) await bringComposer(source.name, join11(context, "composer"), job);
  await build(["--label", CACHE_LABEL, "--tag", tag, context], "what the modes need in the image");
  return tag;
}
var COMPOSER = "composer:2";
async function bringComposer(image, to, { labels, say }) {
  const isNeeded = "! command -v composer && command -v docker-php-ext-install";
  const asked = await tryDocker([
    "run",
    "--rm",
    "--network",
    "none",
    ...labels.flags,
    ...CONFINED,
    "--entrypoint",
    "sh",
    image,
    "-c",
    isNeeded
  ]);
  if (asked.code !== 0) return;
  try {
    await bring(COMPOSER);
    const container = await docker(["create", ...labels.flags, COMPOSER, "composer"]);
    await docker(["cp", "--follow-link", `${container}:/usr/bin/composer`, to]);
    await tryDocker(["rm", "--force", "--volumes", container]);
  } catch (error) {
    say(`composer: ${messageOf(error)}`);
  }
}

// entrypoint/engines/docker/image/source.ts
import { readFileSync as readFileSync10 } from "node:fs";
import { join as join12 } from "node:path";

// entrypoint/engines/docker/image/frontend.ts
var DOCKERS = /^#[ \t]*syntax[ \t]*=[ \t]*(docker\.io\/)?docker\/dockerfile([:@][\w.:@-]+)?[ \t]*\r?$/i;
function isTrustedFrontend(dockerfile, buildArgs) {
  if (buildArgs.some((name) => /^BUILDKIT_SYNTAX$/i.test(name))) return false;
  if (/^\uFEFF?(#!.*\n)?\s*\{/.test(dockerfile)) return false;
  return dockerfile.split("\n").every((line) => !/syntax/i.test(line) || DOCKERS.test(line));
}

// entrypoint/engines/docker/image/source.ts
var SCAN_DIR = "PHP_INI_SCAN_DIR=";
async function sourceImage(request2) {
  const { served, checkout, labels, say } = request2;
  const { dockerfile, target, image, base, php } = served.docker;
  if (dockerfile) {
    const file = dockerfileOf(checkout, dockerfile);
    say(`${checkout.revision}: docker build ${dockerfile}`);
    const tag2 = `async-php-bench-source:${labels.job}-${checkout.revision}`;
    const args = Object.entries(served.docker["build-args"]).flatMap(([key, value]) => ["--build-arg", `${key}=${value}`]);
    await build(
      [...args, ...target ? ["--target", target] : [], ...labels.flags, "--tag", tag2, "--file", file, checkout.directory],
      `the image of ${checkout.revision}`,
      isTrustedFrontend(readFileSync10(file, "utf8"), Object.keys(served.docker["build-args"])) ? { scope: `source-${target ?? "image"}`, say } : void 0
    );
    return inspected(tag2, false, { from: dockerfile, ...target ? { target } : {} });
  }
  if (image) {
    const name = image.replaceAll("{commit}", checkout.commit);
    await bring(name);
    return inspected(name, !image.includes("{commit}"), { from: name });
  }
  say(`the default environment on ${base}`);
  const tag = cacheTag("environment", await bring(base), php ?? "", readFileSync10(join12(HERE, "default.Dockerfile"), "utf8"));
  if (!await idOf(tag)) {
    const args = ["--build-arg", `BASE=${base}`, "--build-arg", `PHP=${php ?? ""}`, "--label", CACHE_LABEL];
    const context = subdirectory(request2.directory, "environment");
    await build([...args, "--tag", tag, "--file", join12(HERE, "default.Dockerfile"), context], "the default environment", {
      scope: "environment",
      say
    });
  }
  return inspected(tag, true, { from: `default environment on ${base}` });
}
function dockerfileOf({ revision, label: label2, directory }, dockerfile) {
  const where = `docker.dockerfile: ${revision} (${label2})`;
  try {
    for (const ignored of [".dockerignore", `${dockerfile}.dockerignore`]) fileInside(directory, ignored);
    if (fileInside(directory, dockerfile)) return join12(directory, dockerfile);
  } catch (error) {
    throw new InputError(`${where}: ${messageOf(error)}`);
  }
  throw new InputError(`${where} has no ${dockerfile}`);
}
async function inspected(name, isEnvironment, record) {
  const [image] = JSON.parse(await docker(["image", "inspect", name]));
  const { Id: id, Config: settings } = image;
  const workdir = settings.WorkingDir && settings.WorkingDir !== "/" ? settings.WorkingDir : void 0;
  if (!workdir && !isEnvironment) {
    throw new InputError(`${record.from}: the image has no WORKDIR. It must be the directory of the app, so that ours finds it.`);
  }
  const scanned = settings.Env?.find((entry) => entry.startsWith(SCAN_DIR))?.slice(SCAN_DIR.length) ?? "";
  return { name, id, user: settings.User ?? "", project: workdir ?? "/app", isEnvironment, scanned, record: { ...record, id } };
}

// entrypoint/engines/docker/image/images.ts
var NOBODY = "65534:65534";
async function buildImage(request2) {
  const { checkout, served, say } = request2;
  const source = await sourceImage(request2);
  const composerJson = join13(checkout.directory, "composer.json");
  const isComposerNeeded = source.isEnvironment && existsSync7(composerJson);
  const extensions = [...request2.hasDatabase ? ["pdo_mysql"] : [], ...existsSync7(composerJson) ? extensionsIn(composerJson) : []];
  say(`${checkout.revision}: image with what the modes need`);
  const equipped = await equip(source, needLines(served.modes, extensions, isComposerNeeded, request2.asked), request2);
  return putOnTop(equipped, source, request2);
}
async function putOnTop(equipped, source, request2) {
  const { checkout, labels, served } = request2;
  const entry = entryOf(checkout, served);
  const context = subdirectory(request2.directory, `image-${checkout.revision}`);
  const front = entry.front && `${source.project}/${entry.front}`;
  copyOurs(subdirectory(context, "bench"), { ...request2, revision: checkout.revision, front });
  copyApp(checkout.directory, join13(context, "app"), entry, source.isEnvironment);
  const isRoot = source.user === "" || /^(root|0)(:|$)/.test(source.user);
  const user = isRoot ? NOBODY : source.user;
  const app = source.isEnvironment ? "checkout" : entry.app ? "entry" : "nothing";
  writeFileSync4(join13(context, "Dockerfile"), revisionDockerfile(equipped, source.project, user, app, entry.app));
  const tag = `async-php-bench-revision:${labels.job}-${checkout.revision}`;
  await build(["--network", "none", ...labels.flags, "--tag", tag, context], `the image of ${checkout.revision}`);
  return {
    tag,
    project: source.project,
    entry,
    isCheckout: source.isEnvironment,
    owner: source.isEnvironment || !isRoot ? user : "root",
    scanned: source.scanned,
    record: { ...source.record, user }
  };
}
function extensionsIn(composerJson) {
  let required;
  try {
    required = JSON.parse(readFileSync11(composerJson, "utf8")).require;
  } catch {
    return [];
  }
  return Object.keys(required ?? {}).map((name) => name.toLowerCase()).filter((name) => /^ext-[a-z0-9_]+$/.test(name)).map((name) => name.slice(4));
}

// entrypoint/engines/docker/prepare.ts
async function prepareJob(job) {
  const { daemon, labels, network, served } = job;
  await docker(["network", "create", ...labels.flags, network]);
  const [own, images] = await allOf([startDatabase(job), buildImages(job)]);
  await removeBuilder();
  const databases = own && new RevisionDatabases(own.database, served);
  const composerRan = [];
  for (const checkout of checkoutsOf(job)) {
    composerRan.push(...await prepareRevision(job, checkout, images[checkout.revision], databases));
  }
  const { tag } = images.head;
  const route = own?.route ?? await findRoute(daemon.host, labels, network, tag);
  const machine = await ContainerMachine.start(labels, tag, daemon);
  return { images, database: own?.database, databases, route, machine, composerRan };
}
function environmentOf(job, revision, { scanned }, databases) {
  const database = databases && { access: databases.access, name: databases.app(revision) };
  return appEnvironment(servedBy2(job, revision), {}, `${scanned}:${OURS}/ini`, database);
}
async function startDatabase(job) {
  if (!job.hasDatabase) return void 0;
  const { rules, daemon, labels, network, directory, served, cpus: cpus2, say } = job;
  say("starting the database");
  const image = await databaseImage(rules, (served.base ?? servedBy2(job, "head")).docker.base, directory, say);
  const route = await findRoute(daemon.host, labels, network, image);
  const ports = portsOf(servedBy2(job, "head").modes);
  const server = await containerDatabase({ rules, daemon, labels, network, route, ports, image, cpus: cpus2.database });
  return { database: new Database(server, directory), route };
}
async function buildImages(job) {
  const { rules, directory, labels, hasDatabase, cpus: cpus2, say } = job;
  const images = {};
  for (const checkout of checkoutsOf(job)) {
    const served = servedBy2(job, checkout.revision);
    const request2 = {
      served,
      connections: rules.connections,
      checkout,
      hasDatabase,
      cpus: cpus2.appCpus,
      asked: askedVersions(rules),
      labels,
      directory,
      say
    };
    images[checkout.revision] = await buildImage(request2);
  }
  return images;
}
async function prepareRevision(job, { revision, directory }, image, databases) {
  await databases?.create(revision);
  const composer = image.isCheckout ? composerCommand(directory) : void 0;
  const steps = [...composer ? [["composer", ...composer].map(quoted).join(" ")] : [], ...servedBy2(job, revision).setup];
  if (steps.length) {
    const environment = environmentOf(job, revision, image, databases);
    const { labels, memory, daemon, say } = job;
    await runSteps(steps, { revision, image, environment, place: placeOf(job), labels, memory, cgroup: daemon.cgroup, say });
  }
  await databases?.snapshot(revision);
  return composer ? [`${revision}: ${composer.join(" ")}`] : [];
}

// entrypoint/engines/docker/arm.ts
async function startArm(job, { images, databases, route }, arm, { purpose, isReadOnly }) {
  const { rules, labels, cpus: cpus2, memory, daemon } = job;
  const { revision, mode } = arm;
  const served = servedBy2(job, revision);
  const image = images[revision];
  const { tag, project, entry } = image;
  const under = (path) => path && `${project}/${path}`;
  const handlers = served.workloads.flatMap(({ name, builtIn: builtIn2 }) => builtIn2 ? [[name, `${OURS}/workloads/${name}/handler.php`]] : []);
  const paths = {
    project,
    app: under(entry.app),
    front: under(entry.front),
    handlers: Object.fromEntries(handlers),
    directory: `${SCRATCH}/files`
  };
  const database = databases && { access: databases.access, name: databases.bench(revision) };
  return ContainerServer.start(modeIn(served, mode), {
    revision,
    image: tag,
    project,
    place: placeOf(job),
    // The modes of head are those of the job.
    port: portOf(revision, mode, servedBy2(job, "head").modes),
    labels,
    route,
    environment: {
      ...environmentOf(job, revision, image, databases),
      ...benchVariables(paths, rules, database),
      ...purposeVariables(purpose)
    },
    workers: mode.via === "runtime" ? workersOf(mode.runtime, rules.connections, cpus2.appCpus) : 1,
    cpus: cpus2.app,
    memory,
    isReadOnly,
    cgroup: daemon.cgroup
  });
}

// entrypoint/engines/docker/read-only.ts
async function canBeReadOnly(job, tryArm) {
  const { modes } = servedBy2(job, "head");
  const arms = checkoutsOf(job).flatMap(({ revision }) => modes.map((mode) => ({ revision, mode })));
  for (const together of areApart(modes) ? [arms] : arms.map((arm) => [arm])) {
    const ends = await Promise.allSettled(together.map((arm2) => tryArm(arm2, true)));
    const failed2 = ends.findIndex(({ status }) => status === "rejected");
    if (failed2 < 0) continue;
    const arm = together[failed2];
    const error = ends[failed2].reason;
    try {
      await tryArm(arm, false);
    } catch {
      throw error;
    }
    job.say(`warning: ${arm.mode.name} of ${arm.revision} does not start on a read-only root file system, so every arm gets a writable one`);
    job.say(lastLines(messageOf(error), 3));
    return false;
  }
  return true;
}

// entrypoint/engines/docker/engine.ts
var DockerEngine = class {
  name = "docker";
  job;
  running = /* @__PURE__ */ new Set();
  readied;
  isReadOnly;
  constructor(options) {
    this.job = jobOf(options);
    this.isReadOnly = options.rules.limits["read-only"];
  }
  get hasDatabase() {
    return this.job.hasDatabase;
  }
  /** An external one is refused. */
  get hasOwnDatabase() {
    return this.job.hasDatabase;
  }
  get loadCpus() {
    return this.job.cpus.load;
  }
  get machine() {
    return this.prepared.machine;
  }
  async prepare() {
    const { job } = this;
    if (job.rules.database.startsWith("mysql://")) {
      throw new MeasurementError(
        "database: a URL works with the host engine only. In containers the database is one, too: auto, mariadb or mysql."
      );
    }
    await removeLeftovers();
    await removeForgottenBuilders();
    const prepared = await prepareJob(job);
    this.readied = prepared;
    if (!this.isReadOnly) return;
    this.isReadOnly = await canBeReadOnly(job, async (arm, isReadOnly) => {
      await (await startArm(job, prepared, arm, { purpose: "preflight", isReadOnly })).stop();
    });
  }
  async restore(revision) {
    await this.prepared.databases?.restore(revision);
  }
  async start(arm, purpose) {
    const server = await startArm(this.job, this.prepared, arm, { purpose, isReadOnly: this.isReadOnly });
    this.running.add(server);
    return server;
  }
  async statementCounts() {
    return await this.prepared.database?.statementCounts() ?? {};
  }
  async assertAlive() {
    const { over } = this.prepared.machine;
    if (over !== void 0) throw new MeasurementError(`The Docker daemon went away during the job: ${over}`);
    const answer = await tryDocker(["version", "--format", "{{.Server.Version}}"]);
    if (answer.code !== 0) throw new MeasurementError(`The Docker daemon no longer answers: ${lastLines(printed(answer), 3)}`);
    await this.statementCounts();
  }
  describe() {
    const { rules, daemon, memory, cpus: cpus2 } = this.job;
    const { version, storage, cgroup, host } = daemon;
    const { images, route, database, composerRan } = this.prepared;
    return {
      engine: this.name,
      machine: this.machine.description,
      docker: {
        daemon: version,
        storage,
        cgroup,
        remote: host !== void 0,
        images: Object.fromEntries(Object.entries(images).map(([revision, image]) => [revision, image.record])),
        memory,
        cpu_sets: describeSets(cpus2),
        read_only: this.isReadOnly,
        reached_by: route.via === "address" ? "address of the container" : "published port"
      },
      database: database?.description ?? null,
      connections: rules.connections,
      composer_install: composerRan,
      ini: iniFile(servedBy2(this.job, "head"), []).trim().split("\n")
    };
  }
  async close() {
    await Promise.allSettled([...this.running].map((server) => server.stop()));
    this.running.clear();
    this.readied?.machine.close();
    await removeBuilder();
    const failures = await removeJob(this.job.id);
    if (failures.length) throw new MeasurementError(`not removed: ${failures.join("; ")}`);
  }
  get prepared() {
    if (!this.readied) throw new Error("prepare() comes first");
    return this.readied;
  }
};

// entrypoint/engines/host/engine.ts
import { randomBytes as randomBytes7 } from "node:crypto";
import { rmSync as rmSync2, writeFileSync as writeFileSync7 } from "node:fs";
import { join as join18 } from "node:path";

// entrypoint/engines/host/database-server.ts
import { randomBytes as randomBytes5 } from "node:crypto";
import { readFileSync as readFileSync12, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join as join14 } from "node:path";
import { setTimeout as sleep5 } from "node:timers/promises";

// entrypoint/engines/host/ports.ts
import { connect as connect2, createServer } from "node:net";
var lately = /* @__PURE__ */ new Set();
var REMEMBERED = 1e3;
var TRIES = 100;
async function freePort() {
  let port = await unusedPort();
  for (let tries = 1; lately.has(port) && tries < TRIES; tries++) port = await unusedPort();
  lately.add(port);
  if (lately.size > REMEMBERED) lately.delete(lately.values().next().value);
  return port;
}
function unusedPort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")));
    });
  });
}
function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect2(port, "127.0.0.1");
    socket.setTimeout(1e3);
    const end = (open2) => {
      socket.destroy();
      resolve(open2);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}

// entrypoint/engines/host/database-server.ts
async function privateServer(kind, directory, cpus2) {
  const flavour = await installed(kind);
  const inMemory = memoryHasRoom();
  const home = inMemory ? scratch("/dev/shm") : subdirectory(directory, "database");
  const data = join14(home, "data");
  const program = unconfined(flavour, home);
  const log = join14(directory, "database.log");
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? ["--user=root"] : [];
  const made = await exec(
    flavour.isMaria ? [
      flavour.install,
      "--no-defaults",
      `--datadir=${data}`,
      "--auth-root-authentication-method=normal",
      "--skip-test-db",
      ...user
    ] : [...program, "--initialize-insecure", `--datadir=${data}`, ...user],
    { ...apart(), timeoutMs: 12e4 }
  );
  if (made.code !== 0) throw new MeasurementError(`The database cannot be set up: ${lastLines(printed(made))}`);
  const port = await freePort();
  const socket = join14(home, "sock");
  const command2 = pinned(
    [
      ...program,
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--port=${port}`,
      "--bind-address=127.0.0.1",
      `--pid-file=${join14(home, "pid")}`,
      `--tmpdir=${home}`,
      "--skip-log-bin",
      "--skip-name-resolve",
      ...flavour.isMaria ? [] : ["--mysqlx=0"],
      ...Object.entries(SERVER_SETTINGS).map(([key, value]) => `--${key}=${value}`),
      ...user
    ],
    cpus2
  );
  const server = await ProcessGroup.start(command2, { cwd: home, env: bare(), log });
  const root = [flavour.client, "--no-defaults", "--user=root", `--socket=${socket}`];
  const deadline = Date.now() + 6e4;
  while ((await exec([...root, "-e", "SELECT 1"], apart())).code !== 0) {
    if (server.ended || Date.now() > deadline) {
      await server.stop();
      throw new MeasurementError(
        `The database did not start (${server.ended ?? "no answer in 60 s"}):
${lastLines(readFileSync12(log, "utf8"))}`
      );
    }
    await sleep5(100);
  }
  const password = randomBytes5(12).toString("hex");
  const grant = `CREATE USER 'bench'@'127.0.0.1' IDENTIFIED BY '${password}'; GRANT ALL ON *.* TO 'bench'@'127.0.0.1' WITH GRANT OPTION;`;
  const granted = await exec([...root, "-e", grant], apart());
  if (granted.code !== 0) throw new MeasurementError(`The database refuses a user of ours: ${lastLines(granted.stderr)}`);
  const access = { host: "127.0.0.1", port, user: "bench", password };
  return {
    access,
    description: {
      kind: flavour.isMaria ? "mariadb" : "mysql",
      version: (await exec([flavour.server, "--version"], apart())).stdout.trim(),
      private: true,
      storage: inMemory ? "tmpfs" : "disk",
      settings: SERVER_SETTINGS
    },
    ...programs(flavour, access),
    lost: async () => server.ended ? `The database server died (${server.ended}):
${lastLines(readFileSync12(log, "utf8"))}` : void 0,
    stop: () => server.stop(5e3)
  };
}
async function externalServer(url) {
  const parsed = new URL(url);
  const access = {
    host: parsed.hostname,
    port: Number(parsed.port || 3306),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password)
  };
  const { client, dump } = programs(await installed("auto", false), access);
  const answer = await client(["-N", "-e", "SELECT VERSION()"]);
  if (answer.code !== 0) throw new InputError(`database: ${parsed.hostname}:${access.port} cannot be used: ${lastLines(answer.stderr)}`);
  return {
    access,
    description: { kind: "external", version: answer.stdout.trim(), private: false },
    client,
    dump,
    lost: async () => void 0,
    stop: async () => {
    }
  };
}
async function installed(kind, withServer2) {
  const flavour = await installedDatabase(kind, withServer2);
  if (!flavour) throw new MeasurementError(`database: ${kind}: its programs are gone from this machine.`);
  return flavour;
}
function programs(flavour, access) {
  const login = ["--no-defaults", `--host=${access.host}`, `--port=${access.port}`, `--user=${access.user}`, "--protocol=tcp"];
  const where = apart({ MYSQL_PWD: access.password });
  return {
    client: (args, input) => exec([flavour.client, ...login, ...args], { ...where, input, timeoutMs: 6e5 }),
    dump: (args) => exec([flavour.dump, ...login, ...args], { ...where, timeoutMs: 6e5 })
  };
}
function memoryHasRoom() {
  try {
    const fs = statfsSync("/dev/shm");
    return fs.bavail * fs.bsize > 3 * 2 ** 30 && freemem() > 6 * 2 ** 30;
  } catch {
    return false;
  }
}

// entrypoint/engines/host/quiet-ini.ts
import { readFileSync as readFileSync13, writeFileSync as writeFileSync5 } from "node:fs";
import { basename as basename2, join as join15 } from "node:path";
var LOADS = /^[ \t]*(zend_)?extension[ \t]*=[ \t]*["']?([^\n"';]*\/)?(php_)?(xdebug|pcov)(\.so)?["']?[ \t]*(;.*)?$/gim;
function withoutDebuggers(text) {
  return text.replace(LOADS, "");
}
function parsedFiles(information) {
  const list2 = /^Additional \.ini files parsed => ((?:.*,\n)*.*)$/m.exec(information)?.[1] ?? "";
  return list2.split(/,\n?/).filter((file) => file.startsWith("/"));
}
async function copyQuietIni(program, directory) {
  const { stdout } = await exec([program, "-i"], { ...apart(), timeoutMs: 3e4 });
  for (const [index, file] of parsedFiles(stdout).entries()) {
    const name = `${String(index).padStart(3, "0")}-${basename2(file)}`;
    writeFileSync5(join15(directory, name), withoutDebuggers(readFileSync13(file, "utf8")));
  }
}

// entrypoint/engines/host/server.ts
import { randomBytes as randomBytes6 } from "node:crypto";
import { existsSync as existsSync8, mkdirSync as mkdirSync2, readFileSync as readFileSync14, rmSync, writeFileSync as writeFileSync6 } from "node:fs";
import { join as join17 } from "node:path";
import { setTimeout as sleep6 } from "node:timers/promises";

// entrypoint/engines/host/values.ts
import { join as join16 } from "node:path";
function valuesOnHost(runtime, start2, { connections, preloads, frontFunctions: frontFunctions2, environment, cpus: cpus2, classes, tools }) {
  return placeholders(runtime, {
    ...start2,
    log: join16(start2.directory, "php-fpm.log"),
    runtime: runtime.directory,
    front: environment.APB_FRONT ?? "",
    frontFunctions: frontFunctions2,
    connections,
    cpus: cpus2.appCpus,
    classes: preloads ? "" : classes,
    isRoot: process.getuid?.() === 0,
    binary: (name) => tools.binaries[name]
  });
}

// entrypoint/engines/host/server.ts
var ADDRESS = "127.0.0.1";
var HostServer = class _HostServer {
  constructor(mode, port, directory, options) {
    this.mode = mode;
    this.port = port;
    this.directory = directory;
    this.options = options;
    this.url = `http://${ADDRESS}:${port}`;
  }
  mode;
  port;
  directory;
  options;
  groups = [];
  known = [];
  own = [];
  nonce = randomBytes6(12).toString("hex");
  url;
  /**
   * @throws InputError if the app is refused
   * @throws MeasurementError with the log's end if the server does not answer with this start's nonce
   */
  static async start(mode, options) {
    const directory = join17(options.parent, `server-${randomBytes6(4).toString("hex")}`);
    mkdirSync2(directory, { mode: 448 });
    const server = new _HostServer(mode, await freePort(), directory, options);
    try {
      if (mode.via === "runtime") await server.startRuntime(mode.runtime);
      else await server.startCommand(mode.command, mode.health);
      server.own = mode.via === "runtime" ? server.pids() : await settled(async () => server.pids());
    } catch (error) {
      const log = await atRest(() => server.logTail());
      const refusal = refusalIn(await server.log(), options.checkout.directory);
      await server.stop();
      const { revision } = options.checkout;
      if (refusal) throw new InputError(`${revision}: ${refusal}`);
      throw new MeasurementError(`${mode.name} of ${revision} did not start: ${error.message}${log ? `
${log}` : ""}`);
    }
    return server;
  }
  async usage() {
    this.known = this.pids();
    return { ...await this.clock(), memoryKib: memoryKibOf(this.known) };
  }
  async clock() {
    const asked = Date.now();
    const cpuUs = cpuUsOf(this.known);
    return { cpuUs, at: (asked + Date.now()) / 2 };
  }
  async lost() {
    return lostProcesses(this.own, this.pids(), this.mode);
  }
  status() {
    if (this.mode.via === "command") return Promise.resolve(void 0);
    return countersOf(this, this.mode.runtime.status, this.workersOf(this.mode.runtime));
  }
  async logTail() {
    const logs2 = this.logs();
    const known = this.mode.via === "runtime" ? this.mode.runtime : NOTHING_KNOWN;
    return logEnd(logs2.join("\n"), known, TAIL_LINES * logs2.length);
  }
  async log() {
    return this.logs().join("\n");
  }
  logs() {
    return ["server.log", "php-fpm.log"].map((name) => join17(this.directory, name)).filter(existsSync8).map((file) => readFileSync14(file, "utf8").slice(-LOG_KEPT).trim()).filter(Boolean);
  }
  async stop() {
    for (const group of [...this.groups].reverse()) await group.stop();
    const deadline = Date.now() + 5e3;
    while (await isOpen(this.port) && Date.now() < deadline) await sleep6(20);
    rmSync(this.directory, { recursive: true, force: true });
    emptyFiles(this.options.files);
  }
  pids() {
    return this.groups.flatMap((group) => group.pids());
  }
  ended = async () => this.groups.find((group) => group.ended)?.ended;
  workersOf(runtime) {
    return workersOf(runtime, this.options.connections, this.options.cpus.appCpus);
  }
  async startRuntime(runtime) {
    const workers = this.workersOf(runtime);
    const values = valuesOnHost(runtime, { directory: this.directory, address: ADDRESS, port: this.port }, this.options);
    for (const template of runtime.templates) {
      writeFileSync6(join17(this.directory, template), fill(readFileSync14(join17(runtime.directory, template), "utf8"), values));
    }
    const start2 = { nonce: this.nonce, address: ADDRESS, port: this.port, workers, directory: this.directory };
    const env = { ...this.options.environment, ...startVariables(runtime, start2) };
    for (const process2 of runtime.processes) {
      await this.launch(fillCommand(process2.command, values), env);
      if (process2.socket) {
        const socket = fill(process2.socket, values);
        await until(
          async () => existsSync8(socket),
          this.ended,
          () => `no socket ${socket}`
        );
      }
    }
    await untilAllWorkersAnswer(this.url, this.nonce, runtime.workers === "cpus" ? workers : 1, this.ended);
  }
  /** A server that the user brings: it knows no nonce, so its port must have been free and its process alive. */
  async startCommand(command2, health) {
    const env = { ...this.options.environment, PORT: String(this.port) };
    await this.launch(["sh", "-c", command2.replaceAll("{port}", String(this.port))], env);
    await untilHealthy({ url: this.url, health, port: this.port }, this.ended, async () => listeningPorts(socketsOf(this.pids())));
  }
  async launch(command2, env) {
    const group = await ProcessGroup.start(pinned(command2, this.options.cpus.app), {
      cwd: this.options.checkout.directory,
      env,
      log: join17(this.directory, "server.log")
    });
    this.groups.push(group);
  }
};

// entrypoint/engines/host/engine.ts
var FILES2 = "files";
var PHPS = ["php", "php-fpm"];
function phpOf(mode) {
  const needs = mode.via === "runtime" ? mode.runtime.needs : [];
  return needs.some((need2) => "binary" in need2 && need2.binary === "php-fpm") ? "php-fpm" : "php";
}
function hasOwnDatabase({ database }) {
  return database !== "none" && !database.startsWith("mysql://");
}
var HostEngine = class {
  constructor(options) {
    this.options = options;
    this.cpus = cpuSets(allowedCpus(), { database: hasOwnDatabase(options.rules), load: true });
    this.classes = join18(options.directory, "classes.php");
    writeFileSync7(this.classes, bundledClasses(join18(PACKAGE, "php", "src")));
    for (const revision of this.revisions()) writeFileSync7(join18(this.iniDirectory(revision), "async-php-bench.ini"), this.ini(revision));
  }
  options;
  name = "host";
  machine = localMachine;
  cpus;
  database;
  databases;
  running = /* @__PURE__ */ new Set();
  classes;
  composerRan = [];
  get hasDatabase() {
    return this.options.rules.database !== "none";
  }
  get hasOwnDatabase() {
    return hasOwnDatabase(this.options.rules);
  }
  get loadCpus() {
    return this.cpus.load;
  }
  async prepare() {
    const { rules, directory, served, say, tools } = this.options;
    for (const program of PHPS) {
      const path = tools.binaries[program];
      if (path) await copyQuietIni(path, this.quietIni(program));
    }
    for (const checkout of Object.values(this.options.checkouts)) entryOf(checkout, this.served(checkout.revision));
    if (this.hasDatabase) {
      say("starting the database");
      const kind = rules.database;
      const server = hasOwnDatabase(rules) ? privateServer(kind, directory, this.cpus.database) : externalServer(kind);
      this.database = new Database(await server, directory);
      this.databases = new RevisionDatabases(this.database, served);
    }
    for (const checkout of Object.values(this.options.checkouts)) await this.prepareRevision(checkout);
    await exec(["chattr", "+T", subdirectory(directory, FILES2)], apart());
  }
  async restore(revision) {
    await this.databases?.restore(revision);
  }
  async start(arm, purpose) {
    const checkout = this.options.checkouts[arm.revision];
    const { rules, tools } = this.options;
    const served = this.served(arm.revision);
    const files = subdirectory(subdirectory(this.options.directory, FILES2), randomBytes7(4).toString("hex"));
    const server = await HostServer.start(modeIn(served, arm.mode), {
      cpus: this.cpus,
      classes: this.classes,
      checkout,
      connections: rules.connections,
      preloads: "opcache.preload" in served.php.ini,
      frontFunctions: frontFunctions(served),
      environment: { ...this.environment(arm.revision, phpOf(arm.mode)), ...this.bench(checkout, files), ...purposeVariables(purpose) },
      files,
      parent: this.options.directory,
      tools
    }).catch((error) => {
      rmSync2(files, { recursive: true, force: true });
      throw error;
    });
    this.running.add(server);
    return server;
  }
  async statementCounts() {
    return this.database ? this.database.statementCounts() : {};
  }
  async assertAlive() {
    await this.statementCounts();
  }
  describe() {
    return {
      engine: this.name,
      machine: this.machine.description,
      database: this.database?.description ?? null,
      cpu_sets: describeSets(this.cpus),
      connections: this.options.rules.connections,
      composer_install: this.composerRan,
      ini: this.ini("head").trim().split("\n")
    };
  }
  async close() {
    await Promise.allSettled([...this.running].map((server) => server.stop()));
    this.running.clear();
    await this.database?.close();
    this.database = void 0;
  }
  revisions() {
    return Object.keys(this.options.checkouts);
  }
  served(revision) {
    return this.options.served[revision];
  }
  /** Settings of PHP, which a revision may change. */
  ini(revision) {
    return iniFile(this.served(revision), this.options.tools.extensionFiles);
  }
  iniDirectory(revision) {
    return subdirectory(this.options.directory, `ini-${revision}`);
  }
  /** PHP's own settings, without debuggers. */
  quietIni(program) {
    return subdirectory(this.options.directory, `ini-of-${program}`);
  }
  environment(revision, program = "php") {
    const database = this.databases && { access: this.databases.access, name: this.databases.app(revision) };
    const scanned = `${this.quietIni(program)}:${this.iniDirectory(revision)}`;
    return appEnvironment(this.served(revision), process.env, scanned, database);
  }
  bench(checkout, files) {
    const served = this.served(checkout.revision);
    const { workloads } = served;
    const { app, front } = entryOf(checkout, served);
    const under = (path) => path && join18(checkout.directory, path);
    const handlers = workloads.flatMap(({ name, builtIn: builtIn2 }) => builtIn2 ? [[name, join18(builtIn2.directory, "handler.php")]] : []);
    return benchVariables(
      { project: checkout.directory, app: under(app), front: under(front), handlers: Object.fromEntries(handlers), directory: files },
      this.options.rules,
      this.databases && { access: this.databases.access, name: this.databases.bench(checkout.revision) }
    );
  }
  async prepareRevision(checkout) {
    const { say } = this.options;
    const { revision, directory } = checkout;
    const env = this.environment(revision);
    await this.databases?.create(revision);
    const composer = composerCommand(directory);
    if (composer) {
      say(`${revision}: composer install`);
      await this.installPackages(checkout, composer, env);
    }
    for (const command2 of this.served(revision).setup) {
      say(`${revision}: ${command2}`);
      const done = await exec(["sh", "-c", command2], { cwd: directory, env, timeoutMs: 9e5 });
      if (done.code !== 0) {
        throw new MeasurementError(`setup of ${revision}: \`${command2}\` ended with ${done.code}:
${lastLines(printed(done), 20)}`);
      }
    }
    await this.databases?.snapshot(revision);
  }
  async installPackages({ revision, directory }, command2, env) {
    const { composer } = this.options.tools;
    if (!composer) throw new MeasurementError(`${revision} has a composer.json, but Composer is not installed.`);
    const done = await exec([composer, ...command2], { cwd: directory, env: { ...env, COMPOSER_ALLOW_SUPERUSER: "1" }, timeoutMs: 9e5 });
    if (done.code !== 0) {
      throw new MeasurementError(`${revision}: composer could not install the app's packages:
${lastLines(printed(done), 20)}`);
    }
    this.composerRan.push(`${revision}: ${command2.join(" ")}`);
  }
};

// entrypoint/engines/make.ts
function makeEngine(choice, options) {
  return choice.engine === "docker" ? new DockerEngine({ ...options, daemon: choice.daemon }) : new HostEngine(options);
}

// entrypoint/engines/set-up.ts
async function setUp(settled2, inputs, job) {
  const { rules, modes, served, revisions } = settled2;
  const choice = await chooseEngine(rules, served.base ?? served.head, job.say);
  const { head, base } = revisions;
  const checkouts = { head, ...base ? { base } : {} };
  const directories = Object.values(checkouts).map(({ directory }) => directory);
  const tools = await provision(scopeOf(rules, modes, directories, choice.engine), { yes: inputs.yes, say: job.say });
  const engine = makeEngine(choice, { rules, served, checkouts, tools, directory: job.directory, say: job.say });
  job.atEnd(() => engine.close());
  await engine.prepare();
  return { inputs, settled: settled2, tools, engine };
}

// entrypoint/measure/opened.ts
var Opened = class {
  closers = [];
  add(closer) {
    this.closers.push(closer);
  }
  /** Last opened first. What has been closed stays so: it can be called again, also where a closer has thrown. */
  async close() {
    for (let closer = this.closers.at(-1); closer; closer = this.closers.at(-1)) {
      await closer();
      this.closers.pop();
    }
  }
};

// entrypoint/measure/run-result.ts
function workWasDone(statements, before, after, successes, concurrency) {
  return Object.entries(statements).every(([verb, perRequest]) => {
    const made = (after[verb] ?? 0) - (before[verb] ?? 0);
    return made >= perRequest * successes && made <= perRequest * (successes + 2 * concurrency);
  });
}
function didNotRun(startedAt, windowS, failure) {
  return { line: failed(startedAt, windowS, 0), errors: { [DID_NOT_RUN]: 1 }, little: null, failure };
}
var DID_NOT_RUN = "did-not-run";
function ran(result) {
  return !(DID_NOT_RUN in result.errors);
}
function failedWholly({ line, errors }) {
  return line.goodput_rps === 0 && Object.keys(errors).length > 0;
}
function failed(startedAt, durationS, requests) {
  const nothing = {
    p50_ms: null,
    p95_ms: null,
    p99_ms: null,
    max_ms: null,
    cpu_us_per_request: null,
    peak_memory_mib: null,
    memory_growth_kib_per_1k: null,
    half_ratio: null
  };
  const lost = Math.max(1, requests);
  return {
    started_at: startedAt.toISOString(),
    duration_s: durationS,
    requests: lost,
    succeeded: 0,
    failed: lost,
    goodput_rps: 0,
    ...nothing
  };
}
function positive(value) {
  return value > 0 && Number.isFinite(value) ? value : null;
}

// entrypoint/measure/run-steps.ts
import { setTimeout as sleep7 } from "node:timers/promises";

// entrypoint/measure/hey.ts
var TEMPLATE = '{"total":{{.Total.Nanoseconds}},"num":{{.NumRes}},"errors":"{{printf "%x" (jsonify .ErrorDist)}}","lats":{{jsonify .Lats}},"offsets":{{jsonify .Offsets}},"codes":{{jsonify .StatusCodes}}}';
var TIMEOUT_S = 10;
function heyArguments(url, cell, seconds2) {
  const { workload, load } = cell;
  const { method, path, body, ...request2 } = requestOf(workload);
  const headers = Object.entries(request2.headers);
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return [
    "-z",
    `${seconds2}s`,
    "-c",
    String(load.concurrency),
    "-t",
    String(TIMEOUT_S),
    "-cpus",
    "1",
    "-disable-compression",
    "-disable-redirects",
    "-o",
    TEMPLATE,
    ...method === "GET" ? [] : ["-m", method],
    ...type === void 0 ? [] : ["-T", type],
    ...headers.filter(([name]) => name.toLowerCase() !== "content-type").flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    ...body === void 0 ? [] : ["-d", body],
    url + path
  ];
}
function startHey(hey, args, cpuSet, signal) {
  const command2 = pinned(["setpriv", "--pdeathsig", "KILL", hey, ...args], cpuSet);
  const startedAt = Date.now();
  const child = spawnPiped(command2, apart(), { signal });
  child.stdin.end();
  const out = [];
  const err = [];
  child.stdout.on("data", (chunk) => out.push(chunk));
  child.stderr.on("data", (chunk) => err.push(chunk));
  const output = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code2) => {
      try {
        if (code2 !== 0) throw new MeasurementError(`hey ended with ${code2}: ${Buffer.concat(err).toString().slice(0, 500)}`);
        resolve(parseHey(Buffer.concat(out).toString()));
      } catch (error) {
        reject(error);
      }
    });
  });
  output.catch(() => {
  });
  return {
    startedAt,
    output,
    hold: () => child.kill("SIGSTOP"),
    resume: () => child.kill("SIGCONT"),
    finish: () => child.kill("SIGINT"),
    kill: () => child.kill("SIGKILL")
  };
}
function parseHey(text) {
  let raw;
  let errors;
  try {
    raw = JSON.parse(text);
    errors = JSON.parse(Buffer.from(raw.errors, "hex").toString() || "null");
  } catch {
    throw new MeasurementError(`hey printed something unexpected: ${text.slice(0, 200) || "nothing"}`);
  }
  const output = { offsetsS: raw.offsets ?? [], latenciesS: raw.lats ?? [], statuses: raw.codes ?? [], errors: {} };
  if (output.offsetsS.length !== output.latenciesS.length || output.offsetsS.length !== output.statuses.length) {
    throw new MeasurementError("hey printed lists of different lengths");
  }
  for (const [message, count] of Object.entries(errors ?? {})) {
    const kind = errorKind(message);
    output.errors[kind] = (output.errors[kind] ?? 0) + count;
  }
  return output;
}
function errorKind(message) {
  const kinds = [
    [/Client\.Timeout|deadline exceeded|i\/o timeout/i, "timeout"],
    [/connection refused/i, "refused"],
    [/connection reset|broken pipe/i, "reset"],
    [/EOF/, "closed"],
    [/too many open files/i, "too-many-files"],
    [/malformed|invalid/i, "malformed"]
  ];
  return kinds.find(([pattern]) => pattern.test(message))?.[1] ?? "other";
}

// entrypoint/measure/window.ts
function windowOf(output, spans, status) {
  const lengths = spans.map(({ fromS, toS }) => toS - fromS);
  const sum2 = (list2) => list2.reduce((a, b) => a + b, 0);
  const half = sum2(lengths) / 2;
  const before = spans.map((_, i) => sum2(lengths.slice(0, i)));
  const latenciesMs = [];
  let wrongStatus = 0;
  let firstHalf = 0;
  output.offsetsS.forEach((offset, i) => {
    const latency = output.latenciesS[i];
    const end = offset + latency;
    const s = spans.findIndex(({ resumedS, fromS, toS }) => offset >= resumedS && end > fromS && end <= toS);
    if (s === -1) return;
    if (output.statuses[i] !== status) {
      wrongStatus++;
      return;
    }
    latenciesMs.push(latency * 1e3);
    if (before[s] + end - spans[s].fromS <= half) firstHalf++;
  });
  const succeeded = latenciesMs.length;
  latenciesMs.sort((a, b) => a - b);
  return { succeeded, wrongStatus, latenciesMs, halfRatio: firstHalf > 0 ? (succeeded - firstHalf) / firstHalf : null };
}
function lagOf(output, pauses) {
  const ends = output.offsetsS.map((offset, i) => offset + output.latenciesS[i]);
  const lags = pauses.map(
    ({ heldS, resumedS }) => resumedS - ends.reduce((first, end) => end > heldS && end < first ? end : first, Number.POSITIVE_INFINITY)
  ).filter(Number.isFinite).sort((a, b) => a - b);
  return lags[Math.floor(lags.length / 2)] ?? 0;
}
function percentile(ascending, percent) {
  return ascending[Math.max(0, Math.ceil(percent / 100 * ascending.length) - 1)] ?? null;
}

// entrypoint/measure/summarise.ts
function summarise(observation, cell) {
  const { startedAt, output, slices, usages } = observation;
  const seconds2 = clockOf(observation);
  const spans = slices.map(
    ({ pause, start: start2, end }) => ({
      resumedS: pause ? seconds2(pause.resumedAt) : 0,
      fromS: seconds2(start2.at),
      toS: seconds2(end.at)
    })
  );
  const window = windowOf(output, spans, cell.workload.expect.status);
  const errors = errorsOf(observation, window, cell);
  const durationS = sum(spans.map(({ fromS, toS }) => toS - fromS));
  const requests = window.succeeded + window.wrongStatus + sum(Object.values(output.errors));
  if (errors["worker-lost"] || errors["wrong-statements"] || window.succeeded === 0) {
    return { line: failed(startedAt, durationS, requests), errors, little: null };
  }
  const goodput = window.succeeded / durationS;
  const meanS = sum(window.latenciesMs) / window.latenciesMs.length / 1e3;
  return {
    line: {
      started_at: startedAt.toISOString(),
      duration_s: durationS,
      requests,
      succeeded: window.succeeded,
      failed: requests - window.succeeded,
      goodput_rps: goodput,
      p50_ms: percentile(window.latenciesMs, 50),
      p95_ms: percentile(window.latenciesMs, 95),
      p99_ms: percentile(window.latenciesMs, 99),
      max_ms: window.latenciesMs.at(-1) ?? null,
      cpu_us_per_request: positive(sum(slices.map(({ start: start2, end }) => end.cpuUs - start2.cpuUs)) / window.succeeded),
      peak_memory_mib: positive(Math.max(...usages.map(({ memoryKib }) => memoryKib)) / 1024),
      memory_growth_kib_per_1k: growthOf(observation, seconds2, cell),
      half_ratio: window.halfRatio
    },
    errors,
    little: goodput * meanS / cell.load.concurrency
  };
}
function clockOf({ spawnedAt, output, slices }) {
  const sinceSpawn = (at) => (at - spawnedAt) / 1e3;
  const pauses = slices.flatMap(({ pause }) => pause ? [{ heldS: sinceSpawn(pause.heldAt), resumedS: sinceSpawn(pause.resumedAt) }] : []);
  const lagS = lagOf(output, pauses);
  return (at) => sinceSpawn(at) - lagS;
}
function errorsOf({ output, lost, counted }, { wrongStatus }, { workload, load }) {
  const successes = output.statuses.filter((status) => status === workload.expect.status).length;
  const isWorkDone = !counted || workWasDone(counted.perRequest, counted.before, counted.after, successes, load.concurrency);
  return {
    ...output.errors,
    ...wrongStatus > 0 ? { "wrong-status": wrongStatus } : {},
    ...lost ? { "worker-lost": 1 } : {},
    ...isWorkDone ? {} : { "wrong-statements": 1 }
  };
}
function growthOf({ output, usages }, seconds2, { workload }) {
  const [first, last] = [usages[0], usages.at(-1)];
  if (!first || !last) return null;
  const between = { resumedS: 0, fromS: seconds2(first.at), toS: seconds2(last.at) };
  return (last.memoryKib - first.memoryKib) / (windowOf(output, [between], workload.expect.status).succeeded / 1e3);
}
function sum(numbers) {
  return numbers.reduce((a, b) => a + b, 0);
}

// entrypoint/measure/run-steps.ts
var TAIL_S = 0.1;
var HOLD_LIMIT_S = 600;
var Meter = class {
  constructor(server) {
    this.server = server;
  }
  server;
  seen = [];
  async usage() {
    const usage = await this.server.usage();
    this.seen.push(usage);
    return usage;
  }
};
async function start(run2) {
  const server = await run2.options.engine.start(run2.arm, "measurement");
  run2.opened.add(() => server.stop());
  return { ...run2, server, meter: new Meter(server) };
}
async function countStatements(run2) {
  const perRequest = run2.cell.workload.builtIn?.statements;
  return { ...run2, statements: perRequest && { perRequest, before: await run2.options.engine.statementCounts() } };
}
async function warmUp(run2) {
  const { cell, timing, options, server } = run2;
  const startedAt = /* @__PURE__ */ new Date();
  const limitS = takesTurns(timing) ? HOLD_LIMIT_S : timing.warmupS + timing.windowS + TAIL_S;
  const hey = startHey(options.hey, heyArguments(server.url, cell, limitS), options.engine.loadCpus, options.signal);
  run2.opened.add(() => hey.kill());
  await until2(hey.startedAt + timing.warmupS * 1e3, options.signal);
  return { ...run2, startedAt, hey, heldAt: await hold(hey, run2), slices: [] };
}
async function slice(run2, index) {
  const { timing, server, meter, hey, heldAt, options } = run2;
  const lengthMs = timing.windowS / timing.slices * 1e3;
  const pause = heldAt === void 0 ? void 0 : await resume(hey, heldAt, run2);
  const begin = index === 0 ? await meter.usage() : await server.clock();
  if (timing.slices === 1) {
    await until2(begin.at + lengthMs / 2, options.signal);
    await meter.usage();
  }
  await until2(begin.at + lengthMs, options.signal);
  const end = index === timing.slices - 1 ? await meter.usage() : await server.clock();
  return { ...run2, heldAt: await hold(hey, run2), slices: [...run2.slices, { pause, start: begin, end }] };
}
async function finish(run2) {
  const { cell, options, timing, server, meter, hey, startedAt, slices, statements } = run2;
  if (takesTurns(timing)) {
    hey.resume();
    hey.finish();
  }
  const output = await hey.output;
  const status = await server.status();
  const lost = await server.lost();
  const counted = statements && { ...statements, after: await options.engine.statementCounts() };
  const observation = { startedAt, spawnedAt: hey.startedAt, output, slices, usages: meter.seen, lost: lost !== void 0, counted };
  const summary = summarise(observation, cell);
  const hasErrors = Object.keys(summary.errors).length > 0;
  return { ...summary, status, failure: hasErrors ? await failureOf(server, cell, meter.seen, lost) : void 0 };
}
function takesTurns({ slices }) {
  return slices > 1;
}
async function hold(hey, { timing, options }) {
  if (!takesTurns(timing)) return void 0;
  hey.hold();
  const heldAt = Date.now();
  await until2(heldAt + timing.guardS * 1e3, options.signal);
  return heldAt;
}
async function resume(hey, heldAt, { timing, options }) {
  const resumedAt = Date.now();
  hey.resume();
  await until2(resumedAt + timing.guardS * 1e3, options.signal);
  return { heldAt, resumedAt };
}
async function until2(at, signal) {
  await sleep7(Math.max(0, at - Date.now()), void 0, { signal });
}

// entrypoint/measure/run.ts
var IDLE_LIMIT_MS = 5e3;
async function measureTogether(arms, cell, timing, options) {
  const { engine, signal, idleLimitMs } = options;
  for (const revision of new Set(arms.map((arm) => arm.revision))) await engine.restore(revision);
  const ready = arms.map((arm) => {
    const ofArm = { workload: workloadFor(cell, arm.revision), load: cell.load };
    return { arm, cell: ofArm, timing, options, startedAt: /* @__PURE__ */ new Date(), opened: new Opened() };
  });
  try {
    const booted = await allOf(ready.map(async (run2) => attempt(await attempt(run2, start), countStatements)));
    if (idleLimitMs > 0) await waitUntilIdle(engine.machine, idleLimitMs);
    let runs = await inTurn(booted, warmUp, signal);
    for (let index = 0; index < timing.slices; index++) {
      const isWayBack = index % 2 === 1;
      const done = await inTurn(isWayBack ? runs.toReversed() : runs, (run2) => slice(run2, index), signal);
      runs = isWayBack ? done.toReversed() : done;
    }
    const finished = await inTurn(runs, async (run2) => ({ result: await finish(run2) }), signal);
    return finished.map((run2) => "failed" in run2 ? run2.failed : run2.result);
  } finally {
    await allOf(ready.map(({ opened }) => opened.close()));
  }
}
async function inTurn(runs, step, signal) {
  const after = [];
  for (const run2 of runs) {
    signal.throwIfAborted();
    after.push(await attempt(run2, step));
  }
  return after;
}
async function attempt(run2, step) {
  if ("failed" in run2) return run2;
  try {
    return await step(run2);
  } catch (error) {
    run2.options.signal.throwIfAborted();
    const failure = await failureOf(run2.server, run2.cell, run2.meter?.seen ?? [], messageOf(error));
    await run2.opened.close();
    return { failed: didNotRun(run2.startedAt, run2.timing.windowS, failure) };
  }
}

// entrypoint/measure/pilot.ts
var PILOT = { warmupS: 0.5, windowS: 1, slices: 1, guardS: 0 };
var TRIES2 = 2;
async function pilot(cells, modes, options) {
  const piloted = { results: /* @__PURE__ */ new Map(), fallen: [] };
  for (const cell of cells) {
    for (const mode of modes) {
      const { goodput_rps: goodput } = (await serving(cell, mode, options, piloted.fallen)).line;
      const latencyS = goodput > 0 ? cell.load.concurrency / goodput : PILOT.windowS + PILOT.warmupS;
      const before = piloted.results.get(cellName(cell));
      if (!before || latencyS > before.latencyS) piloted.results.set(cellName(cell), { latencyS, goodput });
      options.say(`pilot: ${cellName(cell)} ${mode.name}: ${goodput.toFixed(1)}/s, ${(latencyS * 1e3).toFixed(0)} ms`);
    }
  }
  return piloted;
}
async function serving(cell, mode, options, fallen) {
  const head = await tried({ revision: "head", mode }, cell, options);
  if (!failedWholly(head)) return head;
  const place = `The pilot: ${mode.name} of head cannot serve ${cellName(cell)}`;
  const cause = describe({ revision: "head", mode }, cell, head);
  if (!options.isInBase(cell)) throw new MeasurementError(`${place}: ${TRIES2} of ${TRIES2} runs failed wholly.
${cause}`);
  const base = await tried({ revision: "base", mode }, cell, options);
  if (failedWholly(base)) {
    throw new MeasurementError(
      `${place}, and base cannot either: ${TRIES2} of ${TRIES2} runs of each failed wholly.
${cause}
${describe({ revision: "base", mode }, cell, base)}`
    );
  }
  const message = `${place}, and base can: ${TRIES2} of ${TRIES2} runs of head failed wholly.
${cause}`;
  fallen.push(message);
  options.say(message);
  return base;
}
async function tried(arm, cell, options) {
  for (let tries = 1; ; tries++) {
    options.signal.throwIfAborted();
    const [result] = await measureTogether([arm], cell, PILOT, options);
    if (!ran(result)) await options.engine.assertAlive();
    if (!failedWholly(result) || tries === TRIES2) return result;
  }
}
function describe({ revision, mode }, { workload, load }, { errors, failure }) {
  if (!failure) return "";
  return describeFailure({ revision, mode: mode.name, workload: workload.name, load: load.name, errors, failure });
}

// entrypoint/measure/pilot-cells.ts
async function pilotCells(bench, { say, signal }) {
  const { engine, settled: settled2, tools, checked } = bench;
  const { gated, reported, modes, revisions, ungated } = settled2;
  const newToBase = ungated.flatMap(({ workload, why }) => why === "new" ? [workload] : []);
  const newInHead = /* @__PURE__ */ new Set([...checked.newInHead, ...newToBase]);
  const isInBase = ({ workload }) => revisions.base !== void 0 && !newInHead.has(workload.name);
  const running = { engine, hey: tools.hey, idleLimitMs: IDLE_LIMIT_MS, signal, say };
  const { results, fallen } = await pilot([...gated, ...reported], modes, { ...running, isInBase });
  return { ...bench, latencies: results, newInHead, fallen };
}

// entrypoint/measure/run-plan.ts
import { join as join19 } from "node:path";

// entrypoint/measure/fallen-arms.ts
var MAX_FAILED_IN_A_ROW = 3;
function fallOf({ samples, notes }, mode, deciding) {
  const runs = notes.map((note, i) => ({ ...note, hasFailed: samples[i]?.goodput_rps === 0 })).filter((run2) => run2.mode === mode && deciding.has(`${run2.workload}/${run2.load}`));
  const last = (revision) => runs.filter((run2) => run2.revision === revision).slice(-MAX_FAILED_IN_A_ROW);
  const isBroken = (of) => of.length === MAX_FAILED_IN_A_ROW && of.every((run2) => run2.hasFailed);
  const [head, base] = [last("head"), last("base")];
  if (!isBroken(head) && !isBroken(base)) return void 0;
  const beside = runs.filter((run2) => run2.revision === "base" && head.some((of) => quadOf(of) === quadOf(run2)));
  const why = (of) => {
    const failed2 = of.filter((run2) => run2.hasFailed);
    return `${failed2.length} of its last ${of.length} runs failed wholly (${kindsOf(failed2.map(({ errors }) => errors))})`;
  };
  const causes = shownFailures([...base, ...head]).map(describeFailure);
  if (isBroken(head) && beside.length > 0 && !beside.some((run2) => run2.hasFailed)) {
    const message = `${mode} of head: ${why(head)}, while base's beside them succeeded.`;
    return { of: "head", message: [message, ...causes].join("\n") };
  }
  const both = [["base", base], ["head", head]].filter(([, of]) => of.length > 0).map(
    ([revision, of]) => of.some((run2) => run2.hasFailed) ? `${mode} of ${revision}: ${why(of)}.` : `${mode} of ${revision} succeeded.`
  );
  return { of: "both", message: [...both, "There is nothing to compare, so the measurement stops here.", ...causes].join("\n") };
}
function quadOf({ block, workload, load, attempt: attempt2 }) {
  return [block, workload, load, attempt2].join("\n");
}

// entrypoint/measure/progress.ts
var Progress = class {
  /** @param now milliseconds */
  constructor(planned, say, now = Date.now) {
    this.planned = planned;
    this.say = say;
    this.now = now;
    this.startedAt = now();
  }
  planned;
  say;
  now;
  startedAt;
  /** Runs that were made, those that were made again included: each took its time. */
  made = 0;
  ran({ number, isAgain, unsaid, what, goodput, errors }) {
    this.made++;
    const pace = (this.now() - this.startedAt) / (this.made + unsaid);
    const left = pace * (this.planned - number - unsaid);
    const problems = Object.entries(errors).map(([kind, count]) => `${count} ${kind}`);
    this.say(
      `run ${number}/${this.planned}${isAgain ? " again" : ""}, ${Math.ceil(left / 6e4)} min left: ${what}: ${goodput.toFixed(1)}/s${problems.length ? ` (${problems.join(", ")})` : ""}`
    );
  }
};

// entrypoint/measure/measure.ts
var MAX_RERUNS = 2;
async function measure(plan2, options) {
  const measured = { samples: [], notes: [], probesMs: [], reruns: [] };
  const progress = new Progress(plan2.runs, options.say);
  let before = 0;
  for (const { block, quads } of plan2.blocks) {
    for (const quad of quads) {
      await measureQuad(plan2, block, quad, measured, options, progress, before);
      before += quad.arms.length;
    }
    const fall = fallsOf(plan2, measured, options).find(({ of }) => of === "head");
    if (fall) {
      options.say(`${fall.message}
The measurement ends here: head answers with errors.`);
      break;
    }
    const isLook = plan2.lookAt.includes(block) && block !== plan2.lookAt.at(-1);
    if (isLook && await options.isDecided()) break;
  }
  return measured;
}
async function measureQuad(plan2, block, quad, measured, options, progress, before) {
  for (let attempt2 = 1; attempt2 <= 1 + MAX_RERUNS; attempt2++) {
    const idle = await waitUntilIdle(options.engine.machine, IDLE_LIMIT_MS);
    const probeMs = await options.engine.machine.probeMs();
    const turns = quad.timing.slices > 1 ? [quad.arms] : quad.arms.map((arm) => [arm]);
    for (const arms of turns) {
      if (options.signal.aborted) throw new Cancelled("The measurement was cancelled.");
      const results = await runsOrFailures(arms, quad.cell, quad.timing, options);
      for (const [i, { line, errors, little, status, failure }] of results.entries()) {
        const arm = arms[i];
        const key = {
          job: plan2.job,
          block,
          position: quad.arms.indexOf(arm) + 1,
          workload: quad.cell.workload.name,
          load: quad.cell.load.name,
          revision: arm.revision,
          mode: arm.mode.name,
          attempt: attempt2
        };
        measured.samples.push({ ...key, concurrency: quad.cell.load.concurrency, ...line });
        measured.notes.push({ ...key, errors, little, idle, status, failure });
        progress.ran({
          number: before + key.position,
          isAgain: attempt2 > 1,
          unsaid: results.length - 1 - i,
          what: `${cellName(quad.cell)} ${arm.revision} ${arm.mode.name}`,
          goodput: line.goodput_rps,
          errors
        });
      }
      options.keep(measured);
    }
    const fall = fallsOf(plan2, measured, options).find(({ of }) => of === "both");
    if (fall) throw new MeasurementError(fall.message);
    const wasOff = isOffMedian(probeMs, measured.probesMs);
    measured.probesMs.push(probeMs);
    if (!wasOff || attempt2 > MAX_RERUNS) return;
    const why = `CPU probe of ${probeMs.toFixed(0)} ms is far off the job's median`;
    measured.reruns.push({ block, cell: cellName(quad.cell), attempt: attempt2 + 1, why });
    options.say(`${cellName(quad.cell)} of block ${block} is run again: ${why}`);
  }
}
function fallsOf(plan2, measured, { deciding }) {
  const modes = new Set(plan2.blocks.flatMap(({ quads }) => quads.flatMap(({ arms }) => arms.map(({ mode }) => mode.name))));
  return [...modes].flatMap((mode) => fallOf(measured, mode, deciding) ?? []);
}
async function runsOrFailures(arms, cell, timing, options) {
  const startedAt = /* @__PURE__ */ new Date();
  const results = await measureTogether(arms, cell, timing, options).catch((error) => {
    if (options.signal.aborted) throw new Cancelled("The measurement was cancelled.");
    return arms.map(() => didNotRun(startedAt, timing.windowS, { message: messageOf(error), logTail: "", log: "", memoryMib: null }));
  });
  const missing = results.filter((result) => !ran(result));
  if (missing.length) await options.engine.assertAlive();
  for (const { failure } of missing) options.say(failure?.message ?? "");
  return results;
}

// entrypoint/measure/run-plan.ts
async function runPlan(planned, job, isDecided2) {
  const { engine, inputs, settled: settled2, tools, plan: plan2, checked } = planned;
  const { out, study } = inputs;
  const { revisions, ...comparison } = settled2;
  const record = { comparison, study, plan: plan2, revisions, versions: tools.versions, engine: engine.describe(), preflight: checked };
  const measured = await measure(plan2, {
    engine,
    hey: tools.hey,
    idleLimitMs: IDLE_LIMIT_MS,
    signal: job.signal,
    say: job.say,
    deciding: new Set((comparison.gated.length > 0 ? comparison.gated : comparison.reported).map(cellName)),
    keep: (soFar) => writeResults(out, record, soFar),
    isDecided: isDecided2
  });
  job.say(`${measured.samples.length} runs in ${join19(out, "samples.csv")}`);
  return { ...planned, measured };
}

// entrypoint/plan/budget.ts
function refuseImpossibleBudget({ rules, modes, gated, reported, served }) {
  const deciding = gated.length > 0 ? gated : reported;
  const blocks = blocksWanted(rules.blocks, rules.profile === "quick");
  const needed = blocks * deciding.length * shortestQuadS(modes.length * (served.base ? 2 : 1));
  if (needed <= seconds(rules.budget)) return;
  const names2 = deciding.map(cellName).join(", ");
  throw new InputError(
    `budget: found ${rules.budget}, allowed: at least ${Math.ceil(needed / 60)}m, which ${blocks} blocks of ${names2} take with the shortest runs`
  );
}

// entrypoint/plan/prediction.ts
import { join as join20 } from "node:path";
var MIN_BLOCKS = 6;
async function predict(plan2, modes, hasBase, { gate: gate2 }, rscript) {
  const quads = plan2.blocks[0]?.quads ?? [];
  const cells = quads.length;
  const minutes = (plan2.predictedSeconds / 60).toFixed(1);
  const lines = [
    `plan: ${plan2.blocks.length} blocks x ${cells} cells x ${modes * (hasBase ? 2 : 1)} arms = ${plan2.runs} runs, about ${minutes} minutes; seed ${plan2.seed}`
  ];
  if (plan2.looks === 2) lines.push(`plan: looks after ${plan2.lookAt.join(" and ")} blocks; the first may be enough`);
  if (!hasBase || !rscript || plan2.lookAt[0] < MIN_BLOCKS) return lines;
  const slices = Math.min(...quads.map(({ timing }) => timing.slices));
  const { alpha, "max-regression": tolerance } = gate2;
  const known = { blocks: plan2.lookAt[0], cells, looks: plan2.looks, "max-regression": tolerance, alpha, slices };
  const args = Object.entries(known).map(([key, value]) => `${key}=${value}`);
  const done = await exec([rscript, "--vanilla", join20(PACKAGE, "r", "power.R"), ...args], {
    ...apart(),
    timeoutMs: 6e4
  });
  if (done.code === 0) lines.push(`plan: ${done.stdout.trim()}`);
  return lines;
}

// entrypoint/plan/plan-job.ts
async function planJob(bench, { say }) {
  const { inputs, settled: settled2, tools, latencies, newInHead } = bench;
  const { gated, reported, modes, rules, revisions } = settled2;
  const hasBase = revisions.base !== void 0;
  const plan2 = makePlan(
    {
      modes,
      gated,
      reported,
      newInHead,
      hasBase,
      quick: rules.profile === "quick",
      budgetS: seconds(rules.budget),
      blocks: rules.blocks,
      seed: inputs.seed,
      job: inputs.job
    },
    latencies
  );
  for (const line of await predict(plan2, modes.length, hasBase, rules, tools.rscript)) say(line);
  for (const cell of plan2.leftOut) say(`note: ${cellName(cell)} is not gated, and the budget has no room to report it`);
  return { ...bench, plan: plan2 };
}

// entrypoint/preflight/mask.ts
import { runInNewContext } from "node:vm";
var LIMIT_MS3 = 1e3;
function masked(text, patterns, limitMs = LIMIT_MS3) {
  return patterns.reduce((before, pattern) => {
    try {
      return runInNewContext('text.replace(new RegExp(pattern, "g"), "*")', { text: before, pattern }, { timeout: limitMs });
    } catch (error) {
      if (error.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new MeasurementError(
        `mask ${JSON.stringify(pattern)} took more than ${limitMs} ms for an answer of ${before.length} characters. Write it without nested repetitions.`
      );
    }
  }, text);
}

// entrypoint/preflight/headers.ts
var COMPARED = ["Set-Cookie", "Location", "Content-Type", "Cache-Control"];
function comparedHeaders({ headers, body }, origin, mask) {
  const linesOf = (name) => [headers[name.toLowerCase()] ?? []].flat().filter(() => name !== "Content-Type" || body !== "").map((value) => masked(`${name}: ${normal[name](value, origin)}`, mask)).filter((line) => line !== "*");
  return Object.fromEntries(COMPARED.map((name) => [name, [...new Set(linesOf(name))].sort()]));
}
var normal = {
  "Set-Cookie": (value) => value.split("=")[0].trim(),
  Location: (value, origin) => value === origin || value.startsWith(`${origin}/`) ? value.slice(origin.length) || "/" : value,
  "Content-Type": typeOf,
  "Cache-Control": (value) => value.split(",").map((directive) => directive.trim().toLowerCase()).join(", ")
};
function typeOf(value) {
  const [type, ...parameters] = value.split(";").map((part) => part.trim().toLowerCase().replaceAll('"', ""));
  const said2 = parameters.filter((parameter) => parameter !== "" && !(type?.startsWith("text/") && parameter === "charset=utf-8"));
  return [type, ...said2].join("; ");
}
function headerDifference(expected, found) {
  const linesOf = (one, other) => COMPARED.flatMap((name) => (one[name] ?? []).filter((line) => !other[name]?.includes(line)));
  const [missing, added] = [linesOf(expected, found), linesOf(found, expected)];
  if (missing.length === 0 && added.length === 0) return void 0;
  const advice = added.length === 0 ? ` ${LOST}` : "";
  return `expected ${quoted2(missing)}, got ${quoted2(added)}.${advice} What may differ belongs in the workload's mask, which is applied to such lines too.`;
}
var LOST = "header(), setcookie() and session_start() of PHP reach the client under FPM only: the response that the app returns must hold it.";
function quoted2(lines) {
  return lines.length ? lines.map((line) => JSON.stringify(line)).join(" and ") : "no such header";
}

// entrypoint/preflight/answers.ts
var LIMIT_MS4 = 3e4;
function armName(arm) {
  return `${arm.revision}/${arm.mode.name}`;
}
function placeOf2(arm, workload) {
  return `${armName(arm)}, workload ${workload.name}`;
}
async function answerOf2(server, workload, place, id) {
  const { path, ...request2 } = requestOf(workload, id);
  try {
    return await ask(server.url + path, { ...request2, timeoutMs: LIMIT_MS4 });
  } catch (error) {
    throw new MeasurementError(
      `${place}: ${request2.method} ${path}: expected an answer with status ${workload.expect.status}, but: ${messageOf(error)}`
    );
  }
}
async function rightAnswer(server, workload, place, id) {
  const answer = await answerOf2(server, workload, place, id);
  const { expect } = workload;
  const { method, path } = requestOf(workload, id);
  const excerpt = JSON.stringify(answer.body.slice(0, 200));
  if (answer.status !== expect.status) {
    throw new MeasurementError(`${place}: ${method} ${path}: expected status ${expect.status}, got ${answer.status} with ${excerpt}`);
  }
  if (expect.contains !== void 0 && !answer.body.includes(expect.contains)) {
    throw new MeasurementError(`${place}: ${method} ${path}: expected a body with ${JSON.stringify(expect.contains)}, got ${excerpt}`);
  }
  return answer;
}
async function referenceOf(server, arm, workload) {
  const place = placeOf2(arm, workload);
  const answer = await rightAnswer(server, workload, place);
  const encoding = answer.headers["content-encoding"];
  if (encoding) {
    throw new MeasurementError(
      `${place}: answered with Content-Encoding: ${encoding}, though none was asked for. Compression would be measured in one mode only; turn it off.`
    );
  }
  return { body: masked(answer.body, workload.mask), headers: comparedHeaders(answer, server.url, workload.mask) };
}
function compare(references, arm, workload, found, alone) {
  const key = `${arm.revision} ${workload.name}`;
  const first = references.get(key);
  references.set(key, first ?? { ...found, arm, alone });
  if (first) refuseDifferent(first, arm, workload, found, alone);
  const base = references.get(`base ${workload.name}`);
  if (first || arm.revision === "base" || !base) return void 0;
  return base.body === found.body && !headerDifference(base.headers, found.headers) ? void 0 : `\`${workload.name}\`: head's answer differs from base's; the comparison includes what that costs.`;
}
function refuseDifferent(expected, arm, workload, found, alone) {
  const { method, path } = requestOf(workload);
  const place = `${placeOf2(arm, workload)}: ${method}`;
  const headers = headerDifference(expected.headers, found.headers);
  if (headers) throw new MeasurementError(`${place} ${path}: answers with other headers than ${armName(expected.arm)}: ${headers}`);
  for (const [id, body] of alone) {
    const reference = expected.alone.get(id);
    if (reference === void 0 || reference === body) continue;
    throw new MeasurementError(
      `${place} ${requestOf(workload, id).path}: answers differently from ${armName(expected.arm)}. ${difference2(reference, body)} What may differ belongs in the workload's mask.`
    );
  }
}
function difference2(expected, found) {
  let i = 0;
  while (i < expected.length && expected[i] === found[i]) i++;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, i - 20), i + 60));
  return `At character ${i + 1}: expected ${around(expected)}, got ${around(found)}.`;
}

// entrypoint/preflight/suggest-mask.ts
var KINDS = [
  { found: /\d+/g, pattern: "\\d+" },
  { found: /[0-9a-f]{8,}/gi, pattern: "[0-9A-Fa-f]+" }
];
var BEFORE = /[A-Za-z_"':=-]{0,30}$/;
var PATTERNS_MOST = 5;
function suggestedMask(one, other) {
  for (const { found, pattern } of KINDS) {
    if (one.replace(found, "*") !== other.replace(found, "*")) continue;
    const others = [...other.matchAll(found)];
    const differing = [...one.matchAll(found)].filter(([text], i) => text !== others[i]?.[0]);
    const patterns = new Set(differing.map(({ index }) => escaped(BEFORE.exec(one.slice(0, index))?.[0] ?? "") + pattern));
    return patterns.size > PATTERNS_MOST ? [pattern] : [...patterns];
  }
  return [];
}
function maskLine(patterns) {
  return patterns.length ? `mask: [${patterns.map((pattern) => `'${pattern.replaceAll("'", "''")}'`).join(", ")}]` : "";
}
function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

// entrypoint/preflight/concurrency.ts
var ROUNDS = 3;
async function answersAlone(server, arm, workload, concurrency) {
  const place = placeOf2(arm, workload);
  const ids = identitiesOf(workload, concurrency);
  const first = ids[0];
  const bodyOf = bodies(server, workload, place);
  const answer = await bodyOf(first);
  refuseUnsteady(arm, `${place}: ${said(workload, first)}`, answer, await bodyOf(first));
  const alone = /* @__PURE__ */ new Map([[first, answer]]);
  for (const id of hasIdentities(workload) ? new Set(ids.slice(1)) : []) if (!alone.has(id)) alone.set(id, await bodyOf(id));
  return alone;
}
async function checkConcurrency(server, arm, workload, concurrency, alone) {
  const place = `${placeOf2(arm, workload)}, ${concurrency} requests at a time`;
  const bodyOf = bodies(server, workload, place);
  const ids = [...alone.keys()];
  await Promise.all(
    Array.from({ length: concurrency }, async (_, i) => {
      const id = ids[i % ids.length];
      for (let round = 0; round < ROUNDS; round++) {
        const body = await bodyOf(id);
        if (body === alone.get(id)) continue;
        throw new MeasurementError(
          `${place}: ${said(workload, id)}: the answer${hasIdentities(workload) ? ` for id ${id}` : ""} differs from the one to a single request. ${difference2(alone.get(id), body)} Do requests share state? What may differ belongs in the workload's mask.`
        );
      }
    })
  );
}
function bodies(server, workload, place) {
  return async (id) => masked((await rightAnswer(server, workload, place, id)).body, workload.mask);
}
function said(workload, id) {
  const { method, path } = requestOf(workload, id);
  return `${method} ${path}`;
}
function refuseUnsteady({ mode }, place, first, second) {
  if (first === second) return;
  const keepsApp = mode.via === "command" || mode.runtime.stateful;
  const cause = keepsApp ? " Does the app keep something from one request to the next?" : "";
  const mask = maskLine(suggestedMask(first, second));
  throw new MeasurementError(
    `${place}: two requests, one after the other, are answered differently. ${difference2(first, second)}${cause} What may differ belongs in the workload's mask${mask ? `: ${mask}` : "."}`
  );
}
async function checkColdStart(server, arm, workload, concurrency) {
  const place = `${placeOf2(arm, workload)}, cold start under load`;
  await Promise.all(Array.from({ length: concurrency }, () => rightAnswer(server, workload, place)));
}

// entrypoint/preflight/loaded.ts
import { randomBytes as randomBytes8 } from "node:crypto";
var HEADER2 = "X-Async-Php-Bench-Loaded";
async function loadedBy(server, workload) {
  const { path, ...request2 } = requestOf(workload);
  const token = randomBytes8(12).toString("hex");
  try {
    const { body } = await ask(server.url + path, { ...request2, headers: { ...request2.headers, [HEADER2]: token } });
    const [told, ...before] = body.split(token).reverse();
    if (before.length === 0) return void 0;
    const { per_request: perRequest, files } = JSON.parse(told);
    return { perRequest, files };
  } catch {
    return void 0;
  }
}

// entrypoint/provision/slowing.ts
var AGENT = "measures every request, and pays for it";
var disabled = (name) => `sudo phpdismod ${name}, or remove the ini file that loads it (php --ini lists them)`;
var SLOWING = [
  {
    name: "xdebug",
    harm: "slows every request and crashes Swoole",
    remedy: "set XDEBUG_MODE=off where the app's environment sets it, and load no zend_extension=xdebug (php.ini, `php.ini` of the configuration; setup-php: `coverage: none`)",
    isOffInArms: true
  },
  {
    name: "pcov",
    harm: "slows every request",
    remedy: "pcov.enabled=0 in php.ini, or `php.ini` of the configuration without pcov (setup-php: `coverage: none`)",
    isOffInArms: true
  },
  ...["blackfire", "newrelic", "ddtrace", "excimer", "opentelemetry"].map((name) => ({
    name,
    harm: AGENT,
    remedy: disabled(name),
    isOffInArms: false
  }))
];
function slowingAmong(loaded) {
  const lower = new Set([...loaded].map((name) => name.toLowerCase()));
  return SLOWING.filter(({ name }) => lower.has(name));
}
async function slowingIn(programs2) {
  const loaded = await Promise.all(
    Object.entries(programs2).map(async ([name, path]) => ({ name, found: slowingAmong(await modulesOf(path)) }))
  );
  return SLOWING.map((one) => ({ ...one, in: loaded.filter(({ found }) => found.includes(one)).map(({ name }) => name) })).filter(
    (one) => one.in.length > 0
  );
}

// entrypoint/preflight/servers.ts
var WAIT_MS = 100;
var OF_SAPI = ["cgi-fcgi", "pcntl", "readline", "swoole"];
async function factsOf(server, arm) {
  const facts = JSON.parse((await ask(`${server.url}/_bench/facts`)).body);
  if (facts.opcache !== true) {
    throw new MeasurementError(
      `${armName(arm)}: OPcache is off. Every mode needs it: without it the comparison is absurd. Install php-opcache, and do not turn opcache.enable off.`
    );
  }
  refuseDebuggers(armName(arm), facts.debuggers);
  return facts;
}
async function checkWaiting(server, arm, runtime, connections) {
  const overlapped = await waitsOverlap(server, connections);
  if (runtime.overlapsWaiting && !overlapped.isFast) {
    throw new MeasurementError(
      `${armName(arm)}: ${overlapped.count} waits of ${WAIT_MS} ms side by side took ${overlapped.ms} ms, so the I/O hooks are off. The mode would not be asynchronous.`
    );
  }
  return { waits_overlap: overlapped.isFast, waits: overlapped.count, waits_ms: overlapped.ms };
}
function refuseDebuggers(arm, active) {
  const [found] = slowingAmong(active);
  if (found) throw new MeasurementError(`${arm}: ${found.name} is on. It ${found.harm}. Switch it off: ${found.remedy}.`);
}
async function waitsOverlap(server, connections) {
  const count = Math.min(64, connections);
  const started = Date.now();
  await Promise.all(Array.from({ length: count }, () => ask(`${server.url}/_bench/wait?ms=${WAIT_MS}`)));
  const ms = Date.now() - started;
  return { ms, count, isFast: ms < 2.5 * WAIT_MS };
}
function compareServers(servers) {
  const [first, ...rest] = Object.entries(servers);
  if (!first) return [];
  const agents = slowingAmong(Object.keys(first[1].extensions)).filter(({ isOffInArms }) => !isOffInArms).map(({ name, harm, remedy }) => `${first[0]} has the extension ${name}, which ${harm}. Without it: ${remedy}.`);
  return [...agents, ...differences(first, rest)];
}
function differences(first, rest) {
  return rest.flatMap(([name, facts]) => {
    if (facts.php !== first[1].php)
      throw new MeasurementError(`${name} runs PHP ${facts.php}, ${first[0]} runs PHP ${first[1].php}. All arms need the same one.`);
    const own = Object.keys(facts.extensions);
    const other = Object.keys(first[1].extensions);
    const difference4 = [...own.filter((e) => !other.includes(e)), ...other.filter((e) => !own.includes(e))].filter(
      (e) => !OF_SAPI.includes(e)
    );
    return difference4.length ? [`${name} and ${first[0]} differ in extensions: ${difference4.join(", ")}.`] : [];
  });
}

// entrypoint/preflight/statements.ts
import { setTimeout as sleep8 } from "node:timers/promises";
var REST_MS = 40;
var LOOKS2 = 10;
async function statementsOf(server, arm, workloads, engine, meanwhile) {
  const counted = {};
  let before = await countsAtRest(engine, meanwhile);
  for (const workload of workloads) {
    const place = placeOf2(arm, workload);
    await rightAnswer(server, workload, place);
    const after = await countsAtRest(engine);
    const made = difference3(before, after);
    refuseOthers(place, workload, made);
    counted[workload.name] = made;
    before = after;
  }
  return counted;
}
function difference3(before, after) {
  return Object.fromEntries(
    Object.entries(after).map(([verb, count]) => [verb, count - (before[verb] ?? 0)]).filter(([, count]) => count > 0)
  );
}
function refuseOthers(place, { builtIn: builtIn2 }, made) {
  for (const [verb, expected] of Object.entries(builtIn2?.statements ?? {})) {
    if ((made[verb] ?? 0) !== expected)
      throw new MeasurementError(
        `${place}: one request made ${made[verb] ?? 0} ${verb.toUpperCase()} statements, expected ${expected}. Is somebody else using this database server?`
      );
  }
}
async function countsAtRest(engine, meanwhile) {
  let counts = await engine.statementCounts();
  for (let look = 1; look < LOOKS2; look++) {
    await Promise.all([sleep8(REST_MS), look === 1 ? meanwhile?.() : void 0]);
    const later = await engine.statementCounts();
    if (JSON.stringify(later) === JSON.stringify(counts)) break;
    counts = later;
  }
  return counts;
}

// entrypoint/preflight/preflight.ts
async function preflight(options) {
  const { engine, arms, loads, signal, say } = options;
  const found = { servers: {}, statements: {}, loaded: {}, warnings: [], newInHead: /* @__PURE__ */ new Set() };
  const references = /* @__PURE__ */ new Map();
  const concurrency = Math.max(...loads.map((load) => load.concurrency));
  for (const arm of arms) {
    if (signal.aborted) throw new Cancelled("Cancelled in preflight.");
    say(`preflight: ${armName(arm)}`);
    const workloads = await withServer(engine, arm, (server) => checkWarm(server, arm, concurrency, references, found, options));
    await withServer(engine, arm, async (server) => {
      for (const workload of workloads) await checkColdStart(server, arm, workload, concurrency);
    });
  }
  found.warnings.push(...compareServers(found.servers));
  return found;
}
async function withServer(engine, arm, check) {
  await engine.restore(arm.revision);
  const server = await engine.start(arm, "preflight");
  try {
    return await check(server);
  } catch (error) {
    const log = await atRest(() => server.logTail());
    const advice = arm.revision === "base" ? `
${BROKEN_BASE}` : "";
    throw new MeasurementError(`${messageOf(error)}${log ? `
The server's log ends with:
${log}` : ""}${advice}`);
  } finally {
    await server.stop();
  }
}
var BROKEN_BASE = "This is base, served by its own configuration. Where head repairs it, head can be measured by itself: baseline: none.";
async function checkWarm(server, arm, concurrency, references, found, { engine, workloadsOf: workloadsOf2, borrowed, connections }) {
  const name = armName(arm);
  const runtime = arm.mode.via === "runtime" ? arm.mode.runtime : void 0;
  if (runtime) found.servers[name] = await factsOf(server, arm);
  const known = [];
  for (const workload of workloadsOf2(arm.revision)) {
    if (borrowed.has(workload.name) && await isNew(server, arm, workload, found)) continue;
    known.push(workload);
    const reference = await referenceOf(server, arm, workload);
    const alone = await answersAlone(server, arm, workload, concurrency);
    const warning = compare(references, arm, workload, reference, alone);
    if (warning) found.warnings.push(warning);
    await checkConcurrency(server, arm, workload, concurrency, alone);
    const loaded = runtime && await loadedBy(server, workload);
    if (loaded) found.loaded[name] = { ...found.loaded[name], [workload.name]: loaded };
  }
  const waiting = async () => {
    if (runtime) Object.assign(found.servers[name], await checkWaiting(server, arm, runtime, connections));
  };
  const counted = known.filter(({ builtIn: builtIn2 }) => engine.hasOwnDatabase || builtIn2?.statements);
  if (counted.length) found.statements[name] = await statementsOf(server, arm, counted, engine, waiting);
  else await waiting();
  return known;
}
async function isNew(server, arm, workload, found) {
  if (arm.revision === "head" || workload.builtIn || workload.expect.status === 404) return false;
  const isMissing = (await answerOf2(server, workload, placeOf2(arm, workload))).status === 404;
  if (isMissing && !found.newInHead.has(workload.name)) {
    found.newInHead.add(workload.name);
    found.warnings.push(`\`${workload.name}\`: base answers 404, so the workload is new and not gated.`);
  }
  return isMissing;
}

// entrypoint/preflight/check-arms.ts
async function checkArms(bench, job) {
  const { engine, settled: settled2 } = bench;
  const { modes, served, rules, borrowed, revisions } = settled2;
  const checked = await preflight({
    engine,
    arms: (revisions.base ? ["base", "head"] : ["head"]).flatMap(
      (revision) => modes.map((mode) => ({ revision, mode }))
    ),
    workloadsOf: (revision) => (served[revision] ?? served.head).workloads,
    borrowed,
    loads: Object.entries(rules.loads).map(([name, { concurrency }]) => ({ name, concurrency })),
    connections: rules.connections,
    signal: job.signal,
    say: job.say
  });
  return { ...bench, checked };
}

// entrypoint/gate.ts
async function prepare(settled2, inputs, job) {
  refuseImpossibleBudget(settled2);
  const bench = await setUp(settled2, inputs, job);
  const checked = await checkArms(bench, job);
  return planJob(await pilotCells(checked, job), job);
}
async function plan(settled2, inputs, job) {
  const planned = await prepare(settled2, inputs, job);
  if (planned.fallen.length > 0) throw new MeasurementError(planned.fallen.join("\n"));
  return planned;
}
async function measure2(settled2, inputs, job) {
  const planned = await prepare(settled2, inputs, job);
  return runPlan(planned, job, () => isDecided(planned, job));
}
async function gate(settled2, inputs, job) {
  return conclude(await measure2(settled2, inputs, job), job);
}

// entrypoint/revisions/settle.ts
import { existsSync as existsSync11, realpathSync as realpathSync3 } from "node:fs";
import { join as join28, relative as relative4 } from "node:path";

// entrypoint/config/comparison.ts
import { isDeepStrictEqual } from "node:util";

// entrypoint/config/runtimes.ts
var import_yaml = __toESM(require_dist(), 1);
import { readFileSync as readFileSync15 } from "node:fs";
import { join as join21 } from "node:path";
var pecl = external_exports.strictObject({
  package: external_exports.string(),
  /** Its name at PIE, the installer that comes after PECL's. */
  pie: external_exports.string().optional(),
  /** Releases that were tested, the newest first: built where none is there. */
  versions: external_exports.array(external_exports.string().regex(/^\d+\.\d+\.\d+$/)).min(1),
  /** Options of configure, by the extension that PHP must have for it, with the Debian package of its headers. */
  with: external_exports.record(external_exports.string(), external_exports.strictObject({ option: external_exports.string(), apt: external_exports.string().optional() })).default({})
});
var need = external_exports.union([
  external_exports.strictObject({ binary: external_exports.string(), apt: external_exports.string().optional(), "version-of-php": external_exports.boolean().optional() }),
  external_exports.strictObject({ extension: external_exports.string(), apt: external_exports.string().optional(), pecl: pecl.optional() }),
  external_exports.strictObject({ composer: external_exports.string() })
]);
var folderSchema = external_exports.strictObject({
  name: external_exports.string(),
  kind: external_exports.enum(["sync", "async"]),
  description: external_exports.string(),
  /** How many worker processes: one per CPU, or one per connection. */
  workers: external_exports.enum(["cpus", "connections"]),
  /** Several requests at a time in one process. */
  concurrent: external_exports.boolean().default(false),
  /** Waiting in ordinary PHP calls must overlap; preflight proves it. */
  "overlaps-waiting": external_exports.boolean().default(false),
  /** The app stays in memory between requests, which is a gain by itself. */
  stateful: external_exports.boolean().default(false),
  /** Sentences for the report: what this runtime cannot do. */
  limits: external_exports.array(external_exports.string()).default([]),
  needs: external_exports.array(need).default([]),
  /** A runtime whose needs are this one's, too. */
  "needs-of": external_exports.string().optional(),
  /** Files of the folder whose placeholders are filled for each start. */
  templates: external_exports.array(external_exports.string()).default([]),
  /** Path whose JSON answer is recorded after each run: the server's own counters. */
  status: external_exports.string().startsWith("/").optional(),
  /** Regular expressions of what its log says in every run: left out where the log's end is shown. `^` and `$` are those of a line. */
  noise: external_exports.array(external_exports.string()).default([]),
  /** What to say where its log has a match of a regular expression. */
  advice: external_exports.array(external_exports.strictObject({ log: external_exports.string(), say: external_exports.string() })).default([]),
  /** Started in order. The next one waits for the socket. */
  processes: external_exports.array(external_exports.strictObject({ command: external_exports.array(external_exports.string()).min(1), socket: external_exports.string().optional() })).min(1)
}).transform(({ "overlaps-waiting": overlapsWaiting, "needs-of": needsOf, ...declared }) => ({ ...declared, overlapsWaiting, needsOf }));
function runtimeNamed(name, root = PACKAGE) {
  const allowed = names("runtimes", root);
  if (!allowed.includes(name)) throw unknownName("modes", "runtime", name, allowed);
  const directory = join21(root, "runtimes", name);
  const { needsOf, ...declared } = folderSchema.parse((0, import_yaml.parse)(readFileSync15(join21(directory, "runtime.yml"), "utf8")));
  const needs = declared.needs.map((each) => "composer" in each ? { ...each, directory } : each);
  return { ...declared, needs: [...needs, ...needsOf ? runtimeNamed(needsOf, root).needs : []], directory };
}

// entrypoint/config/modes.ts
function modesOf(config, root = PACKAGE) {
  const modes = config.modes.map((mode) => {
    if (typeof mode !== "string") return { ...mode, via: "command" };
    const runtime = runtimeNamed(mode, root);
    return { name: mode, kind: runtime.kind, via: "runtime", runtime };
  });
  refuseRepeated(
    "modes",
    modes.map((mode) => mode.name)
  );
  return modes;
}
function refuseWrongOrder([reference, tested]) {
  if (!tested) {
    throw new InputError(
      "modes: found one mode, allowed: a synchronous reference and an asynchronous mode under test. `study` measures one."
    );
  }
  const keepsApp = (mode) => mode.via === "runtime" && mode.runtime.stateful;
  const isReference = reference?.kind === "sync";
  const isTested = tested.kind === "async" || keepsApp(tested) && !keepsApp(reference);
  if (isReference && isTested) return;
  const found = [reference, tested].map(({ name, kind }) => `${name} (${kind})`).join(", ");
  throw new InputError(
    `modes: found ${found}, allowed: the synchronous reference first, then the asynchronous mode under test. \`study\` compares any modes.`
  );
}
function refuseFront(front, modes, root = PACKAGE) {
  const mode = modes.find((mode2) => mode2.via === "runtime" && mode2.runtime.concurrent);
  if (front === null || !mode) return;
  const allowed = names("runtimes", root).filter((name) => !runtimeNamed(name, root).concurrent);
  throw new InputError(
    `modes: ${mode.name} serves several requests at a time in one process, but superglobals, header() and the session of ${front} belong to the process: requests would read each other's. Allowed with front: ${allowed.join(", ")}, or a mode of your own by \`command\``
  );
}

// entrypoint/config/workloads.ts
var import_yaml2 = __toESM(require_dist(), 1);
import { readFileSync as readFileSync16 } from "node:fs";
import { join as join22 } from "node:path";
var folderSchema2 = external_exports.strictObject({
  name: external_exports.string(),
  description: external_exports.string(),
  database: external_exports.boolean().default(false),
  schema: external_exports.string().optional(),
  statements: external_exports.record(external_exports.string(), external_exports.number().int().nonnegative()).optional(),
  options: external_exports.record(external_exports.string(), external_exports.array(external_exports.string()).min(1)).default({}),
  expect: external_exports.strictObject({ status: external_exports.number().int(), contains: external_exports.string().optional() }),
  mask: external_exports.array(external_exports.string()).default([])
});
function workloadsOf(config, root = PACKAGE) {
  const workloads = config.workloads.map((entry) => {
    if (typeof entry === "string") return builtIn(entry, {}, root);
    if ("path" in entry && typeof entry.path === "string") {
      const { "ids-file": _file, paths: _paths, ...workload } = entry;
      refuseBadPatterns(workload.name, workload.mask);
      return workload;
    }
    const { name, ...options } = entry;
    return builtIn(String(name), options, root);
  });
  refuseRepeated(
    "workloads",
    workloads.map((workload) => workload.name)
  );
  const own = config.modes.find((mode) => typeof mode !== "string");
  const inside = workloads.find((workload) => workload.builtIn);
  if (typeof own === "object" && inside) {
    throw new InputError(
      `workloads: ${inside.name} is built in, but the mode ${own.name} brings its own server, where it cannot run. Allowed: paths of your app`
    );
  }
  return workloads;
}
function builtIn(name, options, root) {
  const allowed = names("workloads", root);
  if (!allowed.includes(name)) throw unknownName("workloads", "built-in workload", name, allowed, " A workload of your own needs a `path`.");
  const directory = join22(root, "workloads", name);
  const declared = folderSchema2.parse((0, import_yaml2.parse)(readFileSync16(join22(directory, "workload.yml"), "utf8")));
  const query = new URLSearchParams();
  for (const [option, value] of Object.entries(options)) {
    const values = declared.options[option];
    if (!values) throw unknownName(`workloads.${name}`, "option", option, Object.keys(declared.options));
    if (!values.includes(String(value))) throw unknownName(`workloads.${name}.${option}`, "value", String(value), values);
    query.set(option, String(value));
  }
  const folder = {
    directory,
    description: declared.description,
    database: declared.database,
    schema: declared.schema ? join22(directory, declared.schema) : void 0,
    statements: declared.statements
  };
  const path = `/_bench/${name}${query.size ? `?${query}` : ""}`;
  return { name, path, method: "GET", headers: {}, expect: declared.expect, mask: declared.mask, builtIn: folder };
}
function refuseBadPatterns(name, patterns) {
  for (const pattern of patterns) {
    try {
      new RegExp(pattern);
    } catch (error) {
      throw new InputError(`workloads.${name}.mask: ${JSON.stringify(pattern)} is not a regular expression: ${error.message}`);
    }
  }
}

// entrypoint/config/comparison.ts
function comparisonOf({ rules, head, base, isJudgedByBase: isJudgedByBase2 }) {
  const modes = modesOf(rules);
  for (const { front } of [head, ...base ? [base] : []]) refuseFront(front, modes);
  const ofHead = workloadsOf(head);
  const ofBase = base ? workloadsOf(base) : ofHead;
  const named = (list2, name) => list2.find((workload) => workload.name === name);
  const added = ofHead.filter(({ name }) => !named(ofBase, name));
  const dropped = isJudgedByBase2 ? ofBase.filter(({ name }) => !named(ofHead, name)) : [];
  const common = ofHead.filter(({ name }) => named(ofBase, name));
  const redefined = common.filter((workload) => !isDeepStrictEqual(workload, named(ofBase, workload.name)));
  const same = common.filter((workload) => !redefined.includes(workload));
  const ungated = [
    ...redefined.map(({ name }) => ({ workload: name, why: "redefined" })),
    ...isJudgedByBase2 ? added.map(({ name }) => ({ workload: name, why: "new" })) : [],
    ...dropped.map(({ name }) => ({ workload: name, why: "dropped" }))
  ];
  const deciding = isJudgedByBase2 ? same : [...same, ...added];
  if (isJudgedByBase2 && base && deciding.length === 0) throw new MeasurementError(nothingLeft(ungated));
  const loads = Object.entries(rules.loads).map(([name, { concurrency }]) => ({ name, concurrency }));
  const cellsOf = (workloads) => workloads.flatMap((workload) => {
    const inBase2 = redefined.includes(workload) ? named(ofBase, workload.name) : void 0;
    return loads.map((load) => ({ workload, load, ...inBase2 ? { inBase: inBase2 } : {} }));
  });
  const asked = (workload) => named(ofBase, workload.name) ?? workload;
  const inBase = (isJudgedByBase2 ? common : ofHead).map(asked);
  const gated = cellsOf(deciding);
  return {
    rules,
    modes,
    served: {
      head: servedBy(head, modes, modesOf(head), ofHead),
      ...base ? { base: servedBy(base, modes, modesOf(base), inBase) } : {}
    },
    gated,
    reported: cellsOf(isJudgedByBase2 ? [...redefined, ...added] : redefined),
    ungated,
    coverage: { gated: gated.length, of: gated.length + loads.length * (redefined.length + dropped.length) },
    borrowed: new Set(isJudgedByBase2 ? [] : added.map(({ name }) => name)),
    notes: isJudgedByBase2 ? [...announcements(rules, rulesOf(head)), ...ungated.map(sentence)] : ungated.map(sentence)
  };
}
function sentence({ workload, why }) {
  const texts = {
    redefined: "base and head define it differently, so each revision is measured by its own definition, and it is not gated.",
    new: "base does not define it, so it is new and not gated.",
    dropped: "head no longer defines it, so it is not measured."
  };
  return `Workload \`${workload}\`: ${texts[why]}`;
}
function nothingLeft(ungated) {
  const list2 = ungated.map(({ workload, why }) => `${workload} (${why})`).join(", ");
  return `This pull request leaves nothing that base can judge: no workload is defined alike in base and head. Found: ${list2}. Change or drop workloads in a pull request of their own, or keep one of them as it is.`;
}

// entrypoint/config/ids-file.ts
import { existsSync as existsSync9, readFileSync as readFileSync17, realpathSync } from "node:fs";
import { join as join23, sep } from "node:path";
function withIds(config, textOf2) {
  const workloads = config.workloads.map((workload) => {
    if (typeof workload === "string" || !("path" in workload) || typeof workload["ids-file"] !== "string") return workload;
    const { "ids-file": file, ...rest } = workload;
    const place = `workloads.${workload.name}.ids-file`;
    const text = textOf2(file, place);
    return text === void 0 ? workload : { ...rest, ids: idsOf(text, file, place, String(workload.path)) };
  });
  return { ...config, workloads };
}
function idsFiles({ workloads }) {
  return workloads.flatMap(
    (workload) => typeof workload === "object" && "path" in workload && typeof workload["ids-file"] === "string" ? [workload["ids-file"]] : []
  );
}
function missingIds(file, place) {
  return new InputError(`${place}: the revision has no file ${file}. Commit it: what is measured is what is committed`);
}
function withIdsRead(config, directory, otherwise = directory) {
  return withIds(config, (file, place) => textOf(file, place, existsSync9(join23(directory, file)) ? directory : otherwise));
}
function idsOf(text, file, place, path) {
  const ids = text.split("\n").flatMap((line, i) => {
    const id = line.trim();
    if (id === "") return [];
    const found = `${place}: ${file}:${i + 1}: found ${JSON.stringify(id.slice(0, 80))}`;
    if (!PRINTABLE.test(id)) throw new InputError(`${found}: ${PRINTABLE_RULE}`);
    if (withIdentity(path, id).startsWith(OF_BUILT_INS)) throw new InputError(`${found}: ${OF_BUILT_INS} belongs to the built-in workloads`);
    return [id];
  });
  if (ids.length === 0) throw new InputError(`${place}: ${file} holds no ids; allowed: one per line`);
  return ids.slice(0, IDENTITIES_MOST);
}
function textOf(file, place, directory) {
  let path;
  try {
    path = realpathSync(join23(directory, file));
  } catch {
    throw missingIds(file, place);
  }
  if (!path.startsWith(realpathSync(directory) + sep)) throw new InputError(`${place}: ${file} leads out of the repository`);
  try {
    return readFileSync17(path, "utf8");
  } catch (error) {
    throw new InputError(`${place}: ${file} cannot be read: ${error.message}`);
  }
}

// entrypoint/revisions/event.ts
var NO_EVENT = { name: "", ref: "", sha: "", payload: {} };
var BY_THOSE_WHO_MAY_PUSH = ["", "push", "release", "create", "schedule", "workflow_dispatch", "repository_dispatch"];
function isJudgedByBase({ name }) {
  return !BY_THOSE_WHO_MAY_PUSH.includes(name);
}
function isRelease({ name, ref }) {
  return name === "release" || ref.startsWith("refs/tags/");
}

// entrypoint/revisions/base-commit.ts
var ZERO = /^0+$/;
async function baseCommit(git, wanted, event) {
  if (wanted === "none") return { none: "baseline is none" };
  if (wanted === "latest-release" || wanted === "auto" && isRelease(event)) return newestTag(git);
  const ref = wanted === "auto" ? await baseOfEvent(git, event) : wanted;
  if (ref === void 0) return { none: "there is no earlier commit to compare with" };
  const commit = await git.reach(ref);
  if (!commit)
    throw new InputError(
      `baseline: "${ref}" is not in this repository and could not be fetched. Allowed: auto, none, latest-release, or a branch, tag or commit of this repository. With actions/checkout, fetch-depth: 0 brings all of them.`
    );
  return { commit, label: /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 10) : ref };
}
async function baseOfEvent(git, event) {
  switch (event.name) {
    case "pull_request":
      return baseOfPullRequest(git, event);
    case "pull_request_target":
      throw new InputError(
        "pull_request_target runs with a token that can write, and this Action runs the code of the pull request: that would hand the token to it. Use pull_request."
      );
    case "merge_group":
      return event.payload.merge_group?.base_sha;
    case "push":
      return event.payload.before && !ZERO.test(event.payload.before) ? event.payload.before : void 0;
    default:
      return onABranch(git);
  }
}
async function baseOfPullRequest(git, { sha, payload }) {
  const { base, head } = payload.pull_request ?? {};
  const isGithubsMerge = head?.sha !== void 0 && sha !== "" && sha === await git.commit("HEAD") && await git.reach("HEAD^2") === head.sha;
  return isGithubsMerge ? "HEAD^1" : base?.sha;
}
async function onABranch(git) {
  const head = await git.commit("HEAD");
  for (const main of ["origin/HEAD", "origin/main", "origin/master", "main", "master"]) {
    const fork = await git.try("merge-base", "HEAD", main);
    if (fork && fork !== head) return fork;
  }
  return await git.reach("HEAD^1") ? "HEAD^1" : void 0;
}
async function newestTag(git) {
  if (await git.try("rev-parse", "--is-shallow-repository") === "true")
    await git.try("fetch", "--quiet", "--tags", "--unshallow", "origin");
  const tag = await git.try("describe", "--tags", "--abbrev=0", "HEAD^");
  const commit = tag ? await git.commit(tag) : void 0;
  return tag && commit ? { commit, label: tag } : { none: "there is no earlier tag to compare with" };
}

// entrypoint/revisions/changed-workflows.ts
import { realpathSync as realpathSync2 } from "node:fs";
import { join as join24, relative } from "node:path";

// entrypoint/revisions/workflow-file.ts
var import_yaml3 = __toESM(require_dist(), 1);
var LIMIT = 1e6;
function localUses(text) {
  const file = read(text);
  const jobs = entries(file?.jobs).map(([, job]) => job);
  const runs = file?.runs;
  const lists = [jobs, ...jobs.map((job) => job?.steps), runs?.steps];
  return lists.flatMap((list2) => Array.isArray(list2) ? list2 : []).flatMap((step) => typeof step?.uses === "string" && step.uses.startsWith("./") ? [normal2(step.uses)] : []);
}
function jobNames(text) {
  const file = read(text);
  if (!file) return void 0;
  return entries(file.jobs).map(([id, job]) => {
    const name = job?.name;
    return name === void 0 || name === null ? id : String(name);
  });
}
function isLike(name, others) {
  return name.includes("${{") || others.some((other) => bare2(name) === bare2(other));
}
function bare2(name) {
  return name.replace(/ \([^()]*\)$/, "").trim().toLowerCase();
}
function normal2(path) {
  return path.split("/").filter((part) => part !== "" && part !== ".").join("/");
}
function entries(mapping) {
  return mapping && typeof mapping === "object" ? Object.entries(mapping) : [];
}
function read(text) {
  if (text.length > LIMIT) return void 0;
  try {
    const file = (0, import_yaml3.parse)(text);
    return file && typeof file === "object" ? file : void 0;
  } catch {
    return void 0;
  }
}

// entrypoint/revisions/changed-workflows.ts
var FOLDER = ".github/workflows/";
var CHECK = "async gain";
var ACTION_FILES = /^(action\.ya?ml|Dockerfile|dist\/.*)$/;
var MOST_FILES = 10;
async function changedWorkflows(git, { base, head }, workflowRef) {
  const own = /^[^/]+\/[^/]+\/(.+?\.ya?ml)@/.exec(workflowRef)?.[1];
  if (!own || !base) return [];
  const textAt = async (commit, file) => await git.try("cat-file", "blob", `${commit}:${file}`) ?? "";
  const changed = (await git.try("diff", "--name-only", "--no-renames", "-z", base.commit, head.commit) ?? "").split("\0").filter(Boolean);
  const used = (await usedBy(own, base.directory, (file) => textAt(base.commit, file))).filter((path) => path !== own);
  const isUsed = (file) => used.some((path) => path === "" ? ACTION_FILES.test(file) : file === path || file.startsWith(`${path}/`));
  const parts = changed.filter(isUsed);
  const others = changed.filter((file) => file.startsWith(FOLDER) && file !== own && !isUsed(file));
  const taken = [CHECK, ...jobNames(await textAt(base.commit, own)) ?? []];
  const posing = [];
  for (const file of others) {
    const text = await textAt(head.commit, file);
    if (text && (jobNames(text)?.some((name) => isLike(name, taken)) ?? true)) posing.push(file);
  }
  const rest = others.filter((file) => !posing.includes(file));
  return [
    ...changed.includes(own) ? [`Base and head have different versions of ${code(own)}, the workflow that runs this gate. Review that change as well.`] : [],
    ...parts.length ? [`Base and head have different versions of ${list(parts)}, which the workflow of this gate uses. Review that change as well.`] : [],
    ...posing.map(
      (file) => `Head changes or adds ${code(file)}, with a job that GitHub may show under the name of this check: it could be green in its place. Review that change as well.`
    ),
    ...rest.length ? [`Head also changes other workflows: ${list(rest)}. They run as head wrote them. Review that change as well.`] : []
  ];
}
async function usedBy(workflow, directory, textOf2) {
  const found = [workflow];
  for (const path of found) {
    const files = /\.ya?ml$/.test(path) ? [path] : ["action.yml", "action.yaml"].map((name) => path ? `${path}/${name}` : name);
    for (const file of files) {
      for (const use of localUses(await textOf2(file)).flatMap((one) => [one, behindLinks(directory, one)])) {
        if (!found.includes(use)) found.push(use);
      }
    }
  }
  return found;
}
function behindLinks(directory, path) {
  try {
    const place = relative(realpathSync2(directory), realpathSync2(join24(directory, path)));
    return place.startsWith("..") ? path : place;
  } catch {
    return path;
  }
}
function list(files) {
  const shown = files.slice(0, MOST_FILES).map(code).join(", ");
  return files.length > MOST_FILES ? `${shown} and ${files.length - MOST_FILES} more` : shown;
}

// entrypoint/revisions/configuration-at.ts
var FILE = "100";
async function configurationAt(git, commit, path, overrides) {
  const parts = path.split("/");
  for (const [i] of parts.entries()) {
    const place = parts.slice(0, i + 1).join("/");
    const mode = await modeAt(git, commit, place);
    if (mode === void 0) return { absent: true };
    const isLast = i === parts.length - 1;
    if (isLast ? !mode.startsWith(FILE) : mode !== "040000") return { broken: `${place} is no plain ${isLast ? "file" : "folder"}` };
  }
  const text = await git.blob(commit, path);
  if (text === void 0) throw unreadable(commit, path);
  try {
    return { config: parseConfig(text, path, overrides) };
  } catch (error) {
    return { broken: messageOf(error) };
  }
}
async function modeAt(git, commit, place) {
  const listed2 = await git.try("ls-tree", "--full-tree", "-z", commit, "--", place);
  if (listed2 === void 0) throw unreadable(commit, place);
  return listed2.slice(0, 6) || void 0;
}
function unreadable(commit, place) {
  return new MeasurementError(
    `${place} of the commit ${commit.slice(0, 10)} cannot be read from this clone. Check the repository out whole, without a filter and without sparse-checkout.`
  );
}

// entrypoint/revisions/detours.ts
import { lstatSync } from "node:fs";
import { join as join25, relative as relative2, sep as sep2 } from "node:path";
function refuseDetours(outer, workspace, source) {
  const way = relative2(outer, source);
  if (way.startsWith("..")) return;
  for (const place of prefixes(outer, way)) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new InputError(`${relative2(outer, place)}: found a link, allowed: a plain file or folder, since base is read by the same path`);
  }
  const repositories = [outer, ...prefixes(outer, relative2(outer, workspace))].filter(
    (place) => lstatSync(join25(place, ".git"), { throwIfNoEntry: false })
  );
  if (repositories.length > 1)
    throw new InputError(
      `workspace: found ${relative2(outer, repositories[1])}, a repository inside the one that was checked out. Allowed: that one, or a folder of it`
    );
}
function prefixes(directory, path) {
  const parts = path.split(sep2).filter(Boolean);
  return parts.map((_, i) => join25(directory, ...parts.slice(0, i + 1)));
}

// entrypoint/revisions/uncommitted.ts
import { existsSync as existsSync10 } from "node:fs";
import { join as join26, relative as relative3 } from "node:path";
var SHOWN2 = 5;
async function refuseUncommittedApp(git, workspace, served, head) {
  const [key, app] = [served.front ? "front" : "app", entryPathOf(served)];
  if (!existsSync10(join26(workspace, app)) || await isIn(git, head, app)) return;
  const commit = head.slice(0, 10);
  if (await isIn(git, head, `./${app}`)) {
    const folder = await git.run("rev-parse", "--show-prefix");
    throw new InputError(
      `workspace: ${workspace} is the folder ${folder} of a repository, and a revision is the whole repository, where ${app} is not. Allowed: the root of a repository, whose entry file \`${key}:\` names.`
    );
  }
  const isIgnored = await git.try("check-ignore", "--quiet", "--", app) !== void 0;
  throw new InputError(
    [
      `${key}: ${app} is there but not committed. Base and head are commits, and the commit ${commit} is without it.${isIgnored ? " It is ignored by a .gitignore." : ""} Run:`,
      `  git add ${isIgnored ? "--force " : ""}${quoted3(app)} && git commit --message "Add ${app}"`
    ].join("\n")
  );
}
async function warningsOfUncommitted(git, workspace, source, head) {
  const file = relative3(workspace, source);
  const changed = records(await git.run("diff", "--name-only", "-z", "--no-renames", head));
  const untracked = records(
    await git.run("ls-files", "-z", "--others", "--exclude-standard", "--directory", "--no-empty-directory")
  ).filter((name) => !isResults(join26(workspace, name)));
  const fromRoot = `${await git.run("rev-parse", "--show-prefix")}${file}`;
  const isDraft = changed.includes(fromRoot) || untracked.some((name) => file === name || name.endsWith("/") && file.startsWith(name));
  return [
    ...isDraft ? [`warning: ${listed([file])} counts as it is here. It is not committed, so a pull request would not use it`] : [],
    ...notMeasured(
      changed.filter((name) => name !== fromRoot),
      "changed and not committed",
      head
    ),
    ...notMeasured(
      untracked.filter((name) => name !== file),
      "untracked",
      head
    )
  ];
}
function notMeasured(names2, what, head) {
  if (!names2.length) return [];
  const [noun, them] = names2.length === 1 ? ["path is", "it"] : ["paths are", "them"];
  return [`warning: ${names2.length} ${noun} ${what} (${listed(names2)}); the commit ${head.slice(0, 10)} is measured without ${them}`];
}
async function isIn(git, commit, path) {
  return await git.try("cat-file", "-e", `${commit}:${path}`) !== void 0;
}
function isResults(path) {
  return existsSync10(join26(path, "samples.csv")) && existsSync10(join26(path, "run.json"));
}
function records(text) {
  return text.split("\0").filter(Boolean);
}
function listed(names2) {
  const shown = names2.slice(0, SHOWN2).map((name) => name.replace(new RegExp("\\p{Cc}", "gu"), "?"));
  return names2.length > SHOWN2 ? `${shown.join(", ")} and ${names2.length - SHOWN2} more` : shown.join(", ");
}
function quoted3(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

// entrypoint/revisions/work-trees.ts
import { join as join27 } from "node:path";
async function checkOut(git, head, base, directory) {
  await git.try("worktree", "prune");
  const tree = async (revision, commit, label2) => {
    const path = join27(directory, revision);
    await git.run("worktree", "add", "--quiet", "--force", "--detach", path, commit);
    return { revision, directory: path, commit, label: label2 };
  };
  const headTree = await tree("head", head, head.slice(0, 10));
  if ("none" in base) return { head: headTree, withoutBase: base.none };
  return { head: headTree, base: await tree("base", base.commit, base.label) };
}
async function forgetWorkTrees(revisions, workspace) {
  const git = new Git(workspace);
  for (const checkout of [revisions.head, revisions.base]) {
    if (checkout) await git.try("worktree", "remove", "--force", checkout.directory);
  }
  await git.try("worktree", "prune");
}

// entrypoint/revisions/settle.ts
async function settle(inputs, event, job) {
  const { workspace, overrides, token } = inputs;
  if (!inputs.study) refuseWrongOrder(modesOf(inputs.config));
  if (isJudgedByBase(event)) refuseDetours(process.env.GITHUB_WORKSPACE ?? workspace, workspace, inputs.source);
  if (!which("git"))
    await provision({ engine: "git", modes: [], database: "none", report: false, composer: false }, { yes: inputs.yes, say: job.say });
  const git = new Git(workspace, token);
  const head = await git.head();
  await refuseUncommittedApp(git, workspace, inputs.config, head);
  for (const warning of await warningsOfUncommitted(git, workspace, inputs.source, head)) job.say(warning);
  if (await git.holdsToken())
    job.say("warning: the checkout left its token in .git/config, where the app can read it. Set persist-credentials: false");
  const path = pathInRepository(await git.run("rev-parse", "--show-toplevel"), inputs);
  const at = (commit) => path === void 0 ? Promise.resolve({ config: inputs.config }) : configurationAt(git, commit, path, overrides);
  const judge = inputs.study || !isJudgedByBase(event) ? void 0 : await judgeOf(git, event, inputs, at);
  const rules = judge?.rules ?? rulesOf(inputs.config);
  const chosen = judge?.unable ? { none: judge.unable } : await baseCommit(git, rules.baseline, event);
  const notes = [];
  const ofBase = "none" in chosen ? void 0 : fileOfBase(await at(chosen.commit), judge?.config ?? inputs.config, notes);
  const trees = await checkOut(git, head, chosen, job.directory);
  job.atEnd(() => forgetWorkTrees(trees, workspace));
  const { revisions, ...withBase } = withApp(trees, inputs.config, ofBase);
  const inHead = revisions.head.directory;
  const headConfig = withIdsRead(inputs.config, inHead);
  const base = withBase.base && revisions.base && withIdsRead(withBase.base, revisions.base.directory, inHead);
  const comparison = comparisonOf({ rules, head: headConfig, base, isJudgedByBase: judge !== void 0 && !judge.unable });
  const label2 = revisions.base && `${revisions.base.label} (${revisions.base.commit.slice(0, 10)})`;
  job.say(`head ${revisions.head.label}, ${label2 ? `base ${label2}` : `no base: ${revisions.withoutBase}`}`);
  if (revisions.base?.commit === head) job.say("base and head are the same commit: this is an A/A measurement");
  const all = [
    ...judge?.unable ? [judge.unable] : [],
    ...comparison.notes,
    ...notes,
    ...await changedWorkflows(git, revisions, process.env.GITHUB_WORKFLOW_REF ?? "")
  ];
  for (const note of all) job.say(`note: ${note}`);
  return { ...comparison, notes: all, revisions };
}
function pathInRepository(root, { source, workspace }) {
  const path = relative4(root, join28(realpathSync3(workspace), relative4(workspace, source)));
  return path.startsWith("..") ? void 0 : path;
}
async function judgeOf(git, event, inputs, at) {
  const ref = await baseOfEvent(git, event);
  const commit = ref && await git.reach(ref);
  if (!ref) throw new InputError(`base: the event ${event.name} names no base commit`);
  if (!commit) throw new InputError(`base: the event ${event.name} names ${ref}, which is not in this repository`);
  const found = await at(commit);
  const broken = "config" in found ? unusable(found.config) : void 0;
  if ("config" in found && !broken) return { rules: rulesOf(found.config), config: found.config };
  const defaults = parseConfig("", inputs.source, inputs.overrides);
  if ("absent" in found && !existsSync11(inputs.source)) return { rules: rulesOf(defaults), config: defaults };
  const neutral = { ...rulesOf(inputs.config), ...pickJudgement(rulesOf(defaults)) };
  const unable = "absent" in found ? `Base (${commit.slice(0, 10)}) has no configuration yet, so it cannot judge this pull request.` : `The configuration of base cannot be used, so it cannot judge this pull request: ${broken ?? ("broken" in found && found.broken)}`;
  return { rules: neutral, config: inputs.config, unable };
}
function unusable(config) {
  try {
    const modes = modesOf(config);
    refuseWrongOrder(modes);
    refuseFront(config.front, modes);
    return void 0;
  } catch (error) {
    return messageOf(error);
  }
}
function pickJudgement(rules) {
  const { gate: gate2, "on-inconclusive": inconclusive, "on-not-gated": notGated, "accept-label": label2 } = rules;
  const { "accept-author": author, "comment-key": key, "history-branch": branch } = rules;
  return {
    gate: gate2,
    "on-inconclusive": inconclusive,
    "on-not-gated": notGated,
    "accept-label": label2,
    "accept-author": author,
    "comment-key": key,
    "history-branch": branch
  };
}
function fileOfBase(found, otherwise, notes) {
  if ("config" in found) return found.config;
  if ("broken" in found) notes.push(`The configuration of base cannot be read, so base is served as head is: ${found.broken}`);
  return otherwise;
}
function withApp(trees, head, base) {
  if (!trees.base || !base) return { revisions: trees };
  const [ofHead, ofBase] = [entryPathOf(head), entryPathOf(base)];
  const why = whyNotComparable(trees.base.label, {
    head: { path: ofHead, isThere: existsSync11(join28(trees.head.directory, ofHead)) },
    base: { path: ofBase, isThere: existsSync11(join28(trees.base.directory, ofBase)) }
  });
  return why ? { revisions: { head: trees.head, withoutBase: why } } : { revisions: trees, base };
}
function whyNotComparable(label2, { head, base }) {
  if (base.isThere && !head.isThere)
    throw new MeasurementError(
      `head has no ${head.path}, and base has ${base.path}: without its entry file the app cannot be compared. Keep it, or name its new place as \`app\` or \`front\`.`
    );
  if (base.isThere || !head.isThere) return void 0;
  return `base (${label2}) has no ${base.path} yet, so there is nothing to compare with; only min-gain can gate`;
}

export {
  Git,
  code,
  plain,
  scopeOf,
  chooseEngine,
  composerCommand,
  refuseImpossibleBudget,
  MIN_BLOCKS,
  slowingIn,
  plan,
  measure2 as measure,
  gate,
  runtimeNamed,
  modesOf,
  refuseWrongOrder,
  comparisonOf,
  withIds,
  idsFiles,
  missingIds,
  NO_EVENT,
  baseCommit,
  FILE,
  configurationAt,
  modeAt,
  refuseUncommittedApp,
  warningsOfUncommitted,
  settle,
  pathInRepository,
  fileOfBase,
  whyNotComparable
};
