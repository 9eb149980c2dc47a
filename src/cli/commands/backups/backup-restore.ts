import type { BackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import { shellQuote } from '#lib/shell-quote.ts';
import { totalBytes } from '#product/backups/backup-size.ts';
import { type Restored, restoreBackup } from '#product/backups/restore-backup.ts';
import { type Verification, verifyBackup } from '#product/backups/verify-backup.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import { type CliCommand, type CliDeps, EXIT, JSON_OPTION, type RestorePlace } from '../../cli-command.ts';
import {
  chooseBackup,
  FOLDER_OPTION,
  formatBytes,
  formatTime,
  openTarget,
  tellProgress,
} from './backup-options.ts';

export const backupVerify: CliCommand = {
  name: 'backup verify',
  positionals: ['[backup]'],
  options: {
    folder: FOLDER_OPTION,
    restore: {
      type: 'boolean',
      meaning:
        'Also restore it into a temporary place, and compare counts and rows; the place is removed afterwards',
    },
    scratch: {
      type: 'string',
      placeholder: '<folder>',
      meaning: 'With --restore: where there is room for it, instead of the folder for temporary files',
    },
    json: JSON_OPTION,
  },
  summary:
    'Read every file of a backup, the newest unless one is named, and compare its hash; exit with 1 if it is damaged, or other files are in the folder',
  async run(input, deps) {
    const target = await openTarget(input, deps);
    const id = await chooseBackup(target, { id: input.positionals[0] });
    const keys = deps.backups.readKeys();
    const verification = await verify(target, id, keys, deps);
    let restored: Restored | null = null;
    if (verification.problems.length === 0 && input.isSet('restore')) {
      const place = await deps.backups.openScratchPlace(input.option('scratch') ?? null);
      restored = await restoreInto(place, target, id, keys, deps);
    }
    const problems = [...verification.problems, ...(restored?.differences ?? [])];
    if (input.isSet('json')) {
      deps.io.out(
        JSON.stringify({
          id,
          isSound: problems.length === 0,
          files: verification.files,
          bytes: verification.bytes,
          hasOpened: verification.hasOpened,
          isRestored: restored !== null,
          problems,
          strays: verification.strays,
        }),
      );
    } else tellVerification(verification, restored, problems, deps);
    return problems.length + verification.strays.length === 0 ? EXIT.done : EXIT.failed;
  },
};

export const backupRestore: CliCommand = {
  name: 'backup restore',
  positionals: ['[backup]'],
  options: {
    folder: FOLDER_OPTION,
    before: {
      type: 'string',
      placeholder: '<time>',
      meaning: 'The newest backup from before this time, for example 2026-01-31T04:00:00Z',
    },
  },
  summary:
    'Restore a backup, the newest unless one is named, into the empty data directory and stores of the settings',
  async run(input, deps) {
    const target = await openTarget(input, deps);
    const id = await chooseBackup(target, { id: input.positionals[0], before: input.option('before') });
    const keys = deps.backups.readKeys();
    // Refused before anything is read, and long before anything is written.
    const place = await deps.backups.openRestorePlace();
    let isDone = false;
    try {
      const { problems, strays } = await verify(target, id, keys, deps);
      tellStrays(strays, deps);
      if (problems.length > 0) {
        deps.io.err(`errata: The backup ${id} is damaged and is not restored`);
        for (const problem of problems) deps.io.err(`  ${problem}`);
        return EXIT.failed;
      }
      const restored = await restoreBackup(place.parts, target, id, keys, progressOf(deps));
      isDone = restored.differences.length === 0;
      tellRestored(restored, place, deps);
      return isDone ? EXIT.done : EXIT.failed;
    } finally {
      await place.close(isDone);
    }
  },
};

async function restoreInto(
  place: RestorePlace,
  target: BackupTarget,
  id: string,
  keys: BackupKeys | null,
  deps: CliDeps,
): Promise<Restored> {
  try {
    return await restoreBackup(place.parts, target, id, keys, progressOf(deps));
  } finally {
    await place.close(false);
  }
}

function verify(
  target: BackupTarget,
  id: string,
  keys: BackupKeys | null,
  deps: CliDeps,
): Promise<Verification> {
  const tell = tellProgress(deps);
  return verifyBackup(target, id, keys, (done, total) =>
    tell(`reading: ${formatBytes(done)} of ${formatBytes(total)}`),
  );
}

function progressOf(deps: CliDeps): (step: string, done: number, total: number) => void {
  const tell = tellProgress(deps);
  return (step, done, total) => tell(`${step}: ${done} of ${total}`);
}

function tellVerification(
  { id, head, files, bytes, strays, hasOpened }: Verification,
  restored: Restored | null,
  problems: readonly string[],
  deps: CliDeps,
): void {
  const { io } = deps;
  tellStrays(strays, deps);
  if (problems.length > 0) {
    io.out(`${id}  damaged`);
    for (const problem of problems) io.err(`  ${problem}`);
    return;
  }
  io.out(`${id}  sound`);
  io.err(`${files} files, ${formatBytes(bytes)}, all as they were written`);
  if (!hasOpened && head?.isEncrypted) {
    io.err('What is in them was not looked at: set ERRATA_BACKUP_KEY to the key that it was made with');
  }
  if (restored) {
    io.err(
      `Restored and compared: ${restored.tables} tables with ${restored.rows.toLocaleString('en')} rows, ${restored.partitions} partitions with ${restored.events.toLocaleString('en')} events, ${restored.files} files, ${restored.waiting} waiting records`,
    );
  }
}

function tellStrays(strays: readonly string[], { io }: CliDeps): void {
  if (strays.length === 0) return;
  io.err('The folder has more than sound backups, of which this one needs nothing:');
  for (const stray of strays) io.err(`  ${stray}`);
}

function tellRestored(
  { head, tables, rows, events, files, waiting, differences, settings }: Restored,
  { place, filesMove }: RestorePlace,
  { io }: CliDeps,
): void {
  if (differences.length > 0) {
    io.err(`errata: What was restored of ${head.id} is not what was backed up, and was removed`);
    for (const difference of differences) io.err(`  ${difference}`);
    return;
  }
  io.out(`${head.id} was restored to ${place}`);
  io.err(
    `As of ${formatTime(head.momentMs)}: ${events.toLocaleString('en')} events, ${rows.toLocaleString('en')} rows in ${tables} tables, ${files} files, ${waiting} records that wait for digest (${formatBytes(totalBytes(head))})`,
  );
  const names = Object.entries(settings).map(([name, value]) => `  ${name}=${value}`);
  if (names.length > 0) io.err('Settings that were in use then, without secrets:');
  for (const line of names) io.err(line);
  if (!head.hasSecrets) {
    io.err(
      'The secret of the instance is not in this backup: set ERRATA_SECRET to the former one before the first start. Without it, people sign in anew, and second factors and destinations have to be set up again',
    );
  }
  if (filesMove !== null && files > 0) {
    io.err(
      `ERRATA_BLOBS_URL names a bucket, and the files are not in it yet: move them with the same settings before the first start, or attachments, replays and uploads are missing:\n  errata blobs migrate --from ${shellQuote(filesMove.from)} --to ${shellQuote(filesMove.to)}`,
    );
  }
  io.err('Start it with errata serve');
}
