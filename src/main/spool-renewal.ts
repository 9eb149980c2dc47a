import { mkdirSync } from 'node:fs';
import type { SpoolRenewal } from '#storage/ports/spool-renewal.ts';
import { askForRenewal, isRenewalPending } from '#storage/spool-files/renewal.ts';

/** Asks the edge, which writes the spool, through its folder. */
export const openSpoolRenewal = (spool: string): SpoolRenewal => ({
  isPossible: true,
  async ask() {
    mkdirSync(spool, { recursive: true, mode: 0o700 });
    askForRenewal(spool);
  },
  isPending: async () => isRenewalPending(spool),
});

/** For a spool that is a topic: its records go with its own retention. */
export const NO_RENEWAL: SpoolRenewal = {
  isPossible: false,
  async ask() {},
  isPending: async () => false,
};
