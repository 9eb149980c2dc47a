import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpoolRenewal } from '#storage/ports/spool-renewal.ts';

const renewalFile = (folder: string): string => join(folder, 'renew');

/** Asks the process that writes the spool, through its folder. */
export const openSpoolRenewal = (folder: string): SpoolRenewal => ({
  isPossible: true,
  async ask() {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(renewalFile(folder), '', { mode: 0o600 });
  },
  isPending: async () => isRenewalPending(folder),
});

/** Until no file is left that was there when it was asked for: all of it must be digested, and the writer must run. */
export const isRenewalPending = (folder: string): boolean => existsSync(renewalFile(folder));

export const finishRenewal = (folder: string): void => rmSync(renewalFile(folder), { force: true });
