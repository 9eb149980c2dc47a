import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const renewalFile = (folder: string): string => join(folder, 'renew');

/**
 * Asks the process that writes the spool to give up every file that it has: digested records stay in them until they are
 * written over, which may be weeks later. May be asked again.
 */
export function askForRenewal(folder: string): void {
  writeFileSync(renewalFile(folder), '', { mode: 0o600 });
}

/** Until no file is left that was there when it was asked for: all of it must be digested, and the writer must run. */
export const isRenewalPending = (folder: string): boolean => existsSync(renewalFile(folder));

export const finishRenewal = (folder: string): void => rmSync(renewalFile(folder), { force: true });
