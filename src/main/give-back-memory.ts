import { trimHeap } from './trim-heap.ts';

/** After the start, when what it needed is garbage; then now and then, for what a busy time has left. */
const FIRST_AFTER_MS = [3_000, 15_000] as const;
const LOOK_EVERY_MS = 30_000;
/** Of one processor: whoever uses more has garbage collected by allocating. */
const IDLE_SHARE_MAX = 0.05;
/** A heap that grew by less is left alone. */
const GROWTH_BYTES_MIN = 4 * 1024 * 1024;

type Memory = {
  /** Collects everything; absent where Node was started without `--expose-gc`. */
  collect: (() => void) | undefined;
  heapBytes(): number;
  /** Microseconds of processor that this process has used. */
  cpuUs(): number;
};

const OWN: Memory = {
  collect:
    globalThis.gc &&
    (() => {
      globalThis.gc?.({ type: 'major', flavor: 'last-resort' } as NodeJS.GCOptions);
      trimHeap();
    }),
  heapBytes: () => process.memoryUsage().heapTotal,
  cpuUs: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
};

/**
 * Gives back what a process that rests does not need. The engine collects garbage when something is allocated, so a
 * process that has started, or has had a busy hour, keeps a third of its memory for nothing. Answers how to end it.
 */
export function giveBackMemory(memory: Memory = OWN): () => void {
  const { collect } = memory;
  if (!collect) return () => {};
  let keptBytes = 0;
  let cpuUs = memory.cpuUs();
  const giveBack = () => {
    collect();
    keptBytes = memory.heapBytes();
  };
  const look = () => {
    const usedUs = memory.cpuUs() - cpuUs;
    cpuUs += usedUs;
    const isIdle = usedUs < LOOK_EVERY_MS * 1_000 * IDLE_SHARE_MAX;
    if (isIdle && memory.heapBytes() > keptBytes + GROWTH_BYTES_MIN) giveBack();
  };
  const timers = [
    ...FIRST_AFTER_MS.map((afterMs) => setTimeout(giveBack, afterMs)),
    setInterval(look, LOOK_EVERY_MS),
  ];
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
