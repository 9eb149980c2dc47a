import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './start-errata.ts';

export const CHART = path.join(ROOT, 'deploy/helm/errata');
const MODULES = {
  helm: 'helm.sh/helm/v4/cmd/helm@v4.3.1',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
} as const;
const INSTALL_TIMEOUT_MS = 20 * 60_000;

/** In the path, where `go install` puts it, or built by Go; null when it cannot be had. */
export function findGoProgram(name: keyof typeof MODULES): string | null {
  const folders = [...(process.env.PATH ?? '').split(':'), path.join(process.env.HOME ?? '/', 'go/bin')];
  const find = () => folders.map((folder) => path.join(folder, name)).find(existsSync) ?? null;
  const found = find();
  if (found !== null) return found;
  try {
    execFileSync('go', ['install', MODULES[name]], { stdio: 'ignore', timeout: INSTALL_TIMEOUT_MS });
  } catch {
    return null;
  }
  return find();
}

/** Runs a program with a text as its input; answers how it ended and all that it printed. */
export function runGoProgram(
  program: string,
  args: readonly string[],
  input = '',
): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8', timeout: 120_000 });
  return { code: status, stdout, stderr };
}
