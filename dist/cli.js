#!/usr/bin/env node
import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  FILE,
  Git,
  MIN_BLOCKS,
  NO_ENTRY,
  NO_EVENT,
  SAME_COMMIT,
  baseCommit,
  chooseEngine,
  comparisonOf,
  composerCommand,
  configurationAt,
  fileOfBase,
  gate,
  idsFiles,
  isJudged,
  looksText,
  measure,
  missingIds,
  modeAt,
  modesOf,
  namedCommit,
  nothingOfTheirs,
  pathInRepository,
  plan,
  refuseHostOnly,
  refuseImpossibleBudget,
  refuseMissingEntry,
  refuseNothing,
  refuseUncommittedApp,
  refuseUncountable,
  refuseWrongOrder,
  runtimeNamed,
  scopeOf,
  settle,
  slowingIn,
  warningsOfUncommitted,
  whyNotComparable,
  whyNotServable,
  withIds,
  workPlan
} from "./chunk-JKL5ABYJ.js";
import {
  COLUMNS,
  CONFIG_FILE,
  ENTRY,
  FASTEST,
  GATE_KEYS,
  PACKAGE,
  SCALAR_KEYS,
  allOf,
  allowedCpus,
  analyse,
  appNeeds,
  bare,
  cellName,
  chooseCounting,
  composeSummary,
  configSchema,
  countOf,
  databaseOf,
  endOnSignals,
  entryPathOf,
  exec,
  exitCodeOf,
  explain,
  external_exports,
  gateKeys,
  harmless,
  invalidOutcome,
  makePlan,
  names,
  nearest,
  numberOrText,
  packageFor,
  provision,
  readInputs,
  refuseRates,
  refuseSearch,
  rulesOf,
  scratch,
  seconds,
  suggesting,
  survey,
  thrownOutcome,
  which,
  withJob,
  writeSummary
} from "./chunk-5GUOTFHG.js";
import {
  EXIT,
  InputError,
  MeasurementError,
  messageOf
} from "./chunk-JWUX6AV2.js";

// entrypoint/commands/verbs.ts
import { readFileSync as readFileSync5 } from "node:fs";
import { join as join7 } from "node:path";

// entrypoint/commands/analyse.ts
import { existsSync as existsSync2, readFileSync as readFileSync3 } from "node:fs";
import { resolve as resolve2 } from "node:path";

// entrypoint/analyse/roles.ts
var NAME = /^[A-Za-z0-9][\w.-]{0,79}$/;
function modesIn(texts) {
  const found = /* @__PURE__ */ new Set();
  for (const text of texts) {
    const [header, ...rows] = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
    if (header !== COLUMNS.join(",")) return void 0;
    for (const row2 of rows) {
      const mode = row2.split(",")[COLUMNS.indexOf("mode")];
      if (mode) found.add(mode);
    }
  }
  return [...found].every((mode) => NAME.test(mode)) ? [...found] : void 0;
}
function inRoles(modes, root = PACKAGE) {
  if (modes.length < 2) return [...modes];
  const known = names("runtimes", root);
  const runtimes = modes.filter((mode) => known.includes(mode)).map((mode) => runtimeNamed(mode, root));
  const isKnown = runtimes.length === modes.length;
  const bootsAnew = runtimes.filter(({ kind, stateful }) => kind === "sync" && !stateful);
  const keepsApp = runtimes.filter(({ kind, stateful }) => kind === "sync" && stateful);
  const async = runtimes.filter(({ kind }) => kind === "async");
  const [reference, second] = bootsAnew.length ? bootsAnew : keepsApp;
  const [tested, third] = async.length ? async : bootsAnew.length ? keepsApp : [];
  if (!isKnown || !reference || second || !tested || third) {
    throw new InputError(
      `--modes: needed, since no run.json says which mode is the reference. Found in the samples: ${modes.join(", ")}. Allowed: the reference first, then the mode under test, such as --modes fpm,swoole`
    );
  }
  const roles = [reference.name, tested.name];
  return [...roles, ...modes.filter((mode) => !roles.includes(mode))];
}

// entrypoint/commands/gate-given.ts
function gateGiven(values) {
  const given = Object.fromEntries(
    GATE_KEYS.flatMap((key) => {
      const text = values.text(key);
      return text === void 0 ? [] : [[key, key === "min-gain" ? gainsOf(text) : numberOrText(key, text)]];
    })
  );
  const result = gateKeys.safeParse(given);
  if (result.success) return result.data;
  const messages = result.error.issues.flatMap((issue) => explain(issue, given, () => GATE_KEYS));
  throw new InputError(messages.map(({ message }) => `--${message}`).join("\n"));
}
function gainsOf(text) {
  if (!text.includes("=")) return numberOrText("min-gain", text);
  const gains = text.split(",").map((part) => part.split("="));
  return Object.fromEntries(gains.map(([workload = "", ...gain]) => [workload.trim(), numberOrText("min-gain", gain.join("="))]));
}

// entrypoint/commands/look-given.ts
import { readFileSync } from "node:fs";
var recorded = external_exports.object({ looks: external_exports.literal(4), look: external_exports.number().int().min(1).max(4) });
function lookGiven(values, run2) {
  const known = run2 === void 0 ? void 0 : recordedIn(run2);
  const looks = Number(values.text("looks")) || (known?.looks ?? 1);
  const look = Number(values.text("look")) || (known?.looks === looks ? known.look : looks);
  if (look > looks) throw new InputError(`--look: found ${look}, allowed: 1 to ${looks}, the number of looks`);
  return { looks, look };
}
function recordedIn(file) {
  try {
    return recorded.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return void 0;
  }
}

// entrypoint/commands/config-options.ts
var PLACEHOLDERS = {
  app: "FILE",
  front: "FILE",
  budget: "DURATION",
  baseline: "REVISION",
  database: "URL",
  "accept-label": "LABEL",
  "history-branch": "BRANCH",
  "comment-key": "NAME"
};
var top = propertiesOf(external_exports.toJSONSchema(configSchema, { io: "input" }));
var LIST_OPTIONS = [
  { ...optionOf("modes", top.modes), value: "A,B,\u2026" },
  {
    ...optionOf("workloads", top.workloads),
    value: "A,B,\u2026",
    meaning: `${top.workloads?.description}. A workload that the configuration defines is given by its name. A path such as /users is requested by GET and must answer 200`
  }
];
var SCALAR_OPTIONS = SCALAR_KEYS.map((key) => optionOf(key, top[key]));
var GATE_OPTIONS = GATE_KEYS.map((key) => optionOf(key, propertiesOf(top.gate)[key]));
function optionOf(name, schema = {}) {
  const words = wordsOf(schema);
  const other = isOtherText(schema) ? [PLACEHOLDERS[name] ?? "TEXT"] : isNumber(schema) ? ["N"] : [];
  return {
    name,
    value: [...words, ...other].join("|"),
    meaning: schema.description ?? "",
    byDefault: describeDefault(schema.default),
    allowed: words.length && !other.length ? words : void 0
  };
}
function propertiesOf(schema) {
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).filter((entry) => typeof entry[1] === "object")
  );
}
function branchesOf(schema) {
  return schema.anyOf ? schema.anyOf.filter((branch) => typeof branch === "object").flatMap(branchesOf) : [schema];
}
function wordsOf(schema) {
  return branchesOf(schema).flatMap((branch) => (branch.enum ?? []).map(String));
}
function isOtherText(schema) {
  return branchesOf(schema).some((branch) => branch.type === "string" && !branch.enum);
}
function isNumber(schema) {
  return branchesOf(schema).some(({ type }) => type === "number" || type === "integer");
}
function describeDefault(value) {
  if (value === void 0) return void 0;
  return value === null ? "none" : Array.isArray(value) ? value.join(",") : String(value);
}

// entrypoint/commands/options.ts
var OUT_DIRECTORY = "async-php-bench-results";
var WORKSPACE = { name: "workspace", value: "DIR", meaning: "the repository under test", byDefault: "the current folder" };
var OUT = { name: "out", value: "DIR", meaning: "the folder for results", byDefault: OUT_DIRECTORY };
var SEED = {
  name: "seed",
  value: "N",
  meaning: "decides the random order of cells and arms; the same seed gives the same order",
  byDefault: "random, and recorded"
};
var YES = { name: "yes", meaning: "install what is missing without asking" };
var RUN_OPTIONS = [
  WORKSPACE,
  { name: "config", value: "FILE", meaning: "the configuration file", byDefault: CONFIG_FILE },
  OUT,
  SEED,
  {
    name: "job",
    value: "NAME",
    meaning: "the name of this job in samples.csv, if several jobs share the blocks",
    byDefault: "1"
  },
  YES,
  ...LIST_OPTIONS,
  ...SCALAR_OPTIONS,
  ...GATE_OPTIONS
];
var DRY = {
  name: "dry",
  meaning: "only print the plan, from the configuration alone; install, serve and fetch nothing"
};
var ANALYSE_OPTIONS = [
  {
    name: "samples",
    value: "FILE\u2026",
    meaning: "files with the header of samples.csv, one for each job. Required",
    isList: true
  },
  { ...OUT, meaning: "the folder for analysis.json, summary.md, report.html and plots. Required", byDefault: void 0 },
  { name: "run", value: "FILE", meaning: "the run.json of the samples", byDefault: "the one beside a single samples file" },
  ...LIST_OPTIONS.filter(({ name }) => name === "modes").map((option) => ({
    ...option,
    byDefault: "those of run.json, else by the kinds of the runtimes"
  })),
  {
    name: "looks",
    value: "1|2|4",
    meaning: "number of looks at the data: 4 if the job measured open cells further, 2 if it had 20 blocks with a look after 10",
    byDefault: "that of run.json if it says which look it was, else 1",
    allowed: ["1", "2", "4"]
  },
  {
    name: "look",
    value: "N",
    meaning: "which of these looks it is",
    byDefault: "that of run.json, else the last",
    allowed: ["1", "2", "3", "4"]
  },
  ...GATE_OPTIONS,
  { name: "no-report", meaning: "write no report.html and no plots" }
];
var INIT_OPTIONS = [
  WORKSPACE,
  { name: "force", meaning: "overwrite files that exist" },
  { name: "check", meaning: "only show what was found and what would be written" }
];

// entrypoint/commands/run-given.ts
import { existsSync, readFileSync as readFileSync2 } from "node:fs";
import { join, resolve } from "node:path";
function runGiven(given, samples) {
  const beside = join(samples[0] ?? "", "..", "run.json");
  const file = given ? resolve(given) : samples.length === 1 && existsSync(beside) ? beside : void 0;
  const fault = file && faultOf(file);
  if (fault) throw new InputError(`${given ? "--run: " : ""}${file}: found ${fault}. Allowed: the run.json of a measurement`);
  return file;
}
function faultOf(file) {
  let text;
  try {
    text = readFileSync2(file, "utf8");
  } catch {
    return "no readable file";
  }
  if (text.trim() === "") return "an empty file";
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? void 0 : "JSON that is not an object";
  } catch (error) {
    return `text that is not JSON (${messageOf(error)})`;
  }
}

// entrypoint/commands/terminal.ts
function print(text) {
  process.stdout.write(`${harmless(text)}
`);
}
function say(line) {
  process.stderr.write(`${harmless(line)}
`);
}

// entrypoint/commands/analyse.ts
var analyse2 = {
  name: "analyse",
  about: "samples.csv -> verdict, analysis.json, summary.md, report.html",
  options: ANALYSE_OPTIONS,
  run: (values) => analyseSamples(values, false)
};
var report = {
  name: "report",
  about: "analyse, and print the summary",
  options: ANALYSE_OPTIONS,
  run: (values) => analyseSamples(values, true)
};
async function analyseSamples(values, printsSummary) {
  const samples = values.list("samples").map((file) => resolve2(file));
  const [first] = samples;
  const directory = values.text("out");
  if (!first) throw new InputError("--samples: required: files with the header of samples.csv");
  if (!directory) throw new InputError("--out: required: the folder for the results");
  const run2 = runGiven(values.text("run"), samples);
  const rscript = which("Rscript");
  if (!rscript)
    throw new MeasurementError("analyse: R is missing. Install it with: sudo apt-get install r-base-core r-cran-ggpubr r-cran-rmarkdown");
  const out = resolve2(directory);
  const { analysis, summary } = await analyse({
    rscript,
    samples,
    out,
    run: run2,
    modes: values.text("modes")?.split(",") ?? (run2 ? void 0 : rolesIn(samples)),
    gate: gateGiven(values),
    ...lookGiven(values, run2),
    report: !values.has("no-report")
  });
  const { verdict, reasons } = analysis;
  const outcome = { verdict, reasons, parts: { analysis: summary }, exitCode: exitCodeOf(verdict), analysis };
  writeSummary(outcome, out);
  if (printsSummary) print(composeSummary(outcome));
  print([`Verdict: ${verdict}`, ...reasons.map((reason2) => `  ${reason2}`)].join("\n"));
  return outcome.exitCode;
}
function rolesIn(files) {
  if (!files.every((file) => existsSync2(file))) return void 0;
  const modes = modesIn(files.map((file) => readFileSync3(file, "utf8")));
  return modes?.length ? inRoles(modes) : void 0;
}

// entrypoint/commands/demo.ts
import { cpSync, existsSync as existsSync3 } from "node:fs";
import { join as join3 } from "node:path";

// entrypoint/commands/run.ts
import { join as join2 } from "node:path";

// entrypoint/commands/given.ts
function inputsFrom(values, fixed = {}, study2 = false) {
  return readInputs(
    { get: (key) => fixed[key] ?? values.text(key) },
    { workspace: ".", out: OUT_DIRECTORY, yes: values.has("yes"), study: study2, token: process.env.GITHUB_TOKEN ?? "" }
  );
}

// entrypoint/commands/run.ts
var run = {
  name: "run",
  about: "measure base and head, and decide",
  options: RUN_OPTIONS,
  run: (values) => runGate(inputsFrom(values))
};
async function runGate(inputs) {
  const outcome = await onCommandLine(inputs, gate, thrownOutcome);
  writeSummary(outcome, inputs.out);
  print(`
${composeSummary(outcome)}`);
  if (!inputs.study || !outcome.analysis) print(`Verdict: ${outcome.verdict}`);
  if (outcome.analysis) print(`Report: ${join2(inputs.out, "report.html")}`);
  return outcome.exitCode;
}
async function withoutVerdict(inputs, stages) {
  const failed = await onCommandLine(
    inputs,
    async (settled, given, job) => {
      await stages(settled, given, job);
      return void 0;
    },
    (error) => invalidOutcome(messageOf(error))
  );
  if (!failed) return 0;
  print(`
${composeSummary(failed)}
Verdict: ${failed.verdict}`);
  return failed.exitCode;
}
function onCommandLine(inputs, stages, outcomeOf) {
  return withJob(say, async (job) => {
    try {
      return await stages(await settle(inputs, NO_EVENT, job), inputs, job);
    } catch (error) {
      if (error instanceof InputError) throw error;
      return outcomeOf(error, job.signal);
    }
  });
}

// entrypoint/commands/demo.ts
var demo = {
  name: "demo",
  about: "provision, and gate the example app with the quick profile",
  options: [OUT, SEED, YES],
  run: gateExample
};
var ASYNC_MODES = ["swoole", "fibers"];
async function gateExample(values) {
  const workspace = await exampleRepository();
  const yes = values.has(YES.name);
  const inputsFor = (mode) => readInputs(
    { get: (key) => ({ modes: `fpm,${mode}`, seed: values.text(SEED.name) })[key] },
    { workspace, out: values.text(OUT.name) ?? OUT_DIRECTORY, yes, config: "demo.yml" }
  );
  const fallback = inputsFor(ASYNC_MODES.at(-1));
  await provision(scopeOf(fallback.config, modesOf(fallback.config), [workspace], "host"), { yes, say });
  const refusals = [];
  for (const mode of ASYNC_MODES) {
    const inputs = inputsFor(mode);
    try {
      await provision(scopeOf(inputs.config, modesOf(inputs.config), [workspace], "host"), { yes, say });
    } catch (error) {
      refusals.push(messageOf(error));
      continue;
    }
    for (const refusal of refusals) say(refusal);
    say(
      `demo: the asynchronous mode is ${mode}${refusals.length ? ", because swoole cannot run here (above). A gate would stop instead" : ", the first of swoole and fibers that can run here"}`
    );
    return runGate(inputs);
  }
  throw new Error(refusals.join("\n"));
}
async function exampleRepository() {
  const directory = join3(scratch(), "minimal-app");
  cpSync(join3(PACKAGE, "examples", "minimal-app"), directory, { recursive: true, filter: (source) => !source.includes("/vendor") });
  const git = async (...args) => {
    const identity = [
      "-c",
      "user.name=demo",
      "-c",
      "user.email=demo@localhost",
      "-c",
      "commit.gpgsign=false",
      "-c",
      "init.defaultBranch=main"
    ];
    const done = await exec(["git", ...identity, ...args], { cwd: directory, env: bare() });
    if (done.code !== 0) throw new Error(`git ${args[0]}: ${done.stderr.trim()}`);
  };
  if (!existsSync3(join3(directory, ".git"))) await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "base");
  await git("commit", "--quiet", "--allow-empty", "--message", "head");
  return directory;
}

// entrypoint/commands/doctor.ts
import { existsSync as existsSync4 } from "node:fs";
import { join as join4 } from "node:path";

// entrypoint/provision/installable.ts
async function installable({ apt, ...finding }) {
  for (const name of apt) {
    const found = await packageFor(name);
    if (found) return `apt: ${found}`;
  }
  const [way] = waysOf({ ...finding, apt: [] });
  return way?.startsWith("PECL") ? `${way}, if it can be reached` : way;
}
function waysOf({ apt, otherwise }) {
  return [
    ...apt.map((name) => `apt: ${name}`),
    ...otherwise?.kind === "composer" || otherwise?.kind === "npm" ? [otherwise.kind] : [],
    ...otherwise?.kind === "download" ? [`download: ${otherwise.url}`] : [],
    ...otherwise?.kind === "pecl" ? [`PECL: ${otherwise.pecl.package}`] : []
  ];
}

// entrypoint/commands/doctor.ts
var doctor = {
  name: "doctor",
  about: "show what this machine can run, and what is missing; exit code 3 if something is missing",
  options: RUN_OPTIONS,
  run: (values) => examine(inputsFrom(values))
};
async function examine(inputs) {
  const modes = modesOf(inputs.config);
  const others = names("runtimes").filter((name) => !modes.some((mode) => mode.name === name)).map((name) => ({ name, kind: runtimeNamed(name).kind, via: "runtime", runtime: runtimeNamed(name) }));
  const choice = await chooseEngine(inputs.config, inputs.config, say);
  const scope = scopeOf(inputs.config, modes, [inputs.workspace], choice.engine);
  const { findings, extensionFiles } = await survey(scope);
  const wanted = [...findings, ...await appNeeds(scope, extensionFiles)];
  const known = new Set(wanted.map(({ name }) => name));
  const optional = (await survey({ engine: "host", modes: others, database: { from: "none" }, report: false, composer: true })).findings.filter(({ name }) => !known.has(name));
  const phps = choice.engine === "host" ? pathsOf(findings, ["php", "php-fpm"]) : {};
  print(table([...await describe(wanted, true), ...await describe(optional, false), ...await describeSlowing(phps)]));
  const { config, workspace } = inputs;
  const nothing = nothingOfTheirs(inputs, entryPathOf(config), existsSync4(join4(workspace, entryPathOf(config))));
  if (nothing) print(`
${nothing}`);
  return wanted.some(({ state }) => state === "missing") ? 3 : 0;
}
async function describe(findings, isWanted) {
  return Promise.all(
    findings.map(async (finding) => ({
      need: finding.name,
      state: finding.state === "missing" ? await missingState(finding) : finding.state,
      version: finding.detail,
      why: isWanted ? finding.why : `${finding.why} (not configured)`
    }))
  );
}
function pathsOf(findings, names2) {
  return Object.fromEntries(findings.flatMap(({ name, path }) => path && names2.includes(name) ? [[name, path]] : []));
}
async function describeSlowing(phps) {
  return (await slowingIn(phps)).map(({ name, harm, remedy, isOffInArms, in: programs }) => ({
    need: `ext-${name}`,
    state: isOffInArms ? "off in every arm" : "in the way",
    version: programs.join(", "),
    why: isOffInArms ? harm : `${harm}; without it: ${remedy}`
  }));
}
async function missingState(finding) {
  const way = await installable(finding);
  return way ? `missing, ${way}` : "missing";
}
function table(rows) {
  const header = { need: "NEED", state: "STATE", version: "VERSION", why: "WHY" };
  const width = (key) => Math.max(...[header, ...rows].map((row2) => row2[key].length));
  const widths = { need: width("need"), state: width("state"), version: width("version") };
  return [header, ...rows].map((row2) => `${row2.need.padEnd(widths.need)}  ${row2.state.padEnd(widths.state)}  ${row2.version.padEnd(widths.version)}  ${row2.why}`).join("\n");
}

// entrypoint/commands/help.ts
var PROGRAM = "async-php-bench";
var WIDTH = 110;
var GENERAL = [
  { name: "help", meaning: "print this, or the options of a verb" },
  { name: "version", meaning: "print the version" }
];
var EXIT_CODES = "Exit codes: 0 pass or not gated, 1 regressed, 2 wrong input, 3 invalid measurement, 4 inconclusive.";
function overview(verbs) {
  const seen = new Map(verbs.flatMap(({ options: options2 }) => options2).map((option) => [option.name, option]));
  const options = [...seen.keys()].map((name) => verbs.flatMap((verb) => verb.options).find((option) => option.name === name));
  const isEverywhere = (option) => verbs[0]?.options.some(({ name }) => name === option.name) ?? false;
  const verbsWith = (option) => verbs.filter((verb) => verb.options.some(({ name }) => name === option.name)).map(({ name }) => name).join(", ");
  const described = options.map(
    (option) => isEverywhere(option) ? option : { ...option, meaning: `${verbsWith(option)}: ${option.meaning}` }
  );
  return [
    `${PROGRAM} VERB [options]`,
    "",
    ...columns(verbs.map(({ name, about }) => [name, about])),
    "",
    "Options. Not every verb takes each of them: VERB --help lists those of a verb.",
    ...columns([...described, ...GENERAL].map(row)),
    "",
    EXIT_CODES
  ].join("\n");
}
function helpOf({ name, about, options }) {
  return [
    `${PROGRAM} ${name} [options]`,
    "",
    `${capital(about)}.`,
    "",
    "Options:",
    ...columns([...options, ...GENERAL].map(row)),
    "",
    EXIT_CODES
  ].join("\n");
}
function row({ name, value, meaning, byDefault }) {
  return [`--${name}${value ? ` ${value}` : ""}`, `${capital(meaning)}${byDefault ? ` (default: ${byDefault})` : ""}`];
}
function capital(text) {
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
}
function columns(rows) {
  const first = Math.min(28, Math.max(...rows.map(([left]) => left.length)));
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, WIDTH - first - 4);
    const fits = left.length <= first;
    return [...fits ? [] : [`  ${left}`], ...lines.map((line, i) => `  ${(fits && i === 0 ? left : "").padEnd(first)}  ${line}`)];
  });
}
function wrapped(text, width) {
  const lines = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== void 0 && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

// entrypoint/commands/init.ts
import { existsSync as existsSync6, mkdirSync, statSync as statSync2, writeFileSync } from "node:fs";
import { dirname, join as join6, resolve as resolve3 } from "node:path";

// entrypoint/commands/init/config-text.ts
var HANDLER_MODES = "modes: [fpm, swoole]";
var HOME = "workloads: [fibonacci, { name: home, path: / }]";
function configText(...lines) {
  return [
    ...lines.filter(Boolean),
    "loads: { medium: { concurrency: 8 }, high: { concurrency: 32 } }",
    "budget: 25m",
    "gate: { max-regression: 5, resolution: 10 }",
    ""
  ].join("\n");
}
function setupLine(commands) {
  return commands.length ? `setup: [${commands.join(", ")}]` : "";
}
function commandMode(name, kind, command, health) {
  return `{ name: ${name}, kind: ${kind}, command: ${JSON.stringify(command)}, health: ${health} }`;
}

// entrypoint/commands/init/found.ts
var FRONT = "public/index.php";
var PATHS_HINT = "under workloads: in .github/async-php-bench.yml, list paths that your app answers; replace home if it has no /";
function isOurs({ kept }, text) {
  return [void 0, text].includes(kept(ENTRY));
}

// entrypoint/commands/init/kept-config.ts
function fitted(found, { kept, text }) {
  const config = kept(CONFIG_FILE);
  const front = valueIn(config ?? found.config, "front");
  const app = valueIn(config ?? "", "app");
  const hasEntry = text(ENTRY) !== void 0;
  if (config === void 0) {
    const isInTheWay = front !== void 0 && hasEntry;
    return { ...found, next: [...isInTheWay ? [`git rm ${ENTRY}: together with front: it is refused`] : [], ...found.next], excluded: [] };
  }
  const other = front ? "front" : app !== void 0 && app !== ENTRY ? "app" : void 0;
  const { [ENTRY]: entry, ...files } = found.files;
  const isExcluded = entry !== void 0 && other !== void 0 && !hasEntry;
  return {
    ...found,
    files: isExcluded ? files : found.files,
    next: [
      ...front && hasEntry ? [`remove front: from ${CONFIG_FILE} and set ${HANDLER_MODES}, or git rm ${ENTRY}: together they are refused`] : [],
      ...front && isExcluded ? [`to measure coroutines, remove front: from ${CONFIG_FILE}, set ${HANDLER_MODES} there, and run init again`] : [],
      ...found.next.filter((step) => step !== PATHS_HINT || !hasPath(config))
    ],
    excluded: isExcluded ? [`${ENTRY}: not written, because ${other}: in ${CONFIG_FILE} names ${front ?? app}`] : []
  };
}
function valueIn(config, key) {
  return new RegExp(`^${key}:[ \\t]*["']?([^\\s"'#]+)`, "m").exec(config)?.[1];
}
function hasPath(config) {
  return /^workloads:[\s\S]*(?:path:|[[,\s-])\s*["']?\/[\w{]/m.test(config);
}

// entrypoint/commands/init/by-front.ts
function byFront({ text, kept }, { name, front, why, remedy }) {
  if (text(ENTRY) !== void 0) return { name, files: {}, config: configText(HANDLER_MODES, HOME), next: [PATHS_HINT] };
  const config = configText(`front: ${front}   # runs for each request`, "modes: [fpm, swoole-sync]", HOME);
  return { name, files: {}, config, next: [...towardsCoroutines(kept(CONFIG_FILE) ?? config, { front, why, remedy }), PATHS_HINT] };
}
function towardsCoroutines(config, { front, why, remedy = `return the app from ${ENTRY}` }) {
  if ((valueIn(config, "app") ?? ENTRY) !== ENTRY) return [];
  if (valueIn(config, "front") === void 0)
    return [`${CONFIG_FILE} names no front:, so ${remedy}; or set front: ${front} and modes: [fpm, swoole-sync]`];
  return [
    `coroutines are not measured yet: ${front} runs for each request, since ${why}`,
    `to measure them, ${remedy}; in ${CONFIG_FILE} remove front: and set ${HANDLER_MODES}`
  ];
}

// entrypoint/commands/init/entry-files.ts
var HEAD = `<?php

declare(strict_types=1);
`;
var AUTOLOAD = "require_once __DIR__ . '/../vendor/autoload.php';\n";
var LARAVEL = `${HEAD}
${AUTOLOAD}
return static function (array $context): object {
    $app = require __DIR__ . '/../bootstrap/app.php';

    return $app->make(Illuminate\\Contracts\\Http\\Kernel::class);
};
`;
function symfony(kernel, readsDotenv) {
  return `${HEAD}
${AUTOLOAD}${readsDotenv ? "(new Symfony\\Component\\Dotenv\\Dotenv())->bootEnv(__DIR__ . '/../.env');\n" : ""}
return static fn (array $context): object => new ${kernel}($context['APP_ENV'], (bool) $context['APP_DEBUG']);
`;
}
function returnedBy(file) {
  return `${HEAD}
${AUTOLOAD}
return static fn (array $context): object => require __DIR__ . '/../${file}';
`;
}
var SLIM_SKELETON = `${HEAD}
${AUTOLOAD}
// The app of public/index.php, without the lines that read the request and send the response. Keep both alike.
return static function (array $context): object {
    $containerBuilder = new DI\\ContainerBuilder();
    // If production compiles the container or caches the routes, do so here, too.
    foreach (['settings', 'dependencies', 'repositories'] as $part) {
        (require __DIR__ . "/../app/$part.php")($containerBuilder);
    }
    $container = $containerBuilder->build();

    $app = Slim\\Factory\\AppFactory::createFromContainer($container);
    (require __DIR__ . '/../app/middleware.php')($app);
    (require __DIR__ . '/../app/routes.php')($app);

    $settings = $container->get(App\\Application\\Settings\\SettingsInterface::class);
    $app->addRoutingMiddleware();
    $app->addBodyParsingMiddleware();
    $app->addErrorMiddleware($settings->get('displayErrorDetails'), $settings->get('logError'), $settings->get('logErrorDetails'))
        ->setDefaultErrorHandler(new App\\Application\\Handlers\\HttpErrorHandler($app->getCallableResolver(), $app->getResponseFactory()));

    return $app;
};
`;
var MEZZIO = `${HEAD}
${AUTOLOAD}
return static function (array $context): object {
    $container = require __DIR__ . '/../config/container.php';
    $app = $container->get(Mezzio\\Application::class);
    $factory = $container->get(Mezzio\\MiddlewareFactory::class);
    (require __DIR__ . '/../config/pipeline.php')($app, $factory, $container);
    (require __DIR__ . '/../config/routes.php')($app, $factory, $container);

    return $app;
};
`;
var PLAIN = `${HEAD}
use Psr\\Http\\Message\\ResponseInterface;
use Psr\\Http\\Message\\ServerRequestInterface;

${AUTOLOAD}
return static function (array $context): object {
    // Make your app here, as $app, and remove the next line.
    throw new LogicException('not edited yet. Make your app here and remove this line.');

    // Takes a request to your app and returns its answer.
    return static function (ServerRequestInterface $request) use ($app): ResponseInterface {
        return $app->handle($request);
    };
};
`;
var HYPERF = `${HEAD}
// Starts the app as bin/hyperf.php does, on the port in PORT and with workers that are never replaced. With BLOCKING_WORKERS
// as many workers serve one request at a time: that is the synchronous reference.
define('BASE_PATH', dirname(__DIR__));

require BASE_PATH . '/vendor/autoload.php';

$blockingWorkers = (int) getenv('BLOCKING_WORKERS');
define('SWOOLE_HOOK_FLAGS', $blockingWorkers > 0 ? 0 : Hyperf\\Engine\\DefaultOption::hookFlags());

(static function (int $blockingWorkers): void {
    Hyperf\\Di\\ClassLoader::init();
    $container = require BASE_PATH . '/config/container.php';
    $config = $container->get(Hyperf\\Contract\\ConfigInterface::class);
    $config->set('server.servers.0.host', '127.0.0.1');
    $config->set('server.servers.0.port', (int) getenv('PORT'));
    $config->set('server.settings.max_request', 0);
    if ($blockingWorkers > 0) {
        $config->set('server.settings.worker_num', $blockingWorkers);
    }
    $container->get(Hyperf\\Contract\\ApplicationInterface::class)->run();
})($blockingWorkers);
`;

// entrypoint/commands/init/laravel.ts
var KEY = Buffer.from("async-php-bench-not-a-secret-key").toString("base64");
var LARAVEL_ENV = `env: { APP_KEY: "base64:${KEY}" }   # for measuring only: a checkout has no .env`;
function laravelSetup({ texts }) {
  return [
    ...texts("database/migrations").length ? ["php artisan migrate --force"] : [],
    "php artisan config:cache",
    "php artisan route:cache"
  ];
}

// entrypoint/commands/init/own-servers.ts
function octane(repository) {
  const command = "php artisan octane:start --server=swoole --host=127.0.0.1 --port={port} --max-requests=0";
  const bootstrap = repository.text("bootstrap/app.php") ?? "";
  return {
    name: "Laravel Octane",
    files: {},
    config: configText(
      `front: ${FRONT}   # for fpm`,
      "modes:",
      "  - fpm",
      "  # --max-requests=0: a worker that is replaced within a run would pay for its start there.",
      `  - ${commandMode("octane", "async", command, /health:\s*['"]\/up['"]/.test(bootstrap) ? "/up" : "/")}`,
      "workloads: [{ name: home, path: / }]",
      LARAVEL_ENV,
      setupLine(laravelSetup(repository))
    ),
    next: [PATHS_HINT]
  };
}
var SWOOLE_RUNTIMES = { "runtime/swoole": "Runtime\\Swoole", "runtime/swoole-nyholm": "Runtime\\SwooleNyholm" };
function swooleRuntime({ requires, text }) {
  const name = Object.keys(SWOOLE_RUNTIMES).find((name2) => name2 in requires);
  return name && /autoload_runtime\.php/.test(text(FRONT) ?? "") ? name : void 0;
}
function bySwooleRuntime(repository, name, setup) {
  const command = `APP_RUNTIME='${SWOOLE_RUNTIMES[name]}\\Runtime' SWOOLE_PORT={port} php ${FRONT}`;
  const hasOwnPort = /APP_RUNTIME_OPTIONS[\s\S]*['"]port['"]\s*=>/.test(repository.text(FRONT) ?? "");
  return {
    name,
    files: {},
    config: configText(
      `front: ${FRONT}   # for fpm`,
      "modes:",
      "  - fpm",
      `  - ${commandMode("swoole-runtime", "async", command, "/")}`,
      "workloads: [{ name: home, path: / }]",
      repository.runtimeClass ? `env: { APP_RUNTIME: ${JSON.stringify("Symfony\\Component\\Runtime\\SymfonyRuntime")} }   # of fpm` : "",
      setupLine(setup)
    ),
    next: [...hasOwnPort ? [`remove 'port' from APP_RUNTIME_OPTIONS in ${FRONT}: it wins over SWOOLE_PORT`] : [], PATHS_HINT]
  };
}
function hyperf() {
  const command = "PORT={port} php bench/hyperf.php start";
  return {
    name: "Hyperf",
    files: { "bench/hyperf.php": HYPERF },
    config: configText(
      "modes:",
      "  # Hyperf without coroutine I/O: a worker for each of the 16 connections, one request at a time.",
      `  - ${commandMode("hyperf-blocking", "sync", `BLOCKING_WORKERS=16 ${command}`, "/")}`,
      `  - ${commandMode("hyperf", "async", command, "/")}`,
      "workloads: [{ name: home, path: / }]",
      'php: { ini: { swoole.use_shortname: "Off" } }   # Hyperf requires it'
    ),
    next: [PATHS_HINT]
  };
}

// entrypoint/commands/init/routes.ts
var ATTRIBUTE = /#\[(?:\w+\\)*Route\(([\s\S]*?)\)\]/g;
var LITERAL_PATH = /^\s*(?:path:\s*)?'(\/[^'{}\s]*)'/;
var METHODS = /methods:/;
var IS_GET = /['"]GET['"]/;
function firstPath(controllers) {
  const paths = controllers.filter((text) => !hasPrefix(text)).flatMap(pathsOf2);
  return paths.includes("/") ? "/" : paths[0] ?? "/";
}
function hasPrefix(text) {
  const attribute = text.search(ATTRIBUTE);
  return attribute >= 0 && attribute < text.search(/^(?:final |abstract |readonly )*class /m);
}
function pathsOf2(text) {
  return [...text.matchAll(ATTRIBUTE)].flatMap(([, options = ""]) => {
    const path = LITERAL_PATH.exec(options)?.[1];
    return path === void 0 || METHODS.test(options) && !IS_GET.test(options) ? [] : [path];
  });
}

// entrypoint/commands/init/from-front.ts
var OBSTACLES = [
  [/\$_(?:SERVER|GET|POST|COOKIE|FILES|REQUEST|SESSION)\b|fromGlobals\b/i, "reads the request"],
  [/\b(?:header|setcookie|session_\w+|ob_\w+)\s*\(|\b(?:echo|print)\b/, "sends output or headers"],
  [/\b(?:exit|die)\b/, "ends the process"],
  [/\bglobal\s+\$|\$GLOBALS\b/, "uses global variables"],
  [/^\s*(?:function\s+&?\w+\s*\(|(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+\w)/m, "declares a function or class"],
  [/\bdefine\s*\(|^\s*const\s/m, "defines a constant"],
  [/^\s*namespace\s/m, "has a namespace"],
  [/\b__FILE__\b|<<<|\?>/, "has text that init cannot move"],
  [/\b(?:require|include)_once\b/, "loads a file once"],
  [/\b(?:require|include)\s*\(?\s*['"]/, "loads a file relative to the working directory"]
];
var AUTOLOADER = /^[ \t]*(?:require|include)(?:_once)?\b[^;\n]*vendor\/autoload\.php['"]\)?;[^\n]*\n?/gm;
var DECLARE = /^declare\(\s*strict_types\s*=\s*1\s*\);\s*/m;
var IMPORT = /^use\s[^;]+;[ \t]*\n?/gm;
var LAST_STATEMENT = /(?<=^|[;}])\s*([^;{}]+?)\s*->run\(\s*\);\s*$/d;
var LAST_COMMENT = /\n[ \t]*(?:\/\/|#).*\s*$/;
function fromFront(front) {
  const script = front.replace(/\?>\s*$/, "");
  const code = bareCode(script.replace(AUTOLOADER, (line) => line.replace(/[^\n]/g, "")));
  for (const [pattern, what] of OBSTACLES) {
    const found = pattern.exec(code);
    if (found) return { why: `line ${lineOf(code, found.index + found[0].search(/\S/))} ${what}` };
  }
  if (!/^<\?php\s/.test(script)) return { why: "it does not begin with <?php" };
  const body = script.replace(/^<\?php\s+/, "").replace(DECLARE, "").replace(AUTOLOADER, "").replace(IMPORT, "");
  const [start, end] = LAST_STATEMENT.exec(bareCode(body))?.indices?.[1] ?? [];
  if (start === void 0) return { why: "it does not end with the run() of the app" };
  const app = elsewhere(body.slice(start, end));
  const before = elsewhere(`
${body.slice(0, start)}`.replace(LAST_COMMENT, "")).trim();
  const head = [
    "<?php",
    ...DECLARE.test(script) ? ["declare(strict_types=1);"] : [],
    ...script.match(IMPORT) ? [script.match(IMPORT).map((line) => line.trim()).join("\n")] : [],
    "require_once __DIR__ . '/../vendor/autoload.php';"
  ].join("\n\n");
  const note = `// The app of ${FRONT}, without the line that runs it. Keep both alike.`;
  const factory = before === "" ? `return static fn (array $context): object => ${app};` : `return static function (array $context): object {
${indented(before)}

    return ${app};
};`;
  return { text: `${head}

${note}
${factory}
` };
}
function elsewhere(php) {
  return php.replace(/(?<!dirname\()\b__DIR__\b(?!\s*\.\s*['"]\/\.\.\/)/g, "dirname(__DIR__) . '/public'");
}
function bareCode(php) {
  const blank = (text) => text.replace(/[^\n]/g, " ");
  return php.replace(
    /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\/\*[\s\S]*?\*\/|\/\/.*|#(?!\[).*/g,
    (found) => /^['"]/.test(found) ? found[0] + blank(found.slice(1, -1)) + found[0] : blank(found)
  );
}
function lineOf(text, index) {
  return text.slice(0, index).split("\n").length;
}
function indented(php) {
  return php.split("\n").map((line) => line.trim() === "" ? "" : `    ${line}`).join("\n");
}

// entrypoint/commands/init/slim.ts
var FILES = ["config/app.php", "config/bootstrap.php", "app/app.php", "app/bootstrap.php", "bootstrap/app.php", "src/app.php"];
var SKELETON_FILES = ["settings", "dependencies", "repositories", "middleware", "routes"].map((part) => `app/${part}.php`);
var BEFORE_4 = /^[~^=v]*[1-3](\.[\d.*x]+)?$/;
function slim(repository) {
  const entry = entryOf(repository);
  if (entry && "why" in entry) {
    const remedy = `move the lines that create the app to ${FILES[0]}, return it there, and run init again`;
    return byFront(repository, { name: "Slim", front: FRONT, ...entry, ...isOld(repository) ? {} : { remedy } });
  }
  const file = returnedBy(FILES[0]);
  return {
    name: "Slim",
    files: { [ENTRY]: entry?.text ?? file },
    config: configText(HANDLER_MODES, HOME),
    next: [...entry || !isOurs(repository, file) ? [] : [`let ${FILES[0]} return your Slim\\App`], PATHS_HINT]
  };
}
function entryOf(repository) {
  const { text } = repository;
  const front = text(FRONT);
  if (isOld(repository) && front !== void 0) return { why: "the app of Slim 3 is no PSR-15 handler" };
  const file = FILES.find((file2) => /^return\b.*(\$app\b|\bApp::class)/m.test(text(file2) ?? ""));
  if (file) return { text: returnedBy(file) };
  if (SKELETON_FILES.every((file2) => text(file2) !== void 0)) return { text: SLIM_SKELETON };
  return front === void 0 ? void 0 : fromFront(front);
}
function isOld({ requires }) {
  return BEFORE_4.test(requires["slim/slim"] ?? "");
}

// entrypoint/commands/init/tables.ts
var OF_DATABASES = [
  "doctrine/orm",
  "doctrine/dbal",
  "doctrine/doctrine-bundle",
  "symfony/orm-pack",
  "illuminate/database",
  "ext-pdo_mysql",
  "ext-mysqli"
];
function tables({ requires, kept }, { config }) {
  const asks = OF_DATABASES.find((name) => name in requires);
  return asks === void 0 || /migrate/.test(config) || /^setup:/m.test(kept(CONFIG_FILE) ?? "") ? [] : [
    `create the app's tables and rows with a command under setup: (${asks}: each revision has an empty database, named in DATABASE_URL and DB_HOST, \u2026)`
  ];
}

// entrypoint/commands/init/frameworks.ts
var RULES = [
  { packages: ["laravel/octane"], make: octane },
  { packages: ["hyperf/http-server", "hyperf/framework"], make: hyperf },
  { packages: ["runtime/swoole", "runtime/swoole-nyholm"], make: ofSwooleRuntime },
  { packages: ["laravel/framework"], make: laravel },
  { packages: ["symfony/framework-bundle", "symfony/http-kernel", "symfony/symfony"], make: ofSymfony },
  { packages: ["slim/slim"], make: slim },
  { packages: ["mezzio/mezzio"], make: mezzio }
];
function detect(repository) {
  for (const { packages, make } of RULES) {
    const seen = packages.filter((name) => name in repository.requires);
    const found2 = seen.length ? make(repository) : void 0;
    if (found2)
      return {
        ...found2,
        next: [...tables(repository, found2), ...found2.next],
        seen: seen.map((name) => `${name} ${repository.requires[name]}`)
      };
  }
  const found = plain(repository);
  return { ...found, next: [...tables(repository, found), ...found.next], seen: [] };
}
function laravel(repository) {
  return {
    name: "Laravel",
    files: { [ENTRY]: LARAVEL },
    config: configText(
      "modes: [fpm, swoole-sync]   # Laravel keeps static state: not for coroutines. Or Octane, by command",
      HOME,
      LARAVEL_ENV,
      setupLine(laravelSetup(repository))
    ),
    next: [PATHS_HINT]
  };
}
function ofSwooleRuntime(repository) {
  const name = swooleRuntime(repository);
  return name && bySwooleRuntime(repository, name, symfonySetup(repository));
}
function symfonySetup({ requires, text, texts }) {
  if (text("bin/console") === void 0) return [];
  const migrates = ["doctrine/doctrine-migrations-bundle", "symfony/orm-pack"].some((name) => name in requires) && texts("migrations").length > 0;
  return [...migrates ? ["php bin/console doctrine:migrations:migrate --no-interaction"] : [], "php bin/console cache:warmup"];
}
function ofSymfony(repository) {
  const { requires, text } = repository;
  const readsDotenv = ("symfony/dotenv" in requires || "symfony/symfony" in requires) && text(".env") !== void 0;
  const namespace = /^namespace ([\w\\]+);/m.exec(text("src/Kernel.php") ?? "")?.[1] ?? "App";
  const path = firstPath(repository.texts("src/Controller"));
  const entry = symfony(`${namespace}\\Kernel`, readsDotenv);
  return {
    name: "Symfony",
    files: { [ENTRY]: entry },
    config: configText(HANDLER_MODES, path === "/" ? HOME : `workloads: [fibonacci, ${path}]`, setupLine(symfonySetup(repository))),
    next: [
      ...text("src/Kernel.php") === void 0 && isOurs(repository, entry) ? ["name your kernel in bench/app.php: there is no src/Kernel.php"] : [],
      ...Object.keys(requires).filter((name) => name.startsWith("runtime/")).map((name) => `to measure the server of ${name}, add a mode with its command: modes: [fpm, { name: \u2026, command: \u2026 }]`),
      PATHS_HINT
    ]
  };
}
function mezzio() {
  return { name: "Mezzio", files: { [ENTRY]: MEZZIO }, config: configText(HANDLER_MODES, HOME), next: [PATHS_HINT] };
}
function plain(repository) {
  const { requires, text } = repository;
  const front = [FRONT, "index.php"].find((file) => text(file) !== void 0);
  if (front) return byFront(repository, { name: "a PHP app", front, why: "nothing shows how to create the app without a request" });
  return {
    name: "a PHP app",
    files: { [ENTRY]: PLAIN },
    config: configText(HANDLER_MODES, HOME),
    next: [
      ..."nyholm/psr7" in requires ? [] : ["composer require nyholm/psr7"],
      ...isOurs(repository, PLAIN) ? ["call your app in bench/app.php: until then every measurement of it is refused"] : [],
      PATHS_HINT
    ]
  };
}

// entrypoint/commands/init/repository.ts
import { existsSync as existsSync5, readdirSync, readFileSync as readFileSync4, statSync } from "node:fs";
import { join as join5 } from "node:path";
var strings = external_exports.record(external_exports.string(), external_exports.string());
var composerJson = external_exports.object({
  require: strings.default({}),
  config: external_exports.object({ platform: external_exports.object({ php: external_exports.string().optional() }).optional() }).optional(),
  extra: external_exports.object({ runtime: external_exports.object({ class: external_exports.string().optional() }).optional() }).optional()
});
var composerLock = external_exports.object({ packages: external_exports.array(external_exports.object({ require: strings.optional() })).default([]) });
var FILES_MOST = 200;
function repositoryAt(workspace, overwrites) {
  const saw = /* @__PURE__ */ new Set();
  const text = (path) => {
    const file = join5(workspace, path);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return void 0;
    saw.add(path);
    return readFileSync4(file, "utf8");
  };
  const json = parsed(composerJson, join5(workspace, "composer.json"), text("composer.json"));
  const lock = parsed(composerLock, join5(workspace, "composer.lock"), text("composer.lock"));
  return {
    hasComposerJson: json !== void 0,
    requires: json?.require ?? {},
    platformPhp: json?.config?.platform?.php,
    runtimeClass: json?.extra?.runtime?.class,
    lockedPhp: (lock?.packages ?? []).flatMap(({ require: require2 }) => require2?.php ?? []),
    text,
    kept: (path) => overwrites ? void 0 : text(path),
    texts: (folder) => {
      const files = phpFiles(join5(workspace, folder));
      if (files.length) saw.add(`${folder}/`);
      return files.map((file) => readFileSync4(file, "utf8"));
    },
    saw: () => [...saw]
  };
}
function parsed(schema, file, text) {
  if (text === void 0) return void 0;
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new InputError(`${file}: not valid JSON: ${error.message}`);
  }
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new InputError(`${file}: ${issue?.path.join(".")}: ${issue?.message}`);
}
function phpFiles(folder) {
  if (!existsSync5(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name.endsWith(".php")).map((entry) => join5(entry.parentPath ?? entry.path, entry.name)).sort().slice(0, FILES_MOST);
}

// entrypoint/commands/init/php-version.ts
var PHP_VERSIONS = ["8.5", "8.4", "8.3", "8.2"];
var NEWEST_PATCH = 999;
function newestPhp(constraints) {
  return PHP_VERSIONS.find((version2) => constraints.every((constraint) => allows(constraint, version2)));
}
function allows(constraint, version2) {
  const [major, minor] = version2.split(".").map(Number);
  const newest = [major, minor, NEWEST_PATCH];
  return constraint.split(/\|\|?/).some(
    (alternative) => alternative.trim().replace(/\s+-\s+/g, "..").replace(/([<>=!^~])\s+/g, "$1").split(/[\s,]+/).filter(Boolean).every((part) => meets(newest, part))
  );
}
function meets(version2, part) {
  const [from, to] = part.split("..");
  if (to !== void 0) return meets(version2, `>=${from}`) && (meets(version2, `<${to}`) || meets(version2, to));
  const match = /^(\^|~|>=|<=|<>|!=|==|=|<|>)?v?(\d+(?:\.\d+)*)(\.[*x])?(?:[-@].*)?$/i.exec(part);
  if (!match) return true;
  const [, operator, written, wildcard] = match;
  const numbers = written.split(".").map(Number);
  const lower = [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];
  const places = Math.min(numbers.length, 3);
  const isWithin = (shared) => isAtLeast(version2, lower) && !isAtLeast(version2, above(lower, shared));
  switch (operator) {
    case "^":
      return isWithin(1);
    case "~":
      return isWithin(Math.max(1, places - 1));
    case ">=":
    case ">":
      return isAtLeast(version2, lower);
    case "<":
    case "<=":
      return !isAtLeast(version2, lower);
    case "!=":
    case "<>":
      return wildcard === void 0 || !isWithin(places);
    default:
      return isWithin(wildcard ? places : Math.min(places, 2));
  }
}
function above([major, minor, patch], places) {
  if (places === 1) return [major + 1, 0, 0];
  return places === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}
function isAtLeast(version2, bound) {
  const at = version2.findIndex((number, i) => number !== bound[i]);
  return at < 0 || version2[at] > bound[at];
}

// entrypoint/commands/init/workflow.ts
var ALWAYS_THERE = [
  "ctype",
  "date",
  "fileinfo",
  "filter",
  "hash",
  "iconv",
  "json",
  "openssl",
  "pcre",
  "session",
  "spl",
  "tokenizer",
  "swoole"
];
function phpFor({ requires, platformPhp, lockedPhp }) {
  const own = requires.php;
  const extensions = ["swoole", ...extensionsOf(requires)];
  const platform = platformPhp && PHP_VERSIONS.find((version3) => allows(`~${minorOf(platformPhp)}.0`, version3));
  if (platform) return { version: platform, why: `config.platform.php of composer.json is ${platformPhp}`, extensions };
  const byApp = newestPhp(own ? [own] : []);
  const version2 = newestPhp(own ? [own, ...lockedPhp] : lockedPhp);
  const range = `${PHP_VERSIONS.at(-1)} to ${PHP_VERSIONS[0]}`;
  if (!version2)
    return {
      version: byApp ?? PHP_VERSIONS[0],
      why: `${own ? `composer.json requires php ${own}` : "composer.json names no version"}${byApp ? "; composer.lock has packages that exclude it" : ""}. Swoole 6.2 runs with PHP ${range}, so change the version or the constraint`,
      extensions
    };
  const newest = version2 === byApp ? "" : " and the packages of composer.lock";
  return {
    version: version2,
    why: own || newest ? `the newest that composer.json${own ? ` (php ${own})` : ""}${newest} allow${newest ? "" : "s"}` : "the newest that Swoole 6.2 runs with",
    extensions
  };
}
function minorOf(version2) {
  return version2.split(".").slice(0, 2).join(".");
}
function extensionsOf(requires) {
  return Object.keys(requires).flatMap((name) => /^ext-[a-z0-9_]+$/.test(name) ? [name.slice(4)] : []).filter((name) => !ALWAYS_THERE.includes(name));
}
function workflowText({ version: version2, extensions }) {
  return `name: async gain
on:
  pull_request:
permissions:
  contents: read
  pull-requests: write
jobs:
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - uses: actions/checkout@df4cb1c069e1874edd31b4311f1884172cec0e10 # v6.0.3
        with:
          fetch-depth: 2
          # The app runs in this job; git needs no token in the workspace.
          persist-credentials: false
      # Swoole as a package, within seconds. Use the PHP version of production.
      - uses: shivammathur/setup-php@f3e473d116dcccaddc5834248c87452386958240 # 2.37.2
        with:
          php-version: "${version2}"
          extensions: ${extensions.join(", ")}
          coverage: none
      - uses: org/async-php-bench@v1
`;
}

// entrypoint/commands/init.ts
var WORKFLOW_FILE = ".github/workflows/async-php-bench.yml";
var init = {
  name: "init",
  about: "write a configuration, a workflow and, if the app needs one, bench/app.php",
  options: INIT_OPTIONS,
  run: async (values) => {
    const workspace = resolve3(values.text("workspace") || ".");
    const lines = await prepareRepository(workspace, { overwrites: values.has("force"), writes: !values.has("check") });
    print(lines.join("\n"));
    return 0;
  }
};
async function prepareRepository(workspace, { overwrites, writes }) {
  if (!statSync2(workspace, { throwIfNoEntry: false })?.isDirectory())
    throw new InputError(
      `workspace: found ${workspace}, which ${existsSync6(workspace) ? "is not a directory" : "does not exist"}; allowed: the root of a repository`
    );
  const repository = repositoryAt(workspace, overwrites);
  const framework = fitted(detect(repository), repository);
  const php = phpFor(repository);
  const files = [
    ...Object.entries(framework.files),
    [CONFIG_FILE, framework.config],
    [WORKFLOW_FILE, workflowText(php)]
  ];
  const done = files.map(([name, content]) => {
    const file = join6(workspace, name);
    if (existsSync6(file) && !overwrites)
      return `${name}: exists, ${writes ? "left as it is" : "would be left as it is"} (--force overwrites)`;
    if (!writes) return `${name}: would be ${existsSync6(file) ? "overwritten" : "written"}`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return `${name}: written`;
  });
  const names2 = files.map(([name]) => name);
  const isOwn = !names2.includes(ENTRY) && existsSync6(join6(workspace, ENTRY)) && !framework.next.some((step) => step.includes(`git rm ${ENTRY}`));
  return [
    `found: ${framework.name} (${reason(repository, framework.seen)})`,
    `saw: ${repository.saw().join(", ") || "none of the files that init knows"}`,
    `PHP of the workflow: ${php.version}, ${php.why}`,
    ...done,
    ...framework.excluded,
    ...[
      ...framework.next,
      ...await commitCommands(workspace, isOwn ? [ENTRY, ...names2] : names2),
      // Base has none of these files yet: compared with it, nothing could be gated.
      `to try it, compare the commit with itself: node dist/cli.js run ${workspace === process.cwd() ? "" : `--workspace ${workspace} `}--profile quick --baseline HEAD`
    ].map((line) => `next: ${line}`)
  ];
}
function reason({ hasComposerJson }, seen) {
  if (!hasComposerJson) return "there is no composer.json";
  return seen.length ? `composer.json requires ${seen.join(", ")}` : "composer.json requires no known framework";
}
async function commitCommands(workspace, names2) {
  const git = new Git(workspace);
  const commit = [`git add ${names2.join(" ")}`, 'git commit --message "Measure the asynchronous gain"'];
  if (!await git.isRepository()) return ["git init (this is not a git repository yet; base and head are two of its commits)", ...commit];
  const folder = await git.run("rev-parse", "--show-prefix");
  const elsewhere2 = folder ? [`run init in the root of the repository: ${workspace} is its folder ${folder}, and a revision is the whole repository`] : [];
  const isCommitted = await git.try("diff", "--quiet", "HEAD", "--", ...names2) !== void 0 && await git.try("ls-files", "--error-unmatch", "--", ...names2) !== void 0;
  return isCommitted ? elsewhere2 : [...elsewhere2, ...commit];
}

// entrypoint/commands/measure.ts
var measure2 = {
  name: "measure",
  about: "measure only: samples.csv and run.json",
  options: RUN_OPTIONS,
  run: (values) => withoutVerdict(inputsFrom(values), measure)
};

// entrypoint/commands/parse.ts
import { parseArgs } from "node:util";
function parse(args, options) {
  const given = /* @__PURE__ */ new Map();
  let last;
  for (const token of tokensOf(args, options)) {
    if (token.kind === "option") {
      last = options.find(({ name }) => name === token.name);
      given.set(token.name, [...given.get(token.name) ?? [], ...token.value === void 0 ? [] : [token.value]]);
    } else if (token.kind === "positional" && last?.isList) {
      given.get(last.name)?.push(token.value);
    } else {
      const word = JSON.stringify(args[token.index]);
      if (last) throw new InputError(`found ${word} after --${last.name}, which takes ${last.value ? "one value" : "none"}`);
      throw new InputError(`found ${word} without an option before it, allowed: ${flagsOf(options).join(", ")}`);
    }
  }
  for (const option of options) {
    for (const value of given.get(option.name) ?? []) checkAllowed(option, value);
  }
  return {
    has: (name) => given.has(name),
    text: (name) => given.get(name)?.at(-1),
    list: (name) => given.get(name) ?? []
  };
}
var flagsOf = (options) => options.map(({ name }) => `--${name}`);
function checkAllowed({ name, allowed }, value) {
  if (!allowed || value === "" || allowed.includes(value)) return;
  const hint = nearest(value, allowed);
  throw new InputError(
    `--${name}: found ${JSON.stringify(value)}, allowed: ${allowed.join(", ")}${hint && hint.length > 1 ? `; did you mean "${hint}"?` : ""}`
  );
}
function tokensOf(args, options) {
  try {
    const known = Object.fromEntries(
      options.map(({ name, value }) => [name, { type: value ? "string" : "boolean", multiple: true }])
    );
    return parseArgs({ args: [...args], options: known, strict: true, allowPositionals: true, tokens: true }).tokens;
  } catch (error) {
    const [what] = messageOf(error).split(". ");
    const unknown = /^Unknown option '(--?[^' ]+)/.exec(messageOf(error))?.[1];
    if (!unknown) throw new InputError(what);
    throw new InputError(suggesting(what, unknown, flagsOf(options)));
  }
}

// entrypoint/plan/outline.ts
function outline(outlined) {
  const { gated, reported, notes } = outlined.known;
  const sections = [
    ["Revisions", revisionLines(outlined.known)],
    ["Modes", modeLines(outlined)],
    ["Needs", needLines(outlined)],
    ["Once for each revision", preparation(outlined)],
    ["Cells", [...gated.map(describeCell), ...reported.map((cell) => `${describeCell(cell)}; reported, not gated`), ...notes]],
    ["Measurement", measurement(outlined)],
    ["Gate", gateLines(outlined.known)]
  ];
  const text = sections.map(([title, lines]) => `${title}
${lines.map((line) => `  ${line}
`).join("")}`);
  return ["What a run would do. Nothing was installed, fetched, served or measured.\n", ...text].join("\n").trimEnd();
}
function revisionLines({ head, base, withoutBase, warnings }) {
  return [
    `head  ${head.slice(0, 10)}`,
    base ? `base  ${namedCommit(base)}` : `base  none: ${withoutBase}`,
    ...base?.commit === head ? [SAME_COMMIT] : [],
    ...warnings
  ];
}
function modeLines({ known, engine }) {
  const of = (mode) => mode.via === "command" ? `your command \`${mode.command}\`, health path ${mode.health}` : mode.runtime.description;
  const { modes, rules, entry } = known;
  return [
    ...modes.map((mode, i) => `${mode.name} (${mode.kind}${["; the reference", "; under test"][i] ?? ""}): ${of(mode)}`),
    `engine: ${engine}`,
    ...modes.some(({ via }) => via === "runtime") ? [entry.isThere ? `entry file: ${entry.path}` : NO_ENTRY] : [],
    `connections: ${rules.connections} in every mode`
  ];
}
function needLines({ findings }) {
  const found = findings.filter(({ state }) => state === "found").map(({ name, detail }) => `${name} ${detail}`);
  const rest = findings.filter(({ state }) => state !== "found").map((finding) => {
    const ways = finding.state === "missing" ? waysOf(finding) : [];
    return `${finding.state}: ${finding.name} (${finding.why}); ${ways.length ? `a run would try ${ways.join(", then ")}` : finding.detail}`;
  });
  return [`found: ${[...new Set(found)].join(", ") || "nothing"}`, ...rest.length ? rest : ["nothing would be installed"]];
}
function preparation({ composer, known }) {
  const { database, redis } = known.rules;
  const choice = databaseOf(database);
  const { setup, workloads } = known.served.head;
  const schemas = workloads.filter(({ builtIn }) => builtIn?.schema).map(({ name }) => name);
  return [
    ...composer ? [`composer ${composer.join(" ")}`] : [],
    databaseLine(choice, database, schemas),
    ...redis ? ["a private Redis for each revision, emptied before every run"] : [],
    ...setup.length ? setup.map((command) => `setup: ${command}`) : ["no setup command"]
  ];
}
function databaseLine(choice, database, schemas) {
  if (choice.from === "none") return "no database";
  if (choice.from === "file") return "a SQLite file, copied for each arm before every run; its statements are not counted";
  const where = choice.from === "url" ? "the server of the URL" : `a private server (${database})`;
  return `a database of its own on ${where}${schemas.length ? `, and one for ${schemas.join(", ")}` : ""}; restored before every run`;
}
function describeCell({ workload, load }) {
  const { builtIn, method, path, expect } = workload;
  const contained = expect.contains === void 0 ? "" : ` and ${JSON.stringify(expect.contains)}`;
  const what = builtIn ? builtIn.description : `${method} ${path}, expects ${expect.status}${contained}`;
  return `${workload.name}/${load.name}: concurrency ${load.concurrency}; ${what}`;
}
function measurement({ seed, shortest, known }) {
  const { modes, rules, base } = known;
  const arms = modes.flatMap(({ name }) => base ? [`base/${name}`, `head/${name}`] : [`head/${name}`]);
  const [first, most] = [shortest.lookAt[0], shortest.lookAt.at(-1)];
  const cells = shortest.cells.length;
  if (rules.profile === "work")
    return [
      `profile work, seed ${seed}`,
      `arms: ${arms.join(", ")}`,
      `${countOf(cells, "cell")}, about ${(shortest.predictedSeconds / 60).toFixed(1)} minutes with Valgrind, and less with perf`,
      "Only instructions are counted; neither time nor waiting is measured."
    ];
  const runs = (blocks) => shortest.runs / most * blocks;
  const minutes = (blocks) => (shortest.predictedSeconds / most * blocks / 60).toFixed(1);
  return [
    `profile ${rules.profile}, budget ${rules.budget}, seed ${seed}`,
    `arms: ${arms.join(", ")}`,
    `${countOf(first, "block")} x ${countOf(cells, "cell")} x ${countOf(arms.length, "arm")} = ${runs(first)} runs, at least ${minutes(first)} minutes`,
    ...shortest.looks > 1 ? [
      `up to ${most} blocks if the budget allows, at least ${minutes(most)} minutes; looks after ${looksText(shortest)}`,
      "after a look only open cells are measured further"
    ] : [],
    "The true time is unknown until the pilot has measured the latencies: slow responses need longer windows.",
    ...first < MIN_BLOCKS ? [`fewer than ${MIN_BLOCKS} blocks are never gated`] : []
  ];
}
function gateLines({ rules, base }) {
  const keys = Object.entries(rules.gate).map(
    ([key, value]) => `${key}: ${value === null ? "off" : typeof value === "object" ? JSON.stringify(value) : value}`
  );
  return [
    ...keys,
    ...base ? ["On a pull request base's rules count, not head's."] : ["Without a base only min-gain and errors can fail it."]
  ];
}

// entrypoint/revisions/ids-at.ts
async function withIdsAt(git, config, commits) {
  const texts = /* @__PURE__ */ new Map();
  for (const file of idsFiles(config)) {
    for (const commit of commits) {
      const mode = await modeAt(git, commit, file);
      if (mode === void 0) continue;
      texts.set(file, mode.startsWith(FILE) ? await git.blob(commit, file) : void 0);
      break;
    }
  }
  return withIds(config, (file, place) => {
    if (!texts.has(file)) throw missingIds(file, place);
    return texts.get(file);
  });
}

// entrypoint/revisions/known.ts
var LocalGit = class extends Git {
  async try(...args) {
    return args[0] === "fetch" ? void 0 : super.try(...args);
  }
};
async function knownComparison(inputs) {
  const { workspace } = inputs;
  refuseWrongOrder(modesOf(inputs.config), inputs.config.placeOf("modes"));
  refuseSearch(inputs.config, inputs.config.placeOf("loads"));
  refuseRates(inputs.config, inputs.config.placeOf("loads"));
  const git = new LocalGit(workspace);
  const head = await git.head();
  await refuseUncommittedApp(git, workspace, inputs.config, head);
  const warnings = await warningsOfUncommitted(git, workspace, inputs.source, head);
  const config = await withIdsAt(git, inputs.config, [head]);
  const chosen = await chosenHere(git, config.baseline);
  const compared = (base2) => comparisonOf({ rules: rulesOf(config), head: config, base: base2, isJudgedByBase: false });
  const entryAt = async (commit, served) => {
    const path = entryPathOf(served);
    return { path, isThere: await git.try("cat-file", "-e", `${commit}:${path}`) !== void 0 };
  };
  const entry = await entryAt(head, config);
  if ("none" in chosen) {
    await refuseMissingEntry(git, { commit: head, config }, void 0, false);
    await refuseNothing(git, inputs, head, void 0);
    return { ...compared(), head, entry, withoutBase: chosen.none, warnings };
  }
  const notes = [];
  const found = await configurationOf(git, chosen.commit, inputs);
  const base = fileOfBase(found, inputs.config, notes);
  await refuseMissingEntry(git, { commit: head, config }, { commit: chosen.commit, config: base }, false);
  await refuseNothing(git, inputs, head, { commit: chosen.commit, found });
  const why = whyNotComparable(chosen.label, { head: entry, base: await entryAt(chosen.commit, base) }) ?? whyNotServable(chosen.label, config, base, modesOf(config));
  const all = [...warnings, ...notes.map((note) => `note: ${note}`)];
  if (why) return { ...compared(), head, entry, withoutBase: why, warnings: all };
  return { ...compared(await withIdsAt(git, base, [chosen.commit, head])), head, entry, base: chosen, warnings: all };
}
async function configurationOf(git, commit, inputs) {
  const path = pathInRepository(await git.run("rev-parse", "--show-toplevel"), inputs);
  return path === void 0 ? { config: inputs.config } : configurationAt(git, commit, path, inputs.overrides);
}
async function chosenHere(git, baseline) {
  try {
    return await baseCommit(git, baseline, NO_EVENT);
  } catch (error) {
    if (!(error instanceof InputError) || await git.try("rev-parse", "--is-shallow-repository") !== "true") throw error;
    return { none: "not in this shallow clone; a run fetches it" };
  }
}

// entrypoint/commands/dry-plan.ts
async function dryPlan(inputs) {
  const known = await knownComparison(inputs);
  refuseImpossibleBudget(known);
  refuseUncountable(known, inputs.study);
  const shortest = shortestPlan(inputs, known);
  const { engine, sentence } = await engineFor(inputs);
  if (engine === "docker") refuseHostOnly(known);
  const findings = await lookedUp(scopeOf(known.rules, known.modes, [inputs.workspace], engine));
  const composer = composerCommand(inputs.workspace);
  print(outline({ seed: inputs.seed, known, engine: sentence, findings, composer, shortest }));
  return 0;
}
function shortestPlan({ seed, job, study: study2 }, { modes, gated, reported, rules, placeOf, base, ungated }) {
  const newInHead = new Set(ungated.flatMap(({ workload, why }) => why === "new" ? [workload] : []));
  const quick = rules.profile === "quick";
  const budgetS = seconds(rules.budget);
  const hasBase = base !== void 0;
  if (rules.profile === "work") {
    const counting = chooseCounting({ rules, modes, hasBase, counters: ["valgrind", "perf"] });
    return workPlan({ modes, gated, newInHead, hasBase, seed, job }, counting, allowedCpus().length);
  }
  return makePlan(
    {
      modes,
      gated,
      reported,
      newInHead,
      hasBase,
      isJudged: isJudged({ rules, modes, hasBase, study: study2 }),
      quick,
      budgetS,
      budgetPlace: placeOf("budget"),
      blocks: rules.blocks,
      countingS: 0,
      seed,
      job
    },
    new Map([...gated, ...reported].map((cell) => [cellName(cell), FASTEST]))
  );
}
async function engineFor({ config }) {
  try {
    const { engine } = await chooseEngine(config, config, say);
    const { dockerfile, image, base } = config.docker;
    const from = dockerfile ? `built from ${dockerfile}` : image ? `of the image ${image}` : `of an image built from ${base}`;
    return { engine, sentence: engine === "docker" ? `docker, one image for each revision, ${from}` : "host, with this machine's own PHP" };
  } catch (error) {
    return { engine: "docker", sentence: `docker, but a run would stop: ${messageOf(error)}` };
  }
}
async function lookedUp(scope) {
  const [{ findings, extensionFiles }, ofApp] = await allOf([survey(scope), appNeeds(scope, [])]);
  return [...findings, ...extensionFiles.length > 0 ? await appNeeds(scope, extensionFiles) : ofApp];
}

// entrypoint/commands/plan.ts
var plan2 = {
  name: "plan",
  about: "show what run would do and how long it would take, after a short pilot; --dry needs no pilot",
  options: [DRY, ...RUN_OPTIONS],
  run: (values) => values.has(DRY.name) ? dryPlan(inputsFrom(values)) : withoutVerdict(inputsFrom(values), plan)
};

// entrypoint/commands/provision.ts
var provision2 = {
  name: "provision",
  about: "install what the configured modes need, and the extensions that the app's composer.json requires",
  options: RUN_OPTIONS,
  run: async (values) => {
    const inputs = inputsFrom(values);
    const { engine } = await chooseEngine(inputs.config, inputs.config, say);
    const tools = await provision(scopeOf(inputs.config, modesOf(inputs.config), [inputs.workspace], engine), { yes: inputs.yes, say });
    for (const [name, version2] of Object.entries(tools.versions)) say(`${name.padEnd(24)} ${version2}`);
    return 0;
  }
};

// entrypoint/commands/study.ts
var NO_BASE = {
  name: "baseline",
  value: "none",
  meaning: "only none, since a study has no base",
  byDefault: "none",
  allowed: ["none"]
};
var study = {
  name: "study",
  about: "compare modes of one revision, without a gate",
  options: RUN_OPTIONS.map((option) => option.name === "baseline" ? NO_BASE : option),
  run: (values) => runGate(inputsFrom(values, { baseline: "none" }, true))
};

// entrypoint/commands/verbs.ts
var VERBS = [run, study, plan2, measure2, analyse2, report, provision2, doctor, demo, init];
var HELP = ["--help", "-h", "help"];
async function runVerb(argv) {
  const [first = "--help", ...args] = argv;
  if (first === "--version") return answer(version());
  const name = HELP.includes(first) ? args[0] : first;
  if (name === void 0) return answer(overview(VERBS));
  const verb = verbNamed(name);
  if (name !== first || args.some((word) => HELP.slice(0, 2).includes(word))) return answer(helpOf(verb));
  if (args.includes("--version")) return answer(version());
  return verb.run(parse(args, verb.options));
}
function verbNamed(name) {
  const verb = VERBS.find((candidate) => candidate.name === name);
  if (verb) return verb;
  const names2 = VERBS.map((candidate) => candidate.name);
  throw new InputError(suggesting(`unknown verb "${name}"`, name, names2));
}
function version() {
  return JSON.parse(readFileSync5(join7(PACKAGE, "package.json"), "utf8")).version;
}
function answer(text) {
  print(text);
  return 0;
}

// entrypoint/bin/cli.ts
endOnSignals();
runVerb(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${harmless(messageOf(error))}
`);
    process.exit(error.exitCode ?? EXIT.invalid);
  }
);
