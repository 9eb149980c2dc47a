import type { BackupHead } from './backup-format.ts';

/** Of every file that the backup needs, those that other backups need too included. */
export const totalBytes = ({ objects }: Pick<BackupHead, 'objects'>): number =>
  objects.reduce((sum, [, bytes]) => sum + bytes, 0);
