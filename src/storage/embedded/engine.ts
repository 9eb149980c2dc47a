import { MINUTE_MS } from '#lib/time.ts';

/** A bundled store that runs as a child of this process. */
export type EmbeddedEngine = {
  /** Where clients connect, with the password in it. Stays the same over restarts within one process. */
  url: string;
  pid: number;
  /** Resolves when the process has ended, whatever the reason. */
  exited: Promise<void>;
  /**
   * Resolves with the engine's answer over a new connection, whatever it says. Rejects after `ASK_TIMEOUT_MS`; the
   * error's code is ECONNREFUSED when the engine does not listen.
   */
  ask(): Promise<void>;
  /** Ends it at once. What it acknowledged is on disk. */
  kill(): void;
  /** Ends it in an orderly way, by force after `STOP_TIMEOUT_MS`. */
  stop(): Promise<void>;
};

export const STOP_TIMEOUT_MS = 6_000;
/** How long an engine may take from its start to its first answer; recovery after a crash included. */
export const START_TIMEOUT_MS = MINUTE_MS;
/** How long one sign of life may take. */
export const ASK_TIMEOUT_MS = 5_000;

/** How the child's line begins when the kernel cannot confine it; the reason follows. */
export const UNCONFINED = 'unconfined:';
