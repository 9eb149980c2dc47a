import type { Stores } from '#product/stores.ts';

/** What a command reaches of the instance; the composition root makes it. */
export type CliConnection = {
  stores: Stores;
  /** Public address without a trailing slash, for links and DSNs. */
  publicUrl: string;
  /** The same server as this machine reaches it, without a trailing slash. */
  localUrl: string;
  /** For the details of its health; null when this machine does not have it. */
  metricsToken: string | null;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Gives a quarantined record to digest again. Throws NotFound. */
  replayRecord(id: number): Promise<void>;
  close(): Promise<void>;
};
