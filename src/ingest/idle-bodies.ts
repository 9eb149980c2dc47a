import { LIMITS } from './limits.ts';

export type IdleWatch = {
  /** Something has arrived. */
  touch(): void;
  end(): void;
};

type Watched = { silentSweeps: number; give: () => void };

/** Bodies that are under way. One timer for all: a timer each would cost more than reading a small body. */
const watched = new Set<Watched>();
let timer: NodeJS.Timeout | null = null;

/** Calls `giveUp` once, when nothing has arrived for `LIMITS.bodyIdleMs`, give or take one sweep. */
export function watchIdleBody(giveUp: () => void): IdleWatch {
  const entry: Watched = { silentSweeps: 0, give: giveUp };
  watched.add(entry);
  timer ??= setInterval(sweep, LIMITS.timeoutCheckMs).unref();
  return {
    touch() {
      entry.silentSweeps = 0;
    },
    end() {
      watched.delete(entry);
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
    entry.silentSweeps += 1;
    if (entry.silentSweeps * LIMITS.timeoutCheckMs <= LIMITS.bodyIdleMs) continue;
    watched.delete(entry);
    entry.give();
  }
}
