import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  COUNTS,
  RUN,
  SAMPLES
} from "./chunk-5GUOTFHG.js";
import {
  MeasurementError
} from "./chunk-JWUX6AV2.js";

// entrypoint/publish/artifacts.ts
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// entrypoint/publish/zip.ts
import { inflateRawSync } from "node:zlib";
var ENTRIES_LIMIT = 1024;
var END = { signature: 101010256, length: 22 };
var HEADER = { signature: 33639248, length: 46 };
var LOCAL = { signature: 67324752, length: 30 };
var COMMENT_LIMIT = 65535;
var MORE_16 = 65535;
var MORE_32 = 4294967295;
var STORED = 0;
var DEFLATED = 8;
var ENCRYPTED = 1 | 1 << 6 | 1 << 13;
function refuse(why) {
  throw new MeasurementError(`An artifact of the measuring run is not a readable ZIP archive: ${why}`);
}
function filesIn(zip, wanted, budget) {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  const { entries, directory } = entriesOf(bytes);
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== void 0) refuse(`${JSON.stringify(twice).slice(1, 81).replace(/"$/, "")} occurs twice`);
  const ours = entries.filter(({ name }) => wanted.includes(name));
  const streams = streamsOf(bytes, ours, directory);
  for (const entry of ours) {
    if (entry.size > budget.file) refuse(`${entry.name} declares ${entry.size} bytes, at most ${budget.file} are read`);
    if (entry.size > budget.left)
      refuse(`${entry.name} declares ${entry.size} bytes, but only ${budget.left} of the limit for all files are left`);
    budget.left -= entry.size;
  }
  return new Map(ours.map((entry, i) => [entry.name, contentOf(entry, streams[i])]));
}
function entriesOf(bytes) {
  const end = endOf(bytes);
  const [disk, firstDisk, here, count] = [4, 6, 8, 10].map((at2) => bytes.readUInt16LE(end + at2));
  const [length, directory] = [12, 16].map((at2) => bytes.readUInt32LE(end + at2));
  if (count === MORE_16 || length === MORE_32 || directory === MORE_32) refuse("ZIP64 is not read");
  if (disk || firstDisk || here !== count) refuse("it has several disks");
  if (count > ENTRIES_LIMIT) refuse(`${count} entries, at most ${ENTRIES_LIMIT} are read`);
  if (directory + length !== end) refuse("its directory does not end at its end record");
  const entries = [];
  let at = directory;
  for (let i = 0; i < count; i++) {
    if (at + HEADER.length > end || bytes.readUInt32LE(at) !== HEADER.signature) refuse(`entry ${i + 1} of its directory is missing`);
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const next = at + HEADER.length + nameLength + extra + comment;
    if (next > end) refuse(`entry ${i + 1} of its directory is truncated`);
    entries.push({
      name: bytes.toString("utf8", at + HEADER.length, at + HEADER.length + nameLength),
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      compressed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42)
    });
    at = next;
  }
  if (at !== end) refuse(`its directory has more than the declared ${count} entries`);
  return { entries, directory };
}
function endOf(bytes) {
  for (let at = bytes.length - END.length; at >= 0 && at >= bytes.length - END.length - COMMENT_LIMIT; at--) {
    if (bytes.readUInt32LE(at) === END.signature && at + END.length + bytes.readUInt16LE(at + 20) === bytes.length) return at;
  }
  return refuse("it has no end record");
}
function streamsOf(bytes, entries, directory) {
  const taken = [];
  return entries.map(({ name, flags, method, compressed, size, offset }) => {
    if (compressed === MORE_32 || size === MORE_32 || offset === MORE_32) refuse("ZIP64 is not read");
    if (flags & ENCRYPTED) refuse(`${name} is encrypted`);
    if (method !== STORED && method !== DEFLATED) refuse(`${name} is compressed with method ${method}, which is not read`);
    if (offset + LOCAL.length > directory || bytes.readUInt32LE(offset) !== LOCAL.signature) refuse(`${name} has no local header`);
    const nameEnd = offset + LOCAL.length + bytes.readUInt16LE(offset + 26);
    const from = nameEnd + bytes.readUInt16LE(offset + 28);
    const to = from + compressed;
    if (to > directory) refuse(`${name} reaches into the directory`);
    if (bytes.toString("utf8", offset + LOCAL.length, nameEnd) !== name) refuse(`${name} has another name in its local header`);
    if (taken.some((other) => offset < other.to && other.from < to)) refuse(`the data of ${name} overlap those of another entry`);
    taken.push({ from: offset, to });
    return bytes.subarray(from, to);
  });
}
function contentOf({ name, method, size }, stream) {
  const content = method === STORED ? stream : inflated(name, stream, size);
  if (content.length !== size) refuse(`${name} has ${content.length} bytes, but declares ${size}`);
  return content;
}
function inflated(name, stream, size) {
  try {
    return inflateRawSync(stream, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    if (error.code === "ERR_BUFFER_TOO_LARGE") refuse(`${name} holds more than the declared ${size} bytes`);
    return refuse(`${name} cannot be inflated: ${error.message}`);
  }
}

// entrypoint/publish/artifacts.ts
var ZIP_LIMIT = 20 * 2 ** 20;
var FILE_LIMIT = 16 * 2 ** 20;
var FILES_LIMIT = 100 * 2 ** 20;
var JOBS_LIMIT = 64;
var WANTED = [SAMPLES, COUNTS, RUN];
function artifactName(key, job) {
  return `async-php-bench-data-${key}+${job}`;
}
async function downloadData(api, repository, runId, key, directory) {
  const all = await api.paginate(api.rest.actions.listWorkflowRunArtifacts, { ...repository, run_id: runId, per_page: 100 });
  const prefix = artifactName(key, "");
  const ours = newestOfEach(all.filter(({ name, expired }) => name.startsWith(prefix) && !expired));
  if (ours.length === 0)
    throw new MeasurementError(`The measuring run ${runId} left no artifact ${prefix}\u2026: it failed before it measured anything.`);
  if (ours.length > JOBS_LIMIT)
    throw new MeasurementError(`The measuring run ${runId} has ${ours.length} artifacts, at most ${JOBS_LIMIT} are read.`);
  const jobs = [];
  const budget = newBudget();
  for (const [i, { id, name, size_in_bytes: size }] of ours.entries()) {
    refuseBig(i, size);
    const { data } = await api.rest.actions.downloadArtifact({ ...repository, artifact_id: id, archive_format: "zip" });
    const zip = new Uint8Array(data);
    refuseBig(i, zip.length);
    jobs.push({ job: name.slice(prefix.length), ...store(zip, join(directory, `data-${i + 1}`), budget) });
  }
  return jobs;
}
function refuseBig(index, bytes) {
  if (bytes > ZIP_LIMIT) throw new MeasurementError(`The artifact ${index + 1} has ${bytes} bytes, at most ${ZIP_LIMIT} are read.`);
}
function newestOfEach(artifacts) {
  const newest = /* @__PURE__ */ new Map();
  for (const artifact of artifacts) if ((newest.get(artifact.name)?.id ?? 0) < artifact.id) newest.set(artifact.name, artifact);
  return [...newest.values()].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}
function store(zip, directory, budget = newBudget()) {
  const files = filesIn(zip, WANTED, budget);
  const samples = files.get(SAMPLES);
  const counts = files.get(COUNTS);
  if (!samples) throw new MeasurementError("An artifact of the measuring run has no samples.csv.");
  mkdirSync(directory, { recursive: true, mode: 448 });
  writeFileSync(join(directory, SAMPLES), samples);
  if (counts) writeFileSync(join(directory, COUNTS), counts);
  return { samples: join(directory, SAMPLES), counts: counts?.toString(), run: files.get(RUN)?.toString() };
}
function newBudget() {
  return { file: FILE_LIMIT, left: FILES_LIMIT };
}

export {
  artifactName,
  downloadData
};
