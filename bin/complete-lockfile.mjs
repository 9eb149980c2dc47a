// Registries do not always serve every foreign-platform variant of a native package. npm leaves those out of the
// lockfile, and `npm ci` then refuses it. They get an entry without a hash, for a processor that no machine has: npm
// never installs what it could not verify.
// With --forget: removes these entries and the packages that name them, so that npm asks the registry for them again.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isUnverified, NO_PROCESSOR } from './lib/unverified-packages.mjs';

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'wasm32',
  'win32',
];

const forgets = process.argv.includes('--forget');
const file =
  process.argv.slice(2).find((argument) => argument !== '--forget') ??
  path.resolve(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const changed = forgets ? forgetUnverified(lock.packages) : completeLockfile(lock.packages);
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
const said = forgets ? 'entries to ask for again' : 'entries without a hash, which are installed nowhere';
console.log(`${file}: ${changed.length} ${said}${changed.map((name) => `\n  ${name}`).join('')}`);

function forgetUnverified(packages) {
  const forgotten = Object.keys(packages).filter((name) => name !== '' && isUnverified(packages[name]));
  const names = new Set(forgotten.map((name) => name.split('node_modules/').at(-1)));
  for (const name of forgotten) delete packages[name];
  for (const [dependent, { optionalDependencies }] of Object.entries(packages)) {
    if (!Object.keys(optionalDependencies ?? {}).some((name) => names.has(name))) continue;
    if (dependent === '') delete packages[dependent].optionalDependencies;
    else delete packages[dependent];
  }
  return forgotten;
}

function completeLockfile(packages) {
  const names = [];
  for (const [dependent, { optionalDependencies = {} }] of Object.entries({ ...packages })) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      if (isLocked(packages, dependent, name)) continue;
      packages[`node_modules/${name}`] = {
        version: lowestVersion(range),
        optional: true,
        os: [systemOf(name)],
        cpu: [NO_PROCESSOR],
      };
      names.push(`${name}@${range}`);
    }
  }
  return names;
}

/** Node looks beside the dependent, then in every folder above it. */
function isLocked(packages, dependent, name) {
  for (let folder = dependent; ; folder = parentOf(folder)) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}

function parentOf(folder) {
  const at = folder.lastIndexOf('node_modules/');
  return at <= 0 ? '' : folder.slice(0, at - 1);
}

function lowestVersion(range) {
  const version = /\d+\.\d+\.\d+[\w.+-]*/.exec(range)?.[0];
  if (!version) throw new Error(`${range} names no version to lock`);
  return version;
}

/** A package for every platform is needed here too, and must not be left out. */
function systemOf(name) {
  const last = name.split('/').pop();
  const system = SYSTEMS.find((each) => last.includes(each));
  if (!system) {
    throw new Error(`${name} is not in the lockfile and its name has no platform: install it`);
  }
  return system;
}
