// Registries do not always serve every foreign-platform variant of a native package. npm leaves those out of the
// lockfile and `npm ci` then refuses it. An entry without an address is enough: it is never installed on a platform
// that it does not name, and being optional it may be missing on the one that it names.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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
  'win32',
];
const PROCESSORS = [
  'mips64el',
  'loong64',
  'riscv64',
  'wasm32',
  'arm64',
  'ppc64',
  's390x',
  'ia32',
  'arm',
  'x64',
];

const file = process.argv[2] ?? path.resolve(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = completeLockfile(lock.packages);
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${file}: ${added.length} entries added${added.map((name) => `\n  ${name}`).join('')}`);

function completeLockfile(packages) {
  const names = [];
  for (const [dependent, { optionalDependencies = {} }] of Object.entries({ ...packages })) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      if (isLocked(packages, dependent, name)) continue;
      packages[`node_modules/${name}`] = {
        version: lowestVersion(range),
        optional: true,
        ...platformOf(name),
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

function platformOf(name) {
  const last = name.split('/').pop();
  const os = SYSTEMS.find((system) => last.includes(system));
  const cpu = PROCESSORS.find((processor) => last.includes(processor));
  if (!os && !cpu)
    throw new Error(`${name} is not in the lockfile and its name tells no platform: install it`);
  const libc = /musl/.test(last) ? 'musl' : os === 'linux' && /gnu/.test(last) ? 'glibc' : null;
  return { ...(cpu && { cpu: [cpu] }), ...(os && { os: [os] }), ...(libc && { libc: [libc] }) };
}
