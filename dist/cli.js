#!/usr/bin/env node
import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  NO_EVENT,
  chooseEngine,
  gate,
  measure,
  prepare,
  scopeOf,
  settle
} from "./chunk-454D4GDA.js";
import {
  CONFIG_FILE,
  EXIT,
  GATE_KEYS,
  InputError,
  MeasurementError,
  PACKAGE,
  SCALAR_KEYS,
  analyse,
  exec,
  exitCodeOf,
  invalidOutcome,
  isInSources,
  messageOf,
  modesOf,
  names,
  nearest,
  provision,
  readInputs,
  replace,
  runtimeNamed,
  scratch,
  survey,
  which,
  withJob
} from "./chunk-QAE3TN6C.js";
import "./chunk-LQK3ML4U.js";

// entrypoint/commands/verbs.ts
import { existsSync as existsSync3, readFileSync as readFileSync2 } from "node:fs";
import { join as join3, resolve } from "node:path";
import { parseArgs } from "node:util";

// entrypoint/commands/demo.ts
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
var ASYNC_MODES = ["swoole", "fibers"];
async function demo({ out, seed, yes, say: say2 }) {
  const workspace = await exampleRepository();
  const inputsFor = (mode) => readInputs({ get: (key) => ({ modes: `fpm,${mode}`, seed })[key] }, { workspace, out, yes, config: "demo.yml" });
  const fallback = inputsFor(ASYNC_MODES.at(-1));
  await provision(scopeOf(fallback.config, modesOf(fallback.config), [workspace], "host"), { yes, say: say2 });
  const refusals = [];
  for (const mode of ASYNC_MODES) {
    const inputs = inputsFor(mode);
    try {
      await provision(scopeOf(inputs.config, modesOf(inputs.config), [workspace], "host"), { yes, say: say2 });
    } catch (error) {
      refusals.push(messageOf(error));
      continue;
    }
    for (const refusal of refusals) say2(refusal);
    say2(
      `demo: the asynchronous mode is ${mode}${refusals.length ? ", because swoole cannot run here (above). A gate would stop instead of swapping it" : ", the first of swoole and fibers that can run here"}`
    );
    return runGate(inputs);
  }
  throw new Error(refusals.join("\n"));
}
async function exampleRepository() {
  const directory = join(scratch(), "minimal-app");
  cpSync(join(PACKAGE, "examples", "minimal-app"), directory, { recursive: true, filter: (source) => !source.includes("/vendor") });
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
    const done = await exec(["git", ...identity, ...args], { cwd: directory });
    if (done.code !== 0) throw new Error(`git ${args[0]}: ${done.stderr.trim()}`);
  };
  if (!existsSync(join(directory, ".git"))) await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "base");
  await git("commit", "--quiet", "--allow-empty", "--message", "head");
  return directory;
}

// entrypoint/commands/doctor.ts
async function doctor(inputs) {
  const modes = modesOf(inputs.config);
  const others = names("runtimes").filter((name) => !modes.some((mode) => mode.name === name)).map((name) => ({ name, kind: runtimeNamed(name).kind, via: "runtime", runtime: runtimeNamed(name) }));
  const choice = await chooseEngine(inputs.config, inputs.config, (line) => void process.stderr.write(`${line}
`));
  const wanted = (await survey(scopeOf(inputs.config, modes, [inputs.workspace], choice.engine))).findings;
  const known = new Set(wanted.map(({ name }) => name));
  const optional = (await survey({ engine: "host", modes: others, database: "none", report: false, composer: true })).findings.filter(
    ({ name }) => !known.has(name)
  );
  process.stdout.write(table([...await describe(wanted, true), ...await describe(optional, false)]));
  return wanted.some(({ state }) => state === "missing") ? 3 : 0;
}
async function describe(findings, isWanted) {
  return Promise.all(
    findings.map(async (finding) => ({
      need: finding.name,
      state: finding.state === "found" ? "found" : await installable(finding) ?? "missing",
      version: finding.detail,
      why: isWanted ? finding.why : `${finding.why} (not configured)`
    }))
  );
}
async function installable({ apt, otherwise }) {
  for (const name of apt) {
    if (await isInSources(name)) return `apt: ${name}`;
  }
  if (otherwise?.kind === "composer") return "composer";
  return otherwise?.kind === "pecl" ? `PECL: ${otherwise.pecl.package}, if it can be reached` : void 0;
}
function table(rows) {
  const header = { need: "NEED", state: "STATE", version: "VERSION", why: "WHY" };
  const width = (key) => Math.max(...[header, ...rows].map((row) => row[key].length));
  const widths = { need: width("need"), state: width("state"), version: width("version") };
  return [header, ...rows].map((row) => `${row.need.padEnd(widths.need)}  ${row.state.padEnd(widths.state)}  ${row.version.padEnd(widths.version)}  ${row.why}
`).join("");
}

// entrypoint/commands/init.ts
import { existsSync as existsSync2, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join as join2 } from "node:path";

// entrypoint/commands/frameworks.ts
function detect(packages) {
  const has = (name) => packages.includes(name);
  return FRAMEWORKS.find(({ when }) => when(has))?.make(has);
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
        `use Nyholm\\Psr7\\Response;
use Psr\\Http\\Message\\ResponseInterface;
use Psr\\Http\\Message\\ServerRequestInterface;

// The closure takes a request to your app and returns its answer.
return static fn (array $context): object => static function (ServerRequestInterface $request): ResponseInterface {
    return new Response(200, ['Content-Type' => 'text/plain'], "hello\\n");
};`
      ),
      config: config("modes: [fpm, swoole]", "workloads: [fibonacci, { name: home, path: / }]"),
      next: [...has("nyholm/psr7") ? [] : ["composer require nyholm/psr7"], "call your app in bench/app.php", PATH_HINT]
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
function init(workspace, force) {
  const framework = detect(packagesOf(workspace));
  const files = [
    ...framework.app ? [["bench/app.php", framework.app]] : [],
    [CONFIG_FILE, framework.config],
    [WORKFLOW_FILE, WORKFLOW]
  ];
  const done = files.map(([name, content]) => {
    const file = join2(workspace, name);
    if (existsSync2(file) && !force) return `${name}: is there already, left as it is (--force overwrites)`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return `${name}: written`;
  });
  return [`found: ${framework.name}`, ...done, ...framework.next.map((line) => `next: ${line}`)];
}
function packagesOf(workspace) {
  const file = join2(workspace, "composer.json");
  if (!existsSync2(file)) return [];
  try {
    return Object.keys(JSON.parse(readFileSync(file, "utf8")).require ?? {});
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
      - uses: actions/checkout@v6
        with:
          fetch-depth: 2
          # The app runs in this job; git needs no token in the workspace.
          persist-credentials: false
      - uses: org/async-php-bench@v1
`;

// entrypoint/commands/verbs.ts
var COMMON = ["workspace", "config", "out", "seed", "job", "modes", "workloads", ...SCALAR_KEYS, ...GATE_KEYS];
var VERBS = {
  run: {
    about: "measure base and head, and decide",
    usage: "[--workspace DIR] [--config FILE] [--out DIR] [--KEY VALUE \u2026]",
    run: (args) => runGate(inputsOf(args))
  },
  study: {
    about: "compare modes of one revision, without a gate",
    usage: "[the options of run]",
    run: (args) => runGate(inputsOf([...args, "--baseline", "none"], true))
  },
  plan: {
    about: "say what run would do, and how long it would take",
    usage: "[the options of run]",
    run: (args) => withoutVerdict(inputsOf(args), prepare)
  },
  measure: {
    about: "measure only: samples.csv and run.json",
    usage: "[the options of run]",
    run: (args) => withoutVerdict(inputsOf(args), measure)
  },
  analyse: {
    about: "samples.csv -> verdict, analysis.json, summary.md, report.html",
    usage: "--samples FILE\u2026 --out DIR [--modes fpm,swoole] [--max-regression 5] [--resolution 10] [--min-gain X] [--alpha 0.05] [--looks 1|2] [--no-report]",
    run: analyseVerb
  },
  report: { about: "analyse, and print the summary", usage: "[the options of analyse]", run: (args) => analyseVerb(args, true) },
  provision: { about: "install what the configured modes need", usage: "[--yes] [the options of run]", run: provisionVerb },
  doctor: { about: "what this machine can run, and what is missing", usage: "[the options of run]", run: (args) => doctor(inputsOf(args)) },
  demo: { about: "provision, and gate the example app with the quick profile", usage: "[--out DIR] [--yes]", run: demoVerb },
  init: {
    about: "write bench/app.php, a configuration and a workflow for this repository",
    usage: "[--workspace DIR] [--force]",
    run: initVerb
  }
};
async function runVerb(argv) {
  const [name = "--help", ...args] = argv;
  if (name === "--help" || name === "-h" || name === "help") return print(overview());
  const verb = VERBS[name];
  if (!verb) {
    const hint = nearest(name, Object.keys(VERBS));
    throw new InputError(`unknown verb "${name}"${hint ? `; did you mean "${hint}"?` : ""} Allowed: ${Object.keys(VERBS).join(", ")}`);
  }
  if (args.includes("--help") || args.includes("-h")) return print(helpOf(name, verb));
  return verb.run(args);
}
function overview() {
  const lines = Object.entries(VERBS).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`);
  return `async-php-bench VERB [options]

${lines.join("\n")}

VERB --help shows a verb's options.
Exit codes: 0 pass or not gated, 1 regressed, 2 wrong input, 3 invalid measurement, 4 inconclusive.`;
}
function helpOf(name, { about, usage }) {
  const keys = usage.includes("analyse") || name === "analyse" || name === "init" ? "" : `

Every scalar key of the configuration is an option: ${[...SCALAR_KEYS, ...GATE_KEYS].map((key) => `--${key}`).join(" ")}`;
  return `async-php-bench ${name} ${usage}

${about[0]?.toUpperCase()}${about.slice(1)}.${keys}`;
}
function print(text) {
  process.stdout.write(`${text}
`);
  return 0;
}
var say = (line) => void process.stderr.write(`${line}
`);
function options(args, withValue, flags) {
  const config2 = Object.fromEntries([
    ...withValue.map((key) => [key, { type: "string" }]),
    ...flags.map((key) => [key, { type: "boolean" }])
  ]);
  try {
    return parseArgs({ args, options: config2, strict: true, allowPositionals: false });
  } catch (error) {
    const [what] = messageOf(error).split(". ");
    const unknown = /^Unknown option '--([^' ]+)/.exec(messageOf(error))?.[1];
    if (!unknown) throw new InputError(what);
    const allowed = [...withValue, ...flags];
    const hint = nearest(unknown, allowed);
    throw new InputError(`${what}${hint ? `; did you mean "--${hint}"?` : ""} Allowed: ${allowed.map((key) => `--${key}`).join(", ")}`);
  }
}
function inputsOf(args, study = false) {
  const { values } = options(args, COMMON, ["yes"]);
  const get = (key) => values[key];
  return readInputs(
    { get },
    { workspace: ".", out: "async-php-bench-results", yes: values.yes === true, study, token: process.env.GITHUB_TOKEN ?? "" }
  );
}
async function runGate(inputs) {
  const outcome = await onCommandLine(inputs, gate);
  if (!outcome.analysis && existsSync3(inputs.out)) replace(join3(inputs.out, "summary.md"), outcome.summary);
  process.stdout.write(`
${outcome.summary}
`);
  if (!inputs.study || !outcome.analysis) process.stdout.write(`Verdict: ${outcome.verdict}
`);
  if (outcome.analysis) process.stdout.write(`Report: ${join3(inputs.out, "report.html")}
`);
  return outcome.exitCode;
}
async function withoutVerdict(inputs, stages) {
  const failed = await onCommandLine(inputs, async (settled, given, job) => {
    await stages(settled, given, job);
    return void 0;
  });
  if (!failed) return 0;
  process.stdout.write(`
${failed.summary}
Verdict: ${failed.verdict}
`);
  return failed.exitCode;
}
function onCommandLine(inputs, work) {
  return withJob(say, async (job) => {
    try {
      return await work(await settle(inputs, NO_EVENT, job), inputs, job);
    } catch (error) {
      if (error instanceof InputError) throw error;
      return invalidOutcome(messageOf(error));
    }
  });
}
async function analyseVerb(args, printSummary = false) {
  const spread = args.flatMap((word, i) => {
    const previous = args.slice(0, i).findLast((other) => other.startsWith("--"));
    return previous === "--samples" && !word.startsWith("--") && args[i - 1] !== "--samples" ? ["--samples", word] : [word];
  });
  const samples = spread.flatMap((word, i) => spread[i - 1] === "--samples" ? [word] : []);
  const rest = spread.filter((word, i) => word !== "--samples" && spread[i - 1] !== "--samples");
  const { values } = options(rest, ["out", "run", "modes", "looks", ...GATE_KEYS], ["no-report"]);
  if (!samples.length || !values.out) throw new InputError("analyse: --samples and --out are needed");
  const rscript = which("Rscript");
  if (!rscript)
    throw new MeasurementError("analyse: R is missing. Install it with: sudo apt-get install r-base-core r-cran-ggpubr r-cran-rmarkdown");
  const out = resolve(values.out);
  const beside = join3(resolve(samples[0]), "..", "run.json");
  const analysis = await analyse({
    rscript,
    samples: samples.map((file) => resolve(file)),
    out,
    run: values.run ?? (samples.length === 1 && existsSync3(beside) ? beside : void 0),
    modes: values.modes?.split(","),
    // R checks the values: it is the one that uses them.
    gate: Object.fromEntries(GATE_KEYS.filter((key) => values[key] !== void 0).map((key) => [key, values[key]])),
    looks: values.looks ?? 1,
    report: values["no-report"] !== true
  });
  if (printSummary) process.stdout.write(`${readFileSync2(join3(out, "summary.md"), "utf8")}
`);
  process.stdout.write(`Verdict: ${analysis.verdict}
${analysis.reasons.map((reason) => `  ${reason}
`).join("")}`);
  return exitCodeOf(analysis.verdict);
}
async function provisionVerb(args) {
  const inputs = inputsOf(args);
  const { engine } = await chooseEngine(inputs.config, inputs.config, say);
  const tools = await provision(scopeOf(inputs.config, modesOf(inputs.config), [inputs.workspace], engine), { yes: inputs.yes, say });
  for (const [name, version] of Object.entries(tools.versions)) say(`${name.padEnd(24)} ${version}`);
  return 0;
}
async function demoVerb(args) {
  const { values } = options(args, ["out", "seed"], ["yes"]);
  return demo({
    out: resolve(values.out ?? "async-php-bench-results"),
    seed: values.seed,
    yes: values.yes === true,
    say
  });
}
async function initVerb(args) {
  const { values } = options(args, ["workspace"], ["force"]);
  for (const line of init(resolve(values.workspace ?? "."), values.force === true))
    process.stdout.write(`${line}
`);
  return 0;
}

// entrypoint/bin/cli.ts
runVerb(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${messageOf(error)}
`);
    process.exit(error.exitCode ?? EXIT.invalid);
  }
);
