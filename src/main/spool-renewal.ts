import { mkdirSync } from 'node:fs';
import type { SpoolRenewal } from '#storage/ports/spool-renewal.ts';
import { askForRenewal, isRenewalPending } from '#storage/spool-files/renewal.ts';

/** Asks the edge, which writes the spool, through its folder. */
export const openSpoolRenewal = (spool: string): SpoolRenewal => ({
  async ask() {
    mkdirSync(spool, { recursive: true, mode: 0o700 });
    askForRenewal(spool);
  },
  isPending: async () => isRenewalPending(spool),
});
