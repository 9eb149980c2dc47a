import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { findSentryCli, runSentryCli } from '../conformance/sentry-cli/sentry-cli.ts';
import { type BuiltSite, type Upload, uploadEnv } from './build-site.ts';

/** Runs sentry-cli as a build does after building; throws with what it printed when it fails. */
export async function runBuildCli(site: BuiltSite, upload: Upload, args: readonly string[]): Promise<void> {
  const cli = findSentryCli(3);
  if (!cli) throw new Error('sentry-cli is not installed');
  const folder = path.join(site.home, 'cli-home');
  mkdirSync(folder, { recursive: true });
  const { code, stdout, stderr } = await runSentryCli(cli.program, args, { folder, env: uploadEnv(upload) });
  if (code !== 0) throw new Error(`sentry-cli ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
}
