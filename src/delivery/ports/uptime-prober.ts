import type { GuardedProbe, ProbeAnswer } from '#lib/guarded-request/guarded-probe.ts';

/** Requests what monitors name, from this machine. */
export interface UptimeProber {
  /** Never throws, and answers within the time of the probe. */
  probe(address: string, probe: GuardedProbe): Promise<ProbeAnswer>;
  /**
   * Whether this machine seems to be offline, as far as hosts other than that of the address tell: there are at least two
   * that were probed before, and none of them can be connected to. Answers within seconds, from memory when it was just asked.
   */
  isOffline(address: string): Promise<boolean>;
}
