import type { CliCommand } from '#cli/cli-command.ts';
import { openFolderSource } from '#cli/transfer/folder-source.ts';
import { IMPORT_OPTIONS, runImport } from './run-import.ts';

export const importErrata: CliCommand = {
  name: 'import errata',
  positionals: ['<folder>'],
  options: IMPORT_OPTIONS,
  summary: 'Import what errata export wrote; it may be stopped, and run again to continue or to catch up',
  run: (input, deps) => runImport(input, deps, () => openFolderSource(input.positionals[0] ?? '')),
};
