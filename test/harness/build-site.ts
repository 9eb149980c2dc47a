import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createApiClient } from './api-client.ts';
import { childEnv, type ErrataHandle, ROOT } from './start-errata.ts';

/** The bundlers of test/builds; `cli` has no plugin. */
export type Builder = 'vite' | 'next' | 'webpack' | 'rollup' | 'esbuild' | 'cli';

export type Upload = { url: string; token: string; slug: string; release?: string };

export type BuiltSite = {
  /** What is served. */
  folder: string;
  /** The copy in which it was built. */
  home: string;
  /** Everything that the build printed. */
  output: string;
  [Symbol.dispose](): void;
};

const COMMANDS: Record<Builder, readonly string[]> = {
  vite: [path.join(ROOT, 'node_modules/vite/bin/vite.js'), 'build'],
  next: [path.join(ROOT, 'node_modules/next/dist/bin/next'), 'build'],
  webpack: ['build.mjs'],
  rollup: ['build.mjs'],
  esbuild: ['build.mjs'],
  cli: ['build.mjs'],
};
const OUTPUT: Partial<Record<Builder, string>> = { next: 'out' };
const BUILD_MS_MAX = 240_000;

/**
 * Builds the shop of test/builds in a copy of its own, as a team's machine does: who and where to upload to is in the
 * environment. `upload` null: nothing is uploaded. Throws with everything that was printed.
 */
export async function buildSite(builder: Builder, upload: Upload | null): Promise<BuiltSite> {
  mkdirSync(path.join(ROOT, 'test-results'), { recursive: true });
  const home = mkdtempSync(path.join(ROOT, 'test-results/build-'));
  const dispose = () => rmSync(home, { recursive: true, force: true });
  for (const part of ['shop', builder]) {
    cpSync(path.join(ROOT, 'test/builds', part), path.join(home, part), { recursive: true });
  }
  try {
    const output = await run(COMMANDS[builder], {
      cwd: path.join(home, builder),
      env: { ...uploadEnv(upload), HOME: home, SENTRY_CONFIG_DIR: path.join(home, 'config') },
    });
    const folder = path.join(home, builder, OUTPUT[builder] ?? 'dist');
    return { folder, home, output, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** A token of the organization `main`, as builds have it. */
export async function makeBuildToken(errata: ErrataHandle, name: string): Promise<string> {
  const api = createApiClient(errata.url, await errata.token('org:read,org:write,org:ci'));
  const created = await api.request('POST', '/api/0/organizations/main/org-auth-tokens/', { name });
  const { token } = created.body as { token?: string };
  if (!token) throw new Error(`No token was made: ${created.status} ${JSON.stringify(created.body)}`);
  return token;
}

/** 1-based line of a source of the shop that holds a text. */
export function lineOf(source: string, text: string): number {
  const lines = readFileSync(path.join(ROOT, 'test/builds/shop', source), 'utf8').split('\n');
  const index = lines.findIndex((line) => line.includes(text));
  if (index === -1) throw new Error(`${source} holds no "${text}"`);
  return index + 1;
}

export function uploadEnv(upload: Upload | null): Record<string, string> {
  if (!upload) return {};
  return {
    SENTRY_URL: upload.url,
    SENTRY_ORG: 'main',
    SENTRY_PROJECT: upload.slug,
    SENTRY_AUTH_TOKEN: upload.token,
    ...(upload.release === undefined ? {} : { SENTRY_RELEASE: upload.release }),
  };
}

function run(
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<string> {
  const env = childEnv({ CI: '1', NEXT_TELEMETRY_DISABLED: '1', ...options.env });
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...args],
      { cwd: options.cwd, env, encoding: 'utf8', timeout: BUILD_MS_MAX, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`;
        if (error) reject(new Error(`The build failed:\n${output}`, { cause: error }));
        else resolve(output);
      },
    );
  });
}
