import { isErrataError } from '#lib/errors.ts';
import { momentOfId } from '#product/backups/backup-format.ts';
import { type ListedBackup, listBackups } from '#product/backups/list-backups.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import { type CliCommand, type CliDeps, type CliInput, UsageError } from '../../cli-command.ts';

export const FOLDER_OPTION: CliCommand['options'][string] = {
  type: 'string',
  placeholder: '<folder>',
  meaning:
    'Where backups lie, a path or s3://bucket/prefix; without it, what the running server is set to use',
};

/** The folder that is named, or else that of the schedule. Throws UsageError when there is none. */
export async function openTarget(input: CliInput, deps: CliDeps): Promise<BackupTarget> {
  const named = input.option('folder');
  if (named !== undefined) return await deps.backups.openFolder(named);
  const set = await findSetFolder(deps);
  if (set === null) throw new UsageError('Name the folder of the backups with --folder');
  return await deps.backups.openFolder(set);
}

async function findSetFolder(deps: CliDeps): Promise<string | null> {
  try {
    const connection = await deps.connect();
    try {
      return (await connection.stores.backups.readSchedule()).folder;
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (isErrataError(error) && error.code === 'unavailable') return null;
    throw error;
  }
}

/** The one that is named, or the newest, or the newest before a time. Throws UsageError when there is none. */
export async function chooseBackup(
  target: BackupTarget,
  { id, before }: { id: string | undefined; before?: string | undefined },
): Promise<string> {
  const backups = await listBackups(target);
  if (id !== undefined) {
    if (backups.some((backup) => backup.id === id)) return id;
    throw new UsageError(`There is no backup ${id} in ${target.place}: see errata backup list`);
  }
  const untilMs = before === undefined ? Infinity : Date.parse(before);
  if (Number.isNaN(untilMs)) {
    throw new UsageError(`"${before}" is not a time: write it like 2026-01-31T04:00:00Z`);
  }
  const found = backups.findLast((backup) => momentOf(backup) <= untilMs);
  if (found) return found.id;
  const when = before === undefined ? '' : ` from before ${before}`;
  throw new UsageError(`There is no backup${when} in ${target.place}`);
}

/** Of one that is damaged its name tells. */
const momentOf = (backup: ListedBackup): number =>
  backup.kind === 'sound' ? backup.head.momentMs : momentOfId(backup.id);

export const formatBytes = (bytes: number): string =>
  bytes >= 1e9
    ? `${(bytes / 1e9).toFixed(2)} GB`
    : bytes >= 1e6
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${(bytes / 1e3).toFixed(1)} kB`;

export const formatTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Says how far it is, at most this often; only to people who look. */
const TELL_EVERY_MS = 1_000;

export function tellProgress(deps: CliDeps): (line: string) => void {
  let toldAt = 0;
  return (line) => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    deps.io.err(line);
  };
}
