import { REQUEST_BOUNDS } from './request-bounds.ts';

/** Why a transfer was given up. */
export type SlowReason = 'idle' | 'slow' | 'total';

export type BodyWatch = {
  received(bytes: number): void;
  /** Time does not count until `resume`: the other end is not the one that is waited for. */
  pause(): void;
  resume(): void;
  /** How fast it arrived lately; Infinity while that is not known, and once it has ended. */
  bytesPerSecond(): number;
  end(): void;
};

export type WatchLimits = {
  /** Nothing arrives for this long. */
  idleMs: number;
  totalMs?: number;
  /** On average, once `REQUEST_BOUNDS.bodyGraceMs` are over. */
  bytesPerSecondMin?: number;
};

type Watched = {
  limits: WatchLimits;
  giveUp: (reason: SlowReason) => void;
  isPaused: boolean;
  silentMs: number;
  ageMs: number;
  bytes: number;
  recent: { ms: number; bytes: number; bytesPerSecond: number };
};

/** A pause that is shorter does not make a body slow. */
const RECENT_MS = 10_000;

/** Bodies that are under way. One timer for all: a timer each would cost more than reading a small body. */
const watched = new Set<Watched>();
let timer: NodeJS.Timeout | null = null;

/** Calls `giveUp` once, when a body breaks one of the limits, give or take one sweep. */
export function watchBody(limits: WatchLimits, giveUp: Watched['giveUp']): BodyWatch {
  const entry: Watched = {
    limits,
    giveUp,
    isPaused: false,
    silentMs: 0,
    ageMs: 0,
    bytes: 0,
    recent: unknownSpeed(),
  };
  watched.add(entry);
  timer ??= setInterval(sweep, REQUEST_BOUNDS.timeoutCheckMs).unref();
  return {
    received(bytes) {
      entry.silentMs = 0;
      entry.bytes += bytes;
      entry.recent.bytes += bytes;
    },
    pause() {
      entry.isPaused = true;
    },
    resume() {
      entry.isPaused = false;
      entry.silentMs = 0;
    },
    bytesPerSecond: () => entry.recent.bytesPerSecond,
    end() {
      watched.delete(entry);
      entry.recent = unknownSpeed();
    },
  };
}

function sweep(): void {
  if (watched.size === 0 && timer) {
    clearInterval(timer);
    timer = null;
    return;
  }
  for (const entry of watched) {
    if (entry.isPaused) continue;
    entry.silentMs += REQUEST_BOUNDS.timeoutCheckMs;
    entry.ageMs += REQUEST_BOUNDS.timeoutCheckMs;
    measure(entry.recent);
    const reason = findReason(entry);
    if (reason === null) continue;
    watched.delete(entry);
    entry.giveUp(reason);
  }
}

function measure(recent: Watched['recent']): void {
  recent.ms += REQUEST_BOUNDS.timeoutCheckMs;
  if (recent.ms < RECENT_MS) return;
  recent.bytesPerSecond = recent.bytes / (recent.ms / 1000);
  recent.ms = 0;
  recent.bytes = 0;
}

const unknownSpeed = (): Watched['recent'] => ({
  ms: 0,
  bytes: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
});

function findReason({ limits, silentMs, ageMs, bytes }: Watched): SlowReason | null {
  if (silentMs > limits.idleMs) return 'idle';
  if (limits.totalMs !== undefined && ageMs > limits.totalMs) return 'total';
  const countedMs = ageMs - REQUEST_BOUNDS.bodyGraceMs;
  if (limits.bytesPerSecondMin !== undefined && bytes < (countedMs / 1000) * limits.bytesPerSecondMin) {
    return 'slow';
  }
  return null;
}
