import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = path.resolve(import.meta.dirname, '../src');

/** Modules that a source loads as soon as it is loaded: static imports of values, of our own and of packages. */
function listImports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s)?'([^']+)'/gm);
  return [...statements].map(([, name = '']) => name);
}

/** Packages and files that come with a source, over all that it imports. */
function loadedBy(entry: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const queue = [path.join(SOURCES, entry)];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const name of listImports(file)) {
      if (name.startsWith('#')) queue.push(path.join(SOURCES, name.slice(1)));
      else if (name.startsWith('.')) queue.push(path.resolve(path.dirname(file), name));
      else if (!name.startsWith('node:'))
        packages.add(
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        );
    }
  }
  return { files, packages };
}

/** What takes megabytes, and is for another role or for rare occasions. */
test.each([
  ['main/serve.ts', ['next', 'kysely', 'zod', 'better-auth', 'lmdb', '@clickhouse/client', 'pg-boss']],
  ['main/start-edge.ts', ['next', 'zod', 'better-auth', 'lmdb', 'pg-boss', 'nodemailer', 'acorn']],
  ['main/start-digest.ts', ['next', 'better-auth', 'pg-boss', 'nodemailer', 'prom-client']],
  ['main/start-jobs.ts', ['next', 'better-auth', 'lmdb', 'prom-client']],
  ['main/start-web.ts', ['better-auth', 'lmdb', 'pg-boss', 'prom-client']],
])('%s does not load what it does not need', (entry, heavy) => {
  const { packages } = loadedBy(entry);
  expect(heavy.filter((name) => packages.has(name))).toEqual([]);
});

test('the search finds what is imported', () => {
  expect([...loadedBy('main/start-digest.ts').packages]).toContain('lmdb');
  expect(loadedBy('main/start-jobs.ts').packages).toContain('pg-boss');
});

test('sources name files beside them in a way that the bundle keeps', () => {
  const known = /import\.meta\.(dirname|url)\b/g;
  const offenders = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .filter((name) =>
      readFileSync(path.join(SOURCES, name), 'utf8').replace(known, '').includes('import.meta.'),
    );
  expect(offenders).toEqual([]);
});
