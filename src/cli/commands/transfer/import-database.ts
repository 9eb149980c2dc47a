import type { CliCommand, CliDeps, CliInput } from '#cli/cli-command.ts';
import { openBugsinkSource } from '#product/transfer/sources/bugsink/bugsink-source.ts';
import { openGlitchtipSource } from '#product/transfer/sources/glitchtip/glitchtip-source.ts';
import type { TransferSource } from '#product/transfer/transfer-source.ts';
import type { ForeignDatabase } from '#storage/ports/foreign-database.ts';
import { FROM_OPTION, IMPORT_OPTIONS, runImport } from './run-import.ts';

export const importGlitchtip: CliCommand = {
  name: 'import glitchtip',
  positionals: [],
  options: {
    database: {
      type: 'string',
      placeholder: '<postgres://…>',
      isRequired: true,
      meaning: 'The database of GlitchTip 4 to 6; a role that may only read is enough',
    },
    from: FROM_OPTION,
    ...IMPORT_OPTIONS,
  },
  summary: "Import an organization from GlitchTip's database, with its issues and events",
  run: (input, deps) =>
    runImport(input, deps, () =>
      openWith(input, deps, (database) =>
        openGlitchtipSource(database, { organization: input.option('from') ?? null }),
      ),
    ),
};

export const importBugsink: CliCommand = {
  name: 'import bugsink',
  positionals: [],
  options: {
    database: {
      type: 'string',
      placeholder: '<path>',
      isRequired: true,
      meaning: 'The database of Bugsink 2.0 or later: its SQLite file, or postgres://…',
    },
    'event-storage': {
      type: 'string',
      placeholder: '<folder>',
      meaning: 'The folder of EVENT_STORAGES, when events are kept in files',
    },
    ...IMPORT_OPTIONS,
  },
  summary: "Import everything from Bugsink's database, with its issues and events",
  run: (input, deps) =>
    runImport(input, deps, () =>
      openWith(input, deps, (database) =>
        openBugsinkSource(database, { eventStorage: input.option('event-storage') ?? null }),
      ),
    ),
};

/** The source closes the database; one that cannot be made of it does not. */
async function openWith(
  input: CliInput,
  deps: CliDeps,
  open: (database: ForeignDatabase) => Promise<TransferSource>,
): Promise<TransferSource> {
  const database = await deps.openForeignDatabase(input.option('database') ?? '');
  try {
    return await open(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}
