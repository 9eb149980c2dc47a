import { type CliCommand, usageLine } from './cli-command.ts';

/** What `errata help` prints. `serve` is not among the commands: it becomes the server itself. */
export function describeCommands(commands: readonly CliCommand[]): readonly string[] {
  const entries = [
    ['serve [--roles edge,digest,web,jobs]', 'Start the server, or some of its roles'],
    ...commands.map((command) => [[command.name, ...command.positionals].join(' '), command.summary]),
    ['help [command]', 'This list, or the options of one command'],
    ['--version', 'Print the version'],
  ] as const;
  const width = Math.max(...entries.map(([name]) => name.length));
  return [
    'Usage: errata <command>',
    '',
    ...entries.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 server or store not reached.',
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
