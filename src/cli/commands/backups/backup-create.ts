import { totalBytes } from '#product/backups/backup-size.ts';
import { recordedBackup } from '#product/backups/run-backup.ts';
import { type CliCommand, EXIT, JSON_OPTION } from '../../cli-command.ts';
import { withConnection } from '../../with-connection.ts';
import { FOLDER_OPTION, formatBytes, formatTime, openTarget, tellProgress } from './backup-options.ts';

export const backupCreate: CliCommand = {
  name: 'backup create',
  positionals: [],
  options: {
    folder: FOLDER_OPTION,
    'with-secrets': {
      type: 'boolean',
      meaning: 'Include the secret of the instance although the backup is not encrypted',
    },
    'without-secrets': { type: 'boolean', meaning: 'Leave it out of an encrypted backup' },
    json: JSON_OPTION,
  },
  summary: 'Back up the running instance: both stores, attachments, uploads, and what waits in the spool',
  async run(input, deps) {
    const target = await openTarget(input, deps);
    const keys = deps.backups.readKeys();
    const withSecrets = input.isSet('with-secrets') || (keys !== null && !input.isSet('without-secrets'));
    return await withConnection(deps, async (connection) => {
      const tell = tellProgress(deps);
      const begunAt = performance.now();
      const { head, pausedMs } = await recordedBackup(
        {
          runs: connection.stores.backups,
          openParts: () => connection.openBackupParts({ withSecrets }),
          target,
          keys,
          now: connection.now,
        },
        { origin: 'command', requestedBy: null },
        ({ step, done, total, bytes }) =>
          tell(`${step}: ${done}${total === null ? '' : ` of ${total}`}, ${formatBytes(bytes)} written`),
      );
      const tookMs = Math.round(performance.now() - begunAt);
      if (input.isSet('json')) {
        const { objects: _, ...rest } = head;
        deps.io.out(JSON.stringify({ ...rest, bytes: totalBytes(head), tookMs, pausedMs }));
        return EXIT.done;
      }
      deps.io.out(head.id);
      deps.io.err(
        `${formatTime(head.momentMs)}: ${head.events.toLocaleString('en')} events, ${formatBytes(totalBytes(head))}, of which ${formatBytes(head.newBytes)} are new; took ${(tookMs / 1000).toFixed(1)} s, and digest waited ${pausedMs} ms`,
      );
      if (!connection.stores.blobs.isLocal)
        deps.io.err('Blobs are in a bucket and not in the backup: keep its versions, or a copy of it');
      if (!head.isEncrypted) deps.io.err('It is not encrypted: set ERRATA_BACKUP_KEY to encrypt backups');
      if (!head.hasSecrets) {
        deps.io.err(
          `The secret of the instance is not in it: keep a copy of ERRATA_SECRET, or of the file "secret" in the data directory`,
        );
      }
      return EXIT.done;
    });
  },
};
