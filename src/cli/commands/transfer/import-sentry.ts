import { readFile } from 'node:fs/promises';
import { type CliCommand, type CliDeps, type CliInput, UsageError } from '#cli/cli-command.ts';
import { invalid, messageOf } from '#lib/errors.ts';
import { SECOND_MS } from '#lib/time.ts';
import { openSentrySource } from '#product/transfer/sources/sentry/api-source.ts';
import { openSentryExport } from '#product/transfer/sources/sentry/export-source.ts';
import { openSentryApi } from '#product/transfer/sources/sentry/sentry-api.ts';
import type { TransferSource } from '#product/transfer/transfer-source.ts';
import { FROM_OPTION, IMPORT_OPTIONS, runImport } from './run-import.ts';

/** Between two requests of any kind: four a second, of the forty that Sentry allows. */
const GAP_MS = 250;

export const importSentry: CliCommand = {
  name: 'import sentry',
  positionals: [],
  options: {
    url: {
      type: 'string',
      placeholder: '<url>',
      meaning:
        'The server, for example https://sentry.io; its token is in ERRATA_IMPORT_TOKEN or --token-file',
    },
    'token-file': {
      type: 'string',
      placeholder: '<file>',
      meaning: 'A file with the token in its first line',
    },
    file: {
      type: 'string',
      placeholder: '<export.json>',
      meaning: 'Instead of a server: what sentry export wrote, decrypted; it holds no issues',
    },
    from: FROM_OPTION,
    ...IMPORT_OPTIONS,
  },
  summary: "Import an organization from Sentry's API, or from the file that sentry export wrote",
  run: (input, deps) => runImport(input, deps, () => openSource(input, deps)),
};

async function openSource(input: CliInput, deps: CliDeps): Promise<TransferSource> {
  const file = input.option('file');
  const url = input.option('url');
  const from = input.option('from') ?? null;
  if ((file === undefined) === (url === undefined))
    throw new UsageError('Name a server with --url, or a file with --file');
  if (file !== undefined) return openSentryExport(file, { organization: from });
  if (from === null) throw new UsageError("Name Sentry's organization with --from");
  const token = await readToken(input, deps);
  const onWait = (ms: number) => deps.io.err(`The server asks to wait for ${Math.round(ms / SECOND_MS)} s`);
  return openSentrySource(openSentryApi({ url: url ?? '', token, gapMs: GAP_MS, onWait }), from);
}

/** A token on the command line would be in the list of processes. */
async function readToken(input: CliInput, deps: CliDeps): Promise<string> {
  const path = input.option('token-file');
  const text = path === undefined ? deps.readImportToken() : await readTokenFile(path);
  const token = text?.split('\n')[0]?.trim() ?? '';
  if (token === '')
    throw new UsageError(
      'Set ERRATA_IMPORT_TOKEN to a token of Sentry, or name a file that holds it with --token-file',
    );
  return token;
}

async function readTokenFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw invalid(`The token cannot be read: ${messageOf(error)}`, 'token-file');
  }
}
