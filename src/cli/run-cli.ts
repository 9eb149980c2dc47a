import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ErrorCode, isErrataError, messageOf } from '#lib/errors.ts';
import { type CliCommand, type CliDeps, type CliInput, EXIT, UsageError, usageLine } from './cli-command.ts';
import { backupCreate } from './commands/backups/backup-create.ts';
import { backupList, backupPrune } from './commands/backups/backup-list.ts';
import { backupRestore, backupVerify } from './commands/backups/backup-restore.ts';
import { blobsMigrate } from './commands/blobs.ts';
import { doctor } from './commands/doctor.ts';
import { erase, erasuresList } from './commands/erase.ts';
import { explainCommand, parameterizeCommand } from './commands/explain.ts';
import { organizationsCreate, organizationsList } from './commands/organizations.ts';
import { dsn, projectCreate } from './commands/projects.ts';
import { quarantineList, quarantineReplay, quarantineShow } from './commands/quarantine.ts';
import { sendTestEvent } from './commands/send-test-event.ts';
import { configCheck, status } from './commands/status.ts';
import { tokenCreate } from './commands/token-create.ts';
import { exportCommand } from './commands/transfer/export.ts';
import { importBugsink, importGlitchtip } from './commands/transfer/import-database.ts';
import { importErrata } from './commands/transfer/import-errata.ts';
import { importSentry } from './commands/transfer/import-sentry.ts';
import { upgrade } from './commands/upgrade.ts';
import { userResetPassword, userResetTwoFactor } from './commands/users.ts';

/**
 * Runs one command: what was asked for on `out`, what went wrong on `err`. Answers the exit code: 0 done, 1 failed,
 * 2 wrong usage, 3 server or store unreachable.
 */
export async function runCli(argv: readonly string[], deps: CliDeps): Promise<number> {
  const [first = 'help', ...rest] = argv;
  if (first === '--version' || first === '-v') {
    deps.io.out(readVersion());
    return EXIT.done;
  }
  if (first === 'help' || first === '--help' || first === '-h') return help(rest, deps);
  if (first === 'serve') return help([first], deps);
  const command = findCommand(argv);
  if (!command) return refuseCommand(argv, deps);
  try {
    const args = argv.slice(command.name.split(' ').length);
    if (args.includes('--help') || args.includes('-h')) return printCommand(command, deps);
    return await command.run(readInput(command, args), deps);
  } catch (error) {
    return answerError(error, command, deps);
  }
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}

function help(words: readonly string[], deps: CliDeps): number {
  if (words.length === 0) {
    for (const line of describeCommands(COMMANDS)) deps.io.out(line);
    return EXIT.done;
  }
  if (words[0] === 'serve') {
    for (const line of SERVE_HELP) deps.io.out(line);
    return EXIT.done;
  }
  const command = findCommand(words);
  return command ? printCommand(command, deps) : refuseCommand(words, deps);
}

const SERVE_HELP = [
  'Usage: errata serve [--roles <role,…>]',
  '',
  'Start the server, or some of its roles.',
  '',
  '  --roles <role,…>  edge, digest, web and jobs; all of them without it (docs/scale.md)',
  '',
  'Settings come from the environment and from .env: errata config check looks at them.',
];

function findCommand(words: readonly string[]): CliCommand | undefined {
  return COMMANDS.find(
    (command) => words.slice(0, command.name.split(' ').length).join(' ') === command.name,
  );
}

function printCommand(command: CliCommand, { io }: CliDeps): number {
  for (const line of describeCommand(command)) io.out(line);
  return EXIT.done;
}

function refuseCommand(words: readonly string[], { io }: CliDeps): number {
  const [noun = ''] = words;
  const ofNoun = COMMANDS.filter((command) => command.name.startsWith(`${noun} `));
  if (ofNoun.length === 0) {
    io.err(`errata: "${noun}" is not a command`);
    io.err('Usage: errata <command>; errata help lists them');
    return EXIT.usage;
  }
  const verb = words[1];
  io.err(
    verb === undefined ? `errata: ${noun} needs a subcommand` : `errata: "${noun} ${verb}" is not a command`,
  );
  for (const command of ofNoun) io.err(`Usage: ${usageLine(command)}`);
  return EXIT.usage;
}

/** Throws UsageError for an unknown option, a missing value, and too few or too many arguments. */
function readInput(command: CliCommand, args: readonly string[]): CliInput {
  const { values, positionals } = parse(command, args);
  const missing = command.positionals[positionals.length];
  if (missing?.startsWith('<')) throw new UsageError(`${missing} is missing`);
  const [surplus] = positionals.slice(command.positionals.length);
  if (surplus !== undefined) throw new UsageError(`Unexpected argument: "${surplus}"`);
  return {
    positionals,
    option: (name) => {
      const value = values[name];
      return typeof value === 'string' ? value : undefined;
    },
    isSet: (name) => values[name] === true,
  };
}

function parse(command: CliCommand, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type }]) => [name, { type }] as const),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Only the first sentence of Node's message is about what was written.
    const message = messageOf(error);
    throw new UsageError(message.split('. ')[0] ?? message);
  }
}

function answerError(error: unknown, command: CliCommand, { io }: CliDeps): number {
  const message = messageOf(error);
  for (const line of message.split('\n')) io.err(`errata: ${line}`);
  const code =
    error instanceof UsageError ? EXIT.usage : isErrataError(error) ? CODES[error.code] : EXIT.failed;
  if (code === EXIT.usage) io.err(`Usage: ${usageLine(command)}`);
  return code;
}

const CODES: Readonly<Record<ErrorCode, number>> = {
  invalid: EXIT.usage,
  unauthorized: EXIT.failed,
  forbidden: EXIT.failed,
  not_found: EXIT.failed,
  conflict: EXIT.failed,
  rate_limited: EXIT.failed,
  unavailable: EXIT.unreached,
};

/** What `errata help` prints. `serve` is not among the commands: it becomes the server itself. */
export function describeCommands(commands: readonly CliCommand[]): readonly string[] {
  const entries = [
    ['serve [--roles edge,digest,web,jobs]', 'Start the server, or some of its roles'],
    ...commands.map((command) => [[command.name, ...command.positionals].join(' '), command.summary]),
    ['help [command]', 'List the commands, or the options of a command'],
    ['--version', 'Print the version'],
  ] as const;
  const width = Math.max(...entries.map(([name]) => name.length));
  return [
    'Usage: errata <command>',
    '',
    ...entries.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 server or store unreachable.',
  ];
}

/** What `errata help <command>` prints. */
export function describeCommand(command: CliCommand): readonly string[] {
  const options = Object.entries(command.options).map(
    ([name, { placeholder, meaning }]) =>
      [placeholder ? `--${name} ${placeholder}` : `--${name}`, meaning] as const,
  );
  const width = Math.max(...options.map(([name]) => name.length), 0);
  return [
    `Usage: ${usageLine(command)}`,
    '',
    `${command.summary}.`,
    ...(options.length > 0 ? [''] : []),
    ...options.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`),
  ];
}

/** In the order of the help. */
export const COMMANDS: readonly CliCommand[] = [
  organizationsCreate,
  organizationsList,
  projectCreate,
  dsn,
  tokenCreate,
  userResetPassword,
  userResetTwoFactor,
  sendTestEvent,
  status,
  doctor,
  upgrade,
  backupCreate,
  backupList,
  backupVerify,
  backupRestore,
  backupPrune,
  quarantineList,
  quarantineShow,
  quarantineReplay,
  erase,
  erasuresList,
  exportCommand,
  importErrata,
  importSentry,
  importGlitchtip,
  importBugsink,
  blobsMigrate,
  explainCommand,
  parameterizeCommand,
  configCheck,
];
