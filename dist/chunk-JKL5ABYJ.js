import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  CHECKED,
  CHECKS,
  COUNTS,
  IDENTITIES_MOST,
  LOG_KEPT,
  NOTHING_KNOWN,
  OF_BUILT_INS,
  OUTSIDE,
  PACKAGE,
  PRINTABLE,
  PRINTABLE_RULE,
  ProcessGroup,
  SAMPLES,
  TAIL_LINES,
  WORKLOAD_KEYS,
  allOf,
  allowedCpus,
  analyse,
  announcements,
  apart,
  apartOnline,
  areApart,
  areCountedTogether,
  armOrder,
  askedVersions,
  atRate,
  atRest,
  bare,
  besideContainers,
  blocksUntil,
  blocksWanted,
  busyShare,
  cellName,
  chooseCounting,
  countOf,
  countedCells,
  countingSeconds,
  cpuSets,
  cpuUsOf,
  databaseOf,
  debianPackage,
  delayUsOf,
  describeSets,
  emptyFiles,
  entryPathOf,
  exec,
  exitCodeOf,
  explain,
  external_exports,
  fenced,
  fileInside,
  firstBlocks,
  forgetLater,
  grown,
  hasIdentities,
  identitiesOf,
  imagesAnnounced,
  inBrief,
  inherited,
  installPackages,
  installProgram,
  installedDatabase,
  installedPostgres,
  installedRedis,
  intervalOf,
  isOffMedian,
  isOnServer,
  isSearched,
  keyOf,
  lastLine,
  lastLines,
  localMachine,
  logEnd,
  longestHoldS,
  makePlan,
  mayInstallUnasked,
  memoryKibOf,
  minorOf,
  modeIn,
  modulesOf,
  names,
  nearest,
  noCache,
  ofApp,
  online,
  packageFor,
  parseConfig,
  pdoOf,
  pinned,
  printed,
  processes,
  programFault,
  programPath,
  provision,
  randomFrom,
  readDocument,
  refuseRates,
  refuseRepeated,
  refuseSearch,
  releaseToBuild,
  replace,
  requestOf,
  require_dist,
  rulesOf,
  runNow,
  samplesCsv,
  scratch,
  seconds,
  servedBy,
  shortestQuadS,
  shuffled,
  socketsOf,
  spawnPiped,
  stolenShare,
  subdirectory,
  suggesting,
  tooBusy,
  unconfined,
  unknownName,
  visible,
  which,
  whyUncountable,
  windowsOf,
  withIdentity,
  workloadFor,
  writeCounts,
  writeLogs,
  writeResults
} from "./chunk-5GUOTFHG.js";
import {
  AppFailure,
  Cancelled,
  HeadFailed,
  InputError,
  MeasurementError,
  __toESM,
  messageOf
} from "./chunk-JWUX6AV2.js";

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
async function failureOf(server, cell, memory2, message) {
  const kib = memory2.map(({ memoryKib }) => memoryKib).filter((value) => value > 0);
  const memoryMib = kib.length ? Math.max(...kib) / 1024 : null;
  if (!server) return { message, logTail: "", log: "", memoryMib };
  const answer5 = await failingAnswer(server.url, cell);
  return { message, logTail: await atRest(() => server.logTail()), log: await server.log(), answer: answer5, memoryMib };
}
async function failingAnswer(url, cell) {
  const deadline = Date.now() + ASKING_MS;
  do {
    const answers2 = await Promise.all(Array.from({ length: cell.load.concurrency }, () => answerOf(url, cell)));
    const { status, contains } = cell.workload.expect;
    const failing = answers2.find((answer5) => answer5.status !== status || contains !== void 0 && !answer5.body.includes(contains));
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
function describeFailure({ revision, mode, workload, load: load3, errors, failure }) {
  const { message, logTail, answer: answer5, memoryMib } = failure;
  const parts = [
    `${revision}/${mode}, ${workload}/${load3}: ${kindsOf([errors])}.`,
    message && `${message}${/[.!?]$/.test(message) ? "" : "."}`,
    memoryMib !== null && `It held up to ${memoryMib.toFixed(0)} MiB.`,
    answer5 && sentenceOf(answer5)
  ];
  return `${parts.filter(Boolean).join(" ")}${logTail ? `
The server's log ends with:
${logTail}` : ""}`;
}
function sentenceOf({ status, body }) {
  return status === null ? `A repeated request got no response: ${body}.` : `A repeated request got status ${status}: ${JSON.stringify(body)}.`;
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

// entrypoint/profile/explain.ts
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// entrypoint/provision/profiler.ts
var PROFILER = "excimer";
async function provideProfiler(php, { yes, say }) {
  if (await isLoadable(php)) return void 0;
  const names2 = [`php${await minorOf(php)}-${PROFILER}`, `php-${PROFILER}`];
  const found = await Promise.all(names2.map(packageFor));
  const wanted = names2.find((_, index) => found[index]);
  const advice2 = `Install the extension ${PROFILER}: apt-get install ${wanted ?? names2[1]}, or extensions: ${PROFILER} of setup-php`;
  if (!wanted || !mayInstallUnasked(yes)) return advice2;
  const tried2 = [];
  await installPackages([wanted], { tried: tried2, say }, noCache());
  return await isLoadable(php) ? void 0 : [advice2, ...tried2].join(". ");
}
async function isLoadable(php) {
  return (await modulesOf(php, [PROFILER])).has(PROFILER);
}

// entrypoint/revisions/credentials.ts
var DETOUR = /^(filter|http|url|protocol|core\.gitproxy)\b/;
var USUAL = /^http\.[^\n]*\.extraheader$|^filter\.lfs\.required$/;
var LFS = /^filter\.lfs\.(clean|smudge|process)\ngit-lfs (clean|smudge|filter-process)( --skip)?( -- %f)?$/;
function credentialVariables(server, token) {
  const header = `http.${server}/.extraheader`;
  const settings = [
    // The empty value removes the header that actions/checkout left in the workspace, because GitHub refuses a second one.
    [header, ""],
    [header, `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`],
    // git would ask these programs if the server refused the token.
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
  // Maintenance would run on in the background, with the environment of the command before it.
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
  /** Output of a command that must succeed. @throws InputError with git's own message */
  async run(...args) {
    const done = await this.exec(args);
    if (done.code !== 0) throw new InputError(`git ${args[0]}: ${done.stderr.trim().split("\n").slice(-3).join("; ") || "failed"}`);
    return done.stdout.trim();
  }
  /** Output of a command, or undefined if it fails. */
  async try(...args) {
    const done = await this.exec(args);
    return done.code === 0 ? done.stdout.trim() : void 0;
  }
  /** The text of a file in a commit, or undefined if it cannot be read. Without a work tree, no link is followed and no filter runs. */
  async blob(commit, path) {
    const done = await this.exec(["cat-file", "blob", `${commit}:${path}`]);
    return done.code === 0 ? done.stdout : void 0;
  }
  /** The commit of HEAD. @throws InputError if the directory is no repository, or has no commit */
  async head() {
    if (!await this.isRepository()) throw new InputError(`${this.directory}: not a git repository. Base and head must be commits.`);
    const commit = await this.commit("HEAD");
    if (!commit) throw new InputError(`${this.directory}: the repository has no commit yet.`);
    return commit;
  }
  async isRepository() {
    return await this.try("rev-parse", "--show-toplevel") !== void 0;
  }
  /** The hash of a commit that this clone has. */
  commit(ref) {
    return this.try("rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`);
  }
  /** The commit of a ref. If this clone lacks it, it is fetched. */
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
  /** The token, if the remote is on the job's own server and the workspace's configuration cannot redirect it. */
  async credentials() {
    if (!this.token || !this.server) return {};
    const remote = await this.try("remote", "get-url", "origin");
    if (!remote?.startsWith(`${this.server}/`) || isElsewhere(await this.ownSettings())) return {};
    return credentialVariables(this.server, this.token);
  }
  /** The repository's settings, as git prints them with -z: scope, then name and value. */
  async ownSettings() {
    return await this.try("config", "--list", "--show-scope", "-z") ?? "";
  }
};

// entrypoint/system/markdown.ts
function code(text) {
  const shown2 = text.replace(/[^\x20-\x7e]/g, "?").replace(/[`<>|]/g, "?").slice(0, 120);
  return `\`${shown2 || "''"}\``;
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

// entrypoint/profile/functions.ts
var OUR_CODE = "the bench's own server code";
var OURS = /^async-php-bench\/(php|runtimes)\//;
var MIN_SAMPLES = 20;
var NONE = /* @__PURE__ */ new Map();
function grown2(base, head, changed) {
  const [before, after] = [ownOf(base), ownOf(head)];
  return [.../* @__PURE__ */ new Set([...before.keys(), ...after.keys()])].map((name) => ({ name, of: before.get(name), to: after.get(name) })).filter(({ of, to }) => (of?.count ?? 0) + (to?.count ?? 0) >= MIN_SAMPLES).map(({ name, of, to }) => {
    const [file, line] = to ? hottest(to, changed) : hottest(of, NONE);
    return { name, file, line, baseUs: perRequest(of, base), headUs: perRequest(to, head) };
  }).filter(({ baseUs, headUs }) => headUs > baseUs).sort((a, b) => Number(a.name === OUR_CODE) - Number(b.name === OUR_CODE) || b.headUs - b.baseUs - (a.headUs - a.baseUs));
}
function totalUs(profile) {
  return perRequest({ count: profile.samples.reduce((sum2, { count: count3 }) => sum2 + count3, 0) }, profile);
}
function perRequest(own, { periodUs, requests }) {
  return (own?.count ?? 0) * periodUs / requests;
}
function callers(base, head, changed) {
  const [before, after] = [throughOf(base, NONE), throughOf(head, changed)];
  return [...after].filter(([, { touched }]) => touched >= MIN_SAMPLES).map(([name, { touched, others, lines }]) => {
    const [file, line] = hottest({ lines }, changed);
    const replaced = perRequest({ count: before.get(name)?.others ?? 0 }, base) - perRequest({ count: others }, head);
    return { name, file, line, baseUs: Math.max(0, replaced), headUs: perRequest({ count: touched }, head) };
  }).filter(({ baseUs, headUs }) => headUs > baseUs).sort((a, b) => b.headUs - b.baseUs - (a.headUs - a.baseUs));
}
function throughOf({ samples }, changed) {
  const found = /* @__PURE__ */ new Map();
  for (const { stack, places, count: count3 } of samples) {
    for (const name of new Set(stack)) {
      const through = found.get(name) ?? { touched: 0, others: 0, lines: /* @__PURE__ */ new Map() };
      found.set(name, through);
      const touched = new Set(places.filter((place, index) => stack[index] === name && isTouched(place, changed)));
      if (touched.size > 0) through.touched += count3;
      else through.others += count3;
      for (const place of touched) through.lines.set(place, (through.lines.get(place) ?? 0) + count3);
    }
  }
  return found;
}
function ownOf({ samples }) {
  const found = /* @__PURE__ */ new Map();
  for (const { stack, places, count: count3 } of samples) {
    const place = places.at(-1) ?? "";
    const name = place === "" || OURS.test(place) ? OUR_CODE : stack.at(-1) ?? "";
    const own = found.get(name) ?? { count: 0, lines: /* @__PURE__ */ new Map() };
    own.count += count3;
    own.lines.set(place, (own.lines.get(place) ?? 0) + count3);
    found.set(name, own);
  }
  return found;
}
function hottest({ lines }, changed) {
  const touched = [...lines].filter(([place2]) => isTouched(place2, changed));
  const [place] = (touched.length > 0 ? touched : [...lines]).reduce((most, each2) => each2[1] > most[1] ? each2 : most);
  return fileAndLine(place);
}
function isTouched(place, changed) {
  if (changed.size === 0) return false;
  const [file, line] = fileAndLine(place);
  return changed.get(file)?.has(line) === true;
}
function fileAndLine(place) {
  const colon = place.lastIndexOf(":");
  return [place.slice(0, colon), Number(place.slice(colon + 1))];
}
function us(microseconds) {
  return microseconds < 1e3 ? `${microseconds.toFixed(microseconds < 10 ? 1 : 0)} \xB5s` : `${(microseconds / 1e3).toFixed(1)} ms`;
}

// entrypoint/profile/block.ts
var FUNCTIONS_SHOWN = 10;
var CALLERS_SHOWN = 5;
var MOSTLY = 0.9;
function profileBlock(cells, changed) {
  return `
<details open><summary>Where the CPU time went</summary>

${cells.map((cell) => sectionOf(cell, changed)).join("\n")}
</details>
`;
}
function sectionOf({ cell, mode, profiles }, changed) {
  const place = `${code(cell)} on ${code(mode)}`;
  if (typeof profiles === "string") return `${place}: not profiled, because ${profiles}.
`;
  const { totals, functions, calling } = functionsOf(profiles, changed);
  const heads = ["function", "where", "base", "head", "change"];
  return [
    ...functions.length === 0 ? [`${place}: ${totals}. ${NONE2}`] : [`${place}: ${totals}. ${MOST}:`, "", ...table([...heads, ""], functions, (each2) => [...cellsOf(each2), markOf(each2, changed)])],
    "",
    ...calling.length === 0 ? [] : [`${CALLING}:`, "", ...table(heads, calling, cellsOf), ""],
    ...functions.length + calling.length === 0 ? [] : [noteOf(functions, changed), ""]
  ].join("\n");
}
var NONE2 = "No function takes more. Waiting is not profiled.";
var MOST = "These functions' own time grew most";
var CALLING = "With the functions that they call, these take more time at the lines that this change touches";
function functionsOf({ base, head }, changed) {
  const functions = grown2(base, head, changed);
  const ownGrowth = new Map(functions.map((each2) => [each2.name, growth(each2)]));
  return {
    totals: `PHP code takes ${us(totalUs(head))} of CPU time per request in head, ${us(totalUs(base))} in base`,
    functions: functions.slice(0, FUNCTIONS_SHOWN),
    calling: callers(base, head, changed).filter((each2) => (ownGrowth.get(each2.name) ?? 0) < MOSTLY * growth(each2)).slice(0, CALLERS_SHOWN)
  };
}
function growth({ baseUs, headUs }) {
  return headUs - baseUs;
}
function noteOf(functions, changed) {
  const marks = functions.some((each2) => isChanged(each2, changed)) ? " Marked lines are those that this change touches." : "";
  return `One further run of each revision, sampled each millisecond of CPU time and not counted.${marks}`;
}
function isChanged({ file, line }, changed) {
  return changed.get(file)?.has(line) === true;
}
function table(heads, functions, cells) {
  const rules = heads.map((head) => ["base", "head", "change"].includes(head) ? "--:" : "---");
  return [`| ${heads.join(" | ")} |`, `|${rules.join("|")}|`, ...functions.map((each2) => `| ${cells(each2).join(" | ")} |`)];
}
function cellsOf(each2) {
  const { name, file, line, baseUs, headUs } = each2;
  const named2 = name === OUR_CODE ? [OUR_CODE, ""] : [code(name), code(`${file}:${line}`)];
  return [...named2, us(baseUs), us(headUs), `+${us(growth(each2))}`];
}
function markOf(each2, changed) {
  return isChanged(each2, changed) ? "**changed line**" : "";
}

// entrypoint/profile/changed-lines.ts
var LINES_MOST = 1e4;
function changedLines(diff) {
  const found = /* @__PURE__ */ new Map();
  let lines;
  for (const text of diff.split("\n")) {
    const file = /^\+\+\+ (.+)$/.exec(text)?.[1];
    if (file !== void 0) {
      lines = /* @__PURE__ */ new Set();
      found.set(file, lines);
      continue;
    }
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (!hunk || !lines) continue;
    const [first, count3] = [Number(hunk[1]), Math.min(LINES_MOST, Number(hunk[2] ?? 1))];
    for (let line = first; line < first + count3; line++) lines.add(line);
  }
  return found;
}

// entrypoint/profile/flame-graph.ts
var WIDTH = 1200;
var ROW = 18;
var FONT = 12;
var LETTER = 7;
var NARROWEST = 1;
var DEEPEST = 60;
var MARGIN = 24;
function flameGraph(base, head, title) {
  const root = frameNamed("all PHP code");
  add(root, base, "base");
  add(root, head, "head");
  const scale = root.headUs > 0 ? WIDTH / root.headUs : 0;
  const frames = [];
  const most = largestChange(root);
  const draw = (frame, x, depth) => {
    const width = frame.headUs * scale;
    if (width < NARROWEST || depth >= DEEPEST) return depth;
    frames.push(rectangle(frame, { x, width, depth, most }));
    let left = x;
    let deepest = depth + 1;
    for (const child of [...frame.children.values()].sort((a, b) => a.name < b.name ? -1 : 1)) {
      deepest = Math.max(deepest, draw(child, left, depth + 1));
      left += child.headUs * scale;
    }
    return deepest;
  };
  const height = draw(root, 0, 0) * ROW + 2 * MARGIN;
  const legend = "Width: CPU time per request in head. Red: the own time of a function grew. Blue: it shrank.";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="sans-serif" font-size="${FONT}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="4" y="16" fill="#000">${escaped(title)}: ${us(root.headUs)} of CPU time per request in head, ${us(root.baseUs)} in base</text>`,
    // The outermost function is the lowest.
    `<g transform="translate(0 ${height - MARGIN})">`,
    ...frames,
    "</g>",
    `<text x="4" y="${height - 8}" fill="#000">${legend}</text>`,
    "</svg>",
    ""
  ].join("\n");
}
function frameNamed(name) {
  return { name, baseUs: 0, headUs: 0, ownBaseUs: 0, ownHeadUs: 0, children: /* @__PURE__ */ new Map() };
}
function add(root, { samples, periodUs, requests }, revision) {
  const [total2, own] = revision === "base" ? ["baseUs", "ownBaseUs"] : ["headUs", "ownHeadUs"];
  for (const { stack, count: count3 } of samples) {
    const time = count3 * periodUs / requests;
    let frame = root;
    frame[total2] += time;
    for (const name of stack) {
      const child = frame.children.get(name) ?? frameNamed(name);
      frame.children.set(name, child);
      child[total2] += time;
      frame = child;
    }
    frame[own] += time;
  }
}
function change({ ownBaseUs, ownHeadUs }) {
  return ownHeadUs - ownBaseUs;
}
function largestChange(frame) {
  return Math.max(Math.abs(change(frame)), ...[...frame.children.values()].map(largestChange));
}
function rectangle(frame, { x, width, depth, most }) {
  const y = -(depth + 1) * ROW;
  const letters = Math.floor((width - 6) / LETTER);
  const shown2 = frame.name.length <= letters ? frame.name : letters > 3 ? `${frame.name.slice(0, letters - 2)}..` : "";
  const own = `own time ${us(frame.ownHeadUs)}, in base ${us(frame.ownBaseUs)}`;
  const tip = `${frame.name}: ${us(frame.headUs)} per request, in base ${us(frame.baseUs)}; ${own}`;
  const at = `x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}"`;
  const text = shown2 && `<text x="${(x + 3).toFixed(1)}" y="${y + ROW - 5}" fill="#000">${escaped(shown2)}</text>`;
  return `<g><title>${escaped(tip)}</title><rect ${at} fill="${colour(change(frame) / (most || 1))}" stroke="#fff" stroke-width="0.5"/>${text}</g>`;
}
function colour(share) {
  const faded = Math.round(238 - Math.abs(share) * 150);
  return share >= 0 ? `rgb(238,${faded},${faded})` : `rgb(${faded},${faded},238)`;
}
function escaped(text) {
  return text.replace(/[^\x20-\x7e\xb5]/g, "?").replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

// entrypoint/profile/formats.ts
function collapsed({ samples }) {
  const counts = /* @__PURE__ */ new Map();
  for (const { stack, count: count3 } of samples) {
    const key = stack.map((name) => name.replace(/[;\n ]/g, "_")).join(";");
    counts.set(key, (counts.get(key) ?? 0) + count3);
  }
  return [...counts].map(([stack, count3]) => `${stack} ${count3}
`).join("");
}
function speedscope({ samples, periodUs }, name) {
  const frames = [];
  const indexes = /* @__PURE__ */ new Map();
  const indexOf = (frame) => {
    const known = indexes.get(frame);
    if (known !== void 0) return known;
    indexes.set(frame, frames.length);
    return frames.push({ name: frame }) - 1;
  };
  const stacks = samples.map(({ stack }) => stack.map(indexOf));
  const weights = samples.map(({ count: count3 }) => count3 * periodUs);
  const endValue = weights.reduce((sum2, weight) => sum2 + weight, 0);
  return JSON.stringify({
    $schema: "https://www.speedscope.app/file-format-schema.json",
    name,
    shared: { frames },
    profiles: [{ type: "sampled", name, unit: "microseconds", startValue: 0, endValue, samples: stacks, weights }]
  });
}

// entrypoint/profile/profile-arm.ts
import { setTimeout as sleep } from "node:timers/promises";

// entrypoint/measure/hey.ts
var TEMPLATE = '{"total":{{.Total.Nanoseconds}},"num":{{.NumRes}},"errors":"{{printf "%x" (jsonify .ErrorDist)}}","lats":{{jsonify .Lats}},"offsets":{{jsonify .Offsets}},"codes":{{jsonify .StatusCodes}}}';
var TIMEOUT_S = 10;
var COUNTED_TIMEOUT_S = 120;
function heyArguments(url, { workload, load: load3 }, seconds2, heldS = 0) {
  const intervalS = intervalOf(load3);
  const rate2 = intervalS === void 0 ? [] : ["-q", String(1 / intervalS)];
  const timeoutS = Math.ceil(TIMEOUT_S + heldS);
  return asking(url, workload, ["-z", `${seconds2}s`, "-c", String(load3.concurrency), ...rate2, "-t", String(timeoutS)]);
}
function countedRequests(url, workload, requests, connections) {
  return asking(url, workload, ["-n", String(requests), "-c", String(connections), "-t", String(COUNTED_TIMEOUT_S)]);
}
function asking(url, workload, load3) {
  const { method, path, body, ...request2 } = requestOf(workload);
  const headers = Object.entries(request2.headers);
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return [
    ...load3,
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
  for (const [message, count3] of Object.entries(errors ?? {})) {
    const kind = errorKind(message);
    output.errors[kind] = (output.errors[kind] ?? 0) + count3;
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

// entrypoint/profile/samples.ts
var sample = external_exports.object({
  /** Names, the outermost function first. */
  stack: external_exports.array(external_exports.string()),
  /** Where each of them was, as `file:line`. Files are relative to the revision's root if they lie below. Empty between functions. */
  places: external_exports.array(external_exports.string().regex(/:\d+$/)),
  /** The number of periods of CPU time. */
  count: external_exports.number().positive()
});
var answer = external_exports.object({
  of: external_exports.number(),
  workers: external_exports.array(external_exports.object({ period_us: external_exports.number().positive().nullable(), samples: external_exports.array(sample) })).min(1)
});
function profileOf(answered, requests) {
  const read4 = answer.safeParse(answered);
  if (!read4.success) return "the server did not answer with a profile";
  const { of, workers } = read4.data;
  const periodUs = workers[0]?.period_us;
  if (!periodUs) return "its PHP does not load the extension excimer";
  if (workers.length < of) return `only ${workers.length} of ${of} workers answered`;
  if (requests === 0) return "no request was answered";
  return { requests, periodUs, samples: workers.flatMap(({ samples }) => samples) };
}

// entrypoint/profile/profile-arm.ts
var SECONDS = 4;
var PATH = "/_bench/profile";
async function profileArm(arm, cell, { engine, hey, signal }) {
  await engine.restore(arm.revision);
  const ofArm = { workload: workloadFor(cell, arm.revision), load: cell.load };
  const server = await engine.start(arm, "profile");
  try {
    const load3 = startHey(hey, heyArguments(server.url, ofArm, SECONDS), engine.loadCpus, signal);
    const { statuses } = await load3.output;
    await sleep(100, void 0, { signal });
    const requests = statuses.filter((status) => status === ofArm.workload.expect.status).length;
    return profileOf(await server.eachWorker(PATH), requests);
  } finally {
    await server.stop();
  }
}

// entrypoint/profile/report-section.ts
var NO_MARKS = /* @__PURE__ */ new Map();
function reportSection({ cell, mode, profiles }, changed) {
  const place = `<h3>${escaped(titleOf(cell, mode))}</h3>`;
  if (typeof profiles === "string") return `${place}
<p>Not profiled, because ${escaped(profiles)}.</p>
`;
  const { totals, functions, calling } = functionsOf(profiles, changed);
  const own = functions.length === 0 ? [`<p>${totals}. ${NONE2}</p>`] : [`<p>${totals}. ${MOST}:</p>`, ...table2(functions, changed)];
  return [
    place,
    ...own,
    ...calling.length === 0 ? [] : [`<p>${CALLING}:</p>`, ...table2(calling, NO_MARKS)],
    ...functions.length + calling.length === 0 ? [] : [`<p>${noteOf(functions, changed)}</p>`],
    flameGraph(profiles.base, profiles.head, titleOf(cell, mode))
  ].join("\n");
}
function table2(functions, changed) {
  return [
    "<table>",
    "<thead><tr><th>function</th><th>where</th><th>base</th><th>head</th><th>change</th></tr></thead>",
    `<tbody>${functions.map((each2) => row(each2, changed)).join("\n")}</tbody>`,
    "</table>"
  ];
}
function titleOf(cell, mode) {
  return `${cell} on ${mode}`;
}
function withSections(html, sections, title = "Where the CPU time went") {
  const end = html.lastIndexOf("</body>");
  const section = `<h2>${title}</h2>
${sections.join("")}
`;
  return end < 0 ? html + section : html.slice(0, end) + section + html.slice(end);
}
function row(each2, changed) {
  const { name, file, line, baseUs, headUs } = each2;
  const where = name === OUR_CODE ? "" : escaped(`${file}:${line}`);
  const mark = isChanged(each2, changed) ? " <strong>changed line</strong>" : "";
  const cells = [escaped(name), where + mark, us(baseUs), us(headUs), `+${us(headUs - baseUs)}`];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

// entrypoint/profile/explain.ts
var PROFILES = "profiles";
var CELLS_MOST = 3;
async function explainTime(planned, judged3, job) {
  const { settled: settled3, inputs } = planned;
  const mode = settled3.modes[1];
  const { base } = settled3.revisions;
  const cells = worst(judged3, settled3.gated, settled3.rules.explain === "always");
  if (!mode || !base || cells.length === 0) return void 0;
  try {
    const profiled = await profiledCells(planned, mode, cells, job);
    write(profiled, join(inputs.out, PROFILES));
    const changed = changedLines(await diffOf(settled3.revisions, inputs.workspace));
    showIn(join(inputs.out, "report.html"), profiled, changed);
    return profileBlock(profiled, changed);
  } catch (error) {
    if (job.signal.aborted) throw new Cancelled("The profile was cancelled.");
    job.say(`warning: the regression was not profiled: ${messageOf(error)}`);
    return void 0;
  }
}
function worst(judged3, gated, isAlways = false) {
  const known = judged3.filter(({ change: change2 }) => change2 !== null && (isAlways || change2 < 1));
  const regressed = known.filter(({ verdict }) => verdict === "regressed");
  const ordered = (regressed.length ? regressed : known).toSorted((a, b) => a.change - b.change);
  const first = ordered.filter(({ workload }, index) => ordered.findIndex((other) => other.workload === workload) === index);
  const shown2 = regressed.length ? first.slice(0, CELLS_MOST) : first.slice(0, 1);
  return shown2.flatMap(({ workload, load: load3 }) => gated.find((cell) => cellName(cell) === `${workload}/${load3}`) ?? []);
}
async function profiledCells(planned, mode, cells, job) {
  const { engine, tools, inputs } = planned;
  const missing = mode.via === "command" ? "its server is not ours" : await missingOn(planned, inputs.yes, job);
  if (missing) return cells.map((cell) => ({ cell: cellName(cell), mode: mode.name, profiles: missing }));
  const options = { engine, hey: tools.hey, signal: job.signal };
  const profiled = [];
  for (const cell of cells) {
    job.say(`profile: ${cellName(cell)} on ${mode.name}, base and head`);
    const base = await profileArm({ revision: "base", mode }, cell, options);
    const head = typeof base === "string" ? base : await profileArm({ revision: "head", mode }, cell, options);
    const profiles = typeof base === "string" || typeof head === "string" ? String(head) : { base, head };
    profiled.push({ cell: cellName(cell), mode: mode.name, profiles });
  }
  return profiled;
}
async function missingOn({ engine, tools }, yes, { say }) {
  const { php } = tools.binaries;
  if (engine.name !== "host" || !php) return void 0;
  return provideProfiler(php, { yes, say });
}
async function diffOf({ base, head }, workspace) {
  const range = [base?.commit, head.commit];
  return await new Git(workspace).try("diff", "--unified=0", "--no-prefix", "--no-color", "--no-ext-diff", "--no-textconv", ...range) ?? "";
}
function write(cells, directory) {
  for (const { cell, mode, profiles } of cells) {
    if (typeof profiles === "string") continue;
    mkdirSync(directory, { recursive: true });
    const { base, head } = profiles;
    writeFileSync(join(directory, `${cell.replace("/", "_")}_${mode}.svg`), flameGraph(base, head, titleOf(cell, mode)));
    for (const [revision, profile] of Object.entries(profiles)) {
      const name = `${cell.replace("/", "_")}_${revision}_${mode}`;
      writeFileSync(join(directory, `${name}.collapsed`), collapsed(profile));
      writeFileSync(join(directory, `${name}.speedscope.json`), speedscope(profile, name));
    }
  }
}
function showIn(report, cells, changed) {
  const sections = cells.map((cell) => reportSection(cell, changed));
  if (existsSync(report)) writeFileSync(report, withSections(readFileSync(report, "utf8"), sections));
}

// entrypoint/profile/explain-instructions.ts
import { existsSync as existsSync2, readFileSync as readFileSync2, writeFileSync as writeFileSync2 } from "node:fs";
import { join as join2 } from "node:path";

// entrypoint/measure/instructions/count-arm.ts
var WARM_UP = 10;
var WARM_UP_EACH = 2;
var TRIAL = 4;
var TARGET = 2e8;
var LONGEST_S = 60;
var FEWEST_REQUESTS = 8;
var WARM_UP_LIMIT_MS = 3e5;
var MOST_REQUESTS = 400;
function connectionsOf({ mode }, { load: load3 }) {
  return mode.via === "runtime" && mode.runtime.concurrent ? load3.concurrency : 1;
}
async function countArm(arm, cell, requestsOf, options) {
  const { requests, done } = await countedBy(arm, cell, requestsOf, options, (server, command2) => server.countWhile(command2));
  return { requests, instructions: done.instructions };
}
async function countedBy(arm, cell, requestsOf, { engine, counter, hey }, count3) {
  const workload = workloadFor(cell, arm.revision);
  const connections = connectionsOf(arm, cell);
  const server = await engine.startCounted(arm, counter);
  const ask2 = async (wanted, by) => {
    const requests = rounded(wanted, connections);
    const done = await by(server, pinned([hey, ...countedRequests(server.url, workload, requests, connections)], engine.loadCpus));
    refuseFailures(done, requests, workload.expect.status);
    return { requests, done };
  };
  const whole2 = (of, command2) => of.countWhile(command2);
  try {
    await ask2(Math.max(WARM_UP, WARM_UP_EACH * connections), uncounted);
    await ask2(TRIAL, whole2);
    const begun = Date.now();
    const { requests, done } = await ask2(TRIAL, whole2);
    const each2 = { instructions: done.instructions / requests, seconds: (Date.now() - begun) / 1e3 / requests };
    const counted = await ask2(requestsOf(each2), count3);
    const lost = await server.lost();
    if (lost) throw new MeasurementError(lost);
    return counted;
  } finally {
    await server.stop();
  }
}
async function uncounted(_, command2) {
  return { ...await exec(command2, { ...apart(), timeoutMs: WARM_UP_LIMIT_MS }), instructions: 0 };
}
function requestsFor({ instructions, seconds: seconds2 }) {
  return Math.max(FEWEST_REQUESTS, Math.min(MOST_REQUESTS, Math.round(TARGET / instructions), Math.floor(LONGEST_S / seconds2)));
}
function rounded(requests, connections) {
  return Math.ceil(requests / connections) * connections;
}
function refuseFailures(done, requests, status) {
  if (done.code !== 0) throw new MeasurementError(`hey ended with ${done.code}: ${lastLine(done.stderr)}`);
  const { statuses } = parseHey(done.stdout);
  const succeeded = statuses.filter((found) => found === status).length;
  if (succeeded !== requests)
    throw new MeasurementError(`${requests - succeeded} of ${requests} requests failed while instructions were counted`);
}

// entrypoint/profile/c-functions.ts
var FUNCTIONS_SHOWN2 = 10;
var LEAST_SHARE = 0.01;
var MEANINGS = [
  [
    /^(compile_file|compile_filename|compile_string|zend_compile\w*|zendparse|lex_scan|zendlex|pass_two|zend_ast_\w+|zend_optimize\w*|zend_ini_parse|init_op_array|destroy_op_array)$/,
    "PHP code is compiled in each request: OPcache is off, a path is new, or code is evaluated"
  ],
  [
    /^(zif_include|zend_include_or_eval|zend_resolve_path|php_resolve_path\w*|virtual_file_ex|tsrm_realpath_r)$/,
    "files are included, and their paths looked up"
  ],
  [/^(gc_\w+|zend_gc_\w+|zend_objects_store_free\w*)$/, "more objects and arrays may be in cycles, which the garbage collector visits"],
  [/^(zif_json_encode|php_json_encode\w*|php_json_escape_string|smart_str_append_double)$/, "more is encoded as JSON"],
  [/^(zif_json_decode|php_json_decode\w*|php_json_(yy)?parse\w*|php_json_scan\w*)$/, "more is decoded from JSON"],
  [/^(zif_preg_\w+|php_pcre_\w+|pcre_get_compiled_regex\w*|pcre2_\w+)$/, "regular expressions are matched"],
  [/^(php_var_(un)?serialize\w*|zif_(un)?serialize|var_(tmp_)?replace)$/, "values are serialized or read back"],
  [/^(PHP_(MD5|SHA|XXH|CRC)\w*|php_hash_\w+|zif_(md5|sha1|hash|crc32)\w*)$/, "hashes are computed"],
  [/^(php_(pdo|mysqlnd)_\w+|mysqlnd_\w+|zim_PDO\w*|PQ\w+|sqlite3_?\w*)$/, "more is asked of the database, or more rows are read"],
  [/^(zif_sort|zif_usort|zend_sort\w*|zend_insert_sort|zend_hash_sort\w*|php_array_\w+compare\w*)$/, "arrays are sorted"],
  [
    /^(zend_lookup_class\w*|zend_fetch_class\w*|zend_do_link_class|zend_do_inheritance\w*|spl_perform_autoload|do_bind_class)$/,
    "classes are looked up or loaded"
  ],
  [/^(zend_call_function|zend_call_known_function|zend_is_callable\w*|zend_fcall_info\w*)$/, "callbacks are called"],
  [
    /^(zend_std_\w+|zend_objects_\w+|object_init_ex|object_properties_init|rebuild_object_properties\w*)$/,
    "objects are created, or their properties used"
  ],
  [/^(zend_hash_\w+|_zend_hash_\w+|zend_array_\w+|_zend_new_array\w*|zend_symtable\w*)$/, "arrays are built, searched or copied"],
  [/^(execute_ex|zend_execute\w*|zend_vm_\w+|ZEND_\w+_HANDLER)$/, "PHP code itself runs more steps"],
  [
    /^(zend_str\w*|zend_string_\w+|php_str\w*|php_trim|php_addslashes|smart_str_\w+|php_implode|php_explode|zif_str\w*|zif_implode|zif_explode|concat_function|zend_memnstr\w*)$/,
    "strings are built or searched"
  ],
  [
    /^(_?_?e?(malloc|calloc|realloc|free)\w*|_e(malloc|free|realloc|calloc)\w*|_int_(malloc|free|realloc)|zend_mm_\w+|unlink_chunk\S*)$/,
    "memory is allocated and freed"
  ],
  [/^(_dl_\w+|do_lookup_x|check_match)$/, "libraries are loaded: a process is started in each request"],
  [/^__?mem(cpy|move|set|cmp)\w*$/, "memory is copied or compared"]
];
var UNNAMED = /^0x[0-9a-f]+$/;
function costsIn(dumps) {
  const costs = /* @__PURE__ */ new Map();
  for (const dump of dumps) addCosts(dump, costs);
  return costs;
}
function addCosts(dump, costs) {
  const names2 = { ob: /* @__PURE__ */ new Map(), fn: /* @__PURE__ */ new Map() };
  const nameOf4 = (kind, text) => {
    const [, id = "", name] = /^\((\d+)\)(?: (.+))?$/.exec(text) ?? [];
    if (name !== void 0) names2[kind].set(id, name);
    return names2[kind].get(id) ?? text;
  };
  let object = "";
  let current = "";
  let isCall = false;
  for (const line of dump.split("\n")) {
    const [, key, value = ""] = /^(c?ob|c?fn|calls)=(.*)$/.exec(line) ?? [];
    if (key === "ob") object = nameOf4("ob", value);
    else if (key === "cob") nameOf4("ob", value);
    else if (key === "fn") current = labelOf(nameOf4("fn", value), object);
    else if (key === "cfn") nameOf4("fn", value);
    else if (key === "calls") isCall = true;
    else {
      const [, cost] = /^[+*-]?\d* (\d+)$/.exec(line) ?? [];
      if (cost === void 0) continue;
      if (!isCall) costs.set(current, (costs.get(current) ?? 0) + Number(cost));
      isCall = false;
    }
  }
}
function labelOf(name, object) {
  const library = object.split("/").at(-1) || "???";
  const plain2 = name.replace(/'\d+$/, "");
  return `${UNNAMED.test(plain2) ? "functions without a symbol" : plain2} (${library})`;
}
function grownC(base, head) {
  const total2 = totalOf(head) - totalOf(base);
  return [.../* @__PURE__ */ new Set([...base.costs.keys(), ...head.costs.keys()])].map((name) => ({ name, base: each(base, name), head: each(head, name), meaning: meaningOf(name) })).filter((of) => of.head - of.base > LEAST_SHARE * Math.max(0, total2)).sort((a, b) => b.head - b.base - (a.head - a.base)).slice(0, FUNCTIONS_SHOWN2);
}
function totalOf({ requests, costs }) {
  return [...costs.values()].reduce((sum2, cost) => sum2 + cost, 0) / requests;
}
function meaningsOf(functions) {
  const grown3 = /* @__PURE__ */ new Map();
  for (const { meaning, base, head } of functions) if (meaning) grown3.set(meaning, (grown3.get(meaning) ?? 0) + head - base);
  return [...grown3].sort(([, a], [, b]) => b - a).map(([meaning]) => meaning);
}
function each({ requests, costs }, name) {
  return (costs.get(name) ?? 0) / requests;
}
function meaningOf(name) {
  const [plain2 = ""] = name.split(" (");
  return MEANINGS.find(([pattern]) => pattern.test(plain2))?.[1] ?? "";
}

// entrypoint/profile/instruction-block.ts
var INSTRUCTIONS_TITLE = "Where the instructions went";
var HEADS = ["C function (library)", "base", "head", "change", "meaning"];
var NOTE = "One further count of each revision with Valgrind, which decides nothing. Functions count without those that they call.";
function instructionBlock(cells) {
  const sections = cells.map((of) => {
    const place = `${code(of.cell)} on ${code(of.mode)}`;
    if (typeof of.counts === "string") return `${place}: not counted by function, because ${of.counts}.
`;
    const { told: told2, functions } = shown(of.counts);
    if (functions.length === 0) return `${place}: ${told2}
`;
    const rows = functions.map((each2) => `| ${[code(each2.name), ...figures(each2)].join(" | ")} |`);
    return [`${place}: ${told2}`, "", `| ${HEADS.join(" | ")} |`, "|---|--:|--:|--:|---|", ...rows, "", NOTE, ""].join("\n");
  });
  return `
<details open><summary>${INSTRUCTIONS_TITLE}</summary>

${sections.join("\n")}
</details>
`;
}
function instructionSection({ cell, mode, counts }) {
  const place = `<h3>${escaped(`${cell} on ${mode}`)}</h3>`;
  if (typeof counts === "string") return `${place}
<p>Not counted by function, because ${escaped(counts)}.</p>
`;
  const { told: told2, functions } = shown(counts);
  if (functions.length === 0) return `${place}
<p>${told2}</p>
`;
  const line = (tag, cells) => `<tr>${cells.map((each2) => `<${tag}>${escaped(each2)}</${tag}>`).join("")}</tr>`;
  const rows = functions.map((each2) => line("td", [each2.name, ...figures(each2)]));
  return `${place}
<p>${told2}</p>
<table>
<thead>${line("th", HEADS)}</thead>
<tbody>${rows.join("\n")}</tbody>
</table>
<p>${NOTE}</p>
`;
}
function shown({ base, head }) {
  const functions = grownC(base, head);
  const [first, ...others] = meaningsOf(functions);
  const totals = `${whole(totalOf(head))} instructions per request in head, ${whole(totalOf(base))} in base.`;
  if (functions.length === 0) return { told: `${totals} No function executes more by itself.`, functions };
  const most = first === void 0 ? "" : ` Most of the known growth: ${first}.`;
  const also = others.length > 0 ? ` Also: ${others.slice(0, 2).join("; ")}.` : "";
  return { told: totals + most + also, functions };
}
function figures({ base, head, meaning }) {
  return [whole(base), whole(head), `+${whole(head - base)}`, meaning];
}
function whole(value) {
  return Math.round(value).toLocaleString("en-US");
}

// entrypoint/profile/explain-instructions.ts
var LONGEST_MS = 12e4;
async function explainInstructions(planned, judged3, job) {
  const { settled: settled3, inputs, engine, tools } = planned;
  const mode = settled3.modes[1];
  const cells = worst(judged3, settled3.gated);
  if (!mode || cells.length === 0) return void 0;
  const options = { engine, counter: "valgrind", hey: tools.hey };
  const end = Date.now() + LONGEST_MS;
  const why = (await engine.counters()).includes("valgrind") ? void 0 : "Valgrind is not installed";
  const counted = [];
  for (const cell of cells) {
    if (Date.now() > end) {
      counted.push({ cell: cellName(cell), mode: mode.name, counts: "the time for it was over" });
      continue;
    }
    job.say(`instructions by function: ${cellName(cell)} on ${mode.name}, base and head`);
    counted.push({ cell: cellName(cell), mode: mode.name, counts: why ?? await countsOf(cell, mode, options, job) });
  }
  const report = join2(inputs.out, "report.html");
  const sections = counted.map(instructionSection);
  if (existsSync2(report)) writeFileSync2(report, withSections(readFileSync2(report, "utf8"), sections, INSTRUCTIONS_TITLE));
  return instructionBlock(counted);
}
async function countsOf(cell, mode, options, { signal }) {
  let requests;
  const once = (each2) => {
    requests ??= requestsFor(each2);
    return requests;
  };
  try {
    const found = [];
    for (const revision of ["base", "head"]) {
      signal.throwIfAborted();
      await options.engine.restore(revision);
      const { requests: asked2, done } = await countedBy(
        { revision, mode },
        cell,
        once,
        options,
        (server, command2) => server.countFunctionsWhile(command2)
      );
      found.push({ requests: asked2, costs: costsIn(done.dumps) });
    }
    const [base, head] = found;
    return { base, head };
  } catch (error) {
    if (signal.aborted) throw new Cancelled("The count was cancelled.");
    return messageOf(error).split("\n")[0];
  }
}

// entrypoint/analyse/differences.ts
import { existsSync as existsSync3, readFileSync as readFileSync3 } from "node:fs";
import { join as join3 } from "node:path";
async function differencesOf({ base, head }, { servers, statements, loaded: loaded2 }, served, workspace) {
  if (!base) return void 0;
  const changed = await new Git(workspace).try("diff", "--name-only", "-z", "--no-renames", base.commit, head.commit);
  const { dockerfile } = served.docker;
  return {
    servers,
    statements,
    loaded: loaded2,
    packages: { base: packagesIn(base), head: packagesIn(head) },
    files: (changed ?? "").split("\0").filter(Boolean),
    bootstrap: [entryPathOf(served), ...dockerfile ? [dockerfile] : []]
  };
}
function packagesIn({ directory }) {
  for (const name of ["vendor/composer/installed.json", "composer.lock"]) {
    const file = join3(directory, name);
    if (!existsSync3(file)) continue;
    try {
      const { packages } = JSON.parse(readFileSync3(file, "utf8"));
      return Object.fromEntries((packages ?? []).map(({ name: of, version }) => [String(of), String(version)]));
    } catch {
    }
  }
  return {};
}

// entrypoint/analyse/draw-search.ts
import { rmSync, writeFileSync as writeFileSync3 } from "node:fs";
import { join as join4 } from "node:path";
async function drawSearch({ searched, settled: settled3, inputs, tools }, { say }) {
  if (!searched) return;
  const directory = scratch();
  try {
    const request2 = join4(directory, "request.json");
    const modes = settled3.modes.map(({ name }) => name);
    writeFileSync3(request2, JSON.stringify({ samples: searched.file, modes, best: searched.best, out: join4(inputs.out, "plots") }));
    const command2 = [tools.rscript, "--vanilla", join4(PACKAGE, "r", "search.R"), request2];
    const done = await exec(command2, { ...apart({ TZ: "UTC" }), timeoutMs: 12e4 });
    say(done.code === 0 ? `search: ${join4(inputs.out, "plots", "search.png")}` : `warning: plots/search.png: ${lastLine(done.stderr)}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
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
import { existsSync as existsSync4 } from "node:fs";
import { join as join5 } from "node:path";
async function openCells(planned, look2, job) {
  const { analysis } = await analyseJob(planned, job, { look: look2, report: false });
  return (analysis?.open ?? []).map(({ workload, load: load3 }) => `${workload}/${load3}`);
}
function judge(measured, job, differences2) {
  return analyseJob(measured, job, { look: measured.measured.look, report: true, differences: differences2 });
}
async function analyseJob({ inputs, settled: settled3, tools, plan: plan2 }, job, { look: look2, report, differences: differences2 }) {
  const { out } = inputs;
  const { modes, rules, coverage } = settled3;
  const run2 = join5(out, "run.json");
  const { analysis, summary } = await analyse({
    rscript: tools.rscript,
    samples: [join5(out, "samples.csv")],
    out,
    run: existsSync4(run2) ? run2 : void 0,
    modes: modes.map((mode) => mode.name),
    gate: rules.gate,
    looks: plan2.looks,
    look: look2,
    report,
    differences: differences2
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

// entrypoint/analyse/suspects.ts
var FILES_SHOWN = 15;
var BOOTSTRAP = /(^|\/)(bootstrap|config|bench|\.env[^/]*)(\/|$)|(^|\/)(composer\.(json|lock)|index\.php|Dockerfile[^/]*|Kernel\.php|[^/]+\.ini)$/i;
var NOTHING = "No difference: PHP, extensions, settings, hook flags, packages, statements and bootstrap files are the same. Look at the code that a request runs.";
function suspects(differences2) {
  const found = [
    ...ofStatements(differences2.statements),
    ...ofServers(differences2.servers),
    ...ofPackages(differences2.packages),
    ...ofFiles(differences2),
    ...ofLoaded(differences2)
  ];
  return found.length ? found : [NOTHING];
}
function blockOf(sentences) {
  const list2 = sentences.map((sentence2) => `- ${sentence2}`).join("\n");
  return `
<details open><summary>What differs between base and head and can move the gain</summary>

${list2}

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
var MEASURED = /^(waits|waits_ms|waits_overlap|sapi)$/;
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
  return starting.length ? [`files that start the app: ${firstOf(starting.map(code))} (of ${files.length} changed ${files.length === 1 ? "file" : "files"})`] : [];
}
function ofLoaded({ files, loaded: loaded2 }) {
  const arms = Object.entries(loaded2).flatMap(
    ([name, workloads]) => Object.entries(workloads).map(([workload, { perRequest: perRequest2, files: of }]) => ({
      of: new Set(of),
      perRequest: perRequest2,
      by: perRequest2 ? code(workload) : `in ${code(name.split("/")[1])}`
    }))
  );
  const changed = files.flatMap((file) => {
    const loading = arms.filter(({ of }) => of.has(file));
    const exact = loading.filter(({ perRequest: perRequest2 }) => perRequest2);
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
  const { inputs, settled: settled3, checked } = measured;
  const { revisions, served } = settled3;
  const differences2 = await differencesOf(revisions, checked, served.head, inputs.workspace);
  const listed3 = differences2 && suspects(differences2);
  const judged3 = { ...await judge(measured, job, listed3), baseLabel: revisions.base?.label };
  await drawSearch(measured, job);
  const failures = shownFailures(measured.measured.notes);
  const outcome = failures.length ? { ...detailed(judged3, whyRunsFailed(failures)), reasons: [...judged3.reasons, ...failures.map(failureInALine)] } : judged3;
  const hasRegressed = outcome.verdict === "regressed";
  const isAlways = settled3.rules.explain === "always" && !inputs.study && outcome.verdict !== "invalid";
  if (!hasRegressed && !isAlways) return outcome;
  const isTimed = outcome.analysis?.metric === "goodput";
  const isSlower = (outcome.analysis?.timing_verdict ?? outcome.verdict) === "regressed";
  const timed = [...outcome.analysis?.cells ?? [], ...outcome.analysis?.metrics.cpu?.cells ?? []];
  const profiles = isTimed && (isSlower || isAlways) ? await explainTime(measured, timed, job) : void 0;
  const lost = outcome.analysis?.metrics.instructions?.cells.filter(({ verdict }) => verdict === "regressed") ?? [];
  const functions = lost.length > 0 ? await explainInstructions(measured, lost, job) : void 0;
  return detailed(outcome, ...[hasRegressed && listed3 && blockOf(listed3), profiles, functions].filter((block) => typeof block === "string"));
}
function detailed(outcome, ...blocks) {
  return { ...outcome, parts: { ...outcome.parts, details: [...outcome.parts.details ?? [], ...blocks] } };
}

// entrypoint/checks/check-production.ts
import { join as join7 } from "node:path";

// entrypoint/checks/calls.ts
import { readFileSync as readFileSync4, readlinkSync } from "node:fs";
import { setTimeout as sleep2 } from "node:timers/promises";
var EVERY_MS = 10;
var SHARE = 0.3;
var NAMES = {
  x64: {
    ...{ 0: "read", 1: "write", 7: "poll", 23: "select", 35: "nanosleep", 42: "connect", 45: "recvfrom", 47: "recvmsg", 61: "wait4" },
    ...{ 72: "fcntl", 73: "flock", 74: "fsync", 202: "futex", 230: "clock_nanosleep", 232: "epoll_wait", 270: "pselect6", 271: "ppoll" },
    281: "epoll_pwait"
  },
  arm64: {
    ...{ 22: "epoll_pwait", 25: "fcntl", 32: "flock", 63: "read", 64: "write", 72: "pselect6", 73: "ppoll", 82: "fsync", 98: "futex" },
    ...{ 101: "nanosleep", 115: "clock_nanosleep", 203: "connect", 207: "recvfrom", 212: "recvmsg", 260: "wait4" }
  }
};
var OF_LOOPS = /* @__PURE__ */ new Set(["select", "pselect6", "epoll_wait", "epoll_pwait"]);
var OF_PHP = {
  nanosleep: "sleep(), usleep()",
  clock_nanosleep: "sleep(), usleep()",
  poll: "PDO, streams or curl without a hook",
  ppoll: "PDO, streams or curl without a hook",
  flock: "flock(), sessions in files",
  fcntl: "locks of files",
  wait4: "exec(), proc_close()"
};
var OF_DESCRIPTOR = /* @__PURE__ */ new Set(["read", "write", "connect", "recvfrom", "recvmsg", "flock", "fcntl", "fsync"]);
var Calls = class {
  constructor(pids) {
    this.pids = pids;
  }
  pids;
  seen = /* @__PURE__ */ new Map();
  /** The number of samples. 0 if /proc shows nothing. */
  samples = 0;
  /** Takes samples during the work. */
  async during(work) {
    let isOver2 = false;
    const done = work().finally(() => {
      isOver2 = true;
    });
    done.catch(() => {
    });
    while (!isOver2) {
      for (const pid of this.pids) this.sample(pid);
      await sleep2(EVERY_MS);
    }
    return done;
  }
  /** Whether the worker could be sampled and was hardly ever in a blocking call. */
  get areIdle() {
    const blocked = [...this.seen.values()].reduce((sum2, count3) => sum2 + count3, 0);
    return this.samples > 0 && blocked < SHARE * this.samples;
  }
  /** Part of a sentence, or '' if no call was seen. */
  named() {
    const [most] = [...this.seen].sort(([, a], [, b]) => b - a);
    return most ? `; its worker sits in ${most[0]}` : "";
  }
  sample(pid) {
    const line = read(`/proc/${pid}/syscall`);
    if (line === "") return;
    this.samples++;
    const call = callOf(line, (fd) => openOf(pid, fd));
    if (call) this.seen.set(call, (this.seen.get(call) ?? 0) + 1);
  }
};
function callOf(line, open2, architecture = process.arch) {
  const [number = "", first] = line.trim().split(" ");
  if (!/^\d+$/.test(number)) return void 0;
  const name = NAMES[architecture]?.[Number(number)];
  if (name === void 0) return `system call ${number}`;
  if (OF_LOOPS.has(name)) return void 0;
  const ofPhp = OF_PHP[name];
  const what = OF_DESCRIPTOR.has(name) ? open2(Number(first)) : "";
  return `${name}()${ofPhp ? ` (${ofPhp})` : ""}${what && ` of ${what}`}`;
}
function openOf(pid, fd) {
  try {
    const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode === void 0) return target.startsWith("/") ? "a file" : "a pipe";
    return `a connection${portOf(inode, socketsOf([]))}`;
  } catch {
    return "";
  }
}
function portOf(inode, table3) {
  const rows = table3.split("\n").map((line) => line.trim().split(/\s+/));
  const port = rows.find((fields) => fields[9] === inode)?.[2]?.split(":")[1];
  return port ? ` to port ${Number.parseInt(port, 16)}` : "";
}
function read(file) {
  try {
    return readFileSync4(file, "utf8");
  } catch {
    return "";
  }
}

// entrypoint/checks/finding.ts
function placed(workload) {
  const { method, path } = requestOf(workload);
  return { workload: workload.name, route: `${method} ${path}` };
}
function notChecked(why) {
  return { state: "not-checked", sentence: why };
}
function owed(why) {
  return { ...notChecked(why), isOwed: true };
}
var WORSE = 2;
function isBreak(head, base) {
  if (head.state !== "broken" || base?.state === "not-checked") return false;
  if (base?.state !== "broken") return true;
  return head.figure !== void 0 && base.figure !== void 0 && head.figure.low > WORSE * base.figure.high;
}

// entrypoint/checks/context.ts
var TIME_IS_OVER = "the time for checks was over";
function isOver({ deadline }) {
  return Date.now() >= deadline;
}
async function withServer(context, revision, work, purpose = "check") {
  context.signal.throwIfAborted();
  await context.engine.restore(revision);
  return withFresh(context, revision, work, purpose);
}
async function withFresh({ engine, mode }, revision, work, purpose = "check") {
  const server = await engine.start({ revision, mode }, purpose);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}
async function eachRoute(context, check3) {
  const found = [];
  for (const revision of context.revisions) {
    for (const route of context.routesOf(revision)) {
      const ofRoute = isOver(context) ? owed(TIME_IS_OVER) : await check3(revision, route);
      found.push({ revision, ...placed(route), ...ofRoute });
    }
  }
  return found;
}
async function workersOf({ engine }, server) {
  if (engine.name !== "host") return [];
  const told2 = external_exports.object({ workers: external_exports.array(external_exports.object({ pid: external_exports.number() })) }).parse(await server.eachWorker("/_bench/counters"));
  return told2.workers.map(({ pid }) => pid);
}

// entrypoint/checks/hooks.ts
var answer2 = external_exports.object({
  extensions: external_exports.record(external_exports.string(), external_exports.string()),
  swoole: external_exports.object({ hook_flags: external_exports.number().nullable(), hooks_pdo_pgsql: external_exports.boolean() }).nullable()
});
var HOOKLESS = /^(pgsql|pdo_dblib|pdo_sqlsrv|sqlsrv|memcached|amqp|ldap|imap|ssh2|ftp|grpc|couchbase|cassandra|interbase)$/i;
async function hooksOf(mode, server) {
  if (mode.via !== "runtime") return "";
  if (!mode.runtime.overlapsWaiting) return `; ${mode.name} has no hooks for PHP's own waits`;
  return unhookedIn(answer2.parse(JSON.parse((await ask(`${server.url}/_bench/facts`)).body)));
}
function unhookedIn({ extensions, swoole }) {
  if (swoole === null) return "";
  if (swoole.hook_flags === 0) return "; Swoole's hooks are off";
  const drivers = Object.keys(extensions).filter((name) => HOOKLESS.test(name) || name === "pdo_pgsql" && !swoole.hooks_pdo_pgsql);
  return drivers.length > 0 ? `; loaded without a hook: ${drivers.join(", ")}` : "";
}

// entrypoint/checks/blocking.ts
var TOGETHER = 8;
var WINDOW_S = 1;
var TRIES = 3;
var LEAST_WAIT_MS = 1;
var OVERLAPPED = 0.5;
var ONE_BY_ONE = "its workers serve one request at a time";
var blocking = async (context) => {
  const { mode } = context;
  const isAlone = mode.via === "runtime" && !mode.runtime.concurrent;
  if (isAlone) return eachRoute({ ...context, deadline: Number.POSITIVE_INFINITY }, async () => notChecked(ONE_BY_ONE));
  return eachRoute(context, (revision, route) => check(context, revision, route));
};
async function check(context, revision, route) {
  return withServer(context, revision, async (server) => {
    await waitOf(context, server, route, TOGETHER);
    const seen = [];
    const worker = await workersOf(context, server);
    const calls = new Calls(worker);
    for (let tried2 = 0; tried2 < TRIES; tried2++) {
      const alone = await waitOf(context, server, route, 1, worker);
      const together = await calls.during(() => waitOf(context, server, route, TOGETHER, worker));
      if (alone === void 0 || together === void 0) return owed("no request was answered");
      seen.push({ aloneMs: alone, togetherMs: together });
      if (overlapOf(seen).state === "held" || isOver(context)) break;
    }
    const found = overlapOf(seen);
    if (found.state !== "broken") return found;
    if (calls.areIdle) return { state: "held", sentence: "its worker waited for requests, and in no call: the machine was busy" };
    return { ...found, sentence: `${found.sentence}${calls.named()}${await hooksOf(context.mode, server)}` };
  });
}
function overlapOf(seen) {
  const best = seen.reduce((a, b) => b.togetherMs < a.togetherMs ? b : a);
  const { aloneMs, togetherMs } = best;
  if (Math.max(aloneMs, togetherMs) < LEAST_WAIT_MS) return { state: "held", sentence: "it hardly waits" };
  const figures2 = `one request at a time waits ${aloneMs.toFixed(1)} ms, ${TOGETHER} at a time ${Math.max(0, togetherMs).toFixed(1)} ms each`;
  if (togetherMs < LEAST_WAIT_MS || togetherMs < OVERLAPPED * aloneMs)
    return { state: "held", sentence: `its waiting overlaps: ${figures2}` };
  return { state: "broken", sentence: `its waiting does not overlap: ${figures2}` };
}
async function waitOf({ hey, engine, signal }, server, workload, concurrency, worker = []) {
  await server.usage();
  const [before, delayBefore] = [await server.clock(), delayUsOf(worker)];
  const args = heyArguments(server.url, { workload, load: { name: "check", concurrency } }, WINDOW_S);
  const { statuses, offsetsS, latenciesS } = await startHey(hey, args, engine.loadCpus, signal).output;
  const [after, delayAfter] = [await server.clock(), delayUsOf(worker)];
  if (statuses.length === 0) return void 0;
  const lastMs = 1e3 * Math.max(...offsetsS.map((offset, i) => offset + latenciesS[i]));
  const spentMs = lastMs - (after.cpuUs - before.cpuUs) / 1e3 - (delayAfter - delayBefore) / 1e3;
  return spentMs / statuses.length;
}

// entrypoint/preflight/mask.ts
import { runInNewContext } from "node:vm";
var LIMIT_MS = 1e3;
function masked(text, patterns, limitMs = LIMIT_MS) {
  return patterns.reduce((before, pattern) => {
    try {
      return runInNewContext('text.replace(new RegExp(pattern, "g"), "*")', { text: before, pattern }, { timeout: limitMs });
    } catch (error) {
      if (error.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new MeasurementError(
        `mask ${JSON.stringify(pattern)} took more than ${limitMs} ms for a response of ${before.length} characters. Write it without nested repetitions.`
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
  const advice2 = added.length === 0 ? ` ${LOST}` : "";
  return `expected ${quoted(missing)}, got ${quoted(added)}.${advice2} If the difference is allowed, add it to the workload's mask, which also applies to header lines.`;
}
var LOST = "header(), setcookie() and session_start() of PHP reach the client under FPM only. The response that the app returns must contain the header.";
function quoted(lines) {
  return lines.length ? lines.map((line) => JSON.stringify(line)).join(" and ") : "no such header";
}

// entrypoint/preflight/answers.ts
var LIMIT_MS2 = 3e4;
function armName(arm) {
  return `${arm.revision}/${arm.mode.name}`;
}
function placeOf(arm, workload) {
  return `${armName(arm)}, workload ${workload.name}`;
}
async function answerOf2(server, workload, place, id) {
  const { path, ...request2 } = requestOf(workload, id);
  try {
    return await ask(server.url + path, { ...request2, timeoutMs: LIMIT_MS2 });
  } catch (error) {
    throw new AppFailure(
      `${place}: ${request2.method} ${path}: expected an answer with status ${workload.expect.status}, but: ${messageOf(error)}`,
      workload.name
    );
  }
}
async function rightAnswer(server, workload, place, id) {
  const answer5 = await answerOf2(server, workload, place, id);
  const { expect: expect2 } = workload;
  const { method, path } = requestOf(workload, id);
  const excerpt = JSON.stringify(answer5.body.slice(0, 200));
  if (answer5.status !== expect2.status) {
    throw new AppFailure(
      `${place}: ${method} ${path}: expected status ${expect2.status}, got ${answer5.status} with ${excerpt}`,
      workload.name
    );
  }
  if (expect2.contains !== void 0 && !answer5.body.includes(expect2.contains)) {
    throw new AppFailure(
      `${place}: ${method} ${path}: expected a body with ${JSON.stringify(expect2.contains)}, got ${excerpt}`,
      workload.name
    );
  }
  return answer5;
}
async function referenceOf(server, arm, workload) {
  const place = placeOf(arm, workload);
  const answer5 = await rightAnswer(server, workload, place);
  const encoding = answer5.headers["content-encoding"];
  if (encoding) {
    throw new MeasurementError(
      `${place}: the response has Content-Encoding: ${encoding}, but the request accepts none. Compression would count in one mode only; turn it off.`
    );
  }
  return { body: masked(answer5.body, workload.mask), headers: comparedHeaders(answer5, server.url, workload.mask) };
}
function compare(references, arm, workload, found, alone) {
  const key = `${arm.revision} ${workload.name}`;
  const first = references.get(key);
  references.set(key, first ?? { ...found, arm, alone });
  if (first) refuseDifferent(first, arm, workload, found, alone);
  const base = references.get(`base ${workload.name}`);
  if (first || arm.revision === "base" || !base) return void 0;
  return base.body === found.body && !headerDifference(base.headers, found.headers) ? void 0 : `\`${workload.name}\`: head's response differs from base's; the comparison includes the cost of that.`;
}
function refuseDifferent(expected, arm, workload, found, alone) {
  const { method, path } = requestOf(workload);
  const place = `${placeOf(arm, workload)}: ${method}`;
  const headers = headerDifference(expected.headers, found.headers);
  const refuse = (message) => {
    throw new AppFailure(message, workload.name, "", "answers differently in its modes");
  };
  if (headers) refuse(`${place} ${path}: the headers differ from those of ${armName(expected.arm)}: ${headers}`);
  for (const [id, body] of alone) {
    const reference = expected.alone.get(id);
    if (reference === void 0 || reference === body) continue;
    refuse(
      `${place} ${requestOf(workload, id).path}: answers differently from ${armName(expected.arm)}. ${difference(reference, body)} If the difference is allowed, add it to the workload's mask.`
    );
  }
}
function difference(expected, found) {
  let i = 0;
  while (i < expected.length && expected[i] === found[i]) i++;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, i - 20), i + 60));
  return `At character ${i + 1}: expected ${around(expected)}, got ${around(found)}.`;
}

// entrypoint/checks/cold-start.ts
var STARTS = 3;
var FEWEST_STARTS = 2;
var REQUESTS = 100;
var LAST = 10;
var LONGEST_MS2 = 5e3;
var LATE = { times: 10, ms: 250 };
var SLOW = { times: 1.5, ms: 300 };
var coldStart = async (context) => {
  const starts = new Map(context.revisions.map((revision) => [revision, []]));
  for (let turn = 0; turn < STARTS && !isOver(context); turn++) {
    for (const revision of context.revisions) {
      const [route] = context.routesOf(revision);
      if (!route) continue;
      const begun = performance.now();
      starts.get(revision)?.push(await withServer(context, revision, async (server) => answersOf(server, route, performance.now() - begun)));
    }
  }
  const base = starts.get("base");
  return context.revisions.flatMap((revision) => {
    const [route] = context.routesOf(revision);
    if (!route) return [];
    const own = starts.get(revision);
    const found = own.length < FEWEST_STARTS ? owed(TIME_IS_OVER) : startOf(own, revision === "head" ? base : void 0);
    return [{ revision, ...placed(route), ...found }];
  });
};
async function answersOf(server, route, readyMs) {
  const times = [];
  const until3 = performance.now() + LONGEST_MS2;
  while (times.length < REQUESTS && (times.length < 2 || performance.now() < until3)) {
    const begun = performance.now();
    await answerOf2(server, route, "cold start");
    times.push(performance.now() - begun);
  }
  const last = times.slice(1).slice(-LAST).sort((a, b) => a - b);
  return { readyMs, firstMs: times[0], hundredthMs: last[Math.floor(last.length / 2)] };
}
function startOf(own, base) {
  const ready = Math.min(...own.map(({ readyMs }) => readyMs));
  const first = Math.min(...own.map(({ firstMs }) => firstMs));
  const hundredth = Math.min(...own.map(({ hundredthMs }) => hundredthMs));
  const [slowest, quickest] = [
    Math.max(...(base ?? []).map(({ readyMs }) => readyMs)),
    Math.min(...(base ?? []).map(({ readyMs }) => readyMs))
  ];
  const isSlow = base !== void 0 && ready > SLOW.times * slowest && ready > slowest + SLOW.ms;
  const isLate = first > LATE.times * hundredth && first > hundredth + LATE.ms;
  const figures2 = `ready after ${ms(ready)}, first answer after ${ms(first)}, hundredth after ${ms(hundredth)}`;
  const why = [
    ...isSlow ? [`it is ready after ${ms(ready)}, base after ${ms(quickest)}`] : [],
    ...isLate ? [`its first answer takes ${ms(first)}, its hundredth ${ms(hundredth)}`] : []
  ];
  return why.length ? { state: "broken", sentence: why.join("; ") } : { state: "held", sentence: figures2 };
}
function ms(milliseconds) {
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0)} ms`;
}

// entrypoint/checks/leak.ts
import { setTimeout as sleep3 } from "node:timers/promises";

// entrypoint/checks/growth.ts
import { rmSync as rmSync2, writeFileSync as writeFileSync4 } from "node:fs";
import { join as join6 } from "node:path";
var interval = external_exports.object({ estimate: external_exports.number(), low: external_exports.number(), high: external_exports.number(), grows: external_exports.boolean() }).nullable();
var answer3 = external_exports.array(external_exports.object({ heap: interval, whole: interval }));
async function growthOf(series, rscript) {
  const directory = scratch();
  try {
    const file = join6(directory, "soak.json");
    writeFileSync4(file, JSON.stringify(series));
    const done = await exec([rscript, "--vanilla", join6(PACKAGE, "r", "soak.R"), file], { ...apart({ TZ: "UTC" }), timeoutMs: 6e4 });
    if (done.code !== 0) throw new MeasurementError(`r/soak.R failed: ${lastLine(done.stderr)}`);
    const growths = answer3.parse(JSON.parse(done.stdout));
    return series.map((one, i) => inWords(one, growths[i]));
  } finally {
    rmSync2(directory, { recursive: true, force: true });
  }
}
function inWords({ requests, coroutines, timers }, { heap, whole: whole2 }) {
  if (!heap) return owed("too few requests were answered");
  const answered = requests.reduce((sum2, count3) => sum2 + count3, 0);
  const inSwoole = [coroutines > 0 && `${coroutines} more coroutines`, timers > 0 && `${timers} more timers`].filter(Boolean);
  const grown3 = heap.grows ? heap : whole2?.grows ? whole2 : void 0;
  if (!grown3) return { state: "held", sentence: `memory grows by ${told(heap)} over ${count(answered)} requests`, figure: figureOf(heap) };
  const where = heap.grows ? "in PHP's own memory" : "outside of PHP's own memory, so in an extension or in the server";
  const besides = inSwoole.length ? `; Swoole has ${inSwoole.join(" and ")}` : "";
  return {
    state: "broken",
    sentence: `memory grows by ${told(grown3)} over ${count(answered)} requests, ${where}${besides}`,
    figure: figureOf(grown3)
  };
}
function figureOf({ estimate, low, high }) {
  return { estimate, low, high };
}
function told({ estimate, low, high }) {
  return `${count(estimate)} KiB per 1,000 requests (95 % CI ${count(low)} to ${count(high)})`;
}
function count(value) {
  return (Math.round(value) || 0).toLocaleString("en-US");
}

// entrypoint/checks/leak.ts
var SLICES = 18;
var SHORTEST_S = 0.25;
var LONGEST_S2 = 30;
var AROUND_S = 0.25;
var SETTLING = 2;
var SLACK = 1.25;
var REST_MS = 40;
var memory = external_exports.object({
  pid: external_exports.number(),
  heap: external_exports.number(),
  mapped: external_exports.number(),
  coroutines: external_exports.number().optional(),
  timers: external_exports.number().optional()
});
var leak = async (context) => {
  const found = [];
  for (const [i, revision] of context.revisions.entries()) {
    const secondsLeft = (context.deadline - Date.now()) / 1e3;
    found.push(...await soak(context, revision, secondsLeft / (context.revisions.length - i)));
  }
  return found;
};
var NOTHING2 = { series: [], hasEnded: false };
var WORKER_ENDED = "its worker ended during the soak, before enough was seen";
async function soak(context, revision, seconds2) {
  const routes = context.routesOf(revision);
  const most = Math.floor(seconds2 / SLICES / (SHORTEST_S + AROUND_S));
  const some = routes.slice(0, most);
  const sliceS = Math.min(LONGEST_S2, seconds2) / SLICES / some.length - AROUND_S;
  const until3 = Date.now() + seconds2 * 1e3 * SLACK;
  const plan2 = { sliceS: Math.max(SHORTEST_S, sliceS), until: until3 };
  const { series, hasEnded: hasEnded2 } = some.length === 0 ? NOTHING2 : await withServer(context, revision, (server) => readings(context, server, some, plan2));
  const grown3 = series.length === 0 ? [] : await growthOf(series, context.rscript);
  const growths = grown3.map((found, i) => series[i].requests.length < SLICES && found.isOwed ? void 0 : found);
  return routes.map((workload, i) => ({ revision, ...placed(workload), ...growths[i] ?? owed(hasEnded2 ? WORKER_ENDED : TIME_IS_OVER) }));
}
async function readings(context, server, routes, { sliceS, until: until3 }) {
  const series = routes.map(() => ({ requests: [], heap: [], whole: [], coroutines: 0, timers: 0 }));
  const tookMs = [];
  let soaked = routes.length;
  let before = await reading(server, context);
  const { pid } = before;
  for (let slice2 = 0; slice2 < SLICES && Date.now() < until3; slice2++) {
    for (const [i, workload] of routes.slice(0, soaked).entries()) {
      const begun = Date.now();
      const step = async () => {
        if (routes.length > 1) before = await settled(server, workload, context);
        return { requests: await load(context, server, workload, sliceS), after: await reading(server, context) };
      };
      const taken = await step().catch(async (error) => {
        await context.engine.assertAlive();
        if (context.signal.aborted) throw error;
        return void 0;
      });
      if (taken === void 0 || taken.after.pid !== pid) return { series: slice2 === 0 ? [] : series.slice(0, soaked), hasEnded: true };
      const { requests, after } = taken;
      const of = series[i];
      of.requests.push(requests);
      of.heap.push(after.heap - before.heap);
      of.whole.push(after.outside - before.outside);
      of.coroutines += (after.coroutines ?? 0) - (before.coroutines ?? 0);
      of.timers += (after.timers ?? 0) - (before.timers ?? 0);
      before = after;
      tookMs[i] = (tookMs[i] ?? 0) + Date.now() - begun;
    }
    if (slice2 === SLICES - 1) break;
    const means = tookMs.slice(0, soaked).map((ms2) => ms2 / (slice2 + 1));
    const fits = fitting(means, until3 - Date.now(), SLICES - 1 - slice2);
    soaked = slice2 === 0 ? fits : Math.max(1, fits);
    if (soaked === 0) break;
  }
  return { series: series.slice(0, soaked), hasEnded: false };
}
function fitting(sliceMs, leftMs, slices) {
  const ends = sliceMs.map((_, i) => slices * sliceMs.slice(0, i + 1).reduce((sum2, ms2) => sum2 + ms2, 0));
  return ends.filter((ms2) => ms2 <= leftMs).length;
}
async function settled(server, workload, context) {
  const { hey, engine, concurrency, connections, signal } = context;
  const requests = Math.ceil(SETTLING * connections / concurrency) * concurrency;
  await startHey(hey, countedRequests(server.url, workload, requests, concurrency), engine.loadCpus, signal).output;
  await sleep3(REST_MS, void 0, { signal });
  return reading(server, context);
}
async function load({ engine, hey, concurrency, signal }, { url }, workload, seconds2) {
  const args = heyArguments(url, { workload, load: { name: "check", concurrency } }, seconds2);
  const { statuses } = await startHey(hey, args, engine.loadCpus, signal).output;
  await sleep3(REST_MS, void 0, { signal });
  return statuses.length;
}
async function reading(server, { engine }) {
  const [worker] = external_exports.object({ workers: external_exports.array(memory).length(1) }).parse(await server.eachWorker("/_bench/memory")).workers;
  const outside = engine.name === "host" ? (await server.usage()).memoryKib * 1024 - worker.mapped : 0;
  return { ...worker, outside };
}

// entrypoint/checks/levels.ts
function levelsOf({ checks, profile }) {
  const auto = profile === "full" ? "fail" : "off";
  const levels = CHECKS.map((name) => [name, checks[name] === "auto" ? auto : checks[name]]);
  return Object.fromEntries(levels);
}

// entrypoint/checks/of-preflight.ts
function ofPreflight({ servers }, modes, revisions) {
  return modes.flatMap(
    (mode) => revisions.flatMap((revision) => {
      const row2 = { mode: mode.name, revision, workload: null, route: null, isNew: false };
      const waits = servers[armName({ mode, revision })];
      return [
        { ...row2, check: "answers", state: "held", sentence: "alike in all modes, at full concurrency and on a cold start" },
        ...typeof waits?.waits_overlap === "boolean" ? [{ ...row2, check: "waiting", ...waiting(waits.waits_overlap, Number(waits.waits), Number(waits.waits_ms)) }] : []
      ];
    })
  );
}
function waiting(overlaps, waits, ms2) {
  const figures2 = `${waits} waits of usleep() side by side took ${ms2} ms`;
  return overlaps ? { state: "held", sentence: figures2 } : { state: "not-checked", sentence: `${figures2}; the mode does not promise that they overlap` };
}

// entrypoint/checks/pool.ts
import { setTimeout as sleep4 } from "node:timers/promises";
var TIMES = 4;
var WINDOWS_S = [0.5, 1.2, 0.5];
var REST_MS2 = 200;
var EVERY_MS2 = 20;
var LASTING = 3;
var RECOVERED = 0.25;
var GROWN = { times: 2.5, more: 4 };
var pool = (context) => eachRoute(context, (revision, route) => check2(context, revision, route));
async function check2(context, revision, route) {
  const { connections, engine } = context;
  const idle = await engine.databaseConnections();
  return withServer(
    context,
    revision,
    async (server) => {
      const windows = [];
      for (const [i, seconds2] of WINDOWS_S.entries()) {
        const window = await load2(context, server, route, { connections: i === 1 ? TIMES * connections : connections, seconds: seconds2, idle });
        windows.push(window);
        await sleep4(REST_MS2);
      }
      return crowded(windows, connections);
    },
    "measurement"
  );
}
async function load2({ hey, engine, signal }, server, workload, { connections, seconds: seconds2, idle }) {
  const args = heyArguments(server.url, { workload, load: { name: "check", concurrency: connections } }, seconds2);
  let isDone = false;
  const output = startHey(hey, args, engine.loadCpus, signal).output.finally(() => {
    isDone = true;
  });
  output.catch(() => {
  });
  const readings2 = [];
  while (idle !== void 0 && !isDone) {
    readings2.push((await engine.databaseConnections() ?? 0) - idle);
    await sleep4(EVERY_MS2);
  }
  return { seconds: seconds2, ...countedIn(await output), ...idle === void 0 ? {} : { databasePeak: lastingPeak(readings2) } };
}
function lastingPeak(readings2) {
  const highest = [...readings2].sort((a, b) => b - a);
  return Math.max(0, highest[Math.min(LASTING, highest.length) - 1] ?? 0);
}
function countedIn({ statuses, errors }) {
  const failed2 = { ...errors };
  for (const status of statuses) if (status >= 500) failed2[`status ${status}`] = (failed2[`status ${status}`] ?? 0) + 1;
  return { answered: statuses.filter((status) => status < 500).length, failed: failed2 };
}
function crowded([before, during, after], connections) {
  if (before.answered === 0 || total(before) > 0) {
    return owed(`with ${connections} connections, as many as it has instances, it fails already: ${listed(before)}`);
  }
  const many = TIMES * connections;
  const [usual, most] = [before.databasePeak, during.databasePeak];
  const why = [
    ...total(during) > 0 ? [`with ${many} connections for ${connections} instances ${listed(during)}`] : [],
    ...usual !== void 0 && most !== void 0 && most > GROWN.times * usual && most >= usual + GROWN.more ? [`with ${many} connections it has ${most} at the database, with ${connections} it had ${usual}`] : [],
    ...total(after) > 0 ? [`afterwards, with ${connections} again, ${listed(after)}`] : [],
    ...rate(after) < RECOVERED * rate(before) ? [`afterwards it answers ${rate(after).toFixed(0)} requests per second, before ${rate(before).toFixed(0)}`] : []
  ];
  if (why.length > 0) return { state: "broken", sentence: why.join("; ") };
  const database = most === void 0 ? "" : `, at most ${countOf(most, "connection")} at the database`;
  return {
    state: "held",
    sentence: `${many} connections for ${connections} instances: no errors${database}; it serves as before afterwards`
  };
}
function rate({ answered, seconds: seconds2 }) {
  return answered / seconds2;
}
function total({ failed: failed2 }) {
  return Object.values(failed2).reduce((sum2, count3) => sum2 + count3, 0);
}
function listed(window) {
  if (total(window) === 0) return "no request was answered";
  const kinds = Object.entries(window.failed).map(([kind, count3]) => `${count3} ${kind}`);
  return `${total(window)} of ${total(window) + window.answered} requests fail (${kinds.join(", ")})`;
}

// entrypoint/checks/recycle.ts
import { existsSync as existsSync5 } from "node:fs";
import { setTimeout as sleep6 } from "node:timers/promises";

// entrypoint/checks/visits.ts
import { setTimeout as sleep5 } from "node:timers/promises";
var TIMEOUT_MS = 1e4;
var PATIENCE_MS = 1e3;
var PAUSE_MS = 5;
var LONG_UNREAD_MS = 1e3;
var HEADER = "X-Async-Php-Bench-Visit";
var Visits = class {
  all = [];
  isOver = false;
  sent = 0;
  connections;
  /**
   * Each request has a connection of its own. On a kept one, a server that closes it and a server that loses the request look alike.
   *
   * @param routes take turns
   * @param concurrency the number of simultaneous requests
   */
  constructor(url, routes, concurrency) {
    this.connections = Array.from({ length: concurrency }, (_, i) => this.visit(url, routes, i));
  }
  /** Resolves once the requests in flight have ended, or soon after, because a server may never answer them. */
  async stop() {
    this.isOver = true;
    await Promise.race([allOf(this.connections), sleep5(PATIENCE_MS, void 0, { ref: false })]);
  }
  async visit(url, routes, first) {
    for (let i = first; !this.isOver; i++) {
      const { method, path, body, headers } = requestOf(routes[i % routes.length]);
      const id = ++this.sent;
      const sentAt = Date.now();
      const asked2 = ask(url + path, { method, body, headers: { ...headers, [HEADER]: String(id) }, timeoutMs: TIMEOUT_MS });
      const failure = await failureOf2(asked2);
      this.all.push({ id, sentAt, endedAt: Date.now(), route: `${method} ${path}`, ...failure === void 0 ? {} : { failure } });
      await sleep5(PAUSE_MS);
    }
  }
};
async function firstFailure(url, routes) {
  for (const workload of routes) {
    const { method, path, body, headers } = requestOf(workload);
    const failure = await failureOf2(ask(url + path, { method, body, headers, timeoutMs: TIMEOUT_MS }));
    if (failure !== void 0) return `${method} ${path} fails: ${failure}`;
  }
  return void 0;
}
function begunIn(log) {
  return new Set([...log.matchAll(/^begun (\d+)$/gm)].map(([, id]) => Number(id)));
}
function forced(log, visits, begun) {
  if (!isForced(log)) return { broken: [], told: "" };
  const text = 'its log says "forced termination"';
  const unread = visits.filter(
    ({ id, sentAt, endedAt, failure }) => failure !== void 0 && !begun.has(id) && endedAt - sentAt >= LONG_UNREAD_MS
  );
  if (unread.length === 0) return { broken: [text], told: "" };
  return { broken: [], told: `${text}, while ${countOf(unread.length, "request")} waited that the app had not begun` };
}
function isForced(log) {
  return /forced termination/i.test(log);
}
function named({ route, failure }) {
  return `${route}: ${failure}`;
}
function p99Of(visits) {
  const took = visits.map(({ sentAt, endedAt }) => endedAt - sentAt).sort((a, b) => a - b);
  return (took[Math.ceil(took.length * 0.99) - 1] ?? 0).toFixed(0);
}
async function failureOf2(answer5) {
  try {
    const { status } = await answer5;
    return status >= 500 ? `status ${status}` : void 0;
  } catch (error) {
    const { code: code2 } = error;
    if (code2 === "ECONNREFUSED") return "refused";
    return code2 === void 0 ? "no answer in time" : "closed without an answer";
  }
}

// entrypoint/checks/recycle.ts
var CONNECTIONS = 8;
var AFTER_MS = 500;
var EVERY_MS3 = 10;
var LONGEST_MS3 = 2e4;
var OVERDUE = 3;
var recycle = async (context) => {
  const found = [];
  for (const revision of context.revisions) {
    const of = isOver(context) ? owed(TIME_IS_OVER) : await recycled(context, revision);
    found.push({ revision, workload: null, route: null, ...of });
  }
  return found;
};
async function recycled(context, revision) {
  const { engine, mode, recycleAfter } = context;
  if (engine.name !== "host") return notChecked("in a container its workers cannot be watched");
  if (mode.via !== "runtime" || !mode.runtime.recycles)
    return notChecked(`${mode.name} does not replace workers after a number of requests`);
  return withServer(
    context,
    revision,
    async (server) => {
      const routes = context.routesOf(revision);
      const failure = await firstFailure(server.url, routes);
      if (failure) return owed(`before any worker was replaced, ${failure}`);
      const workers = await workersOf(context, server);
      const leftOf = () => workers.filter((pid) => existsSync5(`/proc/${pid}`)).length;
      const begun = Date.now();
      const visits = new Visits(server.url, routes, Math.min(CONNECTIONS, context.concurrency));
      try {
        while (leftOf() > 0 && !isOver(context) && Date.now() < begun + LONGEST_MS3) await sleep6(EVERY_MS3);
        const [left, tookMs] = [leftOf(), Date.now() - begun];
        await sleep6(AFTER_MS);
        await visits.stop();
        return judged({ visits: visits.all, after: recycleAfter, workers: workers.length, left, tookMs, log: await server.log() });
      } finally {
        await visits.stop();
      }
    },
    "recycle"
  );
}
function judged({ visits, after, workers, left, tookMs, log }) {
  const begun = begunIn(log);
  const failed2 = visits.filter(({ failure }) => failure !== void 0);
  const lost = failed2.filter(({ id }) => begun.has(id));
  const byForce = forced(log, visits, begun);
  const seconds2 = (tookMs / 1e3).toFixed(1);
  const isOverdue = left > 0 && visits.length >= OVERDUE * after * workers;
  const broken = [
    ...lost[0] ? [
      `when a worker is replaced, ${countOf(lost.length, "request")} that the app had begun got no answer or an error (${named(lost[0])})`
    ] : [],
    ...isOverdue ? [`${countOf(left, "worker")} of ${workers} still run after ${visits.length} requests, and should be replaced after ${after} each`] : [],
    ...byForce.broken
  ];
  if (broken.length > 0) return { state: "broken", sentence: broken.join("; ") };
  if (left > 0) return owed(`${visits.length} requests in ${seconds2} s are too few to replace every worker: lower recycle-after (${after})`);
  const answered = countOf(visits.length - failed2.length, "request");
  const told2 = `${countOf(workers, "worker")} replaced after ${after} requests or more each, within ${seconds2} s`;
  const unread = `${failed2.length} lost that the app had not begun`;
  return {
    state: "held",
    sentence: [`${told2}; ${answered} answered, ${unread}, p99 ${p99Of(visits)} ms`, byForce.told].filter(Boolean).join("; ")
  };
}

// entrypoint/checks/reload.ts
import { existsSync as existsSync6 } from "node:fs";
import { setTimeout as sleep7 } from "node:timers/promises";
var CONNECTIONS2 = 8;
var BEFORE_MS = 500;
var AFTER_MS2 = 500;
var SETTLED_MS = 250;
var EVERY_MS4 = 5;
var LIMITS_MS = { replaced: 6e3, ended: 1e4 };
var reload = async (context) => {
  const found = [];
  for (const revision of context.revisions) {
    const of = isOver(context) ? owed(TIME_IS_OVER) : await signalled(context, revision);
    found.push({ revision, workload: null, route: null, ...of });
  }
  return found;
};
async function signalled(context, revision) {
  if (context.engine.name !== "host") return notChecked("in a container the main process is Docker's own, which would get the signal");
  const { found, isExcused } = await underLoad(context, revision);
  if (!isExcused || !isForced(await logWithoutLoad(context, revision))) return found;
  return { state: "broken", sentence: 'its log says "forced termination" even if no request is in progress' };
}
async function logWithoutLoad(context, revision) {
  return withServer(
    context,
    revision,
    async (server) => {
      await firstFailure(server.url, context.routesOf(revision));
      await send(server, "SIGTERM", LIMITS_MS.ended, async () => !await server.isRunning());
      return server.log();
    },
    "reload"
  );
}
async function underLoad(context, revision) {
  return withServer(
    context,
    revision,
    async (server) => {
      const workers = await workersOf(context, server);
      const visits = new Visits(server.url, context.routesOf(revision), Math.min(CONNECTIONS2, context.concurrency));
      try {
        await sleep7(BEFORE_MS);
        const failed2 = visits.all.find(({ failure }) => failure !== void 0);
        if (failed2) return { found: owed(`before any signal, ${failed2.route} fails: ${failed2.failure}`), isExcused: false };
        const reloaded = await reloadOf(context, server, workers);
        const end = await send(server, "SIGTERM", LIMITS_MS.ended, async () => !await server.isRunning());
        await visits.stop();
        const drains = context.mode.via === "runtime" && context.mode.runtime.drains;
        const log = await server.log();
        const found = judged2({ visits: visits.all, reload: reloaded, end, drains, log });
        return { found, isExcused: found.state === "held" && isForced(log) };
      } finally {
        await visits.stop();
      }
    },
    "reload"
  );
}
async function reloadOf({ mode }, server, workers) {
  const signal = mode.via === "runtime" ? mode.runtime.reload : void 0;
  if (signal === void 0) return `${mode.name} has no signal for it`;
  const done = await send(server, signal, LIMITS_MS.replaced, async () => workers.every((pid) => !existsSync6(`/proc/${pid}`)));
  await sleep7(AFTER_MS2);
  return done;
}
async function send(server, signal, limitMs, isDone) {
  const at = Date.now();
  await server.signal(signal);
  while (Date.now() < at + limitMs) {
    if (await isDone()) return { signal, at, tookMs: Date.now() - at };
    await sleep7(EVERY_MS4);
  }
  return { signal, at };
}
function judged2(seen) {
  const { visits, end, drains, log } = seen;
  const begun = begunIn(log);
  const reload2 = typeof seen.reload === "string" ? void 0 : seen.reload;
  const before = visits.filter(({ endedAt }) => endedAt < (reload2 ?? end).at);
  const parts = [
    ...reload2 ? [
      partOf(reload2, visits, begun, {
        until: end.at,
        done: "workers replaced",
        late: "its old workers still run",
        limitMs: LIMITS_MS.replaced,
        answers: true
      })
    ] : [],
    partOf(end, visits, begun, { done: "ended", late: "it still runs", limitMs: LIMITS_MS.ended, answers: drains })
  ];
  parts.push(forced(log, visits, begun));
  const broken = parts.flatMap((part) => part.broken);
  if (broken.length > 0) return { state: "broken", sentence: broken.join("; ") };
  const told2 = parts.flatMap((part) => part.told || []).join("; ");
  const usual = reload2 ? ` (before: p99 ${p99Of(before)} ms)` : "";
  return { state: "held", sentence: `${told2}${usual}${typeof seen.reload === "string" ? `; a reload is not checked: ${seen.reload}` : ""}` };
}
function partOf({ signal, at, tookMs }, visits, begun, { until: until3 = Number.POSITIVE_INFINITY, done, late, limitMs, answers: answers2 }) {
  const meanwhile = visits.filter(({ sentAt, endedAt }) => endedAt >= at && sentAt < until3);
  if (tookMs === void 0) return { broken: [`${limitMs / 1e3} s after ${signal} ${late}`], told: "" };
  const lost = meanwhile.filter(({ failure, sentAt }) => failure !== void 0 && sentAt < at + tookMs);
  const begunLost = lost.filter(({ id }) => begun.has(id));
  const owned = begunLost.filter(({ failure }) => answers2 || failure?.startsWith("status "));
  const later = Number.isFinite(until3) ? meanwhile.filter(({ sentAt, endedAt }) => sentAt > at + tookMs + SETTLED_MS && endedAt < until3) : [];
  const failing = later.filter(({ failure }) => failure !== void 0);
  const broken = [
    ...owned[0] ? [`at ${signal} ${countOf(owned.length, "request")} that the app had begun got no answer (${named(owned[0])})`] : [],
    ...failing[0] ? [`after ${signal} ${failing.length} of ${countOf(later.length, "request")} fail (${named(failing[0])})`] : []
  ];
  const answered = meanwhile.filter(({ id, sentAt, failure }) => sentAt < at && begun.has(id) && failure === void 0).length;
  const unread = lost.filter(({ id, failure }) => !begun.has(id) && failure !== "refused").length;
  const dropped = begunLost.length > 0 ? `, ${begunLost.length} in progress dropped by this server, whatever the app does` : "";
  const p99 = !Number.isFinite(until3) ? "" : `, p99 ${p99Of(meanwhile)} ms`;
  return {
    broken,
    told: `${signal}: ${done} after ${tookMs} ms, ${countOf(answered, "request")} in progress answered, ${unread} lost that the app had not begun${dropped}${p99}`
  };
}

// entrypoint/checks/process-state.ts
var answer4 = external_exports.object({ workers: external_exports.array(external_exports.record(external_exports.string(), external_exports.union([external_exports.string(), external_exports.number()]))).length(1) });
async function stateOf(server) {
  return answer4.parse(await server.eachWorker("/_bench/state")).workers[0];
}
var MOST2 = 3;
function changedState(before, now) {
  const names2 = [.../* @__PURE__ */ new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]);
  if (names2.length === 0) return void 0;
  return names2.length > MOST2 ? `${names2.slice(0, MOST2).join(", ")} and ${names2.length - MOST2} more` : names2.join(", ");
}

// entrypoint/checks/side-by-side.ts
var WIDTH2 = 100;
var BEFORE = 40;
function sideBySide(expected, found) {
  let first = 0;
  while (first < expected.length && expected[first] === found[first]) first++;
  const start2 = Math.max(0, first - BEFORE);
  const [above, below] = [expected, found].map((text) => text.slice(start2, start2 + WIDTH2));
  const marks = Array.from({ length: Math.max(above.length, below.length) }, (_, i) => above[i] === below[i] ? " " : "^");
  return [`fresh process: ${printable(above)}`, `this worker:   ${printable(below)}`, `               ${marks.join("").trimEnd()}`].join(
    "\n"
  );
}
function printable(text) {
  return text.replace(/[^\x20-\x7e]/g, "?");
}

// entrypoint/checks/visitors.ts
var OF_PERSONS = /^(authorization|cookie|x-api-key|x-auth-token)$/i;
function visitorsOf(workload) {
  const ids = hasIdentities(workload) ? [...new Set(identitiesOf(workload, 2))] : [];
  const [first, second] = ids;
  const own = (id) => ({ workload, who: id === void 0 ? "" : ` as id ${id}`, request: requestOf(workload, id) });
  const nobody = anonymous(workload);
  return [own(first), ...second === void 0 ? [] : [own(second)], own(first), ...nobody ? [nobody] : []];
}
function anonymous(workload) {
  const { headers, ...request2 } = requestOf(workload);
  const kept = Object.entries(headers).filter(([name]) => !OF_PERSONS.test(name) && !workload.headers[name]?.includes("{id}"));
  if (kept.length === Object.keys(headers).length) return void 0;
  return { workload, who: " as nobody", request: { ...request2, headers: Object.fromEntries(kept) } };
}
function keyOf2({ request: request2 }) {
  return JSON.stringify(request2);
}

// entrypoint/checks/state.ts
var ROUNDS = 3;
var state = async (context) => {
  const found = [];
  for (const revision of context.revisions) {
    const routes = context.routesOf(revision);
    const broken = await breaksOf(context, revision, routes.flatMap(visitorsOf));
    for (const workload of routes) {
      const of = broken instanceof Map ? broken.get(workload.name) : broken;
      found.push({ revision, ...placed(workload), ...of ?? HELD });
    }
  }
  return found;
};
var HELD = { state: "held", sentence: "one worker answers like a fresh process, whoever asked before" };
async function breaksOf(context, revision, visitors) {
  if (context.engine.name !== "host") return notChecked("it needs two servers of an arm at a time, and containers share its port");
  const fresh = /* @__PURE__ */ new Map();
  for (const visitor of visitors) {
    if (fresh.has(keyOf2(visitor))) continue;
    if (isOver(context)) return owed(TIME_IS_OVER);
    fresh.set(keyOf2(visitor), await withServer(context, revision, (server) => answerTo(server, visitor)));
  }
  const broken = /* @__PURE__ */ new Map();
  const unfinished = () => {
    for (const { workload } of visitors) if (!broken.has(workload.name)) broken.set(workload.name, owed(TIME_IS_OVER));
  };
  const compare2 = async (visitor, found, when) => {
    const { name } = visitor.workload;
    const expected = fresh.get(keyOf2(visitor));
    const how = broken.has(name) ? void 0 : difference2(expected, found);
    if (how === void 0) return;
    const [again, later] = [await freshAnswer(context, revision, visitor), await freshAnswer(context, revision, visitor)];
    if (difference2(again, found) === void 0 || difference2(again, later) !== void 0) return;
    const { method, path } = visitor.request;
    const sentence2 = `${when} it answers ${method} ${path}${visitor.who} differently from a fresh process: ${difference2(again, found)}`;
    broken.set(name, { state: "broken", sentence: sentence2, shown: sideBySide(again.body, found.body) });
  };
  await withServer(context, revision, async (server) => {
    for (const visitor of visitors) {
      if (isOver(context)) return unfinished();
      await compare2(visitor, await answerTo(server, visitor), "one worker, one request at a time:");
    }
    await leftBehind(context, server, visitors, compare2, broken);
    for (let round = 0; round < ROUNDS; round++) {
      if (isOver(context)) return unfinished();
      const asked2 = Array.from({ length: context.concurrency }, (_, i) => visitors[(i + round) % visitors.length]);
      const answers2 = await allOf(asked2.map((visitor) => answerTo(server, visitor)));
      for (const [i, visitor] of asked2.entries()) {
        await compare2(visitor, answers2[i], `one worker, ${context.concurrency} requests at a time:`);
      }
    }
  });
  return broken;
}
async function leftBehind(context, server, visitors, compare2, broken) {
  let before;
  for (const visitor of visitors) {
    if (isOver(context)) return;
    await compare2(visitor, await answerTo(server, visitor), "one worker, asked before by others:");
    const now = await stateOf(server);
    const changed = before && changedState(before, now);
    const { workload, request: request2, who } = visitor;
    if (changed && !broken.has(workload.name)) {
      broken.set(workload.name, { state: "broken", sentence: `${request2.method} ${request2.path}${who} leaves behind: ${changed}` });
    }
    before = now;
  }
}
async function freshAnswer(context, revision, visitor) {
  return withFresh(context, revision, (server) => answerTo(server, visitor));
}
async function answerTo(server, { workload, request: { path, ...request2 } }) {
  const answer5 = await ask(server.url + path, { ...request2, timeoutMs: 3e4 });
  const { mask } = workload;
  return { status: answer5.status, body: masked(answer5.body, mask), headers: comparedHeaders(answer5, server.url, mask) };
}
function difference2(expected, found) {
  if (expected.status !== found.status) return `status ${found.status} instead of ${expected.status}`;
  if (headerDifference(expected.headers, found.headers)) return "other headers";
  return expected.body === found.body ? void 0 : "another body";
}

// entrypoint/checks/check-production.ts
var RUN = { leak, state, blocking, "cold-start": coldStart, reload, recycle, pool };
var SHARES = [
  ["cold-start", 0.2],
  ["reload", 0.2],
  ["recycle", 0.2],
  ["state", 0.35],
  ["blocking", 0.35],
  ["pool", 0.4],
  ["leak", 1]
];
var OF_BUDGET = 1 / 5;
var FIRST_LOOK = 0.6;
async function checkProduction(measured, job) {
  const { settled: settled3, inputs, checked } = measured;
  const levels = levelsOf(settled3.rules);
  const modes = checkedModes(settled3.modes);
  const wanted = SHARES.filter(([name]) => levels[name] !== "off");
  if (inputs.study || modes.length === 0 || wanted.length === 0 || hasEnded(measured)) return measured;
  const allowedS = seconds(settled3.rules.budget) * OF_BUDGET;
  const begun = Date.now();
  const revisions = settled3.revisions.base ? ["base", "head"] : ["head"];
  const findings = ofPreflight(checked, modes, revisions);
  for (const [i, mode] of modes.entries()) {
    const turn = begun + allowedS * 1e3 * i / modes.length;
    const time = { begun: Math.max(Date.now(), turn), end: begun + allowedS * 1e3 * (i + 1) / modes.length };
    findings.push(...await checkMode(measured, { mode, revisions }, wanted, time, job));
  }
  const tookS = (Date.now() - begun) / 1e3;
  job.say(`checks: ${tookS.toFixed(0)} s of at most ${allowedS.toFixed(0)} s, a fifth of the budget`);
  for (const finding of findings) if (finding.state === "broken") job.say(`checks: ${inALine(finding)}`);
  const order = [...CHECKS, "answers", "waiting"];
  const shown2 = asked(findings, settled3.rules.checks).sort((a, b) => order.indexOf(a.check) - order.indexOf(b.check));
  const content = { schema: 1, seconds: tookS, allowed_s: allowedS, levels, findings: shown2 };
  replace(join7(inputs.out, CHECKED), `${JSON.stringify(content, null, 1)}
`);
  return measured;
}
function asked(findings, checks) {
  return findings.map(({ isOwed, ...found }) => {
    const isAuto = found.check in checks && checks[found.check] === "auto";
    return isOwed && !isAuto ? { ...found, isOwed } : found;
  });
}
function checkedModes(modes) {
  const asynchronous = modes.filter(({ kind }) => kind === "async");
  return asynchronous.length > 0 ? asynchronous : modes.filter((mode) => mode.via === "runtime" && mode.runtime.stateful);
}
function hasEnded({ measured, plan: plan2 }) {
  return new Set(measured.samples.map(({ block }) => block)).size < plan2.lookAt[0];
}
async function checkMode(measured, { mode, revisions }, wanted, { begun, end }, job) {
  const { engine, tools, settled: settled3 } = measured;
  const context = {
    ...{ engine, hey: tools.hey, rscript: tools.rscript, mode, revisions, signal: job.signal },
    routesOf: (revision) => routesOf(measured, revision),
    connections: settled3.rules.connections,
    recycleAfter: settled3.rules.checks["recycle-after"],
    concurrency: Math.min(settled3.rules.connections, Math.max(...Object.values(settled3.rules.loads).map(({ concurrency }) => concurrency)))
  };
  const why = mode.via === "command" ? "its server is not ours" : context.routesOf("head").length === 0 && "no workload is a route of the app";
  if (why)
    return wanted.flatMap(
      ([check3]) => revisions.map((revision) => ({ check: check3, mode: mode.name, revision, workload: null, route: null, isNew: false, ...notChecked(why) }))
    );
  const findings = [];
  for (const [check3, share] of wanted) {
    job.say(`checks: ${check3} of ${mode.name}`);
    const { first: firstEnd, second: secondEnd } = deadlinesOf(Math.max(begun, Date.now()), end, share);
    const first = await look(check3, { ...context, deadline: firstEnd }, job);
    findings.push(...await confirmed(first, () => look(check3, { ...context, deadline: secondEnd }, job)));
  }
  return findings;
}
function deadlinesOf(now, end, share) {
  const second = now + (end - now) * share;
  return { first: now + (second - now) * FIRST_LOOK, second };
}
async function confirmed(first, lookAgain) {
  const breaks = breaksOf2(first);
  if (breaks.length === 0) return first;
  const second = await lookAgain();
  const again = breaksOf2(second);
  return first.map((finding) => {
    if (!breaks.includes(finding)) return finding;
    const isSeenAgain = again.some(({ workload }) => workload === finding.workload);
    if (isSeenAgain) return { ...finding, isNew: true };
    const isUnseen = second.some(({ workload, isOwed }) => isOwed && (workload === null || workload === finding.workload));
    const why = `seen once, and not ${isUnseen ? "looked at " : ""}again: ${finding.sentence}`;
    return { ...finding, ...isUnseen ? owed(why) : notChecked(why) };
  });
}
function breaksOf2(findings) {
  const base = ({ workload }) => findings.find((one) => one.revision === "base" && one.workload === workload);
  const hasBase = findings.some(({ revision }) => revision === "base");
  const isNew2 = (finding) => !(blocksAlready(findings) && base(finding) === void 0) && isBreak(finding, base(finding));
  return hasBase ? findings.filter((finding) => finding.revision === "head" && isNew2(finding)) : [];
}
function blocksAlready(findings) {
  return findings.some(({ check: check3, revision, state: of }) => check3 === "blocking" && revision === "base" && of === "broken");
}
async function look(check3, context, { signal }) {
  const named2 = { check: check3, mode: context.mode.name, isNew: false };
  try {
    return (await RUN[check3](context)).map((found) => ({ ...named2, ...found }));
  } catch (error) {
    if (signal.aborted) throw new Cancelled("The checks were cancelled.");
    await context.engine.assertAlive();
    const [why] = messageOf(error).split("\n");
    return context.revisions.map((revision) => ({ ...named2, revision, workload: null, route: null, ...owed(why) }));
  }
}
function routesOf({ settled: settled3, newInHead }, revision) {
  const { workloads } = settled3.served[revision] ?? settled3.served.head;
  const routes = workloads.filter(({ builtIn: builtIn2, name }) => !builtIn2 && !(revision === "base" && newInHead.has(name)));
  return commonFirst(routes, newInHead);
}
function commonFirst(routes, newInHead) {
  return [...routes.filter(({ name }) => !newInHead.has(name)), ...routes.filter(({ name }) => newInHead.has(name))];
}
function inALine({ check: check3, mode, revision, route, sentence: sentence2 }) {
  return `${check3} of ${mode} is broken in ${revision}: ${route ?? ""}: ${sentence2}`;
}

// entrypoint/provision/scope.ts
import { existsSync as existsSync7 } from "node:fs";
import { join as join8 } from "node:path";
function scopeOf(rules, modes, directories, engine) {
  const { database, redis } = rules;
  return {
    engine,
    modes,
    asked: askedVersions(rules),
    database: databaseOf(database),
    redis,
    report: true,
    valgrind: needsValgrind(rules),
    composer: directories.some((directory) => existsSync7(join8(directory, "composer.json"))),
    apps: directories
  };
}
function needsValgrind({ instructions, profile }) {
  return instructions === "valgrind" || profile === "work" && instructions === "auto";
}

// entrypoint/engines/docker/daemon/docker.ts
var LIMIT_MS3 = 6e4;
function tryDocker(args, options = {}) {
  return exec(command(args), { timeoutMs: LIMIT_MS3, ...options, ...surroundings(options.variables) });
}
function command(args) {
  return [which("docker") ?? "docker", ...args];
}
var CLIENT = /^(DOCKER_.*|BUILDX_BUILDER|BUILDX_CONFIG|SSH_AUTH_SOCK|XDG_RUNTIME_DIR|XDG_CONFIG_HOME)$/;
function surroundings(variables = {}) {
  const env = online({
    ...inherited(CLIENT),
    BUILDKIT_PROGRESS: "plain",
    // Attestations contain the build's time. Each build would get a new ID, and everything on top of it would be rebuilt.
    BUILDX_NO_DEFAULT_ATTESTATIONS: "1",
    // Otherwise buildx runs git in the checkout, to name its commit.
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
    const end = daemon.endsWith("?") ? "" : ".";
    throw new MeasurementError(`engine: docker: ${daemon}${end} Start one, set DOCKER_HOST, or use \`engine: host\`.`);
  }
  say(`warning: the configuration names an image, but ${daemon}; the app is served by this machine's own PHP`);
  return { engine: "host" };
}

// entrypoint/engines/shared/ini-file.ts
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
    // hey keeps no cookies, so each request that starts a session leaves a file. It goes into the directory that is removed after the run.
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

// entrypoint/engines/shared/sidecar.ts
import { join as join9 } from "node:path";
var SIDECARS = join9(PACKAGE, "entrypoint", "engines", "shared", "sidecars");
var Sidecar = class {
  /** @param conversation answers `use` as Questions.php says @param title begins its messages */
  constructor(conversation, name, title) {
    this.conversation = conversation;
    this.name = name;
    this.title = title;
  }
  conversation;
  name;
  title;
  /** The reason if it is gone, or undefined. */
  get over() {
    return this.conversation.over && `${this.title} is gone: ${this.conversation.over}`;
  }
  /** What it did since its start. @throws MeasurementError if it is gone */
  async use() {
    const [cpuUs, ...late] = await this.conversation.ask("use");
    const classes = late.map((line) => line.split(" "));
    return { cpuUs: Number(cpuUs), late: Object.fromEntries(classes.map(([bound, answers2]) => [bound, Number(answers2)])) };
  }
  close() {
    this.conversation.close();
  }
};
async function usesOf(sidecars) {
  const existing = sidecars.filter((sidecar) => sidecar !== void 0);
  return Object.fromEntries(await Promise.all(existing.map(async (sidecar) => [sidecar.name, await sidecar.use()])));
}

// entrypoint/engines/shared/sqlite.ts
var SQLITE_FILE = "database.sqlite";
function describeSqlite(storage) {
  return { kind: "sqlite", files: "one per arm and run", storage, statements: "not counted" };
}

// entrypoint/engines/shared/bench-variables.ts
function benchPaths({ app, front }, workloads, place) {
  const under = (path) => path && `${place.project}/${path}`;
  const handlers = workloads.flatMap(({ name, builtIn: builtIn2 }) => builtIn2 ? [[name, place.handlerOf(name, builtIn2)]] : []);
  return {
    project: place.project,
    app: under(app),
    front: under(front),
    handlers: Object.fromEntries(handlers),
    directory: place.directory
  };
}
function benchVariables(paths, { instances, connections }, { database, upstream }) {
  return {
    APB_PROJECT: paths.project,
    APB_APP: paths.app,
    APB_FRONT: paths.front,
    APB_WORKLOADS: JSON.stringify(paths.handlers),
    APB_DIRECTORY: paths.directory,
    APB_INSTANCES: instances,
    APB_CONNECTIONS: String(connections),
    ...upstream === void 0 ? {} : { APB_UPSTREAM: upstream },
    ...database ? {
      APB_DB_DSN: dsnOf(database),
      APB_DB_USER: database.access.user,
      APB_DB_PASSWORD: database.access.password
    } : {}
  };
}
function purposeVariables(purpose, { checks }) {
  return {
    preflight: { APB_PREFLIGHT: "1" },
    measurement: {},
    profile: { APB_PROFILE: "1" },
    check: {},
    reload: { APB_RELOAD: "1" },
    recycle: { APB_RELOAD: "1", APB_RECYCLE: String(checks["recycle-after"]) }
  }[purpose];
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
function workersOf2(runtime, connections, cpus, purpose) {
  if (purpose === "check") return 1;
  if (purpose === "reload" || purpose === "recycle") return Math.min(2, connections);
  return runtime.workers === "cpus" ? Math.min(cpus, connections) : connections;
}
function countedConnections({ concurrent }, connections) {
  return concurrent ? connections : 1;
}
var DSN = { mysql: ["mysql:", ";charset=utf8mb4"], postgres: ["pgsql:", ""] };
function dsnOf({ language, access, name }) {
  const [driver, charset] = DSN[language];
  return `${driver}host=${access.host};port=${access.port};dbname=${name}${charset}`;
}

// entrypoint/engines/docker/container/server.ts
import { randomBytes } from "node:crypto";

// entrypoint/engines/shared/callgrind.ts
var PIPES = "valgrind";
var VALGRIND_PATIENCE = 10;
var ANONYMOUS = ["env", ...["LOGNAME", "USER", "HOST", "HOSTNAME"].flatMap((name) => ["-u", name])];
var UNCOUNTED = ["*/sh", "*/dash", "*/bash"].join();
function underCallgrind(command2, directory) {
  const valgrind = [
    ...["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", "--trace-children=yes", `--trace-children-skip=${UNCOUNTED}`],
    `--callgrind-out-file=${directory}/${PIPES}/%p.out`,
    `--vgdb-prefix=${prefixOf(directory)}`
  ];
  return [...ANONYMOUS, "sh", "-c", 'setarch -R true 2>/dev/null && exec setarch -R "$@" || exec "$@"', "sh", ...valgrind, ...command2];
}
function readCounters(directory, pid) {
  return [...asking2(directory, pid), "status", "internal"];
}
function beginCounting(directory, pid) {
  return [...asking2(directory, pid), "instrumentation", "on"];
}
function zeroCounters(directory, pid) {
  return [...asking2(directory, pid), "zero"];
}
function dumpCounters(directory, pid) {
  return { command: [...asking2(directory, pid), "dump"], file: `${directory}/${PIPES}/${pid}.out.1` };
}
function asking2(directory, pid) {
  return [...ANONYMOUS, "vgdb", `--vgdb-prefix=${prefixOf(directory)}`, `--pid=${pid}`];
}
function prefixOf(directory) {
  return `${directory}/${PIPES}/pipe`;
}
function processesIn(names2) {
  return names2.flatMap((name) => {
    const pid = /^pipe-from-vgdb-to-(\d+)-by-/.exec(name)?.[1];
    return pid === void 0 ? [] : [Number(pid)];
  });
}
function instructionsIn(text) {
  if (!/^instrumentation: on$/m.test(text) || !/^events: Ir$/m.test(text)) return void 0;
  const threads = [...text.matchAll(/^events-\d+: (\d+)$/gm)];
  return threads.length > 0 ? threads.reduce((sum2, [, count3]) => sum2 + Number(count3), 0) : void 0;
}

// entrypoint/engines/shared/callgrind-count.ts
var LOAD_LIMIT_MS = 3e5;
var READ_LIMIT_MS = 2e4;
async function countWithCallgrind(command2, place) {
  await begin(place);
  const before = await readAll(place);
  const finished = await loaded(command2);
  const after = await readAll(place);
  const ended2 = [...before.keys()].filter((pid) => !after.has(pid));
  if (ended2.length > 0) throw new MeasurementError(`${ended2.length} of ${before.size} counted processes ended while they were counted`);
  const sum2 = (counts) => [...counts.values()].reduce((a, b) => a + b, 0);
  return { ...finished, instructions: sum2(after) - sum2(before) };
}
async function countFunctionsWithCallgrind(command2, place) {
  await begin(place);
  const pids = [...(await readAll(place)).keys()];
  for (const pid of pids) await place.run(zeroCounters(place.directory, pid));
  const finished = await loaded(command2);
  const instructions = [...(await readAll(place)).values()].reduce((a, b) => a + b, 0);
  const dumps = await allOf(
    pids.map(async (pid) => {
      const { command: dump, file } = dumpCounters(place.directory, pid);
      const done = await place.run(dump);
      const text = await place.readFile(file);
      if (text === void 0) throw new MeasurementError(`Valgrind wrote no profile: ${lastLine(printed(done))}`);
      return text;
    })
  );
  return { ...finished, instructions, dumps };
}
function loaded(command2) {
  return exec(command2, { ...apart(), timeoutMs: LOAD_LIMIT_MS });
}
async function begin(place) {
  await allOf(processesIn(await place.pipes()).map((pid) => place.run(beginCounting(place.directory, pid))));
}
async function readAll(place) {
  const pids = processesIn(await place.pipes());
  if (pids.length === 0) throw new MeasurementError("no process runs under Valgrind");
  const counts = await allOf(pids.map(async (pid) => [pid, await read2(place, pid)]));
  return new Map(counts.filter((count3) => count3[1] !== void 0));
}
async function read2(place, pid) {
  const done = await place.run(readCounters(place.directory, pid));
  const instructions = instructionsIn(done.stdout);
  if (instructions === void 0 && !await place.isThere(pid)) return void 0;
  if (instructions === void 0) throw new MeasurementError(`Valgrind did not report its counters: ${lastLine(printed(done))}`);
  return instructions;
}

// entrypoint/engines/shared/health.ts
import { setTimeout as sleep8 } from "node:timers/promises";

// entrypoint/engines/shared/listening.ts
var LISTENING = "0A";
var PRINT_SOCKETS = "cat /proc/net/tcp /proc/net/tcp6; ls -l /proc/[0-9]*/fd";
function listeningPorts(text) {
  const own = new Set([...text.matchAll(/socket:\[(\d+)\]/g)].map(([, inode]) => inode));
  const ports = text.split("\n").flatMap((line) => {
    const [, local, , state2, , , , , , inode] = line.trim().split(/\s+/);
    return state2 === LISTENING && own.has(inode) ? [Number.parseInt(local?.split(":").at(-1) ?? "", 16)] : [];
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
async function untilAllWorkersAnswer(url, nonce, workers, ended2, patience = 1) {
  const seen = /* @__PURE__ */ new Set();
  let last = "nothing";
  let firstError = 0;
  await until(
    async () => {
      const answer5 = await ask(`${url}/_bench/health`, { timeoutMs: 2e3 * patience });
      last = `${answer5.status} ${answer5.body.slice(0, 200)}`.trim();
      if (answer5.status !== 200) {
        firstError ||= Date.now();
        if (Date.now() - firstError > ERROR_LIMIT_MS) throw new Hopeless(`its health path answers ${last}`);
        await sleep8(ERROR_PAUSE_MS);
        return false;
      }
      const health = JSON.parse(answer5.body);
      if (health.nonce !== nonce) throw new Hopeless(`another server answers at ${url}`);
      seen.add(health.pid);
      return seen.size >= workers;
    },
    ended2,
    () => `${seen.size} of ${workers} workers answered within ${START_LIMIT_MS * patience / 1e3} s; the last answer was ${last}`,
    patience
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
    async () => `no response below 400 from ${health} on port ${port} within ${START_LIMIT_MS / 1e3} s${last}${elsewhere(port, await ports())}`
  );
}
async function until(isTrue, ended2, failure, patience = 1) {
  const deadline = Date.now() + START_LIMIT_MS * patience;
  for (; ; ) {
    const end = await ended2();
    if (end) throw new Error(`the server ended with ${end}`);
    try {
      if (await isTrue()) return;
    } catch (error) {
      if (error instanceof Hopeless) throw error;
    }
    if (Date.now() > deadline) throw new Error(await failure());
    await sleep8(10);
  }
}
var COUNTER_LIMIT_MS = 1e3;
async function countersOf(server, path, workers) {
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
var SETTLED_MS2 = 300;
var LOOKS = 8;
async function settled2(pids) {
  let last = await pids();
  for (let look2 = 1; look2 < LOOKS; look2++) {
    await sleep8(SETTLED_MS2);
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
  return text.replace(/\{([a-z][a-z0-9-]*)\}/g, (_, name) => {
    const value = values[name];
    if (value === void 0) {
      const hint2 = nearest(name, Object.keys(values));
      throw new Error(
        `no value for {${name}}${hint2 ? `; did you mean {${hint2}}?` : "."} A program among the needs of the runtime has none where it is not installed; \`doctor\` names it. Known: ${Object.keys(values).join(", ")}`
      );
    }
    return value;
  });
}
function fillCommand(command2, values) {
  return command2.map((argument) => fill(argument, values)).filter((argument) => argument !== "");
}

// entrypoint/engines/docker/image/dockerfiles.ts
var OURS2 = "/opt/async-php-bench";
var BIN = "/opt/async-php-bench-bin";
var SCRATCH = "/var/lib/async-php-bench";
var SQLITE = `${SCRATCH}/sqlite`;
var FIRST_PORT = 8080;
var SOCKET_TRIES = 600;
var MODES = "modes";
var COUNTED = "counted";
function portOf2(revision, mode, modes) {
  const index = modes.findIndex(({ name }) => name === mode.name);
  return FIRST_PORT + 2 * index + (revision === "head" ? 0 : 1);
}
function portsOf(modes) {
  return modes.flatMap((mode) => [portOf2("head", mode, modes), portOf2("base", mode, modes)]);
}
function needLines(modes, { extensions, composer, valgrind }, asked2) {
  const ofRuntimes = modes.flatMap((mode) => mode.via === "runtime" ? mode.runtime.needs : []);
  const lines = ofRuntimes.flatMap((need2) => {
    if ("file" in need2)
      throw new InputError(`modes: a mode needs ${need2.path}, which belongs to the PHP of a distribution. Allowed here: \`engine: host\``);
    if ("binary" in need2) return [`${need2["version-of-php"] ? "versioned" : "binary"} ${need2.binary} ${need2.apt ?? "-"}`];
    if ("download" in need2) {
      const sums = Object.values(need2.architectures).map(({ sha256 }) => sha256);
      return [`download ${need2.download} ${sums.join()}`];
    }
    return "extension" in need2 ? [`extension ${need2.extension} ${need2.apt ?? "-"} ${peclFields(need2.pecl, asked2[need2.extension])}`] : [];
  });
  const known = new Set(ofRuntimes.flatMap((need2) => "extension" in need2 ? [need2.extension] : []));
  const ofApp2 = ["opcache", ...extensions.filter((name) => !known.has(name))].map(
    (name) => `extension ${name} ${debianPackage("{php}", name)} ${PECL.has(name) ? name : "-"}`
  );
  const tools = [
    ...composer ? ["binary composer composer", "binary unzip unzip"] : [],
    // One package.
    ...valgrind ? ["binary valgrind valgrind", "binary vgdb valgrind"] : []
  ];
  return [.../* @__PURE__ */ new Set([...ofApp2, ...lines, ...tools])];
}
function downloadsOf(modes) {
  return modes.flatMap((mode) => mode.via === "runtime" ? mode.runtime.needs.filter((need2) => "download" in need2) : []);
}
function peclFields(pecl2, asked2) {
  if (!pecl2) return "-";
  const release = releaseToBuild(pecl2, asked2);
  const options = Object.entries(pecl2.with).map(([extension, { option, apt }]) => [extension, option, apt ?? "-"].join(":"));
  return [release ? `${pecl2.package}-${release}` : "-", options.join() || "-", asked2 ?? "-", pecl2.pie ?? "-"].join(" ");
}
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
function revisionDockerfile(from, project, user, owner, app, entry) {
  return [
    `FROM ${from}`,
    "USER root",
    `COPY bench ${OURS2}`,
    // A new volume starts with the content of its directory in the image.
    `RUN chmod -R a+rX ${OURS2} && mkdir -p ${SCRATCH} && chmod 1777 ${SCRATCH} && mkdir -p ${project}`,
    ...owner === void 0 ? [] : [`RUN mkdir ${SQLITE} && touch ${SQLITE}/${SQLITE_FILE} && ${OPEN_SQLITE} && chown -R ${owner} ${SQLITE}`],
    ...app === "checkout" ? [`RUN chown ${user} ${project}`, `COPY --chown=${user} app ${project}`] : [],
    ...app === "entry" ? [`COPY ${JSON.stringify(["app/entry.php", `${project}/${entry}`])}`, `RUN chmod a+r ${quoted2(`${project}/${entry}`)}`] : [],
    `WORKDIR ${project}`,
    `USER ${user}`,
    ""
  ].join("\n");
}
var OPEN_SQLITE = `chmod -R a+rwX ${SQLITE}`;
function startScript(runtime, values, folder, isCounted) {
  const commands = runtime.processes.map(({ command: command2, socket, "runs-php": runsPhp2 }) => {
    const filled = fillCommand(command2, values);
    const started = isCounted && runsPhp2 ? underCallgrind(filled, values.dir) : filled;
    return { line: started.map(quoted2).join(" "), socket };
  });
  const last = commands.pop();
  const tries = SOCKET_TRIES * (isCounted ? VALGRIND_PATIENCE : 1);
  return [
    "set -eu",
    `mkdir -p ${values.dir} ${SCRATCH}/files${isCounted ? ` ${values.dir}/${PIPES}` : ""}`,
    ...runtime.templates.map((template) => `cp ${OURS2}/${folder}/${runtime.name}/${template} ${values.dir}/${template}`),
    ...commands.flatMap(({ line, socket }) => [
      `${line} &`,
      ...socket ? [
        "n=0",
        `until [ -S ${fillCommand([socket], values)[0]} ]; do`,
        "    kill -0 $! 2> /dev/null || exit 1",
        `    n=$((n + 1)); [ $n -lt ${tries} ] || exit 1`,
        "    sleep 0.05",
        "done"
      ] : []
    ]),
    `exec ${last.line}`,
    ""
  ].join("\n");
}
function quoted2(argument) {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

// entrypoint/system/conversation.ts
var ANSWER_LIMIT_MS2 = 1e4;
var Conversation = class {
  constructor(command2, surroundings2, partner) {
    this.partner = partner;
    this.child = spawnPiped(command2, surroundings2);
    this.child.stdout.setEncoding("utf8").on("data", (chunk) => this.hear(chunk));
    this.child.stderr.setEncoding("utf8").on("data", (chunk) => {
      this.errors = (this.errors + chunk).slice(-2e3);
    });
    this.child.once("error", (error) => this.end(error.message));
    this.child.once("close", (code2) => this.end(`exit code ${code2} ${this.errors.trim()}`));
  }
  partner;
  child;
  text = "";
  errors = "";
  waiting;
  ended;
  /** Why the process no longer answers, or undefined. */
  get over() {
    return this.ended;
  }
  /** Asks one question at a time. @throws MeasurementError if the process has ended or does not answer */
  ask(line) {
    if (this.ended !== void 0) return Promise.reject(this.failure());
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
    this.ended ??= "it was closed";
    this.child.stdin.end();
    this.child.kill("SIGKILL");
  }
  hear(chunk) {
    this.text += chunk;
    const end = this.partner.end.exec(this.text);
    if (!end || !this.waiting) return;
    const lines = this.text.slice(0, end.index).split("\n").slice(0, -1);
    this.text = this.text.slice(end.index + end[0].length);
    this.waiting.resolve(lines);
  }
  end(why) {
    this.ended ??= why;
    this.waiting?.reject(this.failure());
  }
  failure() {
    return new MeasurementError(`${this.partner.name} stopped answering: ${this.ended}`);
  }
};

// entrypoint/engines/docker/container/converse.ts
var END = ".";
function converse(args) {
  return new Conversation(command(args), surroundings(), { name: "A container", end: /^\.\n/m });
}

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
    const row2 = of(key).find((line) => names2.includes(line.split(" ")[0]));
    return row2 === void 0 ? void 0 : Number(row2.split(" ")[1]);
  };
  const usage = field("cpu", "usage_usec") ?? nanoseconds(of("cpu")[0]);
  const memory2 = Number(of("memory")[0]);
  if (usage === void 0 || !Number.isFinite(usage) || !Number.isFinite(memory2)) {
    throw new Error("the container shows no cgroup files of CPU time and memory under /sys/fs/cgroup");
  }
  const inactive = field("stat", "total_inactive_file") ?? field("stat", "inactive_file") ?? 0;
  const peak = of("peak")[0];
  return {
    cpuUs: usage,
    workingSetKib: (memory2 - inactive) / 1024,
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
function limitFlags({ memory: memory2, cgroup }) {
  return [
    ...CONFINED,
    ...["--memory", memory2, "--memory-swap", memory2],
    // In version 1 the container's own groups are visible anyway.
    ...cgroup === "v2" ? ["--cgroupns", "private"] : [],
    ...["--log-driver", "json-file", "--log-opt", "max-size=10m"]
  ];
}
function setupCapabilities(owner) {
  return owner === "root" ? ["CHOWN", "DAC_OVERRIDE", "FOWNER"].flatMap((name) => ["--cap-add", name]) : [];
}

// entrypoint/engines/docker/container/counting.ts
var RUN2 = `${SCRATCH}/run`;
function callgrindInside(name) {
  const inside = (...command2) => tryDocker(["exec", name, ...command2], { timeoutMs: READ_LIMIT_MS });
  return {
    directory: RUN2,
    pipes: async () => (await inside("ls", `${RUN2}/${PIPES}`)).stdout.split("\n"),
    run: (command2) => inside(...command2),
    isThere: async (pid) => (await inside("test", "-d", `/proc/${pid}`)).code === 0,
    readFile: async (path) => {
      const { code: code2, stdout } = await inside("cat", path);
      return code2 === 0 ? stdout : void 0;
    }
  };
}
async function hasValgrind(image, { flags }) {
  const looked = await tryDocker([
    ...["run", "--rm", ...flags, ...CONFINED, "--network", "none", "--entrypoint", "sh", image],
    ...["-c", "command -v valgrind && command -v vgdb"]
  ]);
  return looked.code === 0;
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
   * @throws AppFailure with the log's end if the server does not answer with this start's nonce
   */
  static async start(mode, options) {
    const name = `async-php-bench-${options.labels.job}-${options.revision}-${mode.name}-${randomBytes(3).toString("hex")}`;
    const nonce = randomBytes(12).toString("hex");
    let server;
    try {
      await run(name, nonce, mode, options);
      const url = await urlOf(options.place.owner ?? name, options.port, options.route);
      server = new _ContainerServer(url, name, mode, options.workers, converse(["exec", "--interactive", name, "sh", "-c", READER]));
      if (mode.via === "runtime") {
        const { workers } = options;
        const patience = options.isCounted ? VALGRIND_PATIENCE : 1;
        await untilAllWorkersAnswer(url, nonce, mode.runtime.workers === "cpus" ? workers : 1, () => ended(name), patience);
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
      server.own = mode.via === "runtime" ? await pids(started) : await settled2(() => pids(started));
      return server;
    } catch (error) {
      const log = await atRest(() => logTailOf(name, mode));
      const whole2 = await logOf(name, KEPT_LINES);
      const refusal = refusalIn(whole2, options.project);
      server?.reader.close();
      await remove(name);
      if (refusal) throw new InputError(`${options.revision}: ${refusal}`);
      const why = `${mode.name} of ${options.revision} did not start: ${error.message}${log ? `
${log}` : ""}`;
      throw new AppFailure(why, void 0, whole2);
    }
  }
  async usage() {
    const asked2 = Date.now();
    const { cpuUs, workingSetKib } = await this.counters();
    return { at: (asked2 + Date.now()) / 2, cpuUs, memoryKib: workingSetKib };
  }
  async clock() {
    const { at, cpuUs } = await this.usage();
    return { at, cpuUs };
  }
  countWhile(command2) {
    return countWithCallgrind(command2, callgrindInside(this.name));
  }
  countFunctionsWhile(command2) {
    return countFunctionsWithCallgrind(command2, callgrindInside(this.name));
  }
  async lost() {
    return lostProcesses(this.own, (await this.counters()).pids, this.mode);
  }
  async eachWorker(path) {
    return this.mode.via === "runtime" ? countersOf(this, path, this.workers) : void 0;
  }
  async status() {
    const path = this.mode.via === "runtime" ? this.mode.runtime.status : void 0;
    const own = path === void 0 ? void 0 : await this.eachWorker(path);
    const { peakKib, throttledUs } = this.last ?? { peakKib: null, throttledUs: 0 };
    return { ...own, cgroup_peak_mib: peakKib === null ? null : peakKib / 1024, cgroup_throttled_us: throttledUs };
  }
  logTail() {
    return logTailOf(this.name, this.mode);
  }
  async log() {
    return (await logOf(this.name, KEPT_LINES)).slice(-LOG_KEPT);
  }
  /** Its main process is an init of Docker's, which is not what an administrator signals. */
  async signal() {
    return false;
  }
  async isRunning() {
    return await ended(this.name) === void 0;
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
var EMPTY_FILES = `for file in ${SCRATCH}/files/* ${SQLITE}/*; do if [ -f "$file" ]; then : > "$file"; fi; done`;
async function run(name, nonce, mode, options) {
  const { labels, place, port } = options;
  const start2 = { nonce, address: "0.0.0.0", port, workers: options.workers, directory: `${SCRATCH}/run` };
  const ofStart = mode.via === "runtime" ? startVariables(mode.runtime, start2) : { PORT: String(port) };
  const { flags, variables } = environmentFlags({ ...options.environment, ...ofStart });
  const script = `${OURS2}/${options.isCounted ? COUNTED : MODES}/${mode.name}/start.sh`;
  const volumeLabels = labels.flags.filter((flag) => flag !== "--label").map((label2) => `,volume-label=${label2}`);
  await docker(
    [
      ...["run", "--detach", "--init", "--name", name, ...labels.flags],
      ...place.owner ? ["--network", `container:${place.owner}`] : ["--network", place.network, ...publishFlags(options.route, [port])],
      ...limitFlags(options),
      ...options.cpus ? ["--cpuset-cpus", options.cpus] : [],
      ...options.isReadOnly ? ["--read-only", "--tmpfs", "/tmp:rw,mode=1777", "--tmpfs", "/run:rw,mode=1777"] : [],
      ...["--mount", `type=volume,dst=${SCRATCH}${volumeLabels.join("")}`],
      ...["--workdir", options.project, ...flags, "--entrypoint", "sh", options.image, script]
    ],
    { variables }
  );
}
async function ended(name) {
  const state2 = await tryDocker(["inspect", "--format", "{{.State.Running}} {{.State.ExitCode}} {{.State.OOMKilled}}", name]);
  const [running, code2, isOutOfMemory] = state2.stdout.trim().split(" ");
  if (running === "true") return void 0;
  return state2.code === 0 ? `exit code ${code2}${isOutOfMemory === "true" ? ", out of memory" : ""}` : "its container gone";
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
import { randomBytes as randomBytes4 } from "node:crypto";

// entrypoint/engines/docker/image/build.ts
import { createHash } from "node:crypto";
import { join as join10 } from "node:path";

// entrypoint/engines/docker/image/build-cache.ts
import { existsSync as existsSync8 } from "node:fs";
async function cachedBuild(name, scope) {
  builder ??= makeBuilder();
  const builderName = await builder;
  return builderName ? { arguments: cached(name, scope, builderName, process.arch), variables: inherited(KEY) } : void 0;
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
  for (const name of forgottenBuilders((await tryDocker(["buildx", "ls"])).stdout, (pid) => existsSync8(`/proc/${pid}`))) {
    await tryDocker(["buildx", "rm", "--force", name]);
  }
}
function forgottenBuilders(list2, isAlive) {
  return [...list2.matchAll(new RegExp(`^${PREFIX}(\\d+)\\b`, "gm"))].filter(([, pid]) => !isAlive(Number(pid))).map(([name]) => name);
}
function cached(name, { reads, writes }, builderName, arch) {
  const scope = (owner) => `type=gha,scope=${PREFIX}${owner}-${name}-${arch}`;
  return [
    ...["buildx", "build", "--builder", builderName, "--load"],
    ...reads.flatMap((owner) => ["--cache-from", scope(owner)]),
    ...writes ? ["--cache-to", `${scope(writes)},mode=max,ignore-error=true`] : []
  ];
}

// entrypoint/engines/docker/image/build.ts
var HERE = join10(PACKAGE, "entrypoint", "engines", "docker", "image");
var IN_CONTAINERS = join10(PACKAGE, "entrypoint", "engines", "docker", "container");
var BUILD_LIMIT_MS = 18e5;
async function bring(name) {
  const here = await idOf(name);
  if (here) return here;
  const pulled = await tryDocker(["pull", "--quiet", name], { timeoutMs: BUILD_LIMIT_MS });
  if (pulled.code !== 0)
    throw new MeasurementError(`The image ${name} is not on this machine and cannot be pulled: ${lastLines(printed(pulled), 3)}.`);
  return await idOf(name);
}
async function idOf(name) {
  const found = await tryDocker(["image", "inspect", "--format", "{{.Id}}", name]);
  return found.code === 0 ? found.stdout.trim() : void 0;
}
async function build(args, what, cache) {
  const options = { timeoutMs: BUILD_LIMIT_MS };
  const withCache = cache?.layers && await cachedBuild(cache.name, cache.layers);
  const first = withCache && await tryDocker([...withCache.arguments, ...args], { ...options, variables: withCache.variables });
  if (first?.code === 0) return;
  const done = await tryDocker(["build", "--force-rm", ...args], options);
  if (done.code !== 0)
    throw new MeasurementError(`${what} cannot be built:
${ownWords(done.stdout + done.stderr) ?? lastLines(printed(done), 40)}`);
  if (first) cache?.say(`${what} was built without the layer cache, because the build with it failed: ${lastLines(printed(first), 1)}`);
}
function ownWords(log) {
  const lines = log.split("\n").map((line) => line.replace(/^#\d+ [\d.]+ /, ""));
  const start2 = lines.findIndex((line) => line.startsWith("async-php-bench: "));
  const end = lines.findIndex((line, i) => i > start2 && !/^( {2}|Put it)/.test(line));
  return start2 < 0 ? void 0 : lines.slice(start2, end < 0 ? void 0 : end).join("\n");
}
function cacheTag(kind, ...parts) {
  return `async-php-bench-${kind}:${createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 16)}`;
}

// entrypoint/engines/docker/image/package-image.ts
import { readFileSync as readFileSync5 } from "node:fs";
import { join as join11 } from "node:path";

// entrypoint/engines/docker/daemon/labels.ts
import { hostname } from "node:os";
import { setTimeout as sleep9 } from "node:timers/promises";
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
    await sleep9(500);
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
    const ids = rows.map((row2) => row2.split(" ")).filter(([, owner]) => wanted(owner ?? ""));
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
  return rows.stdout.split("\n").filter(Boolean).map((row2) => row2.split(" ")).filter(([, owner]) => wanted(owner ?? "")).map(([id]) => id);
}
async function removeAll(ids, remove2, failures) {
  for (const id of ids) {
    const done = await tryDocker([...remove2, id]);
    if (done.code !== 0 && !/No such|not found|already in progress/i.test(done.stderr))
      failures.push(`docker ${remove2.join(" ")} ${id}: ${done.stderr.trim()}`);
  }
}

// entrypoint/engines/docker/image/package-image.ts
var DOCKERFILE = join11(HERE, "package.Dockerfile");
async function packageImage(base, name, what, { directory, say, cache }) {
  const tag = cacheTag("package", await bring(base), readFileSync5(DOCKERFILE, "utf8"), name);
  if (await idOf(tag)) return tag;
  const context = subdirectory(directory, `image-of-${name}`);
  const args = ["--build-arg", `BASE=${base}`, "--build-arg", `PACKAGE=${name}`];
  await build([...args, "--label", CACHE_LABEL, "--tag", tag, "--file", DOCKERFILE, context], `an image of ${what}`, {
    name,
    layers: cache?.layers,
    say
  });
  return tag;
}

// entrypoint/engines/docker/image/service-image.ts
var MYSQL_KINDS = {
  mysql: { name: "MySQL", official: "mysql:8.4", package: void 0 },
  mariadb: { name: "MariaDB", official: "mariadb:11.4", package: "mariadb-server" }
};
var POSTGRES = { name: "PostgreSQL", official: "postgres:17", package: "postgresql" };
var REDIS = { name: "Redis", official: "redis:7", package: "redis-server" };
async function serviceImage(kind, configured, base, job) {
  const name = configured ?? kind.official;
  try {
    await bring(name);
    return name;
  } catch (error) {
    if (configured || kind.package === void 0) throw error;
    job.say(`${messageOf(error)} So ${kind.name} comes from the packages of ${base} instead`);
  }
  return packageImage(base, kind.package, kind.name, job);
}

// entrypoint/engines/docker/container/mysql-container.ts
import { randomBytes as randomBytes2 } from "node:crypto";

// entrypoint/engines/shared/mysql.ts
import { readFileSync as readFileSync6, writeFileSync as writeFileSync5 } from "node:fs";
import { join as join12 } from "node:path";
var MYSQL_SETTINGS = {
  "innodb-buffer-pool-size": "1G",
  // MariaDB's name, and MySQL's since 8.0.30. A server warns about the name that it does not know.
  "loose-innodb-log-file-size": "256M",
  "loose-innodb-redo-log-capacity": "256M",
  "innodb-flush-log-at-trx-commit": "2",
  "innodb-flush-method": "fsync",
  "innodb-doublewrite": "0",
  "max-connections": "1200",
  "character-set-server": "utf8mb4"
};
var DUMP = ["--single-transaction", "--routines", "--triggers", "--events", "--hex-blob"];
function mysql(dump) {
  return {
    language: "mysql",
    rows: ["-N", "--batch", "--unbuffered"],
    within: (database) => [database],
    create: (name) => `DROP DATABASE IF EXISTS \`${name}\`; CREATE DATABASE \`${name}\`;`,
    drop: (name) => `DROP DATABASE IF EXISTS \`${name}\`;`,
    keep: async (name, directory) => {
      const dumped = await dump([...DUMP, name]);
      if (dumped.code !== 0) throw new MeasurementError(`The database ${name} cannot be dumped: ${lastLines(dumped.stderr)}`);
      const file = join12(directory, `${name}.sql`);
      writeFileSync5(file, dumped.stdout, { mode: 384 });
      return () => `DROP DATABASE \`${name}\`; CREATE DATABASE \`${name}\`; USE \`${name}\`; SET foreign_key_checks = 0;
${readFileSync6(file, "utf8")}
`;
    },
    counters: {
      // The second answer marks the end of the first. Unlike a SELECT it changes none of these counters.
      question: "SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_insert', 'Com_select', 'Com_update', 'Com_delete'); SHOW GLOBAL STATUS LIKE 'Uptime';",
      partner: { name: "The database client", end: /^Uptime\t\d+\n/m },
      parse: (row2) => {
        const [name, count3] = row2.split("	");
        return [name.slice("Com_".length).toLowerCase(), Number(count3)];
      }
    },
    connections: {
      question: "SHOW GLOBAL STATUS LIKE 'Threads_connected'; SHOW GLOBAL STATUS LIKE 'Uptime';",
      parse: (row2) => Number(row2.split("	")[1])
    }
  };
}

// entrypoint/engines/docker/container/service.ts
import { readFileSync as readFileSync7 } from "node:fs";
import { join as join13 } from "node:path";
import { setTimeout as sleep10 } from "node:timers/promises";
var START_LIMIT_MS2 = 12e4;
var LIMIT_MS4 = 6e5;
var TMPFS = "3g";
var Service = class _Service {
  constructor(name, what, image) {
    this.name = name;
    this.what = what;
    this.image = image;
  }
  name;
  what;
  image;
  static async start(start2, { labels, network, owner, route, ports, cpus }) {
    const { name, image, user, data, variables = {} } = start2;
    const volumeLabels = labels.flags.filter((flag) => flag !== "--label").map((label2) => `,volume-label=${label2}`);
    const place = name === owner ? ["--network", network, ...publishFlags(route, ports)] : ["--network", `container:${owner}`];
    await docker(
      [
        ...["run", "--detach", "--init", "--name", name, ...labels.flags, ...place],
        ...["--user", user, "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--read-only", "--tmpfs", "/tmp"],
        // Parallel queries of PostgreSQL exchange rows in this memory. The default is 64 MB.
        ...["--shm-size", "1g"],
        ...data?.storage === "tmpfs" ? ["--tmpfs", `${data.path}:rw,mode=0700,uid=${user},size=${TMPFS}`] : [],
        ...data?.storage === "disk" ? ["--mount", `type=volume,dst=${data.path}${volumeLabels.join("")}`] : [],
        ...cpus ? ["--cpuset-cpus", cpus] : [],
        ...Object.keys(variables).flatMap((variable) => ["--env", variable]),
        ...["--entrypoint", "sh", image, "-c", readFileSync7(join13(IN_CONTAINERS, start2.script), "utf8"), start2.what, ...start2.args]
      ],
      { variables }
    );
    return new _Service(name, start2.what, image);
  }
  /** Repeats a question until it is answered. @throws MeasurementError with the server's log if it does not start */
  async untilAnswers(ask2) {
    const deadline = Date.now() + START_LIMIT_MS2;
    for (; ; ) {
      const answer5 = await ask2();
      if (answer5.code === 0) return answer5;
      if (!await this.isRunning() || Date.now() > deadline)
        throw new MeasurementError(`${this.what} in the image ${this.image} did not start:
${await this.logEnd()}`);
      await sleep10(200);
    }
  }
  /** @returns the path of the first program in the image, or '' */
  async programAmong(names2) {
    const found = await this.run(["sh", "-c", `${PATHS}; for p in ${names2.join(" ")}; do command -v $p && break; done`]);
    return found.stdout.trim();
  }
  /** @param variables passed by name, because every user can read command lines */
  run(args, { input, variables = {} } = {}) {
    return tryDocker([...this.exec(variables), ...args], { input, variables, timeoutMs: LIMIT_MS4 });
  }
  converse(args, variables, partner) {
    return new Conversation(command([...this.exec(variables), ...args]), surroundings(variables), partner);
  }
  /** A sentence if the container is gone. */
  async lost() {
    return await this.isRunning() ? void 0 : `The container of ${this.what} is gone:
${await this.logEnd()}`;
  }
  async stop() {
    await tryDocker(["rm", "--force", "--volumes", this.name]);
  }
  exec(variables) {
    return ["exec", "--interactive", ...Object.keys(variables).flatMap((name) => ["--env", name]), this.name];
  }
  async isRunning() {
    return (await tryDocker(["inspect", "--format", "{{.State.Running}}", this.name])).stdout.trim() === "true";
  }
  async logEnd() {
    return lastLines(printed(await tryDocker(["logs", "--tail", "15", this.name])));
  }
};
var PATHS = "for d in /usr/lib/postgresql/*/bin; do PATH=$d:$PATH; done";
function userIn(image, user, { flags }) {
  return docker(["run", "--rm", ...flags, ...CONFINED, "--network", "none", "--entrypoint", "id", image, "-u", user]);
}

// entrypoint/engines/docker/container/mysql-container.ts
var PORT = 3306;
async function mysqlContainer({ name, image, storage }, neighbourhood) {
  const password = randomBytes2(12).toString("hex");
  const start2 = {
    name,
    what: "The database",
    image,
    user: await userIn(image, "mysql", neighbourhood.labels),
    data: { path: "/var/lib/mysql", storage },
    script: "mysql.sh",
    args: Object.entries(MYSQL_SETTINGS).map(([key, value]) => `--${key}=${value}`),
    variables: { APB_PASSWORD: password }
  };
  const service = await Service.start(start2, neighbourhood);
  const login = ["--no-defaults", "--host=127.0.0.1", `--port=${PORT}`, "--user=bench", "--protocol=tcp"];
  const variables = { MYSQL_PWD: password };
  const client2 = await service.programAmong(["mariadb", "mysql"]);
  const dump = await service.programAmong(["mariadb-dump", "mysqldump"]);
  const run2 = (path, args, input) => service.run([path, ...login, ...args], { input, variables });
  const version = await service.untilAnswers(() => run2(client2, ["-N", "-e", "SELECT VERSION()"]));
  return {
    access: { host: "127.0.0.1", port: PORT, user: "bench", password },
    description: {
      kind: client2.endsWith("mariadb") ? "mariadb" : "mysql",
      version: version.stdout.trim(),
      private: true,
      image,
      storage,
      settings: MYSQL_SETTINGS
    },
    isPrivate: true,
    client: (args, input) => run2(client2, args, input),
    converse: (args, partner) => service.converse([client2, ...login, ...args], variables, partner),
    dialect: mysql((args) => run2(dump, args)),
    lost: () => service.lost(),
    stop: () => service.stop()
  };
}

// entrypoint/engines/docker/container/postgres-container.ts
import { randomBytes as randomBytes3 } from "node:crypto";

// entrypoint/engines/shared/postgres.ts
var POSTGRES_SETTINGS = {
  shared_buffers: "1GB",
  max_wal_size: "1GB",
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  // It would run during some runs only. Each snapshot is vacuumed and analysed instead.
  autovacuum: "off",
  max_connections: "1200",
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track_utility": "off",
  "pg_stat_statements.max": "10000",
  "pg_stat_statements.save": "off"
};
function welcome(password) {
  return `CREATE ROLE bench SUPERUSER LOGIN PASSWORD '${password}';
CREATE EXTENSION pg_stat_statements;
`;
}
var BEFORE_VERB = String.raw`^(\s|\(|--[^\n]*\n|/\*([^*]|\*[^/])*\*/)*`;
var STATEMENTS = `SELECT verb, sum(calls) FROM (SELECT lower(substring(regexp_replace(query, '${BEFORE_VERB}', '') FROM '^[A-Za-z]+')) AS verb, calls FROM pg_stat_statements WHERE dbid <> (SELECT oid FROM pg_database WHERE datname = current_database())) AS counted WHERE verb IS NOT NULL GROUP BY verb ORDER BY verb;`;
var CLIENTS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend';";
var ALIVE = "SET application_name = 'async-php-bench';";
function postgres({ version, isCounting }) {
  const strategy = Number.parseInt(version, 10) >= 15 ? " STRATEGY FILE_COPY" : "";
  const create = (name, template = "template1") => `CREATE DATABASE "${name}" TEMPLATE "${template}"${strategy};`;
  const drop = (name) => `DROP DATABASE IF EXISTS "${name}" WITH (FORCE);`;
  return {
    language: "postgres",
    rows: ["--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--field-separator=	", "--set=ON_ERROR_STOP=1"],
    within: (database) => [`--dbname=${database}`],
    create: (name) => `${drop(name)}
${create(name)}`,
    drop: (name) => `${drop(name)}
${drop(snapshotOf(name))}`,
    keep: async (name, _directory, sql) => {
      await sql("VACUUM (ANALYZE);", name);
      await sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}';
${drop(snapshotOf(name))}
${create(snapshotOf(name), name)}`
      );
      return () => `${drop(name)}
${create(name, snapshotOf(name))}
`;
    },
    counters: {
      question: `${isCounting ? STATEMENTS : ALIVE}
\\echo .`,
      partner: { name: "The database client", end: /^\.\n/m },
      parse: (row2) => {
        const [verb, count3] = row2.split("	");
        return [verb, Number(count3)];
      }
    },
    connections: {
      question: `${CLIENTS}
\\echo .`,
      parse: Number
    }
  };
}
function snapshotOf(name) {
  return `${name}_snapshot`;
}

// entrypoint/engines/docker/container/postgres-container.ts
var PORT2 = 5432;
var HOME = "/var/lib/postgresql";
async function postgresContainer({ name, image, storage }, neighbourhood) {
  const settings = { ...POSTGRES_SETTINGS, port: PORT2, listen_addresses: "127.0.0.1", unix_socket_directories: "/tmp" };
  const start2 = {
    name,
    what: "PostgreSQL",
    image,
    user: await userIn(image, "postgres", neighbourhood.labels),
    data: { path: HOME, storage },
    script: "postgres.sh",
    args: Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`])
  };
  const service = await Service.start(start2, neighbourhood);
  const program = await service.programAmong(["psql"]);
  const asPostgres = [program, "--no-psqlrc", "--quiet", "--host=/tmp", `--port=${PORT2}`, "--username=postgres", "--dbname=postgres"];
  const version = await service.untilAnswers(() => service.run([...asPostgres, "-tA", "--command=SHOW server_version"]));
  const password = randomBytes3(12).toString("hex");
  const welcomed = await service.run([...asPostgres, "--set=ON_ERROR_STOP=1"], { input: welcome(password) });
  if (welcomed.code !== 0) throw new MeasurementError(`The database refused to create a user: ${lastLines(welcomed.stderr)}`);
  const login = [program, "--host=127.0.0.1", `--port=${PORT2}`, "--username=bench"];
  const variables = { PGPASSWORD: password, PGDATABASE: "postgres" };
  return {
    access: { host: "127.0.0.1", port: PORT2, user: "bench", password },
    dialect: postgres({ version: version.stdout.trim(), isCounting: true }),
    description: {
      kind: "postgres",
      version: `PostgreSQL ${version.stdout.trim()}`,
      private: true,
      image,
      storage,
      settings: POSTGRES_SETTINGS
    },
    isPrivate: true,
    client: (args, input) => service.run([...login, ...args], { input, variables }),
    converse: (args, partner) => service.converse([...login, ...args], variables, partner),
    lost: () => service.lost(),
    stop: () => service.stop()
  };
}

// entrypoint/engines/docker/container/database-container.ts
function databaseName({ job }) {
  return `async-php-bench-${job}-database`;
}
function kindOf(choice) {
  if (choice.language === "postgres") return POSTGRES;
  return MYSQL_KINDS[choice.from === "job" && choice.kind === "mysql" ? "mysql" : "mariadb"];
}
function storageOf({ limits }, { memoryBytes }) {
  const wanted = limits["database-storage"];
  return wanted === "auto" ? memoryBytes > 12 * 2 ** 30 ? "tmpfs" : "disk" : wanted;
}
function databaseContainer(choice, start2, neighbourhood) {
  return (choice.language === "postgres" ? postgresContainer : mysqlContainer)(start2, neighbourhood);
}

// entrypoint/engines/shared/redis.ts
var REDIS_SETTINGS = { save: "", appendonly: "no" };
var REDIS_OPTIONS = Object.entries(REDIS_SETTINGS).flatMap(([key, value]) => [`--${key}`, value]);

// entrypoint/engines/docker/container/redis-containers.ts
var PORTS = { head: 6379, base: 6380 };
var NOBODY = "65534:65534";
function redisName({ job }, revision) {
  return `async-php-bench-${job}-redis-${revision}`;
}
async function redisContainers(revisions, image, neighbourhood) {
  const services = /* @__PURE__ */ new Map();
  const ask2 = (revision, words) => {
    const { service, client: client2 } = services.get(revision);
    return service.run([client2, "-h", "127.0.0.1", "-p", String(PORTS[revision]), ...words]);
  };
  const command2 = async (revision, word, expected) => {
    const said2 = await ask2(revision, [word]);
    if (said2.stdout.trim() === expected) return;
    const why = await services.get(revision)?.service.lost() ?? lastLines(printed(said2));
    throw new MeasurementError(`Redis of ${revision} does not answer to ${word}: ${why}`);
  };
  for (const revision of revisions) {
    const name = redisName(neighbourhood.labels, revision);
    const args = ["--port", String(PORTS[revision]), "--bind", "127.0.0.1", "--daemonize", "no", "--dir", "/tmp", ...REDIS_OPTIONS];
    const service = await Service.start(
      { name, what: `Redis of ${revision}`, image, user: NOBODY, script: "redis.sh", args },
      neighbourhood
    );
    services.set(revision, { service, client: await service.programAmong(["redis-cli", "valkey-cli"]) });
    await service.untilAnswers(() => ask2(revision, ["PING"]));
  }
  const version = await ask2(revisions[0], ["INFO", "server"]);
  return {
    description: {
      version: /^(?:valkey|redis)_version:(\S+)/m.exec(version.stdout)?.[1] ?? "unknown",
      image,
      servers: "one per revision",
      settings: REDIS_SETTINGS
    },
    reached: (revision) => ({ host: "127.0.0.1", port: PORTS[revision] }),
    empty: (revision) => command2(revision, "FLUSHALL", "OK"),
    assertAlive: async () => void await allOf(revisions.map((revision) => command2(revision, "PING", "PONG"))),
    stop: async () => void await allOf([...services.values()].map(({ service }) => service.stop()))
  };
}

// entrypoint/engines/docker/job.ts
function jobOf(options) {
  const { rules, daemon } = options;
  const id = randomBytes4(4).toString("hex");
  const choice = databaseOf(rules.database);
  const onServer = isOnServer(choice) ? choice : void 0;
  return {
    ...options,
    id,
    labels: labelsOf(id),
    network: `async-php-bench-${id}`,
    onServer,
    cpus: cpuSets([...Array(daemon.cpus).keys()], { database: onServer !== void 0 || rules.redis, load: daemon.host === void 0 }),
    // Half of the machine, the same for every arm. The other half is for the database and the load.
    memory: rules.limits.memory ?? `${Math.floor(daemon.memoryBytes / 2 ** 21)}m`
  };
}
function servedBy2({ served }, revision) {
  return served[revision];
}
function checkoutsOf({ checkouts }) {
  return Object.values(checkouts);
}
function revisionsOf(job) {
  return checkoutsOf(job).map(({ revision }) => revision);
}
function baseOf(job) {
  return (job.served.base ?? servedBy2(job, "head")).docker.base;
}
function placeOf2(job) {
  const { network, labels, onServer, rules } = job;
  const first = revisionsOf(job)[0];
  return { network, owner: onServer ? databaseName(labels) : rules.redis ? redisName(labels, first) : void 0 };
}

// entrypoint/engines/shared/composer.ts
import { existsSync as existsSync9 } from "node:fs";
import { join as join14 } from "node:path";
function composerCommand(directory) {
  if (!existsSync9(join14(directory, "composer.json"))) return void 0;
  const verb = existsSync9(join14(directory, "composer.lock")) ? "install" : "update";
  return [verb, "--no-dev", "--classmap-authoritative", "--no-interaction", "--no-progress"];
}

// entrypoint/engines/shared/database.ts
var Database = class {
  /** @param directory for snapshots */
  constructor(server, directory) {
    this.server = server;
    this.directory = directory;
  }
  server;
  directory;
  /** Statements that restore a database, by its name. */
  snapshots = /* @__PURE__ */ new Map();
  created = [];
  /** Statements that reading the counters adds to them: MySQL's client selects the server's version when it connects. */
  perReading;
  readings = 0;
  reader;
  get description() {
    return this.server.description;
  }
  /** A database, with its address for the app. */
  reached(name) {
    return { language: this.server.dialect.language, access: this.server.access, name };
  }
  async create(names2) {
    await this.sql(names2.map((name) => this.server.dialect.create(name)).join("\n"));
    this.created.push(...names2);
  }
  /** Keeps the current content of a database for restore(). */
  async snapshot(name) {
    const sql = (statements, database) => this.sql(statements, database);
    this.snapshots.set(name, await this.server.dialect.keep(name, this.directory, sql));
  }
  /** Restores the snapshots, so that no run starts with another run's rows. */
  async restore(names2) {
    await this.sql(names2.map((name) => this.snapshots.get(name)?.() ?? "").join(""));
  }
  /** @param database the database for the statements, or none @throws MeasurementError if the server refuses them or is gone */
  async sql(statements, database) {
    const { dialect } = this.server;
    const done = await this.server.client([...dialect.rows, ...database === void 0 ? [] : dialect.within(database)], statements);
    if (done.code !== 0)
      throw new MeasurementError(await this.server.lost() ?? `The database refused a statement: ${lastLines(done.stderr)}`);
    return done.stdout;
  }
  /** The statements that the server has run so far, by lower-case verb, without those of the readings. @throws MeasurementError as sql() */
  async statementCounts() {
    this.perReading ??= difference3(await this.readCounts(), await this.readCounts());
    const counts = await this.readCounts();
    this.readings++;
    return Object.fromEntries(Object.entries(counts).map(([verb, count3]) => [verb, count3 - this.readings * (this.perReading?.[verb] ?? 0)]));
  }
  /** Clients that the server has now, this one among them. @throws MeasurementError as sql() */
  async connections() {
    const { question, parse: parse2 } = this.server.dialect.connections;
    const [row2] = await this.askReader(question);
    return row2 === void 0 ? 0 : parse2(row2);
  }
  async readCounts() {
    const { question } = this.server.dialect.counters;
    const rows = await this.askReader(question).catch(() => this.askReader(question));
    return Object.fromEntries(rows.map((row2) => this.server.dialect.counters.parse(row2)));
  }
  /** Asks a client that stays, because starting one takes as long as a dozen answers. An administrator or a time-out may have ended it. */
  async askReader(question) {
    const { rows, counters } = this.server.dialect;
    this.reader = this.reader && this.reader.over === void 0 ? this.reader : this.server.converse([...rows], counters.partner);
    try {
      return await this.reader.ask(question);
    } catch (error) {
      this.reader.close();
      throw new MeasurementError(await this.server.lost() ?? `The database's counters cannot be read: ${messageOf(error)}`);
    }
  }
  async close() {
    this.reader?.close();
    const drop = this.created.map((name) => this.server.dialect.drop(name));
    if (!this.server.isPrivate) for (const statements of drop) await this.sql(statements).catch(() => {
    });
    await this.server.stop();
  }
};
function difference3(before, after) {
  return Object.fromEntries(Object.entries(after).map(([verb, count3]) => [verb, count3 - (before[verb] ?? 0)]));
}

// entrypoint/engines/shared/environment.ts
var KEPT_MEMORY = { MALLOC_MMAP_THRESHOLD_: "33554432", MALLOC_TRIM_THRESHOLD_: "268435456" };
function appEnvironment({ env }, outer, iniDirectories, { database, sqlite, redis }) {
  return {
    ...ofApp(outer),
    ...KEPT_MEMORY,
    APP_ENV: "prod",
    APP_DEBUG: "0",
    PHP_INI_SCAN_DIR: iniDirectories,
    // Switches off an Xdebug that php.ini itself loads.
    XDEBUG_MODE: "off",
    ...database ? databaseVariables(database) : {},
    ...sqlite === void 0 ? {} : sqliteVariables(sqlite),
    ...redis ? redisVariables(redis) : {},
    ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)]))
  };
}
var NAMES2 = {
  mysql: { scheme: "mysql", query: "?charset=utf8mb4", connection: "mysql" },
  postgres: { scheme: "postgresql", query: "", connection: "pgsql" }
};
function databaseVariables({ language, access, name }) {
  const login = `${encodeURIComponent(access.user)}:${encodeURIComponent(access.password)}`;
  const { scheme, query, connection } = NAMES2[language];
  return {
    DATABASE_URL: `${scheme}://${login}@${access.host}:${access.port}/${name}${query}`,
    DB_CONNECTION: connection,
    DB_HOST: access.host,
    DB_PORT: String(access.port),
    DB_NAME: name,
    DB_DATABASE: name,
    DB_USER: access.user,
    DB_USERNAME: access.user,
    DB_PASSWORD: access.password
  };
}
function sqliteVariables(file) {
  return { DATABASE_URL: `sqlite:///${file}`, DB_CONNECTION: "sqlite", DB_NAME: file, DB_DATABASE: file };
}
function redisVariables({ host, port }) {
  return { REDIS_URL: `redis://${host}:${port}`, REDIS_HOST: host, REDIS_PORT: String(port) };
}

// entrypoint/engines/shared/revision-databases.ts
import { randomBytes as randomBytes5 } from "node:crypto";
import { readFileSync as readFileSync8 } from "node:fs";
var RevisionDatabases = class {
  constructor(database, served) {
    this.database = database;
    this.served = served;
  }
  database;
  served;
  id = randomBytes5(4).toString("hex");
  app(revision) {
    return this.database.reached(this.names(revision).app);
  }
  /** The database of the built-in workloads. */
  bench(revision) {
    const { bench } = this.names(revision);
    return bench === void 0 ? void 0 : this.database.reached(bench);
  }
  /** Called before Composer and setup, because config caches freeze the settings. */
  async create(revision) {
    await this.database.create(this.all(revision));
  }
  /** Called after setup. Every run begins with this content. */
  async snapshot(revision) {
    const { bench } = this.names(revision);
    for (const { builtIn: builtIn2 } of this.served[revision]?.workloads ?? []) {
      if (builtIn2?.schema && bench) await this.database.sql(readFileSync8(builtIn2.schema, "utf8"), bench);
    }
    await Promise.all(this.all(revision).map((name) => this.database.snapshot(name)));
  }
  async restore(revision) {
    await this.database.restore(this.all(revision));
  }
  all(revision) {
    return Object.values(this.names(revision));
  }
  names(revision) {
    const app = `apb_${this.id}_${revision}`;
    const needsBench = this.served[revision]?.workloads.some(({ builtIn: builtIn2 }) => builtIn2?.database);
    return needsBench ? { app, bench: `${app}_bench` } : { app };
  }
};

// entrypoint/engines/shared/services.ts
async function distant({ server, redis }, revisions, { latency }, delayed2) {
  const targets = [
    ...server && latency.database !== void 0 ? [{ ...server.access, delayMs: latency.database }] : [],
    ...redis && latency.redis !== void 0 ? revisions.map((revision) => ({ ...redis.reached(revision), delayMs: latency.redis })) : []
  ];
  if (targets.length === 0) return { server, redis, relay: void 0 };
  const delay = await delayed2(targets);
  return {
    server: server && latency.database !== void 0 ? serverAway(server, latency.database, delay) : server,
    redis: redis && latency.redis !== void 0 ? redisAway(redis, latency.redis, delay) : redis,
    relay: delay === "netem" ? void 0 : delay
  };
}
function serverAway(server, delayMs, delay) {
  const description = { ...server.description, ...described(delayMs, delay) };
  if (delay === "netem") return { ...server, description };
  return {
    ...server,
    access: { ...server.access, ...delay.reached(server.access) },
    description,
    lost: async () => await server.lost() ?? delay.over
  };
}
function redisAway(redis, delayMs, delay) {
  const description = { ...redis.description, ...described(delayMs, delay) };
  if (delay === "netem") return { ...redis, description };
  return {
    ...redis,
    description,
    reached: (revision) => delay.reached(redis.reached(revision)),
    assertAlive: async () => {
      await redis.assertAlive();
      if (delay.over) throw new MeasurementError(delay.over);
    }
  };
}
function described(delayMs, delay) {
  return { latency_ms: delayMs, latency_by: delay === "netem" ? delay : "relay" };
}

// entrypoint/engines/docker/container/machine.ts
var ContainerMachine = class _ContainerMachine {
  constructor(conversation, description) {
    this.conversation = conversation;
    this.description = description;
  }
  conversation;
  description;
  static async start(labels, image, daemon) {
    const conversation = converse([
      ...["run", "--interactive", "--rm", "--name", `async-php-bench-${labels.job}-machine`, ...labels.flags, "--network", "none"],
      ...[...CONFINED, "--read-only", "--memory", "256m", "--entrypoint", `${BIN}/php`],
      ...[image, `${OURS2}/machine.php`]
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
  /** Why it no longer answers, or undefined. */
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
var LIMIT_MS5 = 9e5;
var FOREVER = "while :; do sleep 3600; done";
async function runSteps(steps, options) {
  const { revision, image, environment, place, labels, last, say } = options;
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
    const done = await tryDocker(["exec", ...flags, name, "sh", "-c", step], { variables, timeoutMs: LIMIT_MS5 });
    if (done.code !== 0) {
      throw new MeasurementError(`setup of ${revision}: \`${step}\` ended with ${done.code}:
${lastLines(printed(done), 20)}`);
    }
  }
  if (last !== void 0) await docker(["exec", name, "sh", "-c", last]);
  const user = image.record.user;
  await docker(["commit", "--change", `USER ${user}`, name, image.tag], { timeoutMs: LIMIT_MS5 });
  await tryDocker(["rm", "--force", "--volumes", name]);
}

// entrypoint/engines/shared/relay.ts
var RELAY = "relay/main.php";
var TITLE = "The relay of `latency`";
var Relay = class _Relay extends Sidecar {
  constructor(conversation, targets, ports) {
    super(conversation, "relay", TITLE);
    this.targets = targets;
    this.ports = ports;
  }
  targets;
  ports;
  /**
   * @param command runs main.php of the relay with the given arguments, where it reaches the servers and the app reaches it by 127.0.0.1
   * @throws MeasurementError if it does not start
   */
  static async before(targets, command2, surroundings2) {
    const args = targets.flatMap(({ host, port, delayMs }) => [`${host}:${port}`, String(delayMs / 1e3)]);
    const conversation = new Conversation(command2(args), surroundings2, { name: TITLE, end: /^\.\n/m });
    const ports = (await conversation.ask("port")).map(Number);
    if (ports.length !== targets.length || !ports.every(Number.isInteger)) {
      throw new MeasurementError(`${TITLE} did not report its ports.`);
    }
    return new _Relay(conversation, targets, ports);
  }
  /** The address of a server for the app. Without a delay it is the server's own. */
  reached({ host, port }) {
    const ours = this.ports[this.targets.findIndex((target) => target.host === host && target.port === port)];
    return ours === void 0 ? { host, port } : { host: "127.0.0.1", port: ours };
  }
};

// entrypoint/engines/docker/container/netem.ts
var WAITING_PACKETS = 1e5;
function netemBatch(targets) {
  const first = Array(16).fill("0").join(" ");
  const bands = targets.map(({ port, delayMs }, i) => ({ port, microseconds: Math.round(1e3 * delayMs), band: i + 2 }));
  return [
    `qdisc add dev lo root handle 1: prio bands ${bands.length + 1} priomap ${first}`,
    ...bands.map(
      ({ band, microseconds }) => `qdisc add dev lo parent 1:${band} handle ${band}: netem delay ${microseconds}us limit ${WAITING_PACKETS}`
    ),
    ...bands.map(
      ({ band, port }) => `filter add dev lo parent 1: protocol ip prio 1 u32 match ip protocol 6 0xff match ip sport ${port} 0xffff flowid 1:${band}`
    ),
    ""
  ].join("\n");
}
async function delayInKernel(targets, { image, owner, labels }) {
  const tc = (args, input) => tryDocker(
    [
      ...["run", "--interactive", "--rm", "--name", `async-php-bench-${labels.job}-tc`, ...labels.flags],
      // The right to change this namespace, and no other. It has none of the app's code.
      ...["--network", `container:${owner}`, "--cap-drop", "ALL", "--cap-add", "NET_ADMIN", "--security-opt", "no-new-privileges"],
      ...["--user", "0:0", "--read-only", "--memory", "64m", "--entrypoint", "tc", image, ...args]
    ],
    { input }
  );
  const done = await tc(["-batch", "-"], netemBatch(targets));
  if (done.code === 0) return void 0;
  await tc(["qdisc", "del", "dev", "lo", "root"]);
  return done.stderr.trim().split("\n")[0]?.replace(/^Error: /, "") ?? "";
}

// entrypoint/engines/docker/delay.ts
async function tcImage(job) {
  if (Object.keys(job.rules.latency).length === 0) return void 0;
  try {
    return { tag: await packageImage(baseOf(job), "iproute2", "`tc`", job) };
  } catch (error) {
    return { missing: lastLines(messageOf(error), 1) };
  }
}
async function delayed(job, targets, tc, php) {
  const owner = placeOf2(job).owner;
  const why = tc && "tag" in tc ? await delayInKernel(targets, { image: tc.tag, owner, labels: job.labels }) : tc?.missing;
  if (why === void 0) {
    job.say("latency: the kernel delays the answers, by tc netem");
    return "netem";
  }
  job.say(`latency: a relay delays the answers, because the kernel cannot (tc: ${why})`);
  return Relay.before(targets, relayCommand(job, owner, php), surroundings());
}
function relayCommand({ labels, cpus }, owner, tag) {
  return (args) => command([
    ...["run", "--interactive", "--rm", "--name", `async-php-bench-${labels.job}-relay`, ...labels.flags],
    ...["--network", `container:${owner}`, ...CONFINED, "--read-only", "--memory", "256m"],
    ...cpus.database ? ["--cpuset-cpus", cpus.database] : [],
    ...["--entrypoint", `${BIN}/php`, tag, "-n", `${OURS2}/sidecars/${RELAY}`, ...args]
  ]);
}

// entrypoint/engines/docker/image/images.ts
import { existsSync as existsSync11, readFileSync as readFileSync14, writeFileSync as writeFileSync8 } from "node:fs";
import { join as join20 } from "node:path";

// entrypoint/engines/shared/entry.ts
import { existsSync as existsSync10, readFileSync as readFileSync9 } from "node:fs";
import { basename, dirname, join as join15 } from "node:path";
function entryOf({ directory, revision, label: label2 }, { app, front }) {
  const hasApp = existsSync10(join15(directory, app));
  if (front === null) return { app: hasApp ? app : "", front: "" };
  const place = `front: ${revision} (${label2})`;
  if (!existsSync10(join15(directory, front))) throw new InputError(`${place} has no ${front}. Allowed: a PHP script of the repository`);
  if (hasApp) throw new InputError(`${place} has both ${front} and the entry file ${app}. Remove one of them, or the key front`);
  return { app: "", front };
}
function scriptValues(runtimeDirectory, front) {
  const script = front === "" ? `${runtimeDirectory}/front.php` : front;
  return { script, "script-name": front === "" ? "/index.php" : `/${basename(front)}`, "document-root": dirname(script) };
}
function frontFunctions({ front, php }) {
  if (front === null) return "";
  const ours = [...readFileSync9(join15(PACKAGE, "php", "functions.php"), "utf8").matchAll(/^function (\w+)\(/gm)].map((match) => match[1]);
  const theirs = String(php.ini.disable_functions ?? "").split(",");
  return `-ddisable_functions=${[...theirs, ...ours].filter(Boolean).join(",")}`;
}

// entrypoint/engines/docker/image/context.ts
import { cpSync, mkdirSync as mkdirSync2, readFileSync as readFileSync11, writeFileSync as writeFileSync6 } from "node:fs";
import { join as join17 } from "node:path";

// entrypoint/engines/shared/classes.ts
import { readdirSync, readFileSync as readFileSync10 } from "node:fs";
import { join as join16 } from "node:path";
var HEADER2 = /^<\?php\s+declare\(strict_types=1\);\n/;
function bundledClasses(directory) {
  const texts = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name.endsWith(".php")).map((entry) => readFileSync10(join16(entry.parentPath ?? entry.path, entry.name), "utf8"));
  const isInterface = (text) => /^interface /m.test(text);
  const ordered = [...texts.filter(isInterface), ...texts.filter((text) => !isInterface(text))];
  return `<?php

declare(strict_types=1);
${ordered.map((text) => text.replace(HEADER2, "")).join("")}`;
}

// entrypoint/engines/shared/placeholders.ts
function placeholders({ needs }, placement) {
  const { directory, log, runtime, front, frontFunctions: frontFunctions2, address, port, connections, cpus, classes, isRoot, binary } = placement;
  const programs2 = ["php", ...needs.flatMap(nameOf)];
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
    cpus: String(cpus),
    preload: classes && `-dopcache.preload=${classes}`,
    "root-flag": isRoot ? "--allow-to-run-as-root" : "",
    "preload-user": isRoot ? "-dopcache.preload_user=root" : "",
    "pool-user": isRoot ? "user = root\ngroup = root" : "",
    "nginx-user": isRoot ? "user root;" : ""
  };
}
function nameOf(need2) {
  if ("binary" in need2) return [need2.binary];
  if ("download" in need2) return [need2.download];
  return "file" in need2 ? [need2.file] : [];
}

// entrypoint/engines/docker/image/context.ts
function copyOurs(bench, contents) {
  const copy = (from, to) => cpSync(from, join17(bench, to), { recursive: true, filter: (path) => !path.includes("/tests") || path.includes("/vendor/") });
  copy(join17(PACKAGE, "php", "src"), "php/src");
  for (const name of ["autoload.php", "functions.php"]) copy(join17(PACKAGE, "php", name), `php/${name}`);
  writeFileSync6(join17(bench, "classes.php"), bundledClasses(join17(PACKAGE, "php", "src")));
  writeFileSync6(join17(bench, "machine.php"), readFileSync11(join17(IN_CONTAINERS, "machine.php")));
  copy(SIDECARS, "sidecars");
  writeFileSync6(join17(subdirectory(bench, "ini"), "async-php-bench.ini"), iniFile(contents.served, []));
  for (const folder of ["runtimes", "workloads"]) copy(join17(PACKAGE, folder), folder);
  for (const mode of contents.served.modes) {
    writeStart(bench, MODES, mode, contents);
    if (mode.via === "runtime")
      writeStart(bench, COUNTED, mode, { ...contents, connections: countedConnections(mode.runtime, contents.connections) });
  }
}
function writeStart(bench, folder, mode, contents) {
  const directory = subdirectory(bench, join17(folder, mode.name));
  const port = portOf2(contents.revision, mode, contents.served.modes);
  const script = join17(directory, "start.sh");
  if (mode.via === "command") {
    const command2 = mode.command.replaceAll("{port}", String(port));
    writeFileSync6(script, `mkdir -p ${SCRATCH}/files
exec sh -c ${quoted2(command2)}
`);
    return;
  }
  const values = valuesInImage(mode.runtime, port, contents);
  for (const template of mode.runtime.templates) {
    writeFileSync6(join17(directory, template), fill(readFileSync11(join17(mode.runtime.directory, template), "utf8"), values));
  }
  writeFileSync6(script, startScript(mode.runtime, values, folder, folder === COUNTED));
}
function valuesInImage(runtime, port, { served, front, connections, cpus }) {
  return placeholders(runtime, {
    directory: `${SCRATCH}/run`,
    log: "/proc/self/fd/2",
    runtime: `${OURS2}/runtimes/${runtime.name}`,
    front,
    frontFunctions: frontFunctions(served),
    address: "0.0.0.0",
    port,
    connections,
    cpus,
    classes: "opcache.preload" in served.php.ini ? "" : `${OURS2}/classes.php`,
    // Nobody is root in our containers.
    isRoot: false,
    // equip.sh creates links there.
    binary: (name) => `${BIN}/${name}`
  });
}
function copyApp(directory, to, { app }, isWhole) {
  const file = app ? fileInside(directory, app) : void 0;
  if (isWhole) {
    const git = join17(directory, ".git");
    cpSync(directory, to, { recursive: true, verbatimSymlinks: true, filter: (path) => path !== git });
  } else if (file) {
    mkdirSync2(to);
    cpSync(file, join17(to, "entry.php"));
  }
}

// entrypoint/engines/docker/image/equip.ts
import { copyFileSync, readFileSync as readFileSync12, writeFileSync as writeFileSync7 } from "node:fs";
import { join as join18 } from "node:path";
async function equip(source, needs, programs2, job) {
  const script = readFileSync12(join18(HERE, "equip.sh"), "utf8");
  const tag = cacheTag("equipped", source.id, script, ...needs);
  if (await idOf(tag)) return tag;
  const context = subdirectory(job.directory, `equip-${tag.slice(-8)}`);
  writeFileSync7(join18(context, "equip.sh"), script);
  writeFileSync7(join18(context, "needs"), `${needs.join("\n")}
`);
  writeFileSync7(join18(context, "Dockerfile"), equippedDockerfile(source.name, source.user));
  await bringPrograms(source.name, programs2, context, job);
  if (needs.some((need2) => need2.startsWith("binary composer "))) await bringComposer(source.name, join18(context, "composer"), job);
  await build(["--label", CACHE_LABEL, "--tag", tag, context], "what the modes need in the image");
  return tag;
}
var PROCESSORS = { amd64: "x86_64", arm64: "aarch64" };
async function bringPrograms(image, programs2, context, { say, cache = noCache() }) {
  if (programs2.length === 0) return;
  const architecture = await docker(["image", "inspect", "--format", "{{.Architecture}}", image]);
  const processor = PROCESSORS[architecture] ?? architecture;
  for (const program of programs2) {
    const tried2 = [];
    if (await programFault(program, processor)) await installProgram(program, processor, { tried: tried2, say, cache });
    const fault = await programFault(program, processor);
    if (fault) throw new MeasurementError([`${program.download}: ${fault}`, ...tried2].join("\n  "));
    copyFileSync(programPath(program, processor), join18(context, `program-${program.download}`));
  }
}
var COMPOSER = "composer:2";
async function bringComposer(image, to, { labels, say }) {
  const isNeeded = "! command -v composer && command -v docker-php-ext-install";
  const asked2 = await tryDocker([
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
  if (asked2.code !== 0) return;
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
import { readFileSync as readFileSync13 } from "node:fs";
import { join as join19 } from "node:path";

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
  const { served, checkout, labels, say, cache } = request2;
  const layers = cache?.layers;
  const { dockerfile, target, image, base, php } = served.docker;
  if (dockerfile) {
    const file = dockerfileOf(checkout, dockerfile);
    say(`${checkout.revision}: docker build ${dockerfile}`);
    const tag2 = `async-php-bench-source:${labels.job}-${checkout.revision}`;
    const args = Object.entries(served.docker["build-args"]).flatMap(([key, value]) => ["--build-arg", `${key}=${value}`]);
    await build(
      [...args, ...target ? ["--target", target] : [], ...labels.flags, "--tag", tag2, "--file", file, checkout.directory],
      `the image of ${checkout.revision}`,
      isTrustedFrontend(readFileSync13(file, "utf8"), Object.keys(served.docker["build-args"])) ? { name: `source-${target ?? "image"}`, layers, say } : void 0
    );
    return inspected(tag2, false, { from: dockerfile, ...target ? { target } : {} });
  }
  if (image) {
    const name = image.replaceAll("{commit}", checkout.commit);
    await bring(name);
    return inspected(name, !image.includes("{commit}"), { from: name });
  }
  say(`the default environment on ${base}`);
  const tag = cacheTag("environment", await bring(base), php ?? "", readFileSync13(join19(HERE, "default.Dockerfile"), "utf8"));
  if (!await idOf(tag)) {
    const args = ["--build-arg", `BASE=${base}`, "--build-arg", `PHP=${php ?? ""}`, "--label", CACHE_LABEL];
    const context = subdirectory(request2.directory, "environment");
    await build([...args, "--tag", tag, "--file", join19(HERE, "default.Dockerfile"), context], "the default environment", {
      name: "environment",
      layers,
      say
    });
  }
  return inspected(tag, true, { from: `default environment on ${base}` });
}
function dockerfileOf({ revision, label: label2, directory }, dockerfile) {
  const where = `docker.dockerfile: ${revision} (${label2})`;
  try {
    for (const ignored of [".dockerignore", `${dockerfile}.dockerignore`]) fileInside(directory, ignored);
    if (fileInside(directory, dockerfile)) return join19(directory, dockerfile);
  } catch (error) {
    throw new InputError(`${where}: ${messageOf(error)}`);
  }
  throw new InputError(`${where} has no ${dockerfile}`);
}
async function inspected(name, isEnvironment, record2) {
  const [image] = JSON.parse(await docker(["image", "inspect", name]));
  const { Id: id, Config: settings } = image;
  const workdir = settings.WorkingDir && settings.WorkingDir !== "/" ? settings.WorkingDir : void 0;
  if (!workdir && !isEnvironment) {
    throw new InputError(`${record2.from}: the image has no WORKDIR. Set it to the directory of the app.`);
  }
  const scanned = settings.Env?.find((entry) => entry.startsWith(SCAN_DIR))?.slice(SCAN_DIR.length) ?? "";
  return { name, id, user: settings.User ?? "", project: workdir ?? "/app", isEnvironment, scanned, record: { ...record2, id } };
}

// entrypoint/engines/docker/image/images.ts
var NOBODY2 = "65534:65534";
async function buildImage(request2) {
  const { checkout, served, say } = request2;
  const source = await sourceImage(request2);
  const composerJson = join20(checkout.directory, "composer.json");
  const isComposerNeeded = source.isEnvironment && existsSync11(composerJson);
  const extensions = [...request2.pdo === void 0 ? [] : [request2.pdo], ...existsSync11(composerJson) ? extensionsIn(composerJson) : []];
  say(`${checkout.revision}: image with what the modes need`);
  const others = { extensions, composer: isComposerNeeded, valgrind: request2.valgrind };
  const needs = needLines(served.modes, others, request2.asked);
  const equipped = await equip(source, needs, downloadsOf(served.modes), request2);
  return putOnTop(equipped, source, request2);
}
async function putOnTop(equipped, source, request2) {
  const { checkout, labels, served } = request2;
  const entry = entryOf(checkout, served);
  const context = subdirectory(request2.directory, `image-${checkout.revision}`);
  const front = entry.front && `${source.project}/${entry.front}`;
  copyOurs(subdirectory(context, "bench"), { ...request2, revision: checkout.revision, front });
  copyApp(checkout.directory, join20(context, "app"), entry, source.isEnvironment);
  const isRoot = source.user === "" || /^(root|0)(:|$)/.test(source.user);
  const user = isRoot ? NOBODY2 : source.user;
  const app = source.isEnvironment ? "checkout" : entry.app ? "entry" : "nothing";
  const owner = source.isEnvironment || !isRoot ? user : "root";
  const onFile = request2.isOnFile ? owner : void 0;
  writeFileSync8(join20(context, "Dockerfile"), revisionDockerfile(equipped, source.project, user, onFile, app, entry.app));
  const tag = `async-php-bench-revision:${labels.job}-${checkout.revision}`;
  await build(["--network", "none", ...labels.flags, "--tag", tag, context], `the image of ${checkout.revision}`);
  return {
    tag,
    project: source.project,
    entry,
    isCheckout: source.isEnvironment,
    owner,
    scanned: source.scanned,
    record: { ...source.record, user }
  };
}
function extensionsIn(composerJson) {
  let required;
  try {
    required = JSON.parse(readFileSync14(composerJson, "utf8")).require;
  } catch {
    return [];
  }
  return Object.keys(required ?? {}).map((name) => name.toLowerCase()).filter((name) => /^ext-[a-z0-9_]+$/.test(name)).map((name) => name.slice(4));
}

// entrypoint/engines/docker/services.ts
async function startServices(job) {
  const { owner } = placeOf2(job);
  if (owner === void 0) return void 0;
  const { onServer, rules, daemon, labels, network, cpus, say } = job;
  if (onServer) say("starting the database");
  if (rules.redis) say("starting Redis");
  const base = baseOf(job);
  const [forDatabase, forRedis] = await allOf([
    onServer && serviceImage(kindOf(onServer), rules.limits["database-image"], base, job),
    rules.redis ? serviceImage(REDIS, rules.limits["redis-image"], base, job) : void 0
  ]);
  const route = await findRoute(daemon.host, labels, network, forDatabase ?? forRedis);
  const ports = portsOf(servedBy2(job, "head").modes);
  const neighbourhood = { labels, network, owner, route, ports, cpus: cpus.database };
  const server = onServer && forDatabase !== void 0 ? await databaseContainer(
    onServer,
    { name: databaseName(labels), image: forDatabase, storage: storageOf(rules, daemon) },
    neighbourhood
  ) : void 0;
  const redis = forRedis === void 0 ? void 0 : await redisContainers(revisionsOf(job), forRedis, neighbourhood);
  return { server, redis, route };
}

// entrypoint/engines/docker/prepare.ts
async function prepareJob(job) {
  const { daemon, labels, network, served } = job;
  await docker(["network", "create", ...labels.flags, network]);
  const [own, images, tc] = await allOf([startServices(job), buildImages(job), tcImage(job)]);
  await removeBuilder();
  const php = (images.base ?? images.head).tag;
  const near = { server: own?.server, redis: own?.redis };
  const { server, redis, relay } = await distant(near, revisionsOf(job), job.rules, (targets) => delayed(job, targets, tc, php));
  const database = server && new Database(server, job.directory);
  const databases = database && new RevisionDatabases(database, served);
  const composerRan = [];
  for (const checkout of checkoutsOf(job)) {
    composerRan.push(...await prepareRevision(job, checkout, images[checkout.revision], { databases, redis }));
  }
  const { tag } = images.head;
  const route = own?.route ?? await findRoute(daemon.host, labels, network, tag);
  const machine = await ContainerMachine.start(labels, tag, daemon);
  return { images, database, databases, redis, relay, route, machine, composerRan };
}
function environmentOf(job, revision, { scanned }, { databases, redis }) {
  return appEnvironment(servedBy2(job, revision), {}, `${scanned}:${OURS2}/ini`, {
    database: databases?.app(revision),
    sqlite: job.rules.database === "sqlite" ? `${SQLITE}/${SQLITE_FILE}` : void 0,
    redis: redis?.reached(revision)
  });
}
async function buildImages(job) {
  const { rules, directory, labels, cpus, say, cache } = job;
  const images = {};
  for (const checkout of checkoutsOf(job)) {
    const served = servedBy2(job, checkout.revision);
    const request2 = {
      served,
      connections: rules.connections,
      checkout,
      pdo: pdoOf(databaseOf(rules.database)),
      isOnFile: rules.database === "sqlite",
      cpus: cpus.appCpus,
      asked: askedVersions(rules),
      valgrind: needsValgrind(rules),
      labels,
      directory,
      say,
      cache
    };
    images[checkout.revision] = await buildImage(request2);
  }
  return images;
}
async function prepareRevision(job, { revision, directory }, image, services) {
  const { databases } = services;
  await databases?.create(revision);
  const composer = image.isCheckout ? composerCommand(directory) : void 0;
  const steps = [...composer ? [["composer", ...composer].map(quoted2).join(" ")] : [], ...servedBy2(job, revision).setup];
  if (steps.length) {
    const environment = environmentOf(job, revision, image, services);
    const { labels, memory: memory2, daemon, say } = job;
    const last = job.rules.database === "sqlite" ? OPEN_SQLITE : void 0;
    await runSteps(steps, { last, revision, image, environment, place: placeOf2(job), labels, memory: memory2, cgroup: daemon.cgroup, say });
  }
  await databases?.snapshot(revision);
  return composer ? [`${revision}: ${composer.join(" ")}`] : [];
}

// entrypoint/engines/docker/arm.ts
async function startArm(job, { images, databases, redis, route }, arm, { purpose, isReadOnly, isCounted = false }) {
  const { labels, cpus, memory: memory2, daemon } = job;
  const { revision, mode } = arm;
  const runtime = mode.via === "runtime" ? mode.runtime : void 0;
  const counted = runtime && isCounted ? { connections: countedConnections(runtime, job.rules.connections) } : {};
  const rules = { ...job.rules, ...counted };
  const served = servedBy2(job, revision);
  const image = images[revision];
  const { tag, project, entry } = image;
  const paths = benchPaths(entry, served.workloads, {
    project,
    directory: `${SCRATCH}/files`,
    handlerOf: (name) => `${OURS2}/workloads/${name}/handler.php`
  });
  return ContainerServer.start(modeIn(served, mode), {
    revision,
    image: tag,
    project,
    place: placeOf2(job),
    // The ports depend on the job's modes, which are head's.
    port: portOf2(revision, mode, servedBy2(job, "head").modes),
    labels,
    route,
    environment: {
      ...environmentOf(job, revision, image, { databases, redis }),
      ...benchVariables(paths, rules, { database: databases?.bench(revision) }),
      ...purposeVariables(purpose, rules)
    },
    workers: runtime && !isCounted ? workersOf2(runtime, rules.connections, cpus.appCpus, purpose) : 1,
    isCounted,
    cpus: cpus.app,
    memory: memory2,
    isReadOnly,
    cgroup: daemon.cgroup
  });
}

// entrypoint/engines/shared/upstream.ts
var UPSTREAM = "upstream.php";
var TITLE2 = "The slow upstream";
function needsUpstream(served) {
  return Object.values(served).some((of) => of?.workloads.some(({ builtIn: builtIn2 }) => builtIn2?.upstream));
}
var Upstream = class _Upstream extends Sidecar {
  constructor(conversation, address) {
    super(conversation, "upstream", TITLE2);
    this.address = address;
  }
  address;
  /** @param command starts upstream.php @throws MeasurementError if it does not start */
  static async start(command2, surroundings2) {
    const conversation = new Conversation(command2, surroundings2, { name: TITLE2, end: /^\.\n/m });
    const port = Number((await conversation.ask("port"))[0]);
    if (!Number.isInteger(port)) throw new MeasurementError(`${TITLE2} did not report its port.`);
    return new _Upstream(conversation, `127.0.0.1:${port}`);
  }
};

// entrypoint/engines/docker/host-only.ts
function refuseHostOnly(job) {
  if (needsUpstream(job.served)) {
    throw new InputError(
      "workloads: the slow upstream is a process of this machine, which containers do not reach. Allowed: engine: host, or workloads that do not call it"
    );
  }
  const other = servedBy2(job, "head").modes.find((mode) => mode.via === "runtime" && mode.runtime.language !== "php");
  if (other) throw new InputError(`modes: ${other.name} is not in the image of a PHP app. Allowed: engine: host, or modes that run PHP`);
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
    return this.job.rules.database !== "none";
  }
  /** An external database is refused. */
  get hasOwnDatabase() {
    return this.job.onServer !== void 0;
  }
  get loadCpus() {
    return this.job.cpus.load;
  }
  get appCpus() {
    return this.job.cpus.appCpus;
  }
  get machine() {
    return this.prepared.machine;
  }
  async prepare() {
    const { job } = this;
    if (job.onServer?.from === "url") {
      throw new InputError(`database: ${besideContainers()}`);
    }
    refuseHostOnly(job);
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
    await allOf([this.prepared.databases?.restore(revision), this.prepared.redis?.empty(revision)]);
  }
  async start(arm, purpose) {
    const server = await startArm(this.job, this.prepared, arm, { purpose, isReadOnly: this.isReadOnly });
    this.running.add(server);
    return server;
  }
  /** perf would need rights that no container of ours has. */
  async counters() {
    const { images } = this.prepared;
    const have = await allOf(Object.values(images).map(({ tag }) => hasValgrind(tag, this.job.labels)));
    return have.every(Boolean) ? ["valgrind"] : [];
  }
  async startCounted(arm) {
    const options = { purpose: "measurement", isReadOnly: this.isReadOnly, isCounted: true };
    const server = await startArm(this.job, this.prepared, arm, options);
    this.running.add(server);
    return server;
  }
  async statementCounts() {
    return await this.prepared.database?.statementCounts() ?? {};
  }
  async databaseConnections() {
    return this.prepared.database?.connections();
  }
  async sidecarUses() {
    return usesOf([this.prepared.relay]);
  }
  async assertAlive() {
    const { over } = this.prepared.machine;
    if (over !== void 0) throw new MeasurementError(`The Docker daemon went away during the job: ${over}`);
    const answer5 = await tryDocker(["version", "--format", "{{.Server.Version}}"]);
    if (answer5.code !== 0) throw new MeasurementError(`The Docker daemon no longer responds: ${lastLines(printed(answer5), 3)}`);
    await allOf([this.statementCounts(), this.prepared.redis?.assertAlive()]);
  }
  describe() {
    const { rules, daemon, memory: memory2, cpus } = this.job;
    const { version, storage, cgroup, host } = daemon;
    const { images, route, database, redis, composerRan } = this.prepared;
    return {
      engine: this.name,
      machine: this.machine.description,
      docker: {
        daemon: version,
        storage,
        cgroup,
        remote: host !== void 0,
        images: Object.fromEntries(Object.entries(images).map(([revision, image]) => [revision, image.record])),
        memory: memory2,
        cpu_sets: describeSets(cpus),
        read_only: this.isReadOnly,
        reached_by: route.via === "address" ? "address of the container" : "published port"
      },
      database: database?.description ?? (rules.database === "sqlite" ? describeSqlite("disk") : null),
      redis: redis?.description ?? null,
      connections: rules.connections,
      composer_install: composerRan,
      ini: iniFile(servedBy2(this.job, "head"), []).trim().split("\n")
    };
  }
  async close() {
    await Promise.allSettled([...this.running].map((server) => server.stop()));
    this.running.clear();
    this.readied?.machine.close();
    this.readied?.relay?.close();
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
import { randomBytes as randomBytes9 } from "node:crypto";
import { rmSync as rmSync5, writeFileSync as writeFileSync13 } from "node:fs";
import { join as join32 } from "node:path";

// entrypoint/engines/host/composer-cache.ts
import { existsSync as existsSync12, readdirSync as readdirSync2, readFileSync as readFileSync15 } from "node:fs";
import { isAbsolute, join as join21 } from "node:path";
async function restoreComposerCache(checkouts, { composer, env }, cache) {
  const parts = checkouts.flatMap(({ directory: directory2 }) => lockOf(directory2) ?? []);
  const command2 = [composer, "config", "--global", "cache-dir", "--no-interaction", "--no-plugins"];
  const { stdout } = await exec(command2, { ...apartOnline({ ...env, COMPOSER_ALLOW_SUPERUSER: "1" }), timeoutMs: 3e4 });
  const directory = lastLine(stdout).trim();
  if (parts.length === 0 || !cache.isOpen || !isAbsolute(directory) || hasPackages(directory)) return void 0;
  const entry = { kind: "composer", parts, directory, isAnyUseful: true, isOfTheApp: true };
  const found = await cache.restore(entry);
  const save = async () => {
    if (found !== "exact" && hasPackages(directory)) await cache.save(entry);
  };
  return { save };
}
function lockOf(directory) {
  const file = ["composer.lock", "composer.json"].map((name) => join21(directory, name)).find((name) => existsSync12(name));
  return file && readFileSync15(file, "utf8");
}
function hasPackages(cacheDirectory) {
  const files = join21(cacheDirectory, "files");
  return existsSync12(files) && readdirSync2(files).length > 0;
}

// entrypoint/engines/host/counting.ts
import { existsSync as existsSync13, readdirSync as readdirSync3, readFileSync as readFileSync16 } from "node:fs";
import { join as join22 } from "node:path";

// entrypoint/engines/shared/perf.ts
var EVENT = "instructions:u";
function underPerf(command2, pids, output) {
  return ["perf", "stat", "-x", ",", "-e", EVENT, "-o", output, "-p", pids.join(), "--", ...command2];
}
var TRY_PERF = ["perf", "stat", "-x", ",", "-e", EVENT, "true"];
function instructionsCounted(text) {
  const count3 = /^(\d+),[^,]*,instructions:u,/m.exec(text)?.[1];
  return count3 === void 0 || Number(count3) === 0 ? void 0 : Number(count3);
}

// entrypoint/engines/host/counting.ts
async function countersHere() {
  const tried2 = which("perf") ? await exec(TRY_PERF, apart()) : void 0;
  const hasPerf = tried2 !== void 0 && instructionsCounted(printed(tried2)) !== void 0;
  return [...hasPerf ? ["perf"] : [], ...which("valgrind") && which("vgdb") ? ["valgrind"] : []];
}
function callgrindIn(directory) {
  return {
    directory,
    pipes: async () => readdirSync3(join22(directory, PIPES)),
    run: (command2) => exec(command2, { ...apart(), timeoutMs: READ_LIMIT_MS }),
    isThere: async (pid) => existsSync13(`/proc/${pid}`),
    readFile: async (path) => existsSync13(path) ? readFileSync16(path, "utf8") : void 0
  };
}
async function countWithPerf(command2, pids, directory) {
  const output = join22(directory, "perf.csv");
  const finished = await loaded(underPerf(command2, pids(), output));
  const instructions = instructionsCounted(readFileSync16(output, "utf8"));
  if (instructions === void 0) throw new MeasurementError("perf counted no instructions");
  return { ...finished, instructions };
}

// entrypoint/engines/host/ini-files.ts
import { writeFileSync as writeFileSync10 } from "node:fs";
import { join as join24 } from "node:path";

// entrypoint/engines/host/quiet-ini.ts
import { readFileSync as readFileSync17, writeFileSync as writeFileSync9 } from "node:fs";
import { basename as basename2, join as join23 } from "node:path";
var LOADS = /^[ \t]*(zend_)?extension[ \t]*=[ \t]*["']?([^\n"';]*\/)?(php_)?(xdebug|pcov|excimer)(\.so)?["']?[ \t]*(;.*)?$/gim;
function withoutDebuggers(text) {
  return text.replace(LOADS, "");
}
function parsedFiles(information) {
  const list2 = /^Additional \.ini files parsed => ((?:.*,\n)*.*)$/m.exec(information)?.[1] ?? "";
  return list2.split(/,\n?/).filter((file) => file.startsWith("/"));
}
async function copyQuietIni(program, directory) {
  const { code: code2, stdout, stderr } = await exec([program, "-i"], { ...apart(), timeoutMs: 6e4 });
  if (code2 !== 0) throw new MeasurementError(`${program} -i does not list its ini files: exit code ${code2}, ${lastLine(stderr)}`);
  for (const [index, file] of parsedFiles(stdout).entries()) {
    const name = `${String(index).padStart(3, "0")}-${basename2(file)}`;
    writeFileSync9(join23(directory, name), withoutDebuggers(readFileSync17(file, "utf8")));
  }
}

// entrypoint/engines/host/ini-files.ts
var PHPS = ["php", "php-fpm"];
function phpOf(mode) {
  if (mode.via === "runtime" && mode.runtime.ownPhp) return "inside";
  const needs = mode.via === "runtime" ? mode.runtime.needs : [];
  return needs.some((need2) => "binary" in need2 && need2.binary === "php-fpm") ? "php-fpm" : "php";
}
var IniFiles = class {
  /** @param directory the private directory of the job @param texts the settings of each revision */
  constructor(directory, texts) {
    this.directory = directory;
    for (const [revision, text] of Object.entries(texts)) {
      writeFileSync10(join24(this.ofRevision(revision), "async-php-bench.ini"), text);
    }
  }
  directory;
  /** Copies the ini files of the installed programs. @param binaries paths by name */
  async copyOwn(binaries) {
    await allOf(PHPS.map(async (program) => binaries[program] && copyQuietIni(binaries[program], this.ofProgram(program))));
  }
  /** The directories that a PHP scans, in the form of PHP_INI_SCAN_DIR. Only a profile loads the profiler. */
  scanned(program, revision, purpose) {
    return [
      ...program === "inside" ? [] : [this.ofProgram(program)],
      this.ofRevision(revision),
      ...purpose === "profile" ? [this.ofProfiler()] : []
    ].join(":");
  }
  ofProgram(program) {
    return subdirectory(this.directory, `ini-of-${program}`);
  }
  ofRevision(revision) {
    return subdirectory(this.directory, `ini-${revision}`);
  }
  ofProfiler() {
    const directory = subdirectory(this.directory, "ini-of-profiler");
    writeFileSync10(join24(directory, "profiler.ini"), `extension = ${PROFILER}
`);
    return directory;
  }
};

// entrypoint/engines/host/prepare-files.ts
var LIMIT_MS6 = 9e5;
async function prepareFiles(checkout, { composer, setup, env, say }) {
  const { revision, directory } = checkout;
  const packages = composerCommand(directory);
  if (packages) {
    say(`${revision}: composer ${packages[0]}`);
    await installPackages2(checkout, composer, packages, env);
  }
  for (const command2 of setup) {
    say(`${revision}: ${command2}`);
    const done = await exec(["sh", "-c", command2], { cwd: directory, env, timeoutMs: LIMIT_MS6 });
    if (done.code !== 0) {
      throw new MeasurementError(`setup of ${revision}: \`${command2}\` ended with ${done.code}:
${lastLines(printed(done), 20)}`);
    }
  }
  return packages && `${revision}: ${packages.join(" ")}`;
}
async function installPackages2({ revision, directory }, composer, packages, env) {
  if (!composer) throw new MeasurementError(`${revision} has a composer.json, but Composer is not installed.`);
  const done = await exec([composer, ...packages], { cwd: directory, env: { ...env, COMPOSER_ALLOW_SUPERUSER: "1" }, timeoutMs: LIMIT_MS6 });
  if (done.code !== 0) {
    throw new MeasurementError(`${revision}: composer could not install the app's packages:
${lastLines(printed(done), 20)}`);
  }
}

// entrypoint/engines/host/server.ts
import { randomBytes as randomBytes6 } from "node:crypto";
import { existsSync as existsSync14, mkdirSync as mkdirSync3, readFileSync as readFileSync18, rmSync as rmSync3, writeFileSync as writeFileSync11 } from "node:fs";
import { join as join26 } from "node:path";
import { setTimeout as sleep11 } from "node:timers/promises";

// entrypoint/engines/host/ports.ts
import { connect as connect2, createServer } from "node:net";
var lately = /* @__PURE__ */ new Set();
var REMEMBERED = 1e3;
var TRIES2 = 100;
async function freePort() {
  let port = await unusedPort();
  for (let tries = 1; lately.has(port) && tries < TRIES2; tries++) port = await unusedPort();
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

// entrypoint/engines/host/values.ts
import { join as join25 } from "node:path";
function valuesOnHost(runtime, start2, { connections, preloads, frontFunctions: frontFunctions2, environment, cpus, classes, tools }) {
  return placeholders(runtime, {
    ...start2,
    log: join25(start2.directory, "php-fpm.log"),
    runtime: runtime.directory,
    front: environment.APB_FRONT ?? "",
    frontFunctions: frontFunctions2,
    connections,
    cpus: cpus.appCpus,
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
  /** The processes that run PHP. */
  php = [];
  known = [];
  own = [];
  nonce = randomBytes6(12).toString("hex");
  url;
  /**
   * @throws InputError if the app is refused
   * @throws AppFailure with the log's end if the server does not answer with this start's nonce
   */
  static async start(mode, options) {
    const directory = join26(options.parent, `server-${randomBytes6(4).toString("hex")}`);
    mkdirSync3(directory, { mode: 448 });
    const server = new _HostServer(mode, await freePort(), directory, options);
    try {
      if (mode.via === "runtime") await server.startRuntime(mode.runtime);
      else await server.startCommand(mode.command, mode.health);
      server.own = mode.via === "runtime" ? server.pids() : await settled2(async () => server.pids());
    } catch (error) {
      const log = await atRest(() => server.logTail());
      const whole2 = await server.log();
      const refusal = refusalIn(whole2, options.checkout.directory);
      await server.stop();
      const { revision } = options.checkout;
      if (refusal) throw new InputError(`${revision}: ${refusal}`);
      const why = `${mode.name} of ${revision} did not start: ${error.message}${log ? `
${log}` : ""}`;
      throw new AppFailure(why, void 0, whole2);
    }
    return server;
  }
  async usage() {
    this.known = this.pids();
    return { ...await this.clock(), memoryKib: memoryKibOf(this.known) };
  }
  async clock() {
    const asked2 = Date.now();
    const cpuUs = cpuUsOf(this.known);
    return { cpuUs, at: (asked2 + Date.now()) / 2 };
  }
  countWhile(command2) {
    const { counter } = this.options;
    if (counter === "perf") return countWithPerf(command2, () => this.php.flatMap((group) => group.pids()), this.directory);
    return countWithCallgrind(command2, callgrindIn(this.directory));
  }
  countFunctionsWhile(command2) {
    return countFunctionsWithCallgrind(command2, callgrindIn(this.directory));
  }
  async lost() {
    return lostProcesses(this.own, this.pids(), this.mode);
  }
  async eachWorker(path) {
    return this.mode.via === "runtime" ? countersOf(this, path, this.workersOf(this.mode.runtime)) : void 0;
  }
  async status() {
    const path = this.mode.via === "runtime" ? this.mode.runtime.status : void 0;
    return path === void 0 ? void 0 : this.eachWorker(path);
  }
  async logTail() {
    const logs = this.logs();
    const known = this.mode.via === "runtime" ? this.mode.runtime : NOTHING_KNOWN;
    return logEnd(logs.join("\n"), known, TAIL_LINES * logs.length);
  }
  async log() {
    return this.logs().join("\n");
  }
  logs() {
    return ["server.log", "php-fpm.log"].map((name) => join26(this.directory, name)).filter(existsSync14).map((file) => readFileSync18(file, "utf8").slice(-LOG_KEPT).trim()).filter(Boolean);
  }
  /** The last of its processes is the one that listens, or the only one. */
  async signal(name) {
    const main = this.groups.at(-1);
    if (!main || main.ended) return false;
    return process.kill(main.pid, name);
  }
  async isRunning() {
    return this.pids().length > 0;
  }
  async stop() {
    await allOf(this.groups.map((group) => group.stop()));
    const deadline = Date.now() + 5e3;
    while (await isOpen(this.port) && Date.now() < deadline) await sleep11(20);
    rmSync3(this.directory, { recursive: true, force: true });
    emptyFiles(this.options.files);
  }
  pids() {
    return this.groups.flatMap((group) => group.pids());
  }
  ended = async () => this.groups.find((group) => group.ended)?.ended;
  workersOf(runtime) {
    const { counter, connections, cpus, purpose } = this.options;
    return counter ? 1 : workersOf2(runtime, connections, cpus.appCpus, purpose);
  }
  async startRuntime(runtime) {
    const workers = this.workersOf(runtime);
    const values = valuesOnHost(runtime, { directory: this.directory, address: ADDRESS, port: this.port }, this.options);
    for (const template of runtime.templates) {
      writeFileSync11(join26(this.directory, template), fill(readFileSync18(join26(runtime.directory, template), "utf8"), values));
    }
    const start2 = { nonce: this.nonce, address: ADDRESS, port: this.port, workers, directory: this.directory };
    const env = { ...this.options.environment, ...startVariables(runtime, start2) };
    const patience = this.options.counter === "valgrind" ? VALGRIND_PATIENCE : 1;
    if (this.options.counter === "valgrind") mkdirSync3(join26(this.directory, PIPES));
    for (const one of runtime.processes) {
      const command2 = fillCommand(one.command, values);
      const isCounted = one["runs-php"] && this.options.counter === "valgrind";
      const group = await this.launch(isCounted ? underCallgrind(command2, this.directory) : command2, env);
      if (one["runs-php"]) this.php.push(group);
      if (one.socket) {
        const socket = fill(one.socket, values);
        await until(
          async () => existsSync14(socket),
          this.ended,
          () => `no socket ${socket}`,
          patience
        );
      }
    }
    await untilAllWorkersAnswer(this.url, this.nonce, runtime.workers === "cpus" ? workers : 1, this.ended, patience);
  }
  /** Starts the user's own server. It knows no nonce, so its port must have been free and its process must be alive. */
  async startCommand(command2, health) {
    const env = { ...this.options.environment, PORT: String(this.port) };
    await this.launch(["sh", "-c", command2.replaceAll("{port}", String(this.port))], env);
    await untilHealthy({ url: this.url, health, port: this.port }, this.ended, async () => listeningPorts(socketsOf(this.pids())));
  }
  async launch(command2, env) {
    const group = await ProcessGroup.start(pinned(command2, this.options.cpus.app), {
      cwd: this.options.checkout.directory,
      env,
      log: join26(this.directory, "server.log")
    });
    this.groups.push(group);
    return group;
  }
};

// entrypoint/engines/host/services.ts
import { join as join31 } from "node:path";

// entrypoint/engines/host/database-server.ts
import { statfsSync } from "node:fs";
import { freemem } from "node:os";

// entrypoint/engines/host/mysql-server.ts
import { randomBytes as randomBytes7 } from "node:crypto";
import { join as join27 } from "node:path";

// entrypoint/engines/host/database-process.ts
import { existsSync as existsSync15, readFileSync as readFileSync19 } from "node:fs";
import { setTimeout as sleep12 } from "node:timers/promises";
var START_LIMIT_S = 60;
async function startDatabase({
  command: command2,
  home,
  log,
  socket,
  question
}) {
  const server = await ProcessGroup.start(command2, { cwd: home, env: bare(), log });
  const deadline = Date.now() + START_LIMIT_S * 1e3;
  while (!existsSync15(socket) || (await exec(question, apart())).code !== 0) {
    if (server.ended || Date.now() > deadline) {
      await server.stop();
      throw new MeasurementError(`The database did not start (${server.ended ?? `no answer in ${START_LIMIT_S} s`}):
${endOf(log)}`);
    }
    await sleep12(20);
  }
  return {
    lost: async () => server.ended ? `The database server died (${server.ended}):
${endOf(log)}` : void 0,
    stop: () => server.stop(5e3)
  };
}
function endOf(log) {
  return lastLines(readFileSync19(log, "utf8"));
}

// entrypoint/engines/host/mysql-server.ts
async function privateMysql(kind, { directory, inMemory, cpus }) {
  const flavour = await installed(kind);
  const home = inMemory ? scratch("/dev/shm") : subdirectory(directory, "database");
  const data = join27(home, "data");
  const program = unconfined(flavour, home);
  const log = join27(directory, "database.log");
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
  const socket = join27(home, "sock");
  const command2 = pinned(
    [
      ...program,
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--port=${port}`,
      "--bind-address=127.0.0.1",
      `--pid-file=${join27(home, "pid")}`,
      `--tmpdir=${home}`,
      "--skip-log-bin",
      "--skip-name-resolve",
      ...flavour.isMaria ? [] : ["--mysqlx=0"],
      ...Object.entries(MYSQL_SETTINGS).map(([key, value]) => `--${key}=${value}`),
      ...user
    ],
    cpus
  );
  const root = [flavour.client, "--no-defaults", "--user=root", `--socket=${socket}`];
  const started = await startDatabase({ command: command2, home, log, socket, question: [...root, "-e", "SELECT 1"] });
  const password = randomBytes7(12).toString("hex");
  const grant = `CREATE USER 'bench'@'127.0.0.1' IDENTIFIED BY '${password}'; GRANT ALL ON *.* TO 'bench'@'127.0.0.1' WITH GRANT OPTION;`;
  const granted = await exec([...root, "-e", grant], apart());
  if (granted.code !== 0) throw new MeasurementError(`The database refused to create a user: ${lastLines(granted.stderr)}`);
  const access = { host: "127.0.0.1", port, user: "bench", password };
  return {
    access,
    description: {
      kind: flavour.isMaria ? "mariadb" : "mysql",
      version: (await exec([flavour.server, "--version"], apart())).stdout.trim(),
      private: true,
      storage: inMemory ? "tmpfs" : "disk",
      settings: MYSQL_SETTINGS
    },
    isPrivate: true,
    ...programs(flavour, access),
    ...started
  };
}
async function externalMysql(access) {
  const spoken = programs(await installed("auto", false), access);
  const answer5 = await spoken.client(["-N", "-e", "SELECT VERSION()"]);
  if (answer5.code !== 0) throw new InputError(`database: ${access.host}:${access.port} cannot be used: ${lastLines(answer5.stderr)}`);
  return {
    access,
    description: { kind: "external", version: answer5.stdout.trim(), private: false },
    isPrivate: false,
    ...spoken,
    lost: async () => void 0,
    stop: async () => {
    }
  };
}
async function installed(kind, withServer3) {
  const flavour = await installedDatabase(kind, withServer3);
  if (!flavour) throw new MeasurementError(`database: ${kind}: its programs are no longer on this machine.`);
  return flavour;
}
function programs(flavour, access) {
  const login = ["--no-defaults", `--host=${access.host}`, `--port=${access.port}`, `--user=${access.user}`, "--protocol=tcp"];
  const where = apart({ MYSQL_PWD: access.password });
  return {
    client: (args, input) => exec([flavour.client, ...login, ...args], { ...where, input, timeoutMs: 6e5 }),
    converse: (args, partner) => new Conversation([flavour.client, ...login, ...args], where, partner),
    dialect: mysql((args) => exec([flavour.dump, ...login, ...args], { ...where, timeoutMs: 6e5 }))
  };
}

// entrypoint/engines/host/postgres-server.ts
import { randomBytes as randomBytes8 } from "node:crypto";
import { chownSync } from "node:fs";
import { join as join28 } from "node:path";
async function privatePostgres({ directory, inMemory, cpus }) {
  const programs2 = installed2();
  const home = scratch(inMemory ? "/dev/shm" : void 0);
  const unprivileged = await handOver(home);
  const data = join28(home, "data");
  const made = await exec([...unprivileged, programs2.initdb, `--pgdata=${data}`, "--username=postgres", ...INITDB], {
    ...apart(),
    timeoutMs: 12e4
  });
  if (made.code !== 0) throw new MeasurementError(`The database cannot be set up: ${lastLines(printed(made))}`);
  const port = await freePort();
  const log = join28(directory, "database.log");
  const settings = { ...POSTGRES_SETTINGS, port, listen_addresses: "127.0.0.1", unix_socket_directories: home };
  const command2 = pinned(
    [...unprivileged, programs2.server, "-D", data, ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`])],
    cpus
  );
  const login = [programs2.client, "--no-psqlrc", "--quiet", `--host=${home}`, `--port=${port}`, "--username=postgres", "--dbname=postgres"];
  const socket = join28(home, `.s.PGSQL.${port}`);
  const started = await startDatabase({ command: command2, home, log, socket, question: [...login, "--command=SELECT 1"] });
  const access = { host: "127.0.0.1", port, user: "bench", password: randomBytes8(12).toString("hex") };
  const welcomed = await exec([...login, "--set=ON_ERROR_STOP=1"], { ...apart(), input: welcome(access.password) });
  if (welcomed.code !== 0) throw new MeasurementError(`The database refused to create a user: ${lastLines(welcomed.stderr)}`);
  const version = (await exec([programs2.server, "--version"], apart())).stdout.trim();
  return {
    access,
    dialect: postgres({ version: /\d[\d.]*/.exec(version)?.[0] ?? "", isCounting: true }),
    description: {
      kind: "postgres",
      version,
      private: true,
      storage: inMemory ? "tmpfs" : "disk",
      settings: POSTGRES_SETTINGS
    },
    isPrivate: true,
    ...client(programs2, access),
    ...started
  };
}
async function externalPostgres(access) {
  const spoken = client(installed2(false), access);
  const answer5 = await spoken.client(["--tuples-only", "--no-align", "--command=SHOW server_version"]);
  if (answer5.code !== 0) throw new InputError(`database: ${access.host}:${access.port} cannot be used: ${lastLines(answer5.stderr)}`);
  const version = answer5.stdout.trim();
  return {
    access,
    dialect: postgres({ version, isCounting: false }),
    description: { kind: "external", version: `PostgreSQL ${version}`, private: false },
    isPrivate: false,
    ...spoken,
    lost: async () => void 0,
    stop: async () => {
    }
  };
}
var INITDB = ["--auth-local=trust", "--auth-host=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"];
async function handOver(home) {
  if (process.getuid?.() !== 0) return [];
  const isThere = async (user2) => (await exec(["id", "-u", user2], apart())).code === 0;
  const user = await isThere("postgres") ? "postgres" : "nobody";
  const [uid, gid] = await Promise.all(["-u", "-g"].map(async (of) => Number((await exec(["id", of, user], apart())).stdout)));
  chownSync(home, uid, gid);
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
}
function installed2(withServer3) {
  const programs2 = installedPostgres(withServer3);
  if (!programs2) throw new MeasurementError("database: postgres: its programs are no longer on this machine.");
  return programs2;
}
function client({ client: program }, access) {
  const login = [program, `--host=${access.host}`, `--port=${access.port}`, `--username=${access.user}`];
  const where = apart({ PGPASSWORD: access.password, PGDATABASE: "postgres" });
  return {
    client: (args, input) => exec([...login, ...args], { ...where, input, timeoutMs: 6e5 }),
    converse: (args, partner) => new Conversation([...login, ...args], where, partner)
  };
}

// entrypoint/engines/host/database-server.ts
function databaseServer(choice, place) {
  const ground = { ...place, inMemory: memoryHasRoom() };
  if (choice.from === "url")
    return (choice.language === "postgres" ? externalPostgres : externalMysql)(accessOf(choice.url, choice.language));
  return choice.language === "postgres" ? privatePostgres(ground) : privateMysql(choice.kind, ground);
}
var PORTS2 = { mysql: 3306, postgres: 5432 };
function accessOf(url, language) {
  const { hostname: hostname2, port, username, password } = new URL(url);
  return {
    host: hostname2,
    port: Number(port || PORTS2[language]),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password)
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

// entrypoint/engines/host/redis-server.ts
import { readFileSync as readFileSync20 } from "node:fs";
import { join as join29 } from "node:path";
import { setTimeout as sleep13 } from "node:timers/promises";
var START_LIMIT_MS3 = 3e4;
async function privateRedis(revisions, directory, cpus) {
  const programs2 = installedRedis();
  if (!programs2) throw new MeasurementError("redis: its programs are no longer on this machine.");
  const ask2 = ({ port }, ...words) => exec([programs2.client, "-h", "127.0.0.1", "-p", String(port), ...words], { ...apart(), timeoutMs: 3e4 });
  const servers = /* @__PURE__ */ new Map();
  const of = (revision) => servers.get(revision);
  const command2 = async (revision, words, expected) => {
    const { group, log } = of(revision);
    const said2 = await ask2(of(revision), ...words);
    if (said2.stdout.trim() === expected) return;
    const why = group.ended ? `it ended (${group.ended}):
${lastLines(readFileSync20(log, "utf8"))}` : lastLines(printed(said2));
    throw new MeasurementError(`Redis of ${revision} does not answer to ${words[0]}: ${why}`);
  };
  const start2 = async (revision) => {
    const home = subdirectory(directory, `redis-${revision}`);
    const port = await freePort();
    const log = join29(directory, `redis-${revision}.log`);
    const options = ["--port", String(port), "--bind", "127.0.0.1", "--daemonize", "no", "--dir", home, ...REDIS_OPTIONS];
    const group = await ProcessGroup.start(pinned([programs2.server, ...options], cpus), { cwd: home, env: bare(), log });
    servers.set(revision, { port, group, log });
    const deadline = Date.now() + START_LIMIT_MS3;
    while ((await ask2(of(revision), "PING")).stdout.trim() !== "PONG") {
      if (group.ended || Date.now() > deadline) await command2(revision, ["PING"], "PONG");
      await sleep13(20);
    }
  };
  await allOf(revisions.map(start2));
  return {
    description: {
      version: (await exec([programs2.server, "--version"], apart())).stdout.trim(),
      servers: "one per revision",
      settings: REDIS_SETTINGS
    },
    reached: (revision) => ({ host: "127.0.0.1", port: of(revision).port }),
    empty: (revision) => command2(revision, ["FLUSHALL"], "OK"),
    assertAlive: async () => void await allOf(revisions.map((revision) => command2(revision, ["PING"], "PONG"))),
    stop: async () => void await allOf([...servers.values()].map(({ group }) => group.stop()))
  };
}

// entrypoint/engines/host/sqlite-files.ts
import { cpSync as cpSync2, renameSync, rmSync as rmSync4, writeFileSync as writeFileSync12 } from "node:fs";
import { join as join30 } from "node:path";
var SqliteFiles = class {
  /**
   * @param parent a private directory of the job
   * @param inMemory whether the files fit into memory, which keeps a shared runner's disk out of the measurement
   */
  constructor(parent, inMemory) {
    this.inMemory = inMemory;
    this.directory = inMemory ? scratch("/dev/shm") : subdirectory(parent, "sqlite");
  }
  inMemory;
  directory;
  get description() {
    return describeSqlite(this.inMemory ? "tmpfs" : "disk");
  }
  /** Creates an empty database. @returns its file, for setup */
  create(revision) {
    const file = join30(subdirectory(this.directory, revision), SQLITE_FILE);
    writeFileSync12(file, "", { mode: 384 });
    return file;
  }
  /**
   * Keeps the whole directory after setup, because SQLite may have files beside the database. It is moved away, so that an app that
   * remembers the path fails instead of using a file that is never restored.
   */
  keep(revision) {
    renameSync(join30(this.directory, revision), this.kept(revision));
  }
  /** Replaces the copy of an arm. @returns its file */
  copy({ revision, mode }) {
    const directory = join30(this.directory, `${revision}-of-${mode.name}`);
    rmSync4(directory, { recursive: true, force: true });
    cpSync2(this.kept(revision), directory, { recursive: true });
    return join30(directory, SQLITE_FILE);
  }
  remove() {
    rmSync4(this.directory, { recursive: true, force: true });
  }
  kept(revision) {
    return join30(this.directory, `${revision}-after-setup`);
  }
};

// entrypoint/engines/host/services.ts
async function startServices2(options, php, cpus) {
  const { checkouts, directory, served, rules, say } = options;
  const revisions = Object.keys(checkouts);
  const choice = databaseOf(rules.database);
  if (isOnServer(choice)) say("starting the database");
  if (rules.redis) say("starting Redis");
  const [server, redis] = await allOf([
    isOnServer(choice) ? databaseServer(choice, { directory, cpus }) : void 0,
    rules.redis ? privateRedis(revisions, directory, cpus) : void 0
  ]);
  const command2 = (program, args = []) => pinned([php, "-n", join31(SIDECARS, program), ...args], cpus);
  const reached = await distant(
    { server, redis },
    revisions,
    rules,
    (targets) => Relay.before(targets, (args) => command2(RELAY, args), apart())
  );
  const database = reached.server && new Database(reached.server, directory);
  return {
    database,
    databases: database && new RevisionDatabases(database, served),
    sqlite: choice.from === "file" ? new SqliteFiles(directory, memoryHasRoom()) : void 0,
    redis: reached.redis,
    relay: reached.relay,
    upstream: needsUpstream(served) ? await Upstream.start(command2(UPSTREAM), apart()) : void 0
  };
}
async function stopServices({ database, sqlite, redis, relay, upstream }) {
  relay?.close();
  upstream?.close();
  await allOf([database?.close(), redis?.stop()]);
  sqlite?.remove();
}

// entrypoint/engines/host/engine.ts
var FILES2 = "files";
var HostEngine = class {
  constructor(options) {
    this.options = options;
    this.choice = databaseOf(options.rules.database);
    this.cpus = cpuSets(allowedCpus(), {
      database: this.hasOwnDatabase || options.rules.redis || needsUpstream(options.served),
      load: true
    });
    this.classes = join32(options.directory, "classes.php");
    writeFileSync13(this.classes, bundledClasses(join32(PACKAGE, "php", "src")));
    const texts = Object.values(options.checkouts).map(({ revision }) => [revision, this.iniText(revision)]);
    this.ini = new IniFiles(options.directory, Object.fromEntries(texts));
  }
  options;
  name = "host";
  machine = localMachine;
  choice;
  cpus;
  ini;
  /** Undefined before prepare() and after close(). */
  services;
  running = /* @__PURE__ */ new Set();
  classes;
  composerRan = [];
  get hasDatabase() {
    return this.choice.from !== "none";
  }
  get hasOwnDatabase() {
    return this.choice.from === "job";
  }
  get loadCpus() {
    return this.cpus.load;
  }
  get appCpus() {
    return this.cpus.appCpus;
  }
  async prepare() {
    const { checkouts, tools, cache } = this.options;
    const all = Object.values(checkouts);
    for (const checkout of all) entryOf(checkout, this.served(checkout.revision));
    const { binaries, composer } = tools;
    const [services] = await allOf([startServices2(this.options, binaries.php ?? "php", this.cpus.database), this.ini.copyOwn(binaries)]);
    this.services = services;
    const packages = cache && composer ? await restoreComposerCache(all, { composer, env: this.environment("head") }, cache) : void 0;
    for (const checkout of all) await this.prepareRevision(checkout);
    await packages?.save();
    await exec(["chattr", "+T", subdirectory(this.options.directory, FILES2)], apart());
  }
  async restore(revision) {
    await allOf([this.services?.databases?.restore(revision), this.services?.redis?.empty(revision)]);
  }
  async start(arm, purpose) {
    return this.serve(arm, purpose, {});
  }
  counters() {
    return countersHere();
  }
  async startCounted(arm, counter) {
    const { connections } = this.options.rules;
    const counted = arm.mode.via === "runtime" ? countedConnections(arm.mode.runtime, connections) : 1;
    return this.serve(arm, "measurement", { counter, connections: counted });
  }
  async serve(arm, purpose, given) {
    const checkout = this.options.checkouts[arm.revision];
    const { tools } = this.options;
    const rules = { ...this.options.rules, ...given.connections === void 0 ? {} : { connections: given.connections } };
    const served = this.served(arm.revision);
    const files = subdirectory(subdirectory(this.options.directory, FILES2), randomBytes9(4).toString("hex"));
    const server = await HostServer.start(modeIn(served, arm.mode), {
      cpus: this.cpus,
      classes: this.classes,
      checkout,
      connections: rules.connections,
      counter: given.counter,
      purpose,
      preloads: "opcache.preload" in served.php.ini,
      frontFunctions: frontFunctions(served),
      environment: {
        ...this.environment(arm.revision, { program: phpOf(arm.mode), purpose, sqlite: this.services?.sqlite?.copy(arm) }),
        ...this.bench(checkout, files, rules),
        ...purposeVariables(purpose, rules)
      },
      files,
      parent: this.options.directory,
      tools
    }).catch((error) => {
      rmSync5(files, { recursive: true, force: true });
      throw error;
    });
    this.running.add(server);
    return server;
  }
  async statementCounts() {
    return await this.services?.database?.statementCounts() ?? {};
  }
  async databaseConnections() {
    return this.hasOwnDatabase ? this.services?.database?.connections() : void 0;
  }
  async sidecarUses() {
    return usesOf([this.services?.relay, this.services?.upstream]);
  }
  async assertAlive() {
    await allOf([this.statementCounts(), this.services?.redis?.assertAlive(), this.sidecarUses()]);
  }
  describe() {
    const { database, sqlite, redis } = this.services ?? {};
    return {
      engine: this.name,
      machine: this.machine.description,
      database: database?.description ?? sqlite?.description ?? null,
      redis: redis?.description ?? null,
      cpu_sets: describeSets(this.cpus),
      connections: this.options.rules.connections,
      composer_install: this.composerRan,
      ini: this.iniText("head").trim().split("\n")
    };
  }
  async close() {
    await Promise.allSettled([...this.running].map((server) => server.stop()));
    this.running.clear();
    const { services } = this;
    this.services = void 0;
    if (services) await stopServices(services);
  }
  served(revision) {
    return this.options.served[revision];
  }
  /** PHP's settings, which may differ between revisions. */
  iniText(revision) {
    return iniFile(this.served(revision), this.options.tools.extensionFiles);
  }
  environment(revision, { program = "php", purpose, sqlite } = {}) {
    return appEnvironment(this.served(revision), process.env, this.ini.scanned(program, revision, purpose), {
      database: this.services?.databases?.app(revision),
      sqlite,
      redis: this.services?.redis?.reached(revision)
    });
  }
  bench(checkout, files, rules) {
    const served = this.served(checkout.revision);
    const paths = benchPaths(entryOf(checkout, served), served.workloads, {
      project: checkout.directory,
      directory: files,
      handlerOf: (_name, { directory }) => join32(directory, "handler.php")
    });
    const { databases, upstream } = this.services ?? {};
    return benchVariables(paths, rules, { database: databases?.bench(checkout.revision), upstream: upstream?.address });
  }
  async prepareRevision(checkout) {
    const { say, tools } = this.options;
    const { revision } = checkout;
    const { databases, sqlite } = this.services ?? {};
    const env = this.environment(revision, { sqlite: sqlite?.create(revision) });
    await databases?.create(revision);
    const composerRan = await prepareFiles(checkout, { composer: tools.composer, setup: this.served(revision).setup, env, say });
    if (composerRan) this.composerRan.push(composerRan);
    await databases?.snapshot(revision);
    sqlite?.keep(revision);
  }
};

// entrypoint/engines/make.ts
function makeEngine(choice, options) {
  return choice.engine === "docker" ? new DockerEngine({ ...options, daemon: choice.daemon }) : new HostEngine(options);
}

// entrypoint/engines/set-up.ts
async function setUp(settled3, inputs, job) {
  const { rules, modes, served, revisions } = settled3;
  const choice = await chooseEngine(rules, served.base ?? served.head, job.say);
  const { head, base } = revisions;
  const checkouts = { head, ...base ? { base } : {} };
  const directories = Object.values(checkouts).map(({ directory }) => directory);
  const tools = await provision(scopeOf(rules, modes, directories, choice.engine), {
    yes: inputs.yes,
    say: job.say,
    cache: job.cache,
    signal: job.signal
  });
  for (const mode of modes) if (mode.via === "runtime" && mode.runtime.experimental) job.say(`warning: ${mode.runtime.limits[0]}`);
  const engine = makeEngine(choice, { rules, served, checkouts, tools, directory: job.directory, say: job.say, cache: job.cache });
  job.atEnd(() => engine.close());
  await engine.prepare();
  return { inputs, settled: settled3, tools, engine };
}

// entrypoint/measure/instructions/count-instructions.ts
import { join as join34 } from "node:path";

// entrypoint/measure/run-plan.ts
import { join as join33 } from "node:path";

// entrypoint/measure/fallen-arms.ts
var MAX_FAILED_IN_A_ROW = 3;
function fallsOf(measured, modes, deciding) {
  return modes.flatMap(({ name }) => fallOf(measured, name, deciding) ?? []);
}
function fallOf({ samples, notes }, mode, deciding) {
  const runs = notes.map((note, i) => ({ ...note, hasFailed: samples[i]?.goodput_rps === 0 })).filter((run2) => run2.mode === mode && deciding.has(`${run2.workload}/${run2.load}`));
  const last = (revision) => runs.filter((run2) => run2.revision === revision).slice(-MAX_FAILED_IN_A_ROW);
  const isBroken = (of) => of.length === MAX_FAILED_IN_A_ROW && of.every((run2) => run2.hasFailed);
  const [head, base] = [last("head"), last("base")];
  if (!isBroken(head) && !isBroken(base)) return void 0;
  const beside = runs.filter((run2) => run2.revision === "base" && head.some((of) => quadOf(of) === quadOf(run2)));
  const why = (of) => {
    const failed2 = of.filter((run2) => run2.hasFailed);
    return `${failed2.length} of its last ${of.length} runs failed completely (${kindsOf(failed2.map(({ errors }) => errors))})`;
  };
  const causes = shownFailures([...base, ...head]).map(describeFailure);
  if (isBroken(head) && beside.length > 0 && !beside.some((run2) => run2.hasFailed)) {
    const message = `${mode} of head: ${why(head)}, while base's runs at the same time succeeded.`;
    return { of: "head", message: [message, ...causes].join("\n") };
  }
  const both = [["base", base], ["head", head]].filter(([, of]) => of.length > 0).map(
    ([revision, of]) => of.some((run2) => run2.hasFailed) ? `${mode} of ${revision}: ${why(of)}.` : `${mode} of ${revision} succeeded.`
  );
  return { of: "both", message: [...both, "There is nothing to compare, so the measurement stops here.", ...causes].join("\n") };
}
function quadOf({ block, workload, load: load3, attempt: attempt2 }) {
  return [block, workload, load3, attempt2].join("\n");
}

// entrypoint/measure/progress.ts
var Progress = class {
  /** @param now the time in milliseconds */
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
  /** The number of completed runs. Repeated runs count, because they took time, too. */
  made = 0;
  ran({ number, isAgain, unsaid, what, goodput, errors }) {
    this.made++;
    const pace = (this.now() - this.startedAt) / (this.made + unsaid);
    const left = pace * (this.planned - number - unsaid);
    const problems = Object.entries(errors).map(([kind, count3]) => `${count3} ${kind}`);
    this.say(
      `run ${number}/${this.planned}${isAgain ? " again" : ""}, ${Math.ceil(left / 6e4)} min left: ${what}: ${goodput.toFixed(1)}/s${problems.length ? ` (${problems.join(", ")})` : ""}`
    );
  }
};

// entrypoint/measure/opened.ts
var Opened = class {
  closers = [];
  add(closer) {
    this.closers.push(closer);
  }
  /** Closes the last opened first. If a closer throws, a second call closes the rest. */
  async close() {
    for (let closer = this.closers.at(-1); closer; closer = this.closers.at(-1)) {
      await closer();
      this.closers.pop();
    }
  }
};

// entrypoint/measure/run-result.ts
function workWasDone(statements, before, after, successes, concurrency) {
  return Object.entries(statements).every(([verb, perRequest2]) => {
    const made = (after[verb] ?? 0) - (before[verb] ?? 0);
    return made >= perRequest2 * successes && made <= perRequest2 * (successes + 2 * concurrency);
  });
}
function didNotRun(startedAt, windowS, failure) {
  return { line: failed(startedAt, windowS, 0), errors: { [DID_NOT_RUN]: 1 }, little: null, sidecars: {}, failure };
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
function isSilent({ line, errors }) {
  return line.goodput_rps === 0 && Object.keys(errors).length === 0;
}
function positive(value) {
  return value > 0 && Number.isFinite(value) ? value : null;
}

// entrypoint/measure/run-steps.ts
import { setTimeout as sleep14 } from "node:timers/promises";

// entrypoint/measure/omission.ts
function corrected(latenciesMs, intervalMs) {
  const all = [...latenciesMs];
  for (const latency of latenciesMs) {
    for (let missing = latency - intervalMs; missing >= intervalMs; missing -= intervalMs) all.push(missing);
  }
  return all.sort((a, b) => a - b);
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
  const sidecars = windowsOf(
    slices.map((slice2) => slice2.sidecars ?? {}),
    durationS
  );
  const requests = window.succeeded + window.wrongStatus + sum(Object.values(output.errors));
  if (errors["worker-lost"] || errors["wrong-statements"] || window.succeeded === 0) {
    return { line: failed(startedAt, durationS, requests), errors, little: null, sidecars };
  }
  const goodput = window.succeeded / durationS;
  const meanS = sum(window.latenciesMs) / window.latenciesMs.length / 1e3;
  const intervalS = intervalOf(cell.load);
  const latenciesMs = intervalS === void 0 ? window.latenciesMs : corrected(window.latenciesMs, 1e3 * intervalS);
  return {
    line: {
      started_at: startedAt.toISOString(),
      duration_s: durationS,
      requests,
      succeeded: window.succeeded,
      failed: requests - window.succeeded,
      goodput_rps: goodput,
      p50_ms: percentile(latenciesMs, 50),
      p95_ms: percentile(latenciesMs, 95),
      p99_ms: percentile(latenciesMs, 99),
      max_ms: window.latenciesMs.at(-1) ?? null,
      cpu_us_per_request: positive(sum(slices.map(({ start: start2, end }) => end.cpuUs - start2.cpuUs)) / window.succeeded),
      peak_memory_mib: positive(Math.max(...usages.map(({ memoryKib }) => memoryKib)) / 1024),
      memory_growth_kib_per_1k: growthOf2(observation, seconds2, cell),
      half_ratio: window.halfRatio
    },
    errors,
    little: intervalS === void 0 ? goodput * meanS / cell.load.concurrency : null,
    sidecars
  };
}
function clockOf({ spawnedAt, output, slices }) {
  const sinceSpawn = (at) => (at - spawnedAt) / 1e3;
  const pauses = slices.flatMap(({ pause }) => pause ? [{ heldS: sinceSpawn(pause.heldAt), resumedS: sinceSpawn(pause.resumedAt) }] : []);
  const lagS = lagOf(output, pauses);
  return (at) => sinceSpawn(at) - lagS;
}
function errorsOf({ output, lost, counted }, { wrongStatus }, { workload, load: load3 }) {
  const successes = output.statuses.filter((status) => status === workload.expect.status).length;
  const isWorkDone = !counted || workWasDone(counted.perRequest, counted.before, counted.after, successes, load3.concurrency);
  return {
    ...output.errors,
    ...wrongStatus > 0 ? { "wrong-status": wrongStatus } : {},
    ...lost ? { "worker-lost": 1 } : {},
    ...isWorkDone ? {} : { "wrong-statements": 1 }
  };
}
function growthOf2({ output, usages }, seconds2, { workload }) {
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
  const perRequest2 = run2.cell.workload.builtIn?.statements;
  return { ...run2, statements: perRequest2 && { perRequest: perRequest2, before: await run2.options.engine.statementCounts() } };
}
async function warmUp(run2) {
  const { cell, timing, options, server } = run2;
  const startedAt = /* @__PURE__ */ new Date();
  const limitS = takesTurns(timing) ? HOLD_LIMIT_S : timing.warmupS + timing.windowS + TAIL_S;
  const hey = startHey(options.hey, heyArguments(server.url, cell, limitS, run2.heldS), options.engine.loadCpus, options.signal);
  run2.opened.add(() => hey.kill());
  await until2(hey.startedAt + timing.warmupS * 1e3, options.signal);
  return { ...run2, startedAt, hey, heldAt: await hold(hey, run2), slices: [] };
}
async function slice(run2, index) {
  const { timing, server, meter, hey, heldAt, options } = run2;
  const lengthMs = timing.windowS / timing.slices * 1e3;
  const pause = heldAt === void 0 ? void 0 : await resume(hey, heldAt, run2);
  const { machine } = options.engine;
  const before = await machine.stat();
  const sidecarsBefore = await options.engine.sidecarUses();
  const begin2 = index === 0 ? await meter.usage() : await server.clock();
  if (timing.slices === 1) {
    await until2(begin2.at + lengthMs / 2, options.signal);
    await meter.usage();
  }
  await until2(begin2.at + lengthMs, options.signal);
  const end = index === timing.slices - 1 ? await meter.usage() : await server.clock();
  const sidecars = grown(sidecarsBefore, await options.engine.sidecarUses());
  const around = { before, after: await machine.stat() };
  return { ...run2, heldAt: await hold(hey, run2), slices: [...run2.slices, { pause, start: begin2, end, sidecars, machine: around }] };
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
  const message = lost && `${lost}. Every request of such a run counts as failed`;
  const busy = busyShare(slices.flatMap(({ machine }) => machine ?? []));
  return { ...summary, busy, status, failure: hasErrors ? await failureOf(server, cell, meter.seen, message) : void 0 };
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
  await sleep14(Math.max(0, at - Date.now()), void 0, { signal });
}

// entrypoint/measure/run.ts
async function measureTogether(arms, cell, timing, options) {
  const { engine, signal, patience } = options;
  for (const revision of new Set(arms.map((arm) => arm.revision))) await engine.restore(revision);
  const ready = arms.map((arm) => {
    const ofArm = { workload: workloadFor(cell, arm.revision), load: cell.load };
    return { arm, cell: ofArm, timing, heldS: longestHoldS(arms.length, timing), options, startedAt: /* @__PURE__ */ new Date(), opened: new Opened() };
  });
  try {
    const booted = await allOf(ready.map(async (run2) => attempt(await attempt(run2, start), countStatements)));
    await patience?.untilIdle(engine.machine);
    signal.throwIfAborted();
    let runs = await allOf(booted.map((run2) => attempt(run2, warmUp)));
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

// entrypoint/measure/quad.ts
var MAX_RERUNS = 2;
async function measureQuad(underway, place) {
  const { measured, options } = underway;
  const cell = cellName(place.quad.cell);
  for (let attempt2 = 1; ; attempt2++) {
    const why = await attemptQuad(underway, place, attempt2);
    if (why === void 0 || attempt2 > MAX_RERUNS) return;
    measured.reruns.push({ block: place.block, cell, attempt: attempt2 + 1, why });
    options.say(`${cell} of block ${place.block} is run again: ${why}`);
  }
}
async function attemptQuad(underway, place, attempt2) {
  const { plan: plan2, options, measured } = underway;
  const { arms, cell, timing } = place.quad;
  const { machine } = options.engine;
  const idle = await options.patience?.untilIdle(machine) ?? false;
  const probeMs = await machine.probeMs();
  const silent = [];
  for (const together of timing.slices > 1 ? [arms] : arms.map((arm) => [arm])) {
    if (options.signal.aborted) throw new Cancelled("The measurement was cancelled.");
    const before = await machine.stat();
    const results = await runsOrFailures(together, cell, timing, options);
    const stolen = stolenShare(before, await machine.stat());
    record(underway, place, attempt2, { arms: together, results, idle, stolen });
    silent.push(...together.filter((_, i) => isSilent(results[i])).map(nameOf2));
    options.keep(measured);
  }
  const fall = fallsOf(measured, plan2.modes, options.deciding).find(({ of }) => of === "both");
  if (fall) throw new MeasurementError(fall.message);
  const wasOff = isOffMedian(probeMs, measured.probesMs);
  measured.probesMs.push(probeMs);
  if (wasOff) return `CPU probe of ${probeMs.toFixed(0)} ms differs too much from the job's median`;
  return silent.length > 0 ? `no answer of ${silent.join(", ")} arrived inside the window, and no request failed` : void 0;
}
function record({ plan: plan2, measured, progress }, place, attempt2, turn) {
  const { cell, arms } = place.quad;
  for (const [i, arm] of turn.arms.entries()) {
    const { line, errors, little, sidecars, busy, status, failure } = turn.results[i];
    const position = arms.indexOf(arm) + 1;
    const key = {
      job: plan2.job,
      block: place.block,
      position,
      workload: cell.workload.name,
      load: cell.load.name,
      revision: arm.revision,
      mode: arm.mode.name,
      attempt: attempt2
    };
    measured.samples.push({ ...key, concurrency: cell.load.concurrency, ...line });
    const { relay, upstream } = sidecars;
    const used = { relay_cpus: relay?.cpus, relay_p99_late_ms: relay?.p99LateMs, upstream_cpus: upstream?.cpus };
    measured.notes.push({ ...key, errors, little, ...used, busy, idle: turn.idle, stolen: turn.stolen, status, failure });
    progress.ran({
      number: place.runsBefore + position,
      isAgain: attempt2 > 1,
      unsaid: turn.arms.length - 1 - i,
      what: `${cellName(cell)} ${nameOf2(arm)}`,
      goodput: line.goodput_rps,
      errors
    });
  }
}
var nameOf2 = ({ revision, mode }) => `${revision} ${mode.name}`;
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

// entrypoint/measure/measure.ts
async function measure(plan2, options) {
  const measured = { look: 1, samples: [], notes: [], probesMs: [], reruns: [] };
  const underway = { plan: plan2, options, measured, progress: new Progress(plan2.runs, options.say) };
  const done = [];
  let next = firstBlocks(plan2);
  while (next.length > 0) {
    for (const block of next) {
      await measureBlock(underway, block, runsIn(done));
      done.push(block);
      const fall = fallsOf(measured, plan2.modes, options.deciding).find(({ of }) => of === "head");
      if (fall) {
        options.say(`${fall.message}
The measurement ends here: head answers with errors.`);
        return measured;
      }
    }
    next = await afterLook(plan2, done, measured, options);
  }
  return measured;
}
async function afterLook(plan2, done, measured, options) {
  const { look: look2 } = measured;
  if (look2 === plan2.lookAt.length) return [];
  const open2 = await options.openCells(look2);
  options.say(`look ${look2} of ${plan2.lookAt.length}: ${open2.length > 0 ? `more quads of ${open2.join(", ")}` : "decided"}`);
  const next = blocksUntil(plan2, look2 + 1, done, open2);
  if (next.length > 0) measured.look++;
  return next;
}
async function measureBlock(underway, { block, quads }, runsBefore) {
  for (const [i, quad] of quads.entries()) {
    await measureQuad(underway, { block, quad, runsBefore: runsBefore + runsIn([{ block, quads: quads.slice(0, i) }]) });
  }
}
function runsIn(blocks) {
  return blocks.flatMap(({ quads }) => quads).reduce((sum2, { arms }) => sum2 + arms.length, 0);
}

// entrypoint/measure/run-plan.ts
async function runPlan(planned, job, openCells2) {
  const { engine, inputs, settled: settled3, tools, plan: plan2 } = planned;
  const { out } = inputs;
  const record2 = recordOf(planned);
  forgetLater(out);
  const measured = await measure(plan2, {
    engine,
    hey: tools.hey,
    patience: job.patience,
    signal: job.signal,
    say: job.say,
    deciding: new Set((settled3.gated.length > 0 ? settled3.gated : settled3.reported).map(cellName)),
    keep: (soFar) => writeResults(out, record2, soFar),
    openCells: openCells2
  });
  writeResults(out, record2, measured);
  if (plan2.runs > 0) job.say(`${measured.samples.length} runs in ${join33(out, SAMPLES)}`);
  return { ...planned, measured };
}
function recordOf({ engine, inputs, settled: settled3, tools, plan: plan2, checked, counting }) {
  const { revisions, ...comparison } = settled3;
  const uncounted2 = "counter" in counting || !counting.why ? [] : [`Instructions were not counted: ${counting.why}.`];
  return {
    comparison,
    study: inputs.study,
    plan: plan2,
    revisions,
    versions: tools.versions,
    engine: engine.describe(),
    preflight: checked,
    uncounted: uncounted2
  };
}

// entrypoint/measure/instructions/count.ts
async function count2(request2, options) {
  const { cells, modes, repetitions, seed } = request2;
  const random = randomFrom(seed + 1);
  const counts = [];
  const failures = [];
  const failed2 = /* @__PURE__ */ new Set();
  const requests = /* @__PURE__ */ new Map();
  for (let repetition = 1; repetition <= repetitions; repetition++) {
    for (const cell of shuffled(cells, random)) {
      const arms = armOrder(modes, true, random);
      if (failed2.has(cell)) continue;
      const quad = await countQuad(arms, cell, requests, request2, options);
      quad.forEach((counted, i) => {
        const arm = arms[i];
        if (counted instanceof Error) {
          failed2.add(cell);
          failures.push(`${cellName(cell)}: the instructions of ${arm.revision} ${arm.mode.name} could not be counted: ${counted.message}`);
        } else counts.push({ ...counted, repetition, position: i + 1 });
      });
      options.say(`instructions: repetition ${repetition} of ${repetitions}, ${cellName(cell)}`);
    }
  }
  for (const failure of failures) options.say(failure);
  return { counts, failures };
}
async function countQuad(arms, cell, requests, { job, counter, modes }, options) {
  const one = async (arm) => {
    options.signal.throwIfAborted();
    const key = `${cellName(cell)} ${arm.mode.name}`;
    const once = (each2) => {
      if (!requests.has(key)) requests.set(key, requestsFor(each2));
      return requests.get(key);
    };
    try {
      const counted = await countArm(arm, cell, once, { ...options, counter });
      return {
        job,
        workload: cell.workload.name,
        load: cell.load.name,
        concurrency: connectionsOf(arm, cell),
        revision: arm.revision,
        mode: arm.mode.name,
        ...counted,
        instructions_per_request: counted.instructions / counted.requests,
        tool: counter
      };
    } catch (error) {
      if (options.signal.aborted) throw new Cancelled("The measurement was cancelled.");
      await options.engine.assertAlive();
      return new Error(messageOf(error));
    }
  };
  const restored = async (of) => {
    for (const revision of new Set(of.map(({ revision: revision2 }) => revision2))) await options.engine.restore(revision);
  };
  if (areCountedTogether(modes, cell)) {
    await restored(arms);
    return allOf(arms.map(one));
  }
  const results = [];
  for (const arm of arms) {
    await restored([arm]);
    results.push(await one(arm));
  }
  return results;
}

// entrypoint/measure/instructions/count-instructions.ts
async function countInstructions(measured, job) {
  const { counting, plan: plan2, settled: settled3, newInHead, engine, tools, inputs } = measured;
  const cells = countedCells(settled3.gated, newInHead);
  const blocks = new Set(measured.measured.samples.map(({ block }) => block)).size;
  const hasEnded2 = blocks < plan2.lookAt[0];
  if (hasEnded2) return measured;
  const record2 = recordOf(measured);
  if (!("counter" in counting) || cells.length === 0) {
    if (plan2.runs === 0) writeCounts(inputs.out, record2, measured.measured, []);
    return measured;
  }
  if (job.signal.aborted) throw new Cancelled("The measurement was cancelled.");
  const request2 = { ...counting, job: plan2.job, seed: plan2.seed, cells, modes: settled3.modes };
  const { counts, failures } = await count2(request2, { engine, hey: tools.hey, signal: job.signal, say: job.say });
  writeCounts(inputs.out, { ...record2, uncounted: [...record2.uncounted, ...failures] }, measured.measured, counts);
  job.say(`${counts.length} counts in ${join34(inputs.out, COUNTS)}`);
  return measured;
}

// entrypoint/measure/pilot.ts
var PILOT = { warmupS: 0.5, windowS: 1, slices: 1, guardS: 0 };
var UNANSWERED = `no answer within ${PILOT.warmupS + PILOT.windowS} s`;
var TRIES3 = 2;
async function pilot(cells, modes, options) {
  const piloted = { results: /* @__PURE__ */ new Map(), fallen: [] };
  for (const cell of cells) {
    for (const mode of modes) {
      const { line, sidecars } = await serving(cell, mode, options, piloted.fallen);
      const goodput = line.goodput_rps;
      const busy = tooBusy(`${cellName(cell)} on ${mode.name}`, sidecars);
      if (busy.length > 0) throw new MeasurementError(`${keyOf(sidecars)}: ${busy.join(" ")}`);
      const latencyS = latencyOf(line, cell);
      const before = piloted.results.get(cellName(cell));
      if (!before || latencyS > before.latencyS) piloted.results.set(cellName(cell), { latencyS, goodput });
      const seen = goodput > 0 ? `${goodput.toFixed(1)}/s, ${(latencyS * 1e3).toFixed(0)} ms` : UNANSWERED;
      options.say(`pilot: ${cellName(cell)} ${mode.name}: ${seen}${inBrief(sidecars)}`);
    }
  }
  return piloted;
}
function latencyOf({ goodput_rps: goodput, p50_ms: p50 }, { load: load3 }) {
  if (goodput === 0) return PILOT.windowS + PILOT.warmupS;
  return load3.rate === void 0 || p50 === null ? load3.concurrency / goodput : p50 / 1e3;
}
async function serving(cell, mode, options, fallen) {
  const head = await tried({ revision: "head", mode }, cell, options);
  if (!failedWholly(head)) return head;
  const place = `The pilot: ${mode.name} of head cannot serve ${cellName(cell)}`;
  const cause = describe({ revision: "head", mode }, cell, head);
  if (!options.isInBase(cell)) throw new MeasurementError(`${place}: ${TRIES3} of ${TRIES3} runs failed completely.
${cause}`);
  const base = await tried({ revision: "base", mode }, cell, options);
  if (failedWholly(base)) {
    throw new MeasurementError(
      `${place}, and base cannot either: ${TRIES3} of ${TRIES3} runs of each failed completely.
${cause}
${describe({ revision: "base", mode }, cell, base)}`
    );
  }
  const message = `${place}, and base can: ${TRIES3} of ${TRIES3} runs of head failed completely.
${cause}`;
  fallen.push(message);
  options.say(message);
  return base;
}
async function tried(arm, cell, options) {
  for (let tries = 1; ; tries++) {
    options.signal.throwIfAborted();
    const [result] = await measureTogether([arm], cell, atRate(PILOT, intervalOf(cell.load)), options);
    if (!ran(result)) await options.engine.assertAlive();
    if (!failedWholly(result) || tries === TRIES3) return result;
  }
}
function describe({ revision, mode }, { workload, load: load3 }, { errors, failure }) {
  if (!failure) return "";
  return describeFailure({ revision, mode: mode.name, workload: workload.name, load: load3.name, errors, failure });
}

// entrypoint/measure/pilot-cells.ts
async function pilotCells(bench, { say, signal, patience }) {
  const { engine, settled: settled3, tools, checked } = bench;
  const { gated, reported, modes, rules, revisions, ungated } = settled3;
  const newToBase = ungated.flatMap(({ workload, why }) => why === "new" ? [workload] : []);
  const newInHead = /* @__PURE__ */ new Set([...checked.newInHead, ...newToBase]);
  if (rules.profile === "work") return { ...bench, latencies: /* @__PURE__ */ new Map(), newInHead, fallen: [] };
  const isInBase = ({ workload }) => revisions.base !== void 0 && !newInHead.has(workload.name);
  const running = { engine, hey: tools.hey, patience, signal, say };
  const { results, fallen } = await pilot([...gated, ...reported], modes, { ...running, isInBase });
  return { ...bench, latencies: results, newInHead, fallen };
}

// entrypoint/measure/search-loads.ts
import { mkdirSync as mkdirSync4, writeFileSync as writeFileSync14 } from "node:fs";
import { join as join35 } from "node:path";

// entrypoint/measure/search.ts
var REPEATS = 3;
var WORSE2 = 0.9;
var AS_GOOD = 0.98;
async function searchLoad({ probe, most, isOver: isOver2 }) {
  const points = [];
  const measure3 = async (concurrency) => {
    points.push(await probe(concurrency));
  };
  for (let level = 1, bad = 0; level <= most && bad < 2 && !isOver2(); level *= 2) {
    await measure3(level);
    if (isBad(points, level) && !isOver2()) await measure3(level);
    bad = isBad(points, level) ? bad + 1 : 0;
  }
  const around = bestOf(points);
  if (around === void 0) return { points, best: void 0 };
  for (const level of levelsAround(around, most)) {
    while (runsAt(points, level).length < REPEATS && !isOver2()) await measure3(level);
  }
  return { points, best: bestOf(points) };
}
function levelsAround(level, most) {
  const levels = [0, -0.5, 0.5, -1, 1].map((octaves) => Math.round(level * 2 ** octaves));
  return [...new Set(levels)].filter((each2) => each2 >= 1 && each2 <= most);
}
function isBad(points, level) {
  const others = points.filter(({ concurrency, failed: failed2 }) => concurrency !== level && failed2 === 0).map(({ goodput }) => goodput);
  return !isClean(points, level) || Math.max(...goodputs(points, level)) < WORSE2 * Math.max(0, ...others);
}
function bestOf(points) {
  const levels = [...new Set(points.map(({ concurrency }) => concurrency))].sort((a, b) => a - b).filter((level) => isClean(points, level));
  const rates = levels.map((level) => median(goodputs(points, level)));
  return levels[rates.findIndex((rate2) => rate2 >= AS_GOOD * Math.max(...rates))];
}
function isClean(points, level) {
  const runs = runsAt(points, level);
  return runs.filter(({ failed: failed2 }) => failed2 === 0).length * 2 > runs.length;
}
function runsAt(points, level) {
  return points.filter(({ concurrency }) => concurrency === level);
}
function goodputs(points, level) {
  return runsAt(points, level).flatMap(({ failed: failed2, goodput }) => failed2 === 0 ? [goodput] : []);
}
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

// entrypoint/measure/search-loads.ts
var MOST3 = 512;
var SHARE2 = 1 / 3;
var SHORTEST = { warmupS: 0.5, windowS: 1.5 };
var LONGEST_S3 = 10;
async function searchLoads(bench, job) {
  const { settled: settled3, inputs } = bench;
  if (!isSearched(settled3.rules)) return bench;
  const { modes, rules } = settled3;
  const workloads = settled3.gated.map(({ workload }) => workload);
  const searches = workloads.flatMap((workload) => modes.map((mode) => ({ workload, mode })));
  const allMs = seconds(rules.budget) * 1e3 * SHARE2;
  const began = Date.now();
  const samples = [];
  const found = [];
  for (const [index, { workload, mode }] of searches.entries()) {
    const until3 = began + allMs * (index + 1) / searches.length;
    const probe = probeOf(bench, job, workload, mode, samples);
    const { points, best } = await searchLoad({ probe, most: MOST3, isOver: () => Date.now() > until3 });
    if (best === void 0)
      throw new MeasurementError(`loads: search: ${mode.name} served ${workload.name} at no load without failed requests`);
    job.say(`search: ${workload.name} on ${mode.name}: best at ${best} connections, ${points.length} runs`);
    found.push({ workload: workload.name, mode: mode.name, concurrency: best });
  }
  mkdirSync4(inputs.out, { recursive: true });
  const file = join35(inputs.out, "search.csv");
  writeFileSync14(file, samplesCsv(samples));
  const cells = workloads.flatMap((workload) => loadsOf(workload, found).map((load3) => ({ workload, load: load3 })));
  const loads = Object.fromEntries(cells.map(({ load: { name, concurrency } }) => [name, { concurrency }]));
  writeFileSync14(join35(inputs.out, "loads.yml"), frozen(loads));
  const coverage = { gated: cells.length, of: cells.length };
  return { ...bench, searched: { file, best: found }, settled: { ...settled3, rules: { ...rules, loads }, gated: cells, coverage } };
}
function loadsOf({ name }, found) {
  const ofWorkload = found.filter(({ workload }) => workload === name).map(({ concurrency }) => concurrency);
  return [...new Set(ofWorkload)].sort((a, b) => a - b).map((concurrency) => ({ name: nameOf3(concurrency), concurrency }));
}
var nameOf3 = (concurrency) => `c${concurrency}`;
function frozen(loads) {
  const lines = Object.entries(loads).map(([name, { concurrency }]) => `  ${name}: { concurrency: ${concurrency} }
`);
  return `# Found by a study with \`loads: search\`: for each mode and workload the load of the highest goodput without a failed request.
loads:
${lines.join("")}`;
}
function probeOf(bench, job, workload, mode, samples) {
  const { engine, tools, inputs } = bench;
  const options = { engine, hey: tools.hey, patience: job.patience, signal: job.signal };
  let last;
  return async (concurrency) => {
    const load3 = { name: nameOf3(concurrency), concurrency };
    const arm = { revision: "head", mode };
    const [result] = await measureTogether([arm], { workload, load: load3 }, timingAt(concurrency, last), options);
    if (!result) throw new Error("no result of the one arm");
    if (!ran(result)) await engine.assertAlive();
    const { line } = result;
    const repetition = samples.filter(
      (sample2) => sample2.workload === workload.name && sample2.mode === mode.name && sample2.load === load3.name
    );
    samples.push({
      ...{ job: inputs.job, block: repetition.length + 1, position: 1, workload: workload.name, load: load3.name, concurrency },
      ...{ revision: "head", mode: mode.name, ...line, attempt: 1 }
    });
    last = { concurrency, goodput: line.goodput_rps, failed: ran(result) ? line.failed : Math.max(1, line.failed) };
    return last;
  };
}
function timingAt(concurrency, last) {
  const latencyS = last && last.goodput > 0 ? concurrency / last.goodput : 0;
  const atLeast = (s, latencies) => Math.min(LONGEST_S3, Math.max(s, latencies * latencyS));
  return { warmupS: atLeast(SHORTEST.warmupS, 2), windowS: atLeast(SHORTEST.windowS, 4), slices: 1, guardS: 0 };
}

// entrypoint/plan/budget.ts
function refuseImpossibleBudget({ rules, placeOf: placeOf3, modes, gated, reported, served }) {
  if (rules.profile === "work") return;
  const deciding = gated.length > 0 ? gated : reported;
  const blocks = blocksWanted(rules.blocks, rules.profile === "quick");
  const needed = blocks * deciding.length * shortestQuadS(modes.length * (served.base ? 2 : 1));
  if (needed <= seconds(rules.budget)) return;
  const names2 = deciding.map(cellName).join(", ");
  throw new InputError(
    `${placeOf3("budget")}budget: found ${rules.budget}, allowed: at least ${Math.ceil(needed / 60)}m, which ${blocks} blocks of ${names2} take with the shortest runs`
  );
}

// entrypoint/plan/prediction.ts
import { join as join36 } from "node:path";
var MIN_BLOCKS = 6;
function looksText({ lookAt }) {
  return `${lookAt.slice(0, -1).join(", ")} and ${lookAt.at(-1)} blocks`;
}
async function predict(plan2, modes, hasBase, { gate: gate2 }, rscript) {
  const cells = plan2.cells.length;
  const [most, usual] = [plan2.predictedSeconds, plan2.usualSeconds].map((s) => (s / 60).toFixed(1));
  const adapts = plan2.looks > 1;
  const lines = [
    `plan: ${countOf(plan2.lookAt.at(-1), "block")} x ${countOf(cells, "cell")} x ${countOf(modes * (hasBase ? 2 : 1), "arm")} = ${plan2.runs} runs${adapts ? " at most" : ""}, ${adapts ? "at most" : "about"} ${most} minutes; seed ${plan2.seed}`
  ];
  if (adapts) lines.push(`plan: looks after ${looksText(plan2)}; then only open cells are measured further`);
  if (adapts) lines.push(`plan: about ${usual} minutes if nothing changed and the machine is quiet`);
  if (!hasBase || !rscript || plan2.lookAt[0] < MIN_BLOCKS) return lines;
  const slices = Math.min(...plan2.cells.map(({ timing }) => timing.slices));
  const { alpha, "max-regression": tolerance } = gate2;
  const known = { blocks: plan2.lookAt.at(-1), cells, looks: plan2.looks, "max-regression": tolerance, alpha, slices };
  const args = Object.entries(known).map(([key, value]) => `${key}=${value}`);
  const done = await exec([rscript, "--vanilla", join36(PACKAGE, "r", "power.R"), ...args], {
    ...apart(),
    timeoutMs: 6e4
  });
  if (done.code === 0) lines.push(`plan: ${done.stdout.trim()}`);
  return lines;
}

// entrypoint/plan/work.ts
var NO_RUNS = { warmupS: 0, windowS: 0, slices: 1, guardS: 0 };
function refuseUncountable({ rules, placeOf: placeOf3, modes }, study) {
  if (rules.profile !== "work") return;
  const place = `${placeOf3("profile")}profile: found work`;
  if (study) throw new InputError(`${place} in a study, which measures time. Allowed: full, quick`);
  if (rules.instructions === "off") {
    throw new InputError(`${place} beside instructions: off. Allowed beside it: instructions: auto, perf, valgrind`);
  }
  const why = whyUncountable(modes);
  if (why) throw new InputError(`${place}, but ${why}, so that its instructions cannot be counted. Allowed beside it: full, quick`);
}
function workPlan({ modes, gated, newInHead, hasBase, seed, job }, counting, cpus) {
  const counted = countedCells(gated, newInHead);
  const seconds2 = "counter" in counting ? Math.ceil(countingSeconds(counting, counted, modes, cpus)) : 0;
  return {
    ...{ seed, job, modes, looks: 1, lookAt: [0], runs: 0, predictedSeconds: seconds2, usualSeconds: seconds2 },
    cells: counted.map((cell) => ({ cell, timing: NO_RUNS, isCompared: hasBase, isGated: true })),
    hasCounting: true,
    leftOut: []
  };
}
function workLines({ cells, predictedSeconds, seed }, counting, modes) {
  if (!("counter" in counting)) return [];
  const { counter, repetitions } = counting;
  const arms = 2 * modes.length;
  const minutes = (predictedSeconds / 60).toFixed(1);
  return [
    `plan: ${countOf(repetitions, "repetition")} x ${countOf(cells.length, "cell")} x ${arms} arms = ${repetitions * cells.length * arms} counts with ${counter}, about ${minutes} minutes; seed ${seed}`,
    "plan: only instructions are counted; neither time nor waiting is measured"
  ];
}

// entrypoint/plan/plan-job.ts
async function planJob(bench, job) {
  const { settled: settled3, engine } = bench;
  const { modes, rules, revisions } = settled3;
  const counting = chooseCounting({ rules, modes, hasBase: revisions.base !== void 0, counters: await engine.counters() });
  return rules.profile === "work" ? planWork(bench, counting, job) : planBlocks(bench, counting, job);
}
function planWork(bench, counting, { say }) {
  const { inputs, settled: settled3, newInHead, engine } = bench;
  const { gated, modes, revisions } = settled3;
  const request2 = { modes, gated, newInHead, hasBase: revisions.base !== void 0, seed: inputs.seed, job: inputs.job };
  const plan2 = workPlan(request2, counting, engine.appCpus);
  for (const line of workLines(plan2, counting, modes)) say(line);
  if (!("counter" in counting)) say(countingLine(counting));
  return { ...bench, plan: plan2, counting };
}
async function planBlocks(bench, wanted, { say }) {
  const { inputs, settled: settled3, tools, latencies, newInHead, engine } = bench;
  const { gated, reported, modes, rules, revisions } = settled3;
  const hasBase = revisions.base !== void 0;
  const plan2 = makePlan(
    {
      modes,
      gated,
      reported,
      newInHead,
      hasBase,
      isJudged: isJudged({ rules, modes, hasBase, study: inputs.study }),
      quick: rules.profile === "quick",
      budgetS: seconds(rules.budget),
      budgetPlace: settled3.placeOf("budget"),
      blocks: rules.blocks,
      countingS: "counter" in wanted ? countingSeconds(wanted, countedCells(gated, newInHead), modes, engine.appCpus) : 0,
      seed: inputs.seed,
      job: inputs.job
    },
    latencies
  );
  for (const line of await predict(plan2, modes.length, hasBase, rules, tools.rscript)) say(line);
  for (const cell of plan2.leftOut) say(`note: ${cellName(cell)} is not gated, and the budget has no room to report it`);
  if (!plan2.hasCounting && rules.instructions !== "auto") {
    throw new InputError(
      `${settled3.placeOf("budget")}budget: found ${rules.budget}, too short for the blocks and instructions: ${rules.instructions}`
    );
  }
  const counting = plan2.hasCounting ? wanted : { why: "the budget has no room beside the blocks" };
  say(countingLine(counting));
  return { ...bench, plan: plan2, counting };
}
function isJudged({ rules, modes, hasBase, study }) {
  return !study && modes.length > 1 && (hasBase || rules.gate["min-gain"] !== null);
}
function countingLine(counting) {
  if ("counter" in counting) return `plan: instructions per request, ${counting.repetitions} repetitions with ${counting.counter}`;
  return `plan: instructions are not counted${counting.why ? `: ${counting.why}` : ""}`;
}

// entrypoint/preflight/suggest-mask.ts
var KINDS = [
  { found: /\d+/g, pattern: "\\d+" },
  { found: /[0-9a-f]{8,}/gi, pattern: "[0-9A-Fa-f]+" }
];
var BEFORE2 = /[A-Za-z_"':=-]{0,30}$/;
var PATTERNS_MOST = 5;
function suggestedMask(one, other) {
  for (const { found, pattern } of KINDS) {
    if (one.replace(found, "*") !== other.replace(found, "*")) continue;
    const others = [...other.matchAll(found)];
    const differing = [...one.matchAll(found)].filter(([text], i) => text !== others[i]?.[0]);
    const patterns = new Set(differing.map(({ index }) => escaped2(BEFORE2.exec(one.slice(0, index))?.[0] ?? "") + pattern));
    return patterns.size > PATTERNS_MOST ? [pattern] : [...patterns];
  }
  return [];
}
function maskLine(patterns) {
  return patterns.length ? `mask: [${patterns.map((pattern) => `'${pattern.replaceAll("'", "''")}'`).join(", ")}]` : "";
}
function escaped2(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

// entrypoint/preflight/concurrency.ts
var ROUNDS2 = 3;
async function answersAlone(server, arm, workload, concurrency) {
  const place = placeOf(arm, workload);
  const ids = identitiesOf(workload, concurrency);
  const first = ids[0];
  const bodyOf = bodies(server, workload, place);
  const answer5 = await bodyOf(first);
  refuseUnsteady(arm, `${place}: ${said(workload, first)}`, answer5, await bodyOf(first));
  const alone = /* @__PURE__ */ new Map([[first, answer5]]);
  for (const id of hasIdentities(workload) ? new Set(ids.slice(1)) : []) if (!alone.has(id)) alone.set(id, await bodyOf(id));
  return alone;
}
async function checkConcurrency(server, arm, workload, concurrency, alone) {
  const place = `${placeOf(arm, workload)}, ${concurrency} requests at a time`;
  const bodyOf = bodies(server, workload, place);
  const ids = [...alone.keys()];
  await Promise.all(
    Array.from({ length: concurrency }, async (_, i) => {
      const id = ids[i % ids.length];
      for (let round = 0; round < ROUNDS2; round++) {
        const body = await bodyOf(id);
        if (body === alone.get(id)) continue;
        throw new MeasurementError(
          `${place}: ${said(workload, id)}: the answer${hasIdentities(workload) ? ` for id ${id}` : ""} differs from the one to a single request. ${difference(alone.get(id), body)} Do requests share state? If the difference is allowed, add it to the workload's mask.`
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
  const cause = keepsApp ? " Does the app keep state between requests?" : "";
  const mask = maskLine(suggestedMask(first, second));
  throw new MeasurementError(
    `${place}: two consecutive requests get different responses. ${difference(first, second)}${cause} If the difference is allowed, add it to the workload's mask${mask ? `: ${mask}` : "."}`
  );
}
async function checkColdStart(server, arm, workload, concurrency) {
  const place = `${placeOf(arm, workload)}, cold start under load`;
  await Promise.all(Array.from({ length: concurrency }, () => rightAnswer(server, workload, place)));
}

// entrypoint/preflight/head-alone.ts
async function againIfHeadFails(check3, arm, { engine, arms, newInHead, say }) {
  const isComparable = arm.revision === "head" && arms.some(({ revision }) => revision === "base");
  const isOfHead = (error) => isComparable && error instanceof AppFailure && !(error.workload !== void 0 && newInHead.has(error.workload));
  try {
    await check3();
    return void 0;
  } catch (error) {
    if (!isOfHead(error)) throw error;
    await engine.assertAlive();
    say(`preflight: ${armName(arm)} failed; once more`);
    try {
      await check3();
    } catch (again) {
      if (!isOfHead(again)) throw again;
      await engine.assertAlive();
      throw new HeadFailed(armName(arm), again);
    }
    return `${armName(arm)} failed in preflight, and passed when it was repeated. The failure: ${error.message}`;
  }
}

// entrypoint/preflight/loaded.ts
import { randomBytes as randomBytes10 } from "node:crypto";
var HEADER3 = "X-Async-Php-Bench-Loaded";
async function loadedBy(server, workload) {
  const { path, ...request2 } = requestOf(workload);
  const token = randomBytes10(12).toString("hex");
  try {
    const { body } = await ask(server.url + path, { ...request2, headers: { ...request2.headers, [HEADER3]: token } });
    const [told2, ...before] = body.split(token).reverse();
    if (before.length === 0) return void 0;
    const { per_request: perRequest2, files } = JSON.parse(told2);
    return { perRequest: perRequest2, files };
  } catch {
    return void 0;
  }
}

// entrypoint/provision/slowing.ts
var AGENT = "measures every request and slows it";
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
  {
    name: "excimer",
    harm: AGENT,
    remedy: "load no extension=excimer (php.ini, `php.ini` of the configuration)",
    isOffInArms: true
  },
  ...["blackfire", "newrelic", "ddtrace", "opentelemetry"].map((name) => ({
    name,
    harm: AGENT,
    remedy: disabled(name),
    isOffInArms: false
  }))
];
function slowingAmong(loaded2) {
  const lower = new Set([...loaded2].map((name) => name.toLowerCase()));
  return SLOWING.filter(({ name }) => lower.has(name));
}
async function slowingIn(programs2) {
  const loaded2 = await Promise.all(
    Object.entries(programs2).map(async ([name, path]) => ({ name, found: slowingAmong(await modulesOf(path)) }))
  );
  return SLOWING.map((one) => ({ ...one, in: loaded2.filter(({ found }) => found.includes(one)).map(({ name }) => name) })).filter(
    (one) => one.in.length > 0
  );
}

// entrypoint/preflight/servers.ts
var WAIT_MS = { promised: 100, noted: 50 };
var TRIES4 = 6;
var MOST_WAITS = 64;
var OF_SAPI = ["cgi-fcgi", "cli_server", "pcntl", "readline", "swoole"];
async function factsOf(server, arm) {
  const facts = JSON.parse((await ask(`${server.url}/_bench/facts`)).body);
  if (!runsPhp(facts)) return facts;
  if (facts.opcache !== true) {
    throw new MeasurementError(
      `${armName(arm)}: OPcache is off. Without it the comparison is meaningless. Install php-opcache, and leave opcache.enable on.`
    );
  }
  refuseDebuggers(armName(arm), facts.debuggers);
  return facts;
}
function runsPhp({ language = "php" }) {
  return language === "php";
}
async function checkWaiting(server, arm, runtime, { connections, workers }) {
  const waitMs = WAIT_MS[runtime.overlapsWaiting ? "promised" : "noted"];
  const count3 = Math.min(MOST_WAITS, connections);
  const limitMs = limitOf(waitMs, count3, workers);
  const ms2 = await shortest(server, count3, waitMs, runtime.overlapsWaiting ? TRIES4 : 1, limitMs);
  if (runtime.overlapsWaiting && ms2 >= limitMs) {
    throw new AppFailure(
      `${armName(arm)}: ${count3} waits of ${waitMs} ms side by side took ${ms2} ms, so the I/O hooks are off. The mode would not be asynchronous.`,
      void 0,
      "",
      "waits without yielding"
    );
  }
  return { waits_overlap: ms2 < limitMs, waits: count3, waits_ms: ms2 };
}
function refuseDebuggers(arm, active) {
  const [found] = slowingAmong(active);
  if (found) throw new MeasurementError(`${arm}: ${found.name} is on. It ${found.harm}. Switch it off: ${found.remedy}.`);
}
function limitOf(waitMs, count3, workers) {
  const inTurnMs = Math.ceil(count3 / workers) * waitMs;
  return inTurnMs < 2 * waitMs ? 2.5 * waitMs : (waitMs + inTurnMs) / 2;
}
async function shortest(server, count3, waitMs, tries, enoughMs) {
  let ms2 = Number.POSITIVE_INFINITY;
  for (let tried2 = 0; tried2 < tries && ms2 >= enoughMs; tried2++) {
    const started = Date.now();
    await Promise.all(Array.from({ length: count3 }, () => ask(`${server.url}/_bench/wait?ms=${waitMs}`)));
    ms2 = Math.min(ms2, Date.now() - started);
  }
  return ms2;
}
function compareServers(servers, arms = []) {
  const [first, ...rest] = Object.entries(servers).filter(([, facts]) => runsPhp(facts));
  if (!first) return [];
  const agents = slowingAmong(Object.keys(first[1].extensions)).filter(({ isOffInArms }) => !isOffInArms).map(({ name, harm, remedy }) => `${first[0]} has the extension ${name}, which ${harm}. Without it: ${remedy}.`);
  const own = arms.filter(({ mode }) => mode.via === "runtime" && mode.runtime.ownPhp).map(armName);
  return [...agents, ...differences(first, rest, own)];
}
function missingHooks(servers, arms, database) {
  if (!isOnServer(database) || database.language !== "postgres") return [];
  const blocking2 = arms.filter((arm) => {
    const swoole = servers[armName(arm)]?.swoole;
    return arm.mode.via === "runtime" && arm.mode.runtime.overlapsWaiting && swoole?.hooks_pdo_pgsql === false;
  });
  return blocking2.map(
    (arm) => `${armName(arm)}: this Swoole has no hook for pdo_pgsql, so each query blocks its worker. Build it with --enable-swoole-pgsql.`
  );
}
function differences(first, rest, ownPhp) {
  return rest.flatMap(([name, facts]) => {
    const versions = `${name} runs PHP ${facts.php}, ${first[0]} runs PHP ${first[1].php}.`;
    const isOwn = ownPhp.includes(name) || ownPhp.includes(first[0]);
    if (isOwn ? minorOf2(facts) !== minorOf2(first[1]) : facts.php !== first[1].php)
      throw new MeasurementError(`${versions} All arms need the same version.`);
    const release = facts.php === first[1].php ? [] : [`${versions} A part of the difference between them may be PHP's.`];
    const own = Object.keys(facts.extensions);
    const other = Object.keys(first[1].extensions);
    const difference5 = [...own.filter((e) => !other.includes(e)), ...other.filter((e) => !own.includes(e))].filter(
      (e) => !OF_SAPI.includes(e)
    );
    return [...release, ...difference5.length ? [`${name} and ${first[0]} differ in extensions: ${difference5.join(", ")}.`] : []];
  });
}
function minorOf2({ php }) {
  return /^\d+\.\d+/.exec(String(php))?.[0];
}

// entrypoint/preflight/statements.ts
import { setTimeout as sleep15 } from "node:timers/promises";
var REST_MS3 = 40;
var LOOKS2 = 10;
async function statementsOf(server, arm, workloads, engine, meanwhile) {
  const counted = {};
  let before = await countsAtRest(engine, meanwhile);
  for (const workload of workloads) {
    const place = placeOf(arm, workload);
    await rightAnswer(server, workload, place);
    const after = await countsAtRest(engine);
    const made = difference4(before, after);
    refuseOthers(place, workload, made);
    counted[workload.name] = made;
    before = after;
  }
  return counted;
}
function difference4(before, after) {
  return Object.fromEntries(
    Object.entries(after).map(([verb, count3]) => [verb, count3 - (before[verb] ?? 0)]).filter(([, count3]) => count3 > 0)
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
  for (let look2 = 1; look2 < LOOKS2; look2++) {
    await Promise.all([sleep15(REST_MS3), look2 === 1 ? meanwhile?.() : void 0]);
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
  const concurrency = Math.max(...loads.map((load3) => load3.concurrency));
  for (const arm of arms) {
    if (signal.aborted) throw new Cancelled("Cancelled in preflight.");
    say(`preflight: ${armName(arm)}`);
    const check3 = async () => {
      const workloads = await withServer2(engine, arm, (server) => checkWarm(server, arm, concurrency, references, found, options));
      await withServer2(engine, arm, async (server) => {
        for (const workload of workloads) await checkColdStart(server, arm, workload, concurrency);
      });
    };
    const warning = await againIfHeadFails(check3, arm, { ...options, newInHead: /* @__PURE__ */ new Set([...found.newInHead, ...options.ungated]) });
    if (warning) found.warnings.push(warning);
  }
  found.warnings.push(...compareServers(found.servers, arms), ...missingHooks(found.servers, arms, options.database));
  return found;
}
async function withServer2(engine, arm, check3) {
  await engine.restore(arm.revision);
  const server = await engine.start(arm, "preflight");
  try {
    return await check3(server);
  } catch (error) {
    const log = await atRest(() => server.logTail());
    const memory2 = error instanceof AppFailure ? await memoryOf(server) : "";
    const advice2 = arm.revision === "base" ? `
${BROKEN_BASE}` : "";
    const message = `${messageOf(error)}${memory2}${log ? `
The server's log ends with:
${log}` : ""}${advice2}`;
    throw error instanceof AppFailure ? new AppFailure(message, error.workload, await server.log(), error.fault) : new MeasurementError(message);
  } finally {
    await server.stop();
  }
}
async function memoryOf(server) {
  const kib = await server.usage().then(
    ({ memoryKib }) => memoryKib,
    () => 0
  );
  return kib > 0 ? `
The arm holds ${(kib / 1024).toFixed(0)} MiB.` : "";
}
var BROKEN_BASE = "This is base, served with its own configuration. If head repairs it, measure head by itself: baseline: none.";
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
    const loaded2 = runtime && await loadedBy(server, workload);
    if (loaded2) found.loaded[name] = { ...found.loaded[name], [workload.name]: loaded2 };
  }
  const waiting2 = async () => {
    if (!runtime) return;
    const workers = workersOf2(runtime, connections, engine.appCpus, "preflight");
    Object.assign(found.servers[name], await checkWaiting(server, arm, runtime, { connections, workers }));
  };
  const counted = known.filter(({ builtIn: builtIn2 }) => engine.hasOwnDatabase || builtIn2?.statements);
  if (counted.length) found.statements[name] = await statementsOf(server, arm, counted, engine, waiting2);
  else await waiting2();
  return known;
}
async function isNew(server, arm, workload, found) {
  if (arm.revision === "head" || workload.builtIn || workload.expect.status === 404) return false;
  const isMissing = (await answerOf2(server, workload, placeOf(arm, workload))).status === 404;
  if (isMissing && !found.newInHead.has(workload.name)) {
    found.newInHead.add(workload.name);
    found.warnings.push(`\`${workload.name}\`: base answers 404, so the workload is new and not gated.`);
  }
  return isMissing;
}

// entrypoint/preflight/check-arms.ts
async function checkArms(bench, job) {
  const { engine, settled: settled3 } = bench;
  const { modes, served, rules, borrowed, revisions, ungated } = settled3;
  const checked = await keepingLog(
    bench.inputs.out,
    () => preflight({
      engine,
      arms: (revisions.base ? ["base", "head"] : ["head"]).flatMap(
        (revision) => modes.map((mode) => ({ revision, mode }))
      ),
      workloadsOf: (revision) => (served[revision] ?? served.head).workloads,
      borrowed,
      ungated: new Set(ungated.map(({ workload }) => workload)),
      loads: Object.entries(rules.loads).map(([name, load3]) => ({ name, ...load3 })),
      connections: rules.connections,
      database: databaseOf(rules.database),
      signal: job.signal,
      say: job.say
    })
  );
  return { ...bench, checked };
}
async function keepingLog(out, check3) {
  try {
    return await check3();
  } catch (error) {
    if (error instanceof HeadFailed) writeLogs(out, [{ name: `preflight_${error.arm.replace("/", "_")}`, log: error.failure.log }]);
    throw error;
  }
}

// entrypoint/gate.ts
async function prepare(settled3, inputs, job) {
  refuseImpossibleBudget(settled3);
  refuseUncountable(settled3, inputs.study);
  const bench = await searchLoads(await setUp(settled3, inputs, job), job);
  const checked = await checkArms(bench, job);
  return planJob(await pilotCells(checked, job), job);
}
async function plan(settled3, inputs, job) {
  const planned = await prepare(settled3, inputs, job);
  if (planned.fallen.length > 0) throw new MeasurementError(planned.fallen.join("\n"));
  return planned;
}
async function measure2(settled3, inputs, job) {
  const planned = await prepare(settled3, inputs, job);
  return countInstructions(await runPlan(planned, job, (look2) => openCells(planned, look2, job)), job);
}
async function gate(settled3, inputs, job) {
  return conclude(await checkProduction(await measure2(settled3, inputs, job), job), job);
}

// entrypoint/revisions/settle.ts
import { existsSync as existsSync22, realpathSync as realpathSync3 } from "node:fs";
import { join as join47, relative as relative5 } from "node:path";

// entrypoint/config/comparison.ts
import { isDeepStrictEqual } from "node:util";

// entrypoint/config/languages.ts
import { existsSync as existsSync16 } from "node:fs";
import { join as join39 } from "node:path";

// entrypoint/config/runtimes.ts
import { join as join38 } from "node:path";

// entrypoint/config/declaration.ts
import { readFileSync as readFileSync21 } from "node:fs";
import { join as join37 } from "node:path";
function readDeclaration(schema, { root, file, name }, allowedKeys3) {
  const { data, lineOf } = readDocument(readFileSync21(join37(root, file), "utf8"), file);
  const result = schema.safeParse(data);
  if (!result.success) {
    const faults = result.error.issues.flatMap((issue) => explain(issue, data, allowedKeys3));
    throw new InputError(faults.map(({ path, message }) => `${file}:${lineOf(path)}: ${message}`).join("\n"));
  }
  if (result.data.name !== name) {
    throw new InputError(`${file}:${lineOf(["name"])}: name: found ${JSON.stringify(result.data.name)}, allowed: ${name}, as its folder`);
  }
  return result.data;
}

// entrypoint/config/runtimes.ts
var pecl = external_exports.strictObject({
  package: external_exports.string(),
  /** Its name in PIE, the successor of PECL's installer. */
  pie: external_exports.string().optional(),
  /** Tested releases, newest first. One is built if none is installed. */
  versions: external_exports.array(external_exports.string().regex(/^\d+\.\d+\.\d+$/)).min(1),
  /** Options of configure, by the PHP extension that each needs, with the Debian package of its headers. */
  with: external_exports.record(external_exports.string(), external_exports.strictObject({ option: external_exports.string(), apt: external_exports.string().optional() })).default({})
});
var pinned2 = external_exports.strictObject({ name: external_exports.string(), sha256: external_exports.string().regex(/^[0-9a-f]{64}$/) });
var download = external_exports.strictObject({
  /** The program's name, which is its placeholder, too. */
  download: external_exports.string().regex(/^[a-z][a-z0-9-]*$/),
  version: external_exports.string().regex(/^[\w.-]+$/),
  /** {version} and {architecture} are filled in. */
  url: external_exports.string().startsWith("https://"),
  /** The program's path in a .tar.gz, with the same placeholders. Without it, the published file is the program. */
  member: external_exports.string().optional(),
  /** By processor, as `uname -m` prints it: the name in the address, and the SHA-256 of the published file. */
  architectures: external_exports.record(external_exports.string(), pinned2)
});
var need = external_exports.union([
  external_exports.strictObject({ binary: external_exports.string(), apt: external_exports.string().optional(), "version-of-php": external_exports.boolean().optional() }),
  /** `excludes` names an extension beside which PHP does not load it. */
  external_exports.strictObject({ extension: external_exports.string(), excludes: external_exports.string().optional(), apt: external_exports.string().optional(), pecl: pecl.optional() }),
  /** A file that is not a program. {php} in its path is PHP's version. */
  external_exports.strictObject({ file: external_exports.string(), path: external_exports.string().startsWith("/"), apt: external_exports.string() }),
  external_exports.strictObject({ composer: external_exports.string() }),
  /** With a package.json and a package-lock.json in the folder. */
  external_exports.strictObject({ npm: external_exports.string() }),
  download
]);
var ABILITIES = ["exit", "front", "server-environment", "unknown-status"];
var advice = external_exports.strictObject({ log: external_exports.string(), say: external_exports.string() });
var launched = external_exports.strictObject({
  command: external_exports.array(external_exports.string()).min(1),
  /** The next process waits for it. */
  socket: external_exports.string().optional(),
  /** Whether it or a child runs PHP. Then its instructions are counted. */
  "runs-php": external_exports.boolean().optional()
});
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
  /** More limits, by ability. The contract test skips these abilities, for this reason. */
  cannot: external_exports.partialRecord(external_exports.enum(ABILITIES), external_exports.string()).default({}),
  /** What its server runs. One of another language than PHP serves no app, only workloads that have a handler in it. */
  language: external_exports.enum(["php", "javascript"]).default("php"),
  /** Why no gate may use it. */
  "study-only": external_exports.string().optional(),
  /** Whether its server has PHP inside: the installed PHP and its ini files do not count, and its version may differ. */
  "own-php": external_exports.boolean().default(false),
  /** Whether nobody has seen its server running yet: the tool says so. */
  experimental: external_exports.boolean().default(false),
  /** Why it cannot be the synchronous reference of a gate. */
  "not-reference": external_exports.string().optional(),
  needs: external_exports.array(need).default([]),
  /** A runtime whose needs are also needed. */
  "needs-of": external_exports.string().optional(),
  /** Files of the folder whose placeholders are filled for each start. */
  templates: external_exports.array(external_exports.string()).default([]),
  /** The signal that makes its main process replace the workers, and go on serving. */
  reload: external_exports.enum(["SIGHUP", "SIGUSR1", "SIGUSR2"]).optional(),
  /** Whether its server replaces a worker after APB_RECYCLE requests. */
  recycles: external_exports.boolean().default(false),
  /** Whether its server answers the requests in progress at SIGTERM before it ends. If not, no app can save them. */
  drains: external_exports.boolean().default(false),
  /** Path whose JSON answer is recorded after each run: the server's own counters. */
  status: external_exports.string().startsWith("/").optional(),
  /** Regular expressions for lines that the log always has. They are left out when its end is shown. `^` and `$` match at line ends. */
  noise: external_exports.array(external_exports.string()).default([]),
  /** Advice to show if a regular expression matches its log. */
  advice: external_exports.array(advice).default([]),
  /** Started in order. */
  processes: external_exports.array(launched).min(1)
}).transform(
  ({
    "overlaps-waiting": overlapsWaiting,
    "needs-of": needsOf,
    "not-reference": notReference,
    "study-only": studyOnly,
    "own-php": ownPhp,
    ...declared
  }) => ({
    ...declared,
    limits: [...declared.experimental ? [neverSeen(declared.name)] : [], ...declared.limits, ...Object.values(declared.cannot)],
    overlapsWaiting,
    needsOf,
    notReference,
    studyOnly,
    ownPhp
  })
);
function neverSeen(name) {
  return `The ${name} runtime is experimental: no test has run its server. Check its figures before you use them.`;
}
function allowedKeys(path) {
  if (path.length === 0) return Object.keys(folderSchema.in.shape);
  if (path[0] === "processes") return Object.keys(launched.shape);
  if (path[0] === "advice") return Object.keys(advice.shape);
  if (path[0] === "cannot") return [...ABILITIES];
  if (path[0] !== "needs") return [];
  if (path[2] === "architectures") return Object.keys(pinned2.shape);
  return path[2] === "pecl" ? Object.keys(pecl.shape) : [...new Set(need.options.flatMap(({ shape }) => Object.keys(shape)))];
}
function runtimeNamed(name, root = PACKAGE, place = "modes") {
  const allowed = names("runtimes", root);
  if (!allowed.includes(name)) throw unknownName(place, "runtime", name, allowed);
  const directory = join38(root, "runtimes", name);
  const { needsOf, ...declared } = readDeclaration(folderSchema, { root, file: `runtimes/${name}/runtime.yml`, name }, allowedKeys);
  const needs = declared.needs.map(
    (each2) => "composer" in each2 || "npm" in each2 || "download" in each2 ? { ...each2, directory } : each2
  );
  return { ...declared, needs: [...needs, ...needsOf ? runtimeNamed(needsOf, root).needs : []], directory };
}

// entrypoint/config/languages.ts
function refuseWithoutHandler(modes, workloads, placeOf3, root = PACKAGE) {
  const other = modes.find((mode) => mode.via === "runtime" && mode.runtime.language !== "php");
  const unable = workloads.find(({ builtIn: builtIn2 }) => !builtIn2 || !hasHandler(builtIn2.directory));
  if (!other || !unable) return;
  const able = names("workloads", root).filter((name) => hasHandler(join39(root, "workloads", name)));
  const what = unable.builtIn ? `${unable.name} has no handler in JavaScript` : `${unable.name} is a path of the app, which is PHP`;
  throw new InputError(`${placeOf3("workloads")}workloads: ${what}. Allowed in the mode ${other.name}: ${able.join(", ")}`);
}
function hasHandler(directory) {
  return existsSync16(join39(directory, "handler.mjs"));
}

// entrypoint/config/modes.ts
var nowhere = () => "";
function modesOf({ modes: named2, placeOf: placeOf3 = nowhere }, root = PACKAGE) {
  const modes = named2.map((mode, i) => {
    if (typeof mode !== "string") return { ...mode, via: "command" };
    const runtime = runtimeNamed(mode, root, `${placeOf3("modes", i)}modes`);
    return { name: mode, kind: runtime.kind, via: "runtime", runtime };
  });
  refuseRepeated(
    `${placeOf3("modes")}modes`,
    modes.map((mode) => mode.name)
  );
  return modes;
}
function refuseWrongOrder(modes, place = "") {
  const [reference, tested] = modes;
  for (const mode of modes) {
    if (mode.via === "runtime" && mode.runtime.studyOnly)
      throw new InputError(`${place}modes: ${mode.name} is for \`study\` only, found in a gate. ${mode.runtime.studyOnly}`);
  }
  if (!tested) {
    throw new InputError(
      `${place}modes: found one mode, allowed: a synchronous reference and an asynchronous mode under test. \`study\` measures one.`
    );
  }
  const keepsApp = (mode) => mode.via === "runtime" && mode.runtime.stateful;
  if (reference?.via === "runtime" && reference.runtime.notReference) {
    throw new InputError(
      `${place}modes: ${reference.name} cannot be the reference of a gate: ${reference.runtime.notReference} \`study\` compares any modes.`
    );
  }
  const isReference = reference?.kind === "sync";
  const isTested = tested.kind === "async" || keepsApp(tested) && !keepsApp(reference);
  if (isReference && isTested) return;
  const found = [reference, tested].map(({ name, kind }) => `${name} (${kind})`).join(", ");
  throw new InputError(
    `${place}modes: found ${found}, allowed: the synchronous reference first, then the asynchronous mode under test. \`study\` compares any modes.`
  );
}
function refuseFront(front, modes, place = "", root = PACKAGE) {
  const why = whyUnable(front, modes, root);
  if (why) throw new InputError(`${place}modes: ${why}`);
}
function whyUnable(front, modes, root = PACKAGE) {
  if (front === null) return void 0;
  const isAble = (runtime) => !runtime.concurrent && runtime.cannot.front === void 0;
  const unable = modes.flatMap((mode) => mode.via === "runtime" && !isAble(mode.runtime) ? [mode.runtime] : [])[0];
  if (!unable) return void 0;
  const allowed = names("runtimes", root).filter((name) => isAble(runtimeNamed(name, root)));
  const why = unable.cannot.front ?? `${unable.name} serves several requests at a time in one process. Superglobals, header() and the session of ${front} belong to the process, so requests would read each other's data.`;
  return `${why} Allowed with front: ${allowed.join(", ")}, or a mode of your own by \`command\``;
}

// entrypoint/config/workloads.ts
import { join as join40 } from "node:path";
var RANGE = /^(\d{1,9})\.\.(\d{1,9})$/;
var expect = external_exports.strictObject({ status: external_exports.number().int(), contains: external_exports.string().optional() });
var folderSchema2 = external_exports.strictObject({
  name: external_exports.string(),
  description: external_exports.string(),
  database: external_exports.boolean().default(false),
  schema: external_exports.string().optional(),
  statements: external_exports.record(external_exports.string(), external_exports.number().int().nonnegative()).optional(),
  /** Whether it calls the slow upstream, which the engine starts. */
  upstream: external_exports.boolean().default(false),
  /** Allowed values: a list, or a range of whole numbers such as 1..50. */
  options: external_exports.record(external_exports.string(), external_exports.union([external_exports.array(external_exports.string()).min(1), external_exports.string().regex(RANGE, "a list of texts, or a range such as 1..50")])).default({}),
  expect,
  mask: external_exports.array(external_exports.string()).default([])
});
function allowedKeys2(path) {
  if (path.length === 0) return Object.keys(folderSchema2.shape);
  return path[0] === "expect" ? Object.keys(expect.shape) : [];
}
function workloadsOf(config, root = PACKAGE) {
  const workloads = config.workloads.map((entry, i) => {
    const place = config.placeOf("workloads", i);
    if (typeof entry === "string") return builtIn(entry, {}, root, place, place === OUTSIDE ? config.defined?.workloads : []);
    if ("path" in entry && typeof entry.path === "string") {
      const { "ids-file": _file, paths: _paths, ...workload } = entry;
      refuseBadPatterns(`${place}workloads.${workload.name}.mask`, workload.mask);
      return workload;
    }
    const { name, ...options } = entry;
    return builtIn(String(name), options, root, place);
  });
  refuseRepeated(
    `${config.placeOf("workloads")}workloads`,
    workloads.map((workload) => workload.name)
  );
  refuseOtherLanguage(config, workloads);
  const own = config.modes.find((mode) => typeof mode !== "string");
  const inside = workloads.find((workload) => workload.builtIn);
  if (typeof own === "object" && inside) {
    throw new InputError(
      `${config.placeOf("workloads")}workloads: ${inside.name} is built in and cannot run in the mode ${own.name}, which has its own server. Allowed: paths of your app`
    );
  }
  return workloads;
}
function refuseOtherLanguage({ database, placeOf: placeOf3 }, workloads) {
  const choice = databaseOf(database);
  const asking3 = workloads.find(({ builtIn: builtIn2 }) => builtIn2?.database);
  if (!asking3 || choice.from === "none" || isOnServer(choice) && choice.language === "mysql") return;
  const others = names("workloads").filter((name) => !workloads.some((workload) => workload.name === name && workload.builtIn?.database));
  throw new InputError(
    `${placeOf3("workloads") || placeOf3("database")}workloads: ${asking3.name} runs on MariaDB and MySQL only, found database: ${choice.from === "url" ? "a URL of PostgreSQL" : database}. Allowed beside it: ${others.join(", ")} and paths of your app`
  );
}
function builtIn(name, options, root, place, others = []) {
  const allowed = names("workloads", root);
  if (!allowed.includes(name)) {
    const misspelt = Object.keys(options).find((key) => nearest(key, WORKLOAD_KEYS) !== void 0 && !WORKLOAD_KEYS.includes(key));
    if (misspelt) throw new InputError(`${place}${suggesting(`unknown key "${misspelt}" in workloads.${name}`, misspelt, WORKLOAD_KEYS)}`);
    const all = [.../* @__PURE__ */ new Set([...allowed, ...others])];
    throw unknownName(
      `${place}workloads`,
      others.length ? "workload" : "built-in workload",
      name,
      all,
      ` A workload of your own needs a path, such as /${name}.`
    );
  }
  const directory = join40(root, "workloads", name);
  const declared = readDeclaration(folderSchema2, { root, file: `workloads/${name}/workload.yml`, name }, allowedKeys2);
  const query = new URLSearchParams();
  for (const [option, value] of Object.entries(options)) {
    const values = declared.options[option];
    if (!values) throw unknownName(`${place}workloads.${name}`, "option", option, Object.keys(declared.options));
    refuseValue(`${place}workloads.${name}.${option}`, String(value), values);
    query.set(option, String(value));
  }
  const folder = {
    directory,
    description: declared.description,
    database: declared.database,
    schema: declared.schema ? join40(directory, declared.schema) : void 0,
    upstream: declared.upstream,
    statements: declared.statements
  };
  const path = `/_bench/${name}${query.size ? `?${query}` : ""}`;
  return { name, path, method: "GET", headers: {}, expect: declared.expect, mask: declared.mask, builtIn: folder };
}
function refuseValue(place, found, allowed) {
  if (Array.isArray(allowed)) {
    if (!allowed.includes(found)) throw unknownName(place, "value", found, allowed);
    return;
  }
  const [, first, last] = RANGE.exec(allowed) ?? [];
  if (!/^\d{1,9}$/.test(found) || Number(found) < Number(first) || Number(found) > Number(last))
    throw new InputError(`${place}: found ${found}, allowed: a whole number from ${first} to ${last}`);
}
function refuseBadPatterns(place, patterns) {
  for (const pattern of patterns) {
    try {
      new RegExp(pattern);
    } catch (error) {
      throw new InputError(`${place}: ${JSON.stringify(pattern)} is not a regular expression: ${error.message}`);
    }
  }
}

// entrypoint/config/comparison.ts
function comparisonOf({ rules, head, base, isJudgedByBase: isJudgedByBase2, placeOf: placeOf3 = head.placeOf }) {
  const modes = modesOf(rules);
  if (isJudgedByBase2) refuseNewFront(head, modes);
  for (const config of [head, ...base ? [base] : []]) refuseFront(config.front, modes, placeOf3("modes") || config.placeOf("front"));
  const ofHead = workloadsOf(head);
  const ofBase = base ? workloadsOf(base) : ofHead;
  refuseWithoutHandler(modes, ofHead, head.placeOf);
  const named2 = (list2, name) => list2.find((workload) => workload.name === name);
  const added = ofHead.filter(({ name }) => !named2(ofBase, name));
  const dropped = isJudgedByBase2 ? ofBase.filter(({ name }) => !named2(ofHead, name)) : [];
  const common = ofHead.filter(({ name }) => named2(ofBase, name));
  const redefined = common.filter((workload) => !isDeepStrictEqual(workload, named2(ofBase, workload.name)));
  const same = common.filter((workload) => !redefined.includes(workload));
  const ungated = [
    ...redefined.map(({ name }) => ({ workload: name, why: "redefined" })),
    ...isJudgedByBase2 ? added.map(({ name }) => ({ workload: name, why: "new" })) : [],
    ...dropped.map(({ name }) => ({ workload: name, why: "dropped" }))
  ];
  const deciding = isJudgedByBase2 ? same : [...same, ...added];
  if (isJudgedByBase2 && base && deciding.length === 0) throw new MeasurementError(nothingLeft(ungated));
  const loads = Object.entries(rules.loads).map(([name, load3]) => ({ name, ...load3 }));
  const cellsOf2 = (workloads) => workloads.flatMap((workload) => {
    const inBase2 = redefined.includes(workload) ? named2(ofBase, workload.name) : void 0;
    return loads.map((load3) => ({ workload, load: load3, ...inBase2 ? { inBase: inBase2 } : {} }));
  });
  const asked2 = (workload) => named2(ofBase, workload.name) ?? workload;
  const inBase = (isJudgedByBase2 ? common : ofHead).map(asked2);
  const gated = cellsOf2(deciding);
  return {
    rules,
    placeOf: placeOf3,
    modes,
    served: {
      head: servedBy(head, modes, modesOf(head), ofHead),
      ...base ? { base: servedBy(base, modes, modesOf(base), inBase) } : {}
    },
    gated,
    reported: cellsOf2(isJudgedByBase2 ? [...redefined, ...added] : redefined),
    ungated,
    coverage: { gated: gated.length, of: gated.length + loads.length * (redefined.length + dropped.length) },
    borrowed: new Set(isJudgedByBase2 ? [] : added.map(({ name }) => name)),
    notes: [
      ...isJudgedByBase2 ? announcements(rules, rulesOf(head)) : [],
      ...isJudgedByBase2 && base && rules.engine !== "host" ? imagesAnnounced(base, head) : [],
      ...ungated.map(sentence)
    ]
  };
}
function refuseNewFront({ front, placeOf: placeOf3 }, modes) {
  const why = whyUnable(front, modes);
  if (!why) return;
  const named2 = modes.map(({ name }) => name).join(", ");
  throw new InputError(
    `${placeOf3("front")}front: found ${front}, and this pull request is measured in base's modes (${named2}). ${why}. Take two steps: first a pull request that changes only \`modes\`, then one that sets \`front\`.`
  );
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
  return `This pull request leaves no workload to gate: none has the same definition in base and head. Found: ${list2}. Change or drop workloads in a separate pull request, or leave one of them unchanged.`;
}

// entrypoint/config/ids-file.ts
import { existsSync as existsSync17, readFileSync as readFileSync22, realpathSync } from "node:fs";
import { join as join41, sep } from "node:path";
function withIds(config, textOf2) {
  const workloads = config.workloads.map((workload, i) => {
    if (typeof workload === "string" || !("path" in workload) || typeof workload["ids-file"] !== "string") return workload;
    const { "ids-file": file, ...rest } = workload;
    const place = `${config.placeOf("workloads", i, "ids-file")}workloads.${workload.name}.ids-file`;
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
  return new InputError(`${place}: the revision has no file ${file}. Commit it: only committed files are measured`);
}
function withIdsRead(config, directory, otherwise = directory) {
  return withIds(config, (file, place) => textOf(file, place, existsSync17(join41(directory, file)) ? directory : otherwise));
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
  if (ids.length === 0) throw new InputError(`${place}: ${file} contains no IDs; allowed: one ID per line`);
  return ids.slice(0, IDENTITIES_MOST);
}
function textOf(file, place, directory) {
  let path;
  try {
    path = realpathSync(join41(directory, file));
  } catch {
    throw missingIds(file, place);
  }
  if (!path.startsWith(realpathSync(directory) + sep)) throw new InputError(`${place}: ${file} leads outside the repository`);
  try {
    return readFileSync22(path, "utf8");
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
function namedCommit({ label: label2, commit }) {
  const short = commit.slice(0, 10);
  return label2 === short ? short : `${label2} (${short})`;
}
var ZERO = /^0+$/;
async function baseCommit(git, wanted, event) {
  if (wanted === "none") return { none: "baseline is none" };
  if (wanted === "latest-release" || wanted === "auto" && isRelease(event)) return newestTag(git);
  const ref = wanted === "auto" ? await baseOfEvent(git, event) : wanted;
  if (ref === void 0) return { none: "there is no earlier commit to compare with" };
  const commit = await git.reach(ref);
  if (!commit)
    throw new InputError(
      `baseline: "${ref}" is not in this repository and could not be fetched. Allowed: auto, none, latest-release, or a branch, tag or commit of this repository. With actions/checkout, fetch-depth: 0 fetches all of them.`
    );
  return { commit, label: /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 10) : ref };
}
async function baseOfEvent(git, event) {
  switch (event.name) {
    case "pull_request":
      return baseOfPullRequest(git, event);
    case "pull_request_target":
      throw new InputError(
        "pull_request_target has a token that can write, and this Action runs the code of the pull request. The code would get the token. Use pull_request."
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
import { join as join42, relative } from "node:path";

// entrypoint/revisions/workflow-file.ts
var import_yaml = __toESM(require_dist(), 1);
var LIMIT = 1e6;
function localUses(text) {
  const file = read3(text);
  const jobs = entries(file?.jobs).map(([, job]) => job);
  const runs = file?.runs;
  const lists = [jobs, ...jobs.map((job) => job?.steps), runs?.steps];
  return lists.flatMap((list2) => Array.isArray(list2) ? list2 : []).flatMap((step) => typeof step?.uses === "string" && step.uses.startsWith("./") ? [normal2(step.uses)] : []);
}
function jobNames(text) {
  const file = read3(text);
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
function read3(text) {
  if (text.length > LIMIT) return void 0;
  try {
    const file = (0, import_yaml.parse)(text);
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
    ...posing.length ? [
      `Head changes or adds ${list(posing)}, with a job that GitHub may show under the name of this check, so it could pass in its place. Review that change as well.`
    ] : [],
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
    const place = relative(realpathSync2(directory), realpathSync2(join42(directory, path)));
    return place.startsWith("..") ? path : place;
  } catch {
    return path;
  }
}
function list(files) {
  const shown2 = files.slice(0, MOST_FILES).map(code).join(", ");
  return files.length > MOST_FILES ? `${shown2} and ${files.length - MOST_FILES} more` : shown2;
}

// entrypoint/revisions/comparable.ts
import { existsSync as existsSync18 } from "node:fs";
import { join as join43 } from "node:path";
function withApp(trees, head, base, modes) {
  if (!trees.base || !base) return { revisions: trees };
  const [ofHead, ofBase] = [entryPathOf(head), entryPathOf(base)];
  const why = whyNotComparable(trees.base.label, {
    head: { path: ofHead, isThere: existsSync18(join43(trees.head.directory, ofHead)) },
    base: { path: ofBase, isThere: existsSync18(join43(trees.base.directory, ofBase)) }
  }) ?? whyNotServable(trees.base.label, head, base, modes);
  return why ? { revisions: { head: trees.head, withoutBase: why } } : { revisions: trees, base };
}
function whyNotServable(label2, head, base, modes) {
  const why = head.front === null ? whyUnable(base.front, modes) : void 0;
  const named2 = modes.map(({ name }) => name).join(", ");
  return why && `base (${label2}) has front: ${base.front}, which the modes of head (${named2}) cannot run, so there is nothing to compare with. The next change is compared. To compare this one, change the app first and \`modes\` later.`;
}
function whyNotComparable(label2, { head, base }) {
  if (base.isThere && !head.isThere)
    throw new MeasurementError(
      `head has no ${head.path}, and base has ${base.path}: without its entry file the app cannot be compared. Keep it, or set \`app\` or \`front\` to its new path.`
    );
  if (base.isThere || !head.isThere) return void 0;
  return `base (${label2}) has no ${base.path} yet, so there is nothing to compare with; only min-gain can gate`;
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
    if (isLast ? !mode.startsWith(FILE) : mode !== "040000") return { broken: `${place} is not a plain ${isLast ? "file" : "folder"}` };
  }
  const text = await git.blob(commit, path);
  if (text === void 0) throw unreadable(commit, path);
  try {
    const file = `${commit.slice(0, 10)}:${path}`;
    return { config: parseConfig(text, file, knownTo(text, file, overrides)) };
  } catch (error) {
    return { broken: messageOf(error) };
  }
}
function knownTo(text, file, overrides) {
  const known = { ...overrides };
  for (const [key, folder] of [
    ["modes", "runtimes"],
    ["workloads", "workloads"]
  ]) {
    const given = overrides[key];
    if (!Array.isArray(given)) continue;
    const all = [...names(folder), ...parseConfig(text, file).defined[key]];
    const left = given.filter((name) => String(name).startsWith("/") || all.includes(name));
    if (left.length > 0) known[key] = left;
    else delete known[key];
  }
  return known;
}
async function modeAt(git, commit, place) {
  const listed3 = await git.try("ls-tree", "--full-tree", "-z", commit, "--", place);
  if (listed3 === void 0) throw unreadable(commit, place);
  return listed3.slice(0, 6) || void 0;
}
function unreadable(commit, place) {
  return new MeasurementError(
    `${place} of the commit ${commit.slice(0, 10)} cannot be read from this clone. Check out the whole repository, without a filter and without sparse-checkout.`
  );
}

// entrypoint/revisions/detours.ts
import { lstatSync } from "node:fs";
import { join as join44, relative as relative2, sep as sep2 } from "node:path";
function refuseDetours(outer, workspace, source) {
  const way = relative2(outer, source);
  if (way.startsWith("..")) return;
  for (const place of prefixes(outer, way)) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new InputError(`${relative2(outer, place)}: found a link, allowed: a plain file or folder, since base is read by the same path`);
  }
  const repositories = [outer, ...prefixes(outer, relative2(outer, workspace))].filter(
    (place) => lstatSync(join44(place, ".git"), { throwIfNoEntry: false })
  );
  if (repositories.length > 1)
    throw new InputError(
      `workspace: found ${relative2(outer, repositories[1])}, a repository inside the one that was checked out. Allowed: that one, or a folder of it`
    );
}
function prefixes(directory, path) {
  const parts = path.split(sep2).filter(Boolean);
  return parts.map((_, i) => join44(directory, ...parts.slice(0, i + 1)));
}

// entrypoint/revisions/judge.ts
import { existsSync as existsSync19 } from "node:fs";
async function judgeOf(git, event, inputs, at) {
  const ref = await baseOfEvent(git, event);
  const commit = ref && await git.reach(ref);
  if (!ref) throw new InputError(`base: the event ${event.name} names no base commit`);
  if (!commit) throw new InputError(`base: the event ${event.name} names ${ref}, which is not in this repository`);
  const found = await at(commit);
  const broken = "config" in found ? unusable(found.config) : void 0;
  if ("config" in found && !broken) return { rules: rulesOf(found.config), config: found.config };
  const defaults = parseConfig("", inputs.source, inputs.overrides);
  if ("absent" in found && !existsSync19(inputs.source)) return { rules: rulesOf(defaults), config: defaults };
  const neutral = { ...rulesOf(inputs.config), ...pickJudgement(rulesOf(defaults)) };
  const unable = "absent" in found ? `Base (${commit.slice(0, 10)}) has no configuration yet, so it cannot judge this pull request.` : `The configuration of base cannot be used, so it cannot judge this pull request: ${broken ?? ("broken" in found && found.broken)}`;
  return { rules: neutral, config: inputs.config, unable };
}
function unusable(config) {
  try {
    const modes = modesOf(config);
    refuseWrongOrder(modes, config.placeOf("modes"));
    refuseFront(config.front, modes, config.placeOf("modes") || config.placeOf("front"));
    return void 0;
  } catch (error) {
    return messageOf(error);
  }
}
function pickJudgement(rules) {
  const { gate: gate2, "on-inconclusive": inconclusive, "on-not-gated": notGated, "accept-label": label2 } = rules;
  const { "accept-author": author, comment, "comment-key": key, "history-branch": branch } = rules;
  return {
    gate: gate2,
    "on-inconclusive": inconclusive,
    "on-not-gated": notGated,
    "accept-label": label2,
    "accept-author": author,
    comment,
    "comment-key": key,
    "history-branch": branch
  };
}

// entrypoint/revisions/missing-entry.ts
import { basename as basename3 } from "node:path";
async function refuseMissingEntry(git, head, base, isJudgedByBase2) {
  const key = head.config.front === null ? "app" : "front";
  const place = head.config.placeOf(key);
  const path = entryPathOf(head.config);
  if (place === "" || await has(git, head)) return;
  const baseHasIt = base !== void 0 && await has(git, base);
  if (baseHasIt && entryPathOf(base.config) === path) return;
  const message = `${place}${key}: found ${path}, which the commit ${head.commit.slice(0, 10)} does not have${await hint(git, head.commit, path)} Allowed: a PHP script of the repository`;
  throw isJudgedByBase2 && baseHasIt ? new MeasurementError(message) : new InputError(message);
}
async function has(git, { commit, config }) {
  return await git.try("cat-file", "-e", `${commit}:${entryPathOf(config)}`) !== void 0;
}
async function hint(git, commit, path) {
  const listed3 = await git.try("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit) ?? "";
  const scripts = listed3.split("\0").filter((file) => file.endsWith(".php") && !/(^|\/)vendor\//.test(file) && !new RegExp("\\p{Cc}", "u").test(file));
  const found = nearest(path, scripts) ?? scripts.find((script) => basename3(script) === basename3(path));
  return found === void 0 ? "." : `; did you mean "${found}"?`;
}

// entrypoint/revisions/nothing-of-theirs.ts
import { existsSync as existsSync20 } from "node:fs";
import { relative as relative3 } from "node:path";
var NAMING = ["app", "front", "workloads"];
var NO_ENTRY = "no entry file: the built-in workloads run without an app, so nothing of this repository is measured";
function nothingOfTheirs({ source, workspace, overrides, study }, entry, hasEntry) {
  if (study || hasEntry || existsSync20(source) || NAMING.some((key) => overrides[key] !== void 0)) return void 0;
  return [
    `This repository has nothing of its own to measure: no configuration (${relative3(workspace, source)}) and no app (${entry}).`,
    "`init` writes both. `demo` measures an example app.",
    "The built-in workloads alone run if they are named: `workloads: fibonacci,invoice` as an input, or `--workloads fibonacci,invoice`."
  ].join(" ");
}
async function refuseNothing(git, inputs, head, base) {
  const path = entryPathOf(inputs.config);
  const has2 = async (commit) => await git.try("cat-file", "-e", `${commit}:${path}`) !== void 0;
  if (await has2(head)) return;
  if (base && await has2(base.commit)) return;
  const nothing = base && !("absent" in base.found) ? void 0 : nothingOfTheirs(inputs, path, false);
  if (nothing) throw new InputError(nothing);
  refuseUnanswered(inputs.config, head);
}
function refuseUnanswered(config, head) {
  const asked2 = workloadsOf(config).findIndex(({ builtIn: builtIn2 }) => !builtIn2);
  if (asked2 < 0 || modesOf(config).every(({ via }) => via === "command")) return;
  const { name, path } = workloadsOf(config)[asked2];
  throw new InputError(
    `${config.placeOf("workloads", asked2)}workloads.${name}: found ${path}, and the commit ${head.slice(0, 10)} has no ${entryPathOf(config)} to answer it. \`init\` writes it; \`app:\` or \`front:\` names another file.`
  );
}

// entrypoint/revisions/uncommitted.ts
import { existsSync as existsSync21 } from "node:fs";
import { join as join45, relative as relative4 } from "node:path";
var SHOWN2 = 5;
async function refuseUncommittedApp(git, workspace, served, head) {
  const [key, app] = [served.front ? "front" : "app", entryPathOf(served)];
  if (!existsSync21(join45(workspace, app)) || await isIn(git, head, app)) return;
  const commit = head.slice(0, 10);
  if (await isIn(git, head, `./${app}`)) {
    const folder = await git.run("rev-parse", "--show-prefix");
    throw new InputError(
      `workspace: ${workspace} is the folder ${folder} of a repository. A revision is the whole repository, which has no ${app}. Allowed: the root of a repository, with \`${key}:\` set to the path of the entry file.`
    );
  }
  const isIgnored = await git.try("check-ignore", "--quiet", "--", app) !== void 0;
  throw new InputError(
    [
      `${key}: ${app} exists but is not committed. Base and head are commits, and the commit ${commit} does not contain it.${isIgnored ? " It is ignored by a .gitignore." : ""} Run:`,
      `  git add ${isIgnored ? "--force " : ""}${quoted3(app)} && git commit --message "Add ${app}"`
    ].join("\n")
  );
}
async function warningsOfUncommitted(git, workspace, source, head) {
  const file = relative4(workspace, source);
  const differing = async (...filter) => records(await git.run("diff", "--name-only", "-z", "--no-renames", ...filter, head));
  const [changed, deleted] = [await differing(), await differing("--diff-filter=D")];
  const untracked = records(
    await git.run("ls-files", "-z", "--others", "--exclude-standard", "--directory", "--no-empty-directory")
  ).filter((name) => !isResults(join45(workspace, name)));
  const fromRoot = `${await git.run("rev-parse", "--show-prefix")}${file}`;
  const isDraft = changed.includes(fromRoot) || untracked.some((name) => file === name || name.endsWith("/") && file.startsWith(name));
  return [
    ...isDraft ? [`warning: ${listed2([file])} is used as it is in the workspace. It is not committed, so a pull request would not use it`] : [],
    ...notMeasured(
      changed.filter((name) => name !== fromRoot && !deleted.includes(name)),
      "changed and not committed",
      head
    ),
    ...notMeasured(deleted, "deleted, but not in a commit", head, "with"),
    ...notMeasured(
      untracked.filter((name) => name !== file),
      "untracked",
      head
    )
  ];
}
function notMeasured(names2, what, head, as = "without") {
  if (!names2.length) return [];
  const [noun, them] = names2.length === 1 ? ["path is", "it"] : ["paths are", "them"];
  return [`warning: ${names2.length} ${noun} ${what} (${listed2(names2)}); the commit ${head.slice(0, 10)} is measured ${as} ${them}`];
}
async function isIn(git, commit, path) {
  return await git.try("cat-file", "-e", `${commit}:${path}`) !== void 0;
}
function isResults(path) {
  return existsSync21(join45(path, "samples.csv")) && existsSync21(join45(path, "run.json"));
}
function records(text) {
  return text.split("\0").filter(Boolean);
}
function listed2(names2) {
  const shown2 = names2.slice(0, SHOWN2).map((name) => name.replace(new RegExp("\\p{Cc}", "gu"), "?"));
  return names2.length > SHOWN2 ? `${shown2.join(", ")} and ${names2.length - SHOWN2} more` : shown2.join(", ");
}
function quoted3(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

// entrypoint/revisions/work-trees.ts
import { join as join46 } from "node:path";
async function checkOut(git, head, base, directory) {
  await git.try("worktree", "prune");
  const tree = async (revision, commit, label2) => {
    const path = join46(directory, revision);
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
var SAME_COMMIT = "base and head are the same commit: this is an A/A measurement";
async function settle(inputs, event, job) {
  const { workspace, overrides, token } = inputs;
  if (!inputs.study) refuseWrongOrder(modesOf(inputs.config), inputs.config.placeOf("modes"));
  if (isJudgedByBase(event)) refuseDetours(process.env.GITHUB_WORKSPACE ?? workspace, workspace, inputs.source);
  if (!which("git"))
    await provision(
      { engine: "git", modes: [], database: { from: "none" }, report: false, composer: false },
      { yes: inputs.yes, say: job.say }
    );
  const git = new Git(workspace, token);
  const head = await git.head();
  await refuseUncommittedApp(git, workspace, inputs.config, head);
  for (const warning of await warningsOfUncommitted(git, workspace, inputs.source, head)) job.say(warning);
  if (await git.holdsToken())
    job.say("warning: the checkout left its token in .git/config, where the app can read it. Set persist-credentials: false");
  const path = pathInRepository(await git.run("rev-parse", "--show-toplevel"), inputs);
  const at = (commit) => path === void 0 ? Promise.resolve({ config: inputs.config }) : configurationAt(git, commit, path, overrides);
  const judge2 = inputs.study || !isJudgedByBase(event) ? void 0 : await judgeOf(git, event, inputs, at);
  const rules = judge2?.rules ?? rulesOf(inputs.config);
  if (!inputs.study) {
    refuseSearch(rules, inputs.config.placeOf("loads"));
    refuseRates(rules, inputs.config.placeOf("loads"));
  }
  const chosen = judge2?.unable ? { none: judge2.unable } : await baseCommit(git, rules.baseline, event);
  const notes = [];
  const inBase = "none" in chosen ? void 0 : { commit: chosen.commit, found: await at(chosen.commit) };
  const ofBase = inBase && fileOfBase(inBase.found, judge2?.config ?? inputs.config, notes);
  const named2 = inBase && ofBase && { commit: inBase.commit, config: ofBase };
  await refuseMissingEntry(git, { commit: head, config: inputs.config }, named2, judge2 !== void 0);
  await refuseNothing(git, inputs, head, inBase);
  const trees = await checkOut(git, head, chosen, job.directory);
  job.atEnd(() => forgetWorkTrees(trees, workspace));
  const { revisions, ...withBase } = withApp(trees, inputs.config, ofBase, modesOf(rules));
  const inHead = revisions.head.directory;
  const headConfig = withIdsRead(inputs.config, inHead);
  const base = withBase.base && revisions.base && withIdsRead(withBase.base, revisions.base.directory, inHead);
  const comparison = comparisonOf({
    rules,
    placeOf: judge2?.config.placeOf,
    head: headConfig,
    base,
    isJudgedByBase: judge2 !== void 0 && !judge2.unable
  });
  const label2 = revisions.base && namedCommit(revisions.base);
  job.say(`head ${revisions.head.label}, ${label2 ? `base ${label2}` : `no base: ${revisions.withoutBase}`}`);
  if (revisions.base?.commit === head) job.say(SAME_COMMIT);
  const needsEntry = !inputs.study && comparison.modes.some(({ via }) => via === "runtime");
  if (needsEntry && !existsSync22(join47(inHead, entryPathOf(inputs.config)))) job.say(NO_ENTRY);
  const all = [
    ...judge2?.unable ? [judge2.unable] : [],
    ...comparison.notes,
    ...notes,
    ...await changedWorkflows(git, revisions, process.env.GITHUB_WORKFLOW_REF ?? "")
  ];
  for (const note of all) job.say(`note: ${note}`);
  return { ...comparison, notes: all, revisions };
}
function pathInRepository(root, { source, workspace }) {
  const path = relative5(root, join47(realpathSync3(workspace), relative5(workspace, source)));
  return path.startsWith("..") ? void 0 : path;
}
function fileOfBase(found, otherwise, notes) {
  if ("config" in found) return found.config;
  if ("broken" in found) notes.push(`The configuration of base cannot be read, so base is served with head's: ${found.broken}`);
  return otherwise;
}

export {
  Git,
  code,
  plain,
  scopeOf,
  chooseEngine,
  composerCommand,
  refuseHostOnly,
  refuseImpossibleBudget,
  MIN_BLOCKS,
  looksText,
  refuseUncountable,
  workPlan,
  isJudged,
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
  namedCommit,
  baseCommit,
  whyNotServable,
  whyNotComparable,
  FILE,
  configurationAt,
  modeAt,
  refuseMissingEntry,
  NO_ENTRY,
  nothingOfTheirs,
  refuseNothing,
  refuseUncommittedApp,
  warningsOfUncommitted,
  SAME_COMMIT,
  settle,
  pathInRepository,
  fileOfBase
};
