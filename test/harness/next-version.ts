import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { VERSION } from '#lib/version.ts';
import { ROOT } from './start-errata.ts';

const BUILD_MS_MAX = 600_000;
/** Not part of a version: what it says of itself, and what a build leaves. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.next', 'tsconfig.tsbuildinfo']);
export const NEXT_VERSION = '9.9.9';

/** What the next version adds to each store: the version before does not know it, and goes on. */
const MIGRATIONS = {
  postgres: `CREATE TABLE next_version_notes (id bigint PRIMARY KEY);
ALTER TABLE issues ADD COLUMN next_version_note text;
ALTER TABLE releases ADD COLUMN next_version_count bigint NOT NULL DEFAULT 0;
`,
  clickhouse: `ALTER TABLE events ADD COLUMN IF NOT EXISTS next_version_note String;
ALTER TABLE spans ADD COLUMN IF NOT EXISTS next_version_note LowCardinality(String);
`,
} as const;
const MIGRATION = '9999_next_version.sql';

/** A copy of this version that migrates both stores further, built. Its folder; throws with what the build printed. */
export function buildNextVersion(): { root: string; remove(): void } {
  const root = mkdtempSync(path.join(tmpdir(), 'errata-next-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    for (const name of readdirSync(ROOT)) if (!LEFT_OUT.has(name)) copy(name, root);
    const version = path.join(root, 'src/lib/version.ts');
    change(version, /VERSION = '[^']+'/, `VERSION = '${NEXT_VERSION}'`);
    change(version, /VERSION_BEFORE = '[^']+'/, `VERSION_BEFORE = '${VERSION}'`);
    for (const [store, statements] of Object.entries(MIGRATIONS)) {
      const folder = path.join(root, 'src/storage', store);
      writeFileSync(path.join(folder, 'migrations', MIGRATION), statements);
      const facts = `  '${MIGRATION}': instant('What the next version adds', true),\n};\n\nexport const factsOf`;
      change(path.join(folder, 'migration-facts.ts'), /^\};\n\nexport const factsOf/m, facts);
    }
    execFileSync(process.execPath, ['bin/build.mjs'], {
      cwd: root,
      encoding: 'utf8',
      timeout: BUILD_MS_MAX,
      env: { ...process.env, NODE_ENV: 'production' },
    });
  } catch (error) {
    remove();
    throw error;
  }
  return { root, remove };
}

/** By links where the temporary folder is on the same volume. */
function copy(name: string, root: string): void {
  const from = path.join(ROOT, name);
  try {
    execFileSync('cp', ['-al', from, root], { stdio: 'ignore' });
  } catch {
    execFileSync('cp', ['-a', from, root], { stdio: 'ignore' });
  }
}

/** Written anew: the file may be the same one as here. */
function change(file: string, pattern: RegExp, by: string): void {
  const text = readFileSync(file, 'utf8');
  if (!pattern.test(text)) throw new Error(`${file} has nothing like ${pattern}`);
  rmSync(file);
  writeFileSync(file, text.replace(pattern, by));
}
