/** The composition root: `serve` starts everything, `role` is one of its processes, anything else is the command line. */
import { parseArgs } from 'node:util';
import { isErrataError, messageOf } from '#lib/errors.ts';
import type { CliBackups, CliUpgrades } from './cli/cli-command.ts';
import { type Config, loadEnvFile, parseConfig, ROLES, type RoleName } from './config.ts';

const EXIT = { done: 0, failed: 1, usage: 2 } as const;

const [command = 'help', ...rest] = process.argv.slice(2);

// A role has what the supervisor gives it: the file holds secrets that are not for every role.
if (command !== 'role') loadEnvFile();

if (command === 'role') await role();
else if (command === 'serve' && !rest.some((word) => word === '--help' || word === '-h'))
  process.exit(await serveCommand());
else await exitWhenWritten(await cli());

async function role(): Promise<void> {
  const { runRole } = await import('./main/run-role.ts');
  runRole((rest[0] ?? '').split(',') as (RoleName | 'prepare')[], parseConfig(process.env));
}

async function serveCommand(): Promise<number> {
  let roles: readonly RoleName[];
  let isDevelopment: boolean;
  let begunAt: number;
  let parentPid: number | null = null;
  let config: Config;
  try {
    const { values } = parseArgs({
      args: rest,
      options: {
        roles: { type: 'string' },
        dev: { type: 'boolean', default: false },
        since: { type: 'string' },
        parent: { type: 'string' },
      },
    });
    isDevelopment = values.dev;
    // Milliseconds since the epoch at which `npm start` was called.
    begunAt = Number(values.since ?? performance.timeOrigin);
    // The process that called `npm start`, where we run in its place.
    if (values.parent !== undefined) parentPid = Number(values.parent);
    roles = values.roles === undefined ? ROLES : parseRoles(values.roles);
    config = parseConfig(process.env);
  } catch (error) {
    complain(error);
    return EXIT.usage;
  }
  try {
    const { serve } = await import('./main/serve.ts');
    await serve(config, roles, { isDevelopment, begunAt, parentPid });
    return EXIT.done;
  } catch (error) {
    complain(error);
    return EXIT.failed;
  }
}

function parseRoles(text: string): RoleName[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!ROLES.some((known) => known === name)) {
      throw new Error(`"${name}" is not a role: --roles accepts ${ROLES.join(',')}`);
    }
  }
  // The edge owns the port through which pages are reached, too.
  if (names.includes('web')) names.push('edge');
  return ROLES.filter((known) => names.includes(known));
}

async function cli(): Promise<number> {
  const { runCli } = await import('./cli/run-cli.ts');
  return runCli(process.argv.slice(2), {
    io: {
      out: (line) => process.stdout.write(`${line}\n`),
      err: (line) => process.stderr.write(`${line}\n`),
    },
    connect: async () => (await import('./main/connect-cli.ts')).connectCli(parseConfig(process.env)),
    openFiles: async (address) => {
      const config = parseConfig(process.env);
      const { openFileStores } = await import('./main/open-blob-store.ts');
      return openFileStores(address === null ? config : { ...config, blobs: address });
    },
    openForeignDatabase: async (address) =>
      (await import('#storage/foreign/open-foreign-database.ts')).openForeignDatabase(address),
    readImportToken: () => process.env.ERRATA_IMPORT_TOKEN ?? null,
    backups: await openCliBackups(),
    upgrades: await openCliUpgrades(),
    checkConfig: () => {
      try {
        const config = parseConfig(process.env);
        return {
          ok: true,
          lines: [`The configuration is valid: ${config.publicUrl}, data in ${config.dataDir}`],
        };
      } catch (error) {
        return { ok: false, lines: messageOf(error).split('\n') };
      }
    },
  });
}

/** What is opened is loaded on demand: most commands need none of it. */
async function openCliBackups(): Promise<CliBackups> {
  const places = () => import('./main/backups/restore-place.ts');
  const config = () => parseConfig(process.env);
  const { openBackupTarget, readBackupKeys } = await import('./main/backups/backup-target.ts');
  const { createLog } = await import('#lib/log.ts');
  return {
    openFolder: (folder) => openBackupTarget(config(), folder),
    readKeys: () => readBackupKeys(config()),
    openRestorePlace: async () => (await places()).openRestorePlace(config(), createLog('restore', 'warn')),
    openScratchPlace: async (within) =>
      (await places()).openScratchPlace(config(), within, createLog('restore', 'warn')),
  };
}

async function openCliUpgrades(): Promise<CliUpgrades> {
  const { readStart } = await import('./main/data-dir.ts');
  const { describeProgress } = await import('./main/upgrade/upgrade-notice.ts');
  return {
    describeRunning() {
      const start = readStart(parseConfig(process.env).dataDir);
      return start && describeProgress(start, Date.now());
    },
    check: async () =>
      (await import('./main/upgrade/check-upgrade.ts')).checkUpgrade(parseConfig(process.env)),
  };
}

/** A long answer may still be on its way into a pipe; a reader that went away wants no more of it. */
function exitWhenWritten(code: number): Promise<never> {
  process.stdout.on('error', () => process.exit(code));
  return new Promise(() => process.stdout.write('', () => process.exit(code)));
}

function complain(error: unknown): void {
  for (const line of messageOf(error).split('\n')) process.stderr.write(`errata: ${line}\n`);
  if (!isErrataError(error) && process.env.ERRATA_LOG_LEVEL === 'debug') console.error(error);
}
