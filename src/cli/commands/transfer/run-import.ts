import { writeFile } from 'node:fs/promises';
import { type CliCommand, type CliDeps, type CliInput, EXIT, UsageError } from '#cli/cli-command.ts';
import { withConnection } from '#cli/with-connection.ts';
import { importOrganization } from '#product/transfer/import/import-organization.ts';
import { hasFailures, type ImportReport, RECORD_RESULTS } from '#product/transfer/import/import-report.ts';
import { TRANSFER_KINDS } from '#product/transfer/records.ts';
import type { TransferSource } from '#product/transfer/transfer-source.ts';
import { tellProgress } from '../backups/backup-options.ts';
import { RANGE_OPTIONS, readKinds, readRange, untilInterrupted } from './transfer-options.ts';

/** What every import can be told, whatever it reads. */
export const IMPORT_OPTIONS: CliCommand['options'] = {
  organization: {
    type: 'string',
    placeholder: '<slug>',
    meaning: 'Import into this organization instead of the one named as in the source; it is made if needed',
  },
  project: {
    type: 'string',
    placeholder: '<slug,...>',
    meaning: 'Only these projects',
  },
  ...RANGE_OPTIONS,
  'dry-run': { type: 'boolean', meaning: 'Change nothing: only report what would become of each record' },
  rate: { type: 'string', placeholder: '<events>', meaning: 'At most so many events a second' },
  mail: {
    type: 'boolean',
    meaning: 'Send invitations by mail; without it, people are invited and get no mail',
  },
  report: { type: 'string', placeholder: '<file>', meaning: 'Write the whole report into this file as JSON' },
  json: { type: 'boolean', meaning: 'Print the whole report as JSON' },
};

/** For sources of several organizations. */
export const FROM_OPTION = {
  type: 'string',
  placeholder: '<slug>',
  meaning: 'The organization to read, if the source has more than one',
} as const;

/** Notes that are printed; the report in JSON has all of them. */
const NOTES_PRINTED_MAX = 50;

/** Imports what a source tells, and prints what became of it. Answers the exit code: 1 when something could not be imported. */
export async function runImport(
  input: CliInput,
  deps: CliDeps,
  openSource: () => Promise<TransferSource>,
): Promise<number> {
  const range = readRange(input);
  const kinds = readKinds(input);
  const rate = readRate(input);
  const projects = input
    .option('project')
    ?.split(',')
    .map((slug) => slug.trim());
  const source = await openSource();
  try {
    return await withConnection(deps, async (connection) => {
      const { stores, publicUrl, now } = connection;
      const mailer = input.isSet('mail') ? connection.openMailer() : null;
      try {
        const report = await untilInterrupted((signal) =>
          importOrganization(
            {
              stores,
              publicUrl,
              now,
              actor: { kind: 'system' },
              sink: connection.openImportSink(),
              mailer,
            },
            source,
            {
              ...range,
              isDryRun: input.isSet('dry-run'),
              organization: input.option('organization') ?? null,
              kinds,
              projects: projects ? new Set(projects) : null,
              rate,
              progress: tellProgress(deps),
              signal,
            },
          ),
        );
        await tellReport(input, deps, report);
        return hasFailures(report) ? EXIT.failed : EXIT.done;
      } finally {
        mailer?.close();
      }
    });
  } finally {
    await source.close();
  }
}

function readRate(input: CliInput): number | null {
  const text = input.option('rate');
  if (text === undefined) return null;
  const rate = Number(text);
  if (rate > 0 && Number.isFinite(rate)) return rate;
  throw new UsageError(`"${text}" is not a rate: write the most events a second, for example 50`);
}

async function tellReport(input: CliInput, { io }: CliDeps, report: ImportReport): Promise<void> {
  const file = input.option('report');
  const json = JSON.stringify(report, null, 2);
  if (file !== undefined) await writeFile(file, `${json}\n`, { mode: 0o600 });
  if (input.isSet('json')) return io.out(json);
  io.out(
    ['', ...RECORD_RESULTS]
      .map((cell) => cell.padEnd(CELL))
      .join('')
      .trimEnd(),
  );
  for (const kind of TRANSFER_KINDS) {
    const counts = report.counts[kind];
    if (!counts) continue;
    const cells = [kind, ...RECORD_RESULTS.map((result) => String(counts[result] ?? 0))];
    io.out(
      cells
        .map((cell) => cell.padEnd(CELL))
        .join('')
        .trimEnd(),
    );
  }
  for (const { kind, name, result, reason } of report.notes.slice(0, NOTES_PRINTED_MAX)) {
    io.err(`${result}: ${kind} ${name}: ${reason}`);
  }
  const more = report.notes.length - NOTES_PRINTED_MAX + report.moreNotes;
  if (more > 0) io.err(`and ${more} more: see the report that --report writes`);
  if (report.isDryRun) io.err('Nothing was changed: this was a dry run');
}

/** Characters of a column. */
const CELL = 16;
