import { totalBytes } from '#product/backups/backup-size.ts';
import { listBackups, pruneBackups } from '#product/backups/list-backups.ts';
import { type CliCommand, EXIT, JSON_OPTION, UsageError } from '../../cli-command.ts';
import { FOLDER_OPTION, formatBytes, formatTime, openTarget } from './backup-options.ts';

const KEEP_MAX = 10_000;

export const backupList: CliCommand = {
  name: 'backup list',
  positionals: [],
  options: { folder: FOLDER_OPTION, json: JSON_OPTION },
  summary: 'List the backups in a folder, newest last',
  async run(input, deps) {
    const target = await openTarget(input, deps);
    const backups = await listBackups(target);
    if (input.isSet('json')) {
      const rows = backups.map((backup) => {
        if (backup.kind === 'damaged') return backup;
        const { objects: _, ...head } = backup.head;
        return { kind: backup.kind, ...head, bytes: totalBytes(backup.head) };
      });
      deps.io.out(JSON.stringify(rows));
      return EXIT.done;
    }
    if (backups.length === 0) deps.io.err(`There is no backup in ${target.place}`);
    for (const backup of backups) {
      if (backup.kind === 'damaged') deps.io.out(`${backup.id}  damaged: ${backup.reason}`);
      else {
        const { head } = backup;
        const facts = [
          formatTime(head.momentMs),
          `${head.events.toLocaleString('en')} events`,
          `${formatBytes(totalBytes(head))} (${formatBytes(head.newBytes)} new)`,
          head.isEncrypted ? 'encrypted' : 'not encrypted',
          `Errata ${head.errataVersion}`,
        ];
        deps.io.out(`${head.id}  ${facts.join(', ')}`);
      }
    }
    return EXIT.done;
  },
};

export const backupPrune: CliCommand = {
  name: 'backup prune',
  positionals: [],
  options: {
    folder: FOLDER_OPTION,
    keep: {
      type: 'string',
      placeholder: '<number>',
      isRequired: true,
      meaning: 'How many of the newest backups stay',
    },
    damaged: { type: 'boolean', meaning: 'Also remove backups whose own file is damaged' },
  },
  summary: 'Remove all but the newest backups, and the files that no other needs',
  async run(input, deps) {
    const keep = Number(input.option('keep') ?? '');
    if (!Number.isInteger(keep) || keep < 1 || keep > KEEP_MAX) {
      throw new UsageError(`--keep takes a number from 1 to ${KEEP_MAX}`);
    }
    const target = await openTarget(input, deps);
    const result = await pruneBackups(target, { keep, removesDamaged: input.isSet('damaged') });
    for (const id of result.removed) deps.io.out(id);
    deps.io.err(
      `${result.removed.length} backups and ${result.files} files removed, ${formatBytes(result.bytes)} freed`,
    );
    if (result.heldBack === null) return EXIT.done;
    deps.io.err(result.heldBack);
    return EXIT.failed;
  },
};
