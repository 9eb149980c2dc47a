import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from '#lib/errors.ts';

/** Lies in the data directory while it is being filled: half of an instance is not to be started. */
export const RESTORE_MARKER = 'restore-unfinished';

/** Throws ErrataError 'conflict' when a restore was interrupted there. */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, RESTORE_MARKER))) return;
  throw conflict(
    `The restore into ${dataDir} was interrupted: remove everything in it, and run errata backup restore again`,
  );
}
