#!/usr/bin/env node
import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  Git,
  MIN_BLOCKS,
  NO_EVENT,
  baseCommit,
  chooseEngine,
  comparisonOf,
  composerCommand,
  configurationAt,
  fileOfBase,
  gate,
  measure,
  pathInRepository,
  plan,
  refuseImpossibleBudget,
  refuseUncommittedApp,
  scopeOf,
  settle,
  slowingIn,
  warningsOfUncommitted,
  whyNotComparable
} from "./chunk-WFDHGOR6.js";
import {
  CONFIG_FILE,
  EXIT,
  GATE_KEYS,
  InputError,
  MeasurementError,
  PACKAGE,
  SCALAR_KEYS,
  analyse,
  appNeeds,
  bare,
  configSchema,
  entryPathOf,
  exec,
  exitCodeOf,
  external_exports,
  harmless,
  invalidOutcome,
  makePlan,
  messageOf,
  modesOf,
  names,
  nearest,
  packageFor,
  provision,
  readInputs,
  refuseWrongOrder,
  replace,
  rulesOf,
  runtimeNamed,
  scratch,
  seconds,
  survey,
  which,
  withJob
} from "./chunk-V4ELSWJO.js";

// entrypoint/commands/verbs.ts
import { readFileSync as readFileSync3 } from "node:fs";
import { join as join5 } from "node:path";

// entrypoint/commands/analyse.ts
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

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
    meaning: `${top.workloads?.description}; here names of built-in ones, paths go into the configuration file`
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
    meaning: "the name of this job in samples.csv, where several jobs share the blocks",
    byDefault: "1"
  },
  YES,
  ...LIST_OPTIONS,
  ...SCALAR_OPTIONS,
  ...GATE_OPTIONS
];
var DRY = {
  name: "dry",
  meaning: "only print what would be done, from the configuration alone: nothing is installed, served or fetched"
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
  ...LIST_OPTIONS.filter(({ name }) => name === "modes").map((option) => ({ ...option, byDefault: "those of run.json" })),
  {
    name: "looks",
    value: "1|2",
    meaning: "how often the data are looked at: 2 where 20 blocks were planned with a look after 10",
    byDefault: "1",
    allowed: ["1", "2"]
  },
  ...GATE_OPTIONS,
  { name: "no-report", meaning: "write no report.html and no plots" }
];
var INIT_OPTIONS = [
  WORKSPACE,
  { name: "force", meaning: "overwrite files that exist" },
  { name: "check", meaning: "only say what was found and what would be written" }
];

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
  const samples = values.list("samples").map((file) => resolve(file));
  const [first] = samples;
  const directory = values.text("out");
  if (!first || !directory) throw new InputError("analyse: --samples and --out are needed");
  const rscript = which("Rscript");
  if (!rscript)
    throw new MeasurementError("analyse: R is missing. Install it with: sudo apt-get install r-base-core r-cran-ggpubr r-cran-rmarkdown");
  const out = resolve(directory);
  const beside = join(first, "..", "run.json");
  const analysis = await analyse({
    rscript,
    samples,
    out,
    run: values.text("run") ?? (samples.length === 1 && existsSync(beside) ? beside : void 0),
    modes: values.text("modes")?.split(","),
    // R checks the values: it is the one that uses them.
    gate: Object.fromEntries(GATE_KEYS.filter((key) => values.has(key)).map((key) => [key, values.text(key)])),
    looks: Number(values.text("looks") ?? 1),
    report: !values.has("no-report")
  });
  if (printsSummary) print(readFileSync(join(out, "summary.md"), "utf8"));
  print([`Verdict: ${analysis.verdict}`, ...analysis.reasons.map((reason2) => `  ${reason2}`)].join("\n"));
  return exitCodeOf(analysis.verdict);
}

// entrypoint/commands/demo.ts
import { cpSync, existsSync as existsSync3 } from "node:fs";
import { join as join3 } from "node:path";

// entrypoint/commands/run.ts
import { existsSync as existsSync2 } from "node:fs";
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
  const outcome = await onCommandLine(inputs, gate);
  if (!outcome.analysis && existsSync2(inputs.out)) replace(join2(inputs.out, "summary.md"), outcome.summary);
  print(`
${outcome.summary}`);
  if (!inputs.study || !outcome.analysis) print(`Verdict: ${outcome.verdict}`);
  if (outcome.analysis) print(`Report: ${join2(inputs.out, "report.html")}`);
  return outcome.exitCode;
}
async function withoutVerdict(inputs, stages) {
  const failed = await onCommandLine(inputs, async (settled, given, job) => {
    await stages(settled, given, job);
    return void 0;
  });
  if (!failed) return 0;
  print(`
${failed.summary}
Verdict: ${failed.verdict}`);
  return failed.exitCode;
}
function onCommandLine(inputs, stages) {
  return withJob(say, async (job) => {
    try {
      return await stages(await settle(inputs, NO_EVENT, job), inputs, job);
    } catch (error) {
      if (error instanceof InputError) throw error;
      return invalidOutcome(messageOf(error));
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
      `demo: the asynchronous mode is ${mode}${refusals.length ? ", because swoole cannot run here (above). A gate would stop instead of swapping it" : ", the first of swoole and fibers that can run here"}`
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

// entrypoint/provision/installable.ts
async function installable({ apt, otherwise }) {
  for (const name of apt) {
    const found = await packageFor(name);
    if (found) return `apt: ${found}`;
  }
  if (otherwise?.kind === "composer") return "composer";
  return otherwise?.kind === "pecl" ? `PECL: ${otherwise.pecl.package}, if it can be reached` : void 0;
}

// entrypoint/commands/doctor.ts
var doctor = {
  name: "doctor",
  about: "show what this machine can run, and what is missing; exit code 3 where something is",
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
  const optional = (await survey({ engine: "host", modes: others, database: "none", report: false, composer: true })).findings.filter(
    ({ name }) => !known.has(name)
  );
  const phps = choice.engine === "host" ? pathsOf(findings, ["php", "php-fpm"]) : {};
  print(table([...await describe(wanted, true), ...await describe(optional, false), ...await describeSlowing(phps)]));
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
import { existsSync as existsSync4, mkdirSync, readFileSync as readFileSync2, statSync, writeFileSync } from "node:fs";
import { dirname, join as join4, resolve as resolve2 } from "node:path";

// entrypoint/commands/frameworks.ts
function detect(packages) {
  const has = (name) => packages.includes(name);
  const rule = FRAMEWORKS.find(({ when }) => when(has));
  const seen = [];
  rule.when((name) => {
    if (has(name)) seen.push(name);
    return has(name);
  });
  return { ...rule.make(has), seen };
}
var PATH_HINT = "add paths of your app under workloads: in .github/async-php-bench.yml";
var FRAMEWORKS = [
  {
    when: (has) => has("laravel/octane"),
    make: () => byCommand(
      "Laravel Octane",
      "php artisan serve --no-reload --host=127.0.0.1 --port={port}",
      "php artisan octane:start --server=swoole --host=127.0.0.1 --port={port}",
      "/up",
      ["php artisan config:cache", "php artisan route:cache"]
    )
  },
  {
    when: (has) => has("hyperf/http-server") || has("hyperf/framework"),
    make: () => byCommand("Hyperf", null, "HTTP_SERVER_PORT={port} php bin/hyperf.php start", "/", [])
  },
  {
    when: (has) => has("runtime/swoole"),
    make: () => byCommand(
      "runtime/swoole",
      "php -S 127.0.0.1:{port} -t public",
      'APP_RUNTIME="Runtime\\\\Swoole\\\\Runtime" SWOOLE_PORT={port} php public/index.php',
      "/",
      []
    )
  },
  {
    when: (has) => has("laravel/framework"),
    make: () => ({
      name: "Laravel",
      app: php(
        "return static function (array $context): object {\n    $app = require __DIR__ . '/../bootstrap/app.php';\n\n    return $app->make(Illuminate\\Contracts\\Http\\Kernel::class);\n};"
      ),
      config: config(
        "modes: [fpm, swoole-sync]   # Laravel keeps static state: not for coroutines. Or Octane, by command",
        "workloads: [fibonacci, { name: home, path: / }]",
        "setup: [php artisan config:cache, php artisan route:cache]"
      ),
      next: [PATH_HINT]
    })
  },
  {
    when: (has) => has("symfony/framework-bundle") || has("symfony/http-kernel"),
    make: (has) => ({
      name: "Symfony",
      app: php(
        "return static fn (array $context): object => new App\\Kernel($context['APP_ENV'] ?? 'prod', (bool) ($context['APP_DEBUG'] ?? false));"
      ),
      config: config(
        "modes: [fpm, swoole]",
        "workloads: [fibonacci, { name: home, path: / }]",
        has("symfony/framework-bundle") ? "setup: [php bin/console cache:warmup]" : ""
      ),
      next: [PATH_HINT]
    })
  },
  {
    when: (has) => has("slim/slim"),
    make: () => ({
      name: "Slim",
      app: php(
        "// The app of public/index.php, without $app->run(). Move its set-up into a file that both can require.\nreturn static fn (array $context): object => require __DIR__ . '/../config/app.php';"
      ),
      config: config("modes: [fpm, swoole]", "workloads: [fibonacci, { name: home, path: / }]"),
      next: ["let config/app.php return your Slim\\App", PATH_HINT]
    })
  },
  {
    when: (has) => has("mezzio/mezzio"),
    make: () => ({
      name: "Mezzio",
      app: php(
        "return static function (array $context): object {\n    $container = require __DIR__ . '/../config/container.php';\n    $app = $container->get(Mezzio\\Application::class);\n    $factory = $container->get(Mezzio\\MiddlewareFactory::class);\n    (require __DIR__ . '/../config/pipeline.php')($app, $factory, $container);\n    (require __DIR__ . '/../config/routes.php')($app, $factory, $container);\n\n    return $app;\n};"
      ),
      config: config("modes: [fpm, swoole]", "workloads: [fibonacci, { name: home, path: / }]"),
      next: [PATH_HINT]
    })
  },
  {
    when: () => true,
    make: (has) => ({
      name: "a PHP app",
      app: php(
        "use Psr\\Http\\Message\\ResponseInterface;\nuse Psr\\Http\\Message\\ServerRequestInterface;\n\nreturn static function (array $context): object {\n    // Make your app here, as $app, and remove the next line.\n    throw new LogicException('bench/app.php, line ' . __LINE__ . ': not edited yet. Make your app here and remove this line.');\n\n    // Takes a request to your app and returns its answer.\n    return static function (ServerRequestInterface $request) use ($app): ResponseInterface {\n        return $app->handle($request);\n    };\n};"
      ),
      config: config("modes: [fpm, swoole]", "workloads: [fibonacci, { name: home, path: / }]"),
      next: [
        ...has("nyholm/psr7") ? [] : ["composer require nyholm/psr7"],
        "call your app in bench/app.php: until then every measurement of it is refused",
        PATH_HINT
      ]
    })
  }
];
function php(body) {
  return `<?php

declare(strict_types=1);

${body.startsWith("use ") ? `${body.replace(/\n\n/, "\n\nrequire_once __DIR__ . '/../vendor/autoload.php';\n\n")}` : `require_once __DIR__ . '/../vendor/autoload.php';

${body}`}
`;
}
function config(...lines) {
  return [
    ...lines.filter(Boolean),
    "loads: { medium: { concurrency: 8 }, high: { concurrency: 32 } }",
    "budget: 25m",
    "gate: { max-regression: 5, resolution: 10 }",
    ""
  ].join("\n");
}
function byCommand(name, sync, async, health, setup) {
  const mode = (key, kind, command) => `  - { name: ${key}, kind: ${kind}, command: ${JSON.stringify(command)}, health: ${health} }`;
  return {
    name,
    config: config(
      "modes:",
      ...sync ? [mode("sync", "sync", sync)] : [],
      mode("async", "async", async),
      "workloads: [{ name: home, path: / }]",
      setup.length ? `setup: [${setup.join(", ")}]` : ""
    ),
    next: [
      sync ? "check that both commands start your app by hand" : "there is one mode only: add a synchronous one to compare with",
      PATH_HINT
    ]
  };
}

// entrypoint/commands/init.ts
var WORKFLOW_FILE = ".github/workflows/async-php-bench.yml";
var init = {
  name: "init",
  about: "write bench/app.php, a configuration and a workflow for this repository",
  options: INIT_OPTIONS,
  run: async (values) => {
    const workspace = resolve2(values.text("workspace") || ".");
    const lines = await prepareRepository(workspace, { overwrites: values.has("force"), writes: !values.has("check") });
    print(lines.join("\n"));
    return 0;
  }
};
async function prepareRepository(workspace, { overwrites, writes }) {
  if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory())
    throw new InputError(
      `workspace: found ${workspace}, which ${existsSync4(workspace) ? "is not a directory" : "does not exist"}; allowed: the root of a repository`
    );
  const packages = packagesOf(workspace);
  const framework = detect(packages ?? []);
  const files = [
    ...framework.app ? [["bench/app.php", framework.app]] : [],
    [CONFIG_FILE, framework.config],
    [WORKFLOW_FILE, WORKFLOW]
  ];
  const done = files.map(([name, content]) => {
    const file = join4(workspace, name);
    if (existsSync4(file) && !overwrites)
      return `${name}: exists, ${writes ? "left as it is" : "would be left as it is"} (--force overwrites)`;
    if (!writes) return `${name}: would be ${existsSync4(file) ? "overwritten" : "written"}`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return `${name}: written`;
  });
  const names2 = files.map(([name]) => name);
  return [
    `found: ${framework.name} (${reason(packages, framework.seen)})`,
    ...done,
    ...[...framework.next, ...await commitCommands(workspace, names2)].map((line) => `next: ${line}`)
  ];
}
function reason(packages, seen) {
  if (!packages) return "there is no composer.json";
  return seen.length ? `composer.json requires ${seen.join(", ")}` : "composer.json requires no framework that is known";
}
async function commitCommands(workspace, names2) {
  const git = new Git(workspace);
  const commit = [`git add ${names2.join(" ")}`, 'git commit --message "Measure the asynchronous gain"'];
  if (!await git.isRepository()) return ["git init (this is not a git repository yet; base and head are two of its commits)", ...commit];
  const folder = await git.run("rev-parse", "--show-prefix");
  const elsewhere = folder ? [`run init in the root of the repository: ${workspace} is its folder ${folder}, and a revision is the whole repository`] : [];
  const isCommitted = await git.try("diff", "--quiet", "HEAD", "--", ...names2) !== void 0 && await git.try("ls-files", "--error-unmatch", "--", ...names2) !== void 0;
  return isCommitted ? elsewhere : [...elsewhere, ...commit];
}
function packagesOf(workspace) {
  const file = join4(workspace, "composer.json");
  if (!existsSync4(file)) return void 0;
  try {
    return Object.keys(JSON.parse(readFileSync2(file, "utf8")).require ?? {});
  } catch (error) {
    throw new InputError(`${file}: not valid JSON: ${error.message}`);
  }
}
var WORKFLOW = `name: async gain
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
      - uses: org/async-php-bench@v1
`;

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
      throw new InputError(
        `found ${word}${last ? ` after --${last.name}, which takes ${last.value ? "one value" : "none"}` : ", allowed: options"}`
      );
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
    const allowed = options.map(({ name }) => `--${name}`);
    const hint = nearest(unknown, allowed);
    throw new InputError(`${what}${hint ? `; did you mean "${hint}"?` : ""} Allowed: ${allowed.join(", ")}`);
  }
}

// entrypoint/plan/outline.ts
function outline(facts) {
  const { gated, reported, notes } = facts.known;
  const sections = [
    ["Revisions", revisionLines(facts.known)],
    ["Modes", modeLines(facts)],
    ["Needs", needLines(facts)],
    ["Once for each revision", preparation(facts)],
    ["Cells", [...gated.map(describeCell), ...reported.map((cell) => `${describeCell(cell)}; reported, not gated`), ...notes]],
    ["Measurement", measurement(facts)],
    ["Gate", gateLines(facts.known)]
  ];
  const text = sections.map(([title, lines]) => `${title}
${lines.map((line) => `  ${line}
`).join("")}`);
  return ["What a run would do. Nothing was installed, fetched, served or measured.\n", ...text].join("\n").trimEnd();
}
function revisionLines({ head, base, withoutBase, warnings }) {
  return [
    `head  ${head.slice(0, 10)}`,
    base ? `base  ${base.commit.slice(0, 10)} (${base.label})` : `base  none: ${withoutBase}`,
    ...warnings
  ];
}
function modeLines({ known, engine }) {
  const of = (mode) => mode.via === "command" ? `your command \`${mode.command}\`, health path ${mode.health}` : mode.runtime.description;
  const { modes, rules, served } = known;
  return [
    ...modes.map((mode, i) => `${mode.name} (${mode.kind}${["; the reference", "; under test"][i] ?? ""}): ${of(mode)}`),
    `engine: ${engine}`,
    ...modes.some(({ via }) => via === "runtime") ? [`entry file: ${entryPathOf(served.head)}`] : [],
    `connections: ${rules.connections} in every mode`
  ];
}
function needLines({ findings, ways }) {
  const found = findings.filter(({ state }) => state === "found").map(({ name, detail }) => `${name} ${detail}`);
  const rest = findings.filter(({ state }) => state !== "found").map(
    ({ name, why, state, detail }) => `${state}: ${name} (${why}); ${ways.get(name) ? `would be installed by ${ways.get(name)}` : detail}`
  );
  return [`found: ${[...new Set(found)].join(", ") || "nothing"}`, ...rest.length ? rest : ["nothing would be installed"]];
}
function preparation({ composer, known }) {
  const { database } = known.rules;
  const { setup, workloads } = known.served.head;
  const schemas = workloads.filter(({ builtIn }) => builtIn?.schema).map(({ name }) => name);
  const where = database.startsWith("mysql://") ? "the server of the URL" : `a private server (${database})`;
  return [
    ...composer ? [`composer ${composer.join(" ")}`] : [],
    database === "none" ? "no database" : `a database of its own on ${where}${schemas.length ? `, and one for ${schemas.join(", ")}` : ""}; restored before every run`,
    ...setup.length ? setup.map((command) => `setup: ${command}`) : ["no setup command"]
  ];
}
function describeCell({ workload, load }) {
  const what = workload.builtIn ? workload.builtIn.description : `${workload.method} ${workload.path}, expects ${workload.expect.status}`;
  return `${workload.name}/${load.name}: concurrency ${load.concurrency}; ${what}`;
}
function measurement({ seed, shortest, known }) {
  const { modes, rules, base } = known;
  const arms = modes.flatMap(({ name }) => base ? [`base/${name}`, `head/${name}`] : [`head/${name}`]);
  const [first, second] = shortest.lookAt;
  const cells = shortest.blocks[0]?.quads.length ?? 0;
  const runs = (blocks) => shortest.runs / shortest.blocks.length * blocks;
  const minutes = (blocks) => (shortest.predictedSeconds / shortest.blocks.length * blocks / 60).toFixed(1);
  return [
    `profile ${rules.profile}, budget ${rules.budget}, seed ${seed}`,
    `arms: ${arms.join(", ")}`,
    `${first} blocks x ${cells} cells x ${arms.length} arms = ${runs(first)} runs, at least ${minutes(first)} minutes`,
    ...second ? [`up to ${second} blocks where the budget holds them, at least ${minutes(second)} minutes, with a look after ${first}`] : [],
    "The true time is unknown until the pilot has seen the latencies: slow answers need longer windows.",
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

// entrypoint/revisions/known.ts
var LocalGit = class extends Git {
  async try(...args) {
    return args[0] === "fetch" ? void 0 : super.try(...args);
  }
};
async function knownComparison(inputs) {
  const { workspace, config: config2 } = inputs;
  refuseWrongOrder(modesOf(config2));
  const git = new LocalGit(workspace);
  const head = await git.head();
  await refuseUncommittedApp(git, workspace, config2, head);
  const warnings = await warningsOfUncommitted(git, workspace, head);
  const chosen = await chosenHere(git, config2.baseline);
  const compared = (base2) => comparisonOf({ rules: rulesOf(config2), head: config2, base: base2, isJudgedByBase: false });
  if ("none" in chosen) return { ...compared(), head, withoutBase: chosen.none, warnings };
  const notes = [];
  const base = await configurationOf(git, chosen.commit, inputs, notes);
  const entry = async (commit, served) => {
    const path = entryPathOf(served);
    return { path, isThere: await git.try("cat-file", "-e", `${commit}:${path}`) !== void 0 };
  };
  const why = whyNotComparable(chosen.label, { head: await entry(head, config2), base: await entry(chosen.commit, base) });
  const all = [...warnings, ...notes.map((note) => `note: ${note}`)];
  return why ? { ...compared(), head, withoutBase: why, warnings: all } : { ...compared(base), head, base: chosen, warnings: all };
}
async function configurationOf(git, commit, inputs, notes) {
  const path = pathInRepository(await git.run("rev-parse", "--show-toplevel"), inputs);
  return path === void 0 ? inputs.config : fileOfBase(await configurationAt(git, commit, path, inputs.overrides), inputs.config, notes);
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
  const shortest = shortestPlan(inputs, known);
  const { engine, sentence } = await engineFor(inputs);
  const findings = await lookedUp(scopeOf(known.rules, known.modes, [inputs.workspace], engine));
  const ways = await waysToInstall(findings);
  const composer = composerCommand(inputs.workspace);
  print(outline({ seed: inputs.seed, known, engine: sentence, findings, ways, composer, shortest }));
  return 0;
}
function shortestPlan({ seed, job }, { modes, gated, reported, rules, base, ungated }) {
  const newInHead = new Set(ungated.flatMap(({ workload, why }) => why === "new" ? [workload] : []));
  const quick = rules.profile === "quick";
  const budgetS = seconds(rules.budget);
  return makePlan(
    { modes, gated, reported, newInHead, hasBase: base !== void 0, quick, budgetS, blocks: rules.blocks, seed, job },
    /* @__PURE__ */ new Map()
  );
}
async function engineFor({ config: config2 }) {
  try {
    const { engine } = await chooseEngine(config2, config2, say);
    const { dockerfile, image, base } = config2.docker;
    const from = dockerfile ? `built from ${dockerfile}` : image ? `of the image ${image}` : `of an image built from ${base}`;
    return { engine, sentence: engine === "docker" ? `docker, one image for each revision, ${from}` : "host, with this machine's own PHP" };
  } catch (error) {
    return { engine: "docker", sentence: `docker, but a run would stop: ${messageOf(error)}` };
  }
}
async function lookedUp(scope) {
  const { findings, extensionFiles } = await survey(scope);
  return [...findings, ...await appNeeds(scope, extensionFiles)];
}
async function waysToInstall(findings) {
  const missing = findings.filter(({ state }) => state === "missing");
  const ways = await Promise.all(missing.map(async (finding) => [finding.name, await installable(finding)]));
  return new Map(ways.filter((way) => way[1] !== void 0));
}

// entrypoint/commands/plan.ts
var plan2 = {
  name: "plan",
  about: "say what run would do, and how long it would take, after a short pilot; --dry needs no pilot",
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
  const hint = nearest(name, names2);
  throw new InputError(`unknown verb "${name}"${hint ? `; did you mean "${hint}"?` : ""} Allowed: ${names2.join(", ")}`);
}
function version() {
  return JSON.parse(readFileSync3(join5(PACKAGE, "package.json"), "utf8")).version;
}
function answer(text) {
  print(text);
  return 0;
}

// entrypoint/bin/cli.ts
runVerb(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${harmless(messageOf(error))}
`);
    process.exit(error.exitCode ?? EXIT.invalid);
  }
);
