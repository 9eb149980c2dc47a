import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const { listUnverified, NO_PROCESSOR } = (await import(
  pathToFileURL(path.resolve(import.meta.dirname, '../bin/lib/unverified-packages.mjs')).href
)) as {
  listUnverified(
    lockfile: object,
    machine: { platform: string; arch: string; libc: 'glibc' | 'musl' },
  ): readonly string[];
  NO_PROCESSOR: string;
};

type Locked = {
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  cpu?: string[];
  inBundle?: boolean;
};

const lock = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const locked = Object.entries(lock.packages).filter(([name]) => name !== '');

test('every package that npm may install is locked by its hash', () => {
  const offenders = locked.filter(
    // What is in a bundle comes in the archive of another package, under the hash of that.
    ([, one]) => !one.integrity?.startsWith('sha512-') && !one.inBundle && !isNeverInstalled(one),
  );
  expect(offenders.map(([name]) => name)).toEqual([]);
});

test('what runs on Linux x64 with glibc is all there', () => {
  expect(listUnverified(lock, { platform: 'linux', arch: 'x64', libc: 'glibc' })).toEqual([]);
});

test('what a machine misses is named', () => {
  const stub = { os: ['linux'], cpu: [NO_PROCESSOR], optional: true };
  const packages = {
    '': {},
    'node_modules/engine-linux-arm64-gnu': stub,
    'node_modules/a/node_modules/engine-linux-arm64-musl': stub,
    'node_modules/engine-linux-x64-gnu': { ...stub, cpu: ['x64'], integrity: 'sha512-x' },
    'node_modules/engine-darwin-arm64': { ...stub, os: ['darwin'] },
  };
  const names = (platform: string, arch: string, libc: 'glibc' | 'musl') =>
    listUnverified({ packages }, { platform, arch, libc });
  expect(names('linux', 'arm64', 'glibc')).toEqual(['engine-linux-arm64-gnu']);
  expect(names('linux', 'arm64', 'musl')).toEqual(['engine-linux-arm64-musl']);
  expect(names('linux', 'x64', 'glibc')).toEqual([]);
  expect(names('darwin', 'arm64', 'glibc')).toEqual(['engine-darwin-arm64']);
});

test('no package names where it was fetched: any registry serves the same hash', () => {
  expect(locked.filter(([, one]) => one.resolved !== undefined).map(([name]) => name)).toEqual([]);
});

test('npm does not ask for a package that it could not verify', async () => {
  const asked: string[] = [];
  await using registry = await serve((path) => asked.push(path));
  await install(registry.url, NO_PROCESSOR);
  expect(asked).toEqual([]);
  // An entry for this machine it does ask for, with or without a hash.
  await install(registry.url, process.arch);
  expect(asked).not.toEqual([]);
});

async function serve(onAsked: (path: string) => void) {
  const server = createServer((request, response) => {
    onAsked(request.url ?? '');
    response.writeHead(404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function install(registry: string, cpu: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-lockfile-'));
  const name = `engine-${randomBytes(8).toString('hex')}`;
  const root = { name: 'app', version: '1.0.0', optionalDependencies: { [name]: '1.0.0' } };
  const engine = { version: '1.0.0', optional: true, os: [process.platform], cpu: [cpu] };
  const packages = { '': root, [`node_modules/${name}`]: engine };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(root));
  writeFileSync(
    path.join(folder, 'package-lock.json'),
    JSON.stringify({ ...root, lockfileVersion: 3, packages }),
  );
  try {
    const flags = ['ci', `--registry=${registry}`, '--fetch-retries=0', '--no-audit', '--loglevel=error'];
    await promisify(execFile)('npm', flags, { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isNeverInstalled({ optional, cpu }: Locked): boolean {
  return optional === true && cpu?.length === 1 && cpu[0] === NO_PROCESSOR;
}
