import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './start-errata.ts';

const run = promisify(execFile);
const BUILD_TIMEOUT_MS = 30 * 60_000;
const PULL_TIMEOUT_MS = 5 * 60_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/** Bases of the Dockerfile to use instead of its own, by the name of the argument. */
const BASES = {
  NODE_IMAGE: process.env.ERRATA_TEST_NODE_IMAGE,
  BASE_IMAGE: process.env.ERRATA_TEST_BASE_IMAGE,
};

/** Docker or what answers in its place; null where there is neither. */
export const CONTAINER_PROGRAM =
  ['podman', 'docker'].find((program) => succeeds(program, ['version'])) ?? null;

/** Why the tests of the image are skipped; null when it can be built and run. */
export function containersMissing(): string | null {
  if (CONTAINER_PROGRAM === null) return 'no podman or docker';
  const program = CONTAINER_PROGRAM;
  const missing = Object.entries(BASES)
    .map(([name, image]) => image ?? defaultBase(name))
    .find((image) => !succeeds(program, ['image', 'inspect', image]) && !succeeds(program, ['pull', image]));
  return missing === undefined ? null : `${missing} cannot be pulled: see ERRATA_TEST_BASE_IMAGE`;
}

const defaultBase = (name: string): string => {
  const dockerfile = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8');
  return new RegExp(`^ARG ${name}=(\\S+)$`, 'm').exec(dockerfile)?.[1] ?? name;
};

function succeeds(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: PULL_TIMEOUT_MS });
    return true;
  } catch {
    return false;
  }
}

/** Runs the container program; answers what it prints. Throws with its output when it fails. */
export async function inContainers(
  args: readonly string[],
  timeoutMs = 60_000,
): Promise<{ stdout: string; stderr: string }> {
  return run(CONTAINER_PROGRAM ?? 'docker', args, { timeout: timeoutMs, maxBuffer: OUTPUT_BYTES_MAX });
}

/** Builds the Dockerfile of this repository. */
export async function buildImage(tag: string): Promise<void> {
  const bases = Object.entries(BASES).flatMap(([name, image]) =>
    image === undefined ? [] : ['--build-arg', `${name}=${image}`],
  );
  // The format of OCI has no health checks; docker knows no other than its own.
  const format = CONTAINER_PROGRAM === 'podman' ? ['--format', 'docker'] : [];
  await inContainers(['build', ...format, ...bases, '--tag', tag, ROOT], BUILD_TIMEOUT_MS);
}
