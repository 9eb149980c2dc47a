// Preloaded into a server's processes: their wall clock is off by what the file CLOCK_SHIFT_FILE says, in milliseconds.
import { readFileSync } from 'node:fs';

const READ_EVERY_MS = 50;
const RealDate = Date;
const realNow = Date.now.bind(Date);
let shiftMs = 0;
let readAt = 0;

function now() {
  const at = realNow();
  if (at - readAt > READ_EVERY_MS) {
    readAt = at;
    try {
      shiftMs = Number(readFileSync(process.env.CLOCK_SHIFT_FILE, 'utf8')) || 0;
    } catch {
      shiftMs = 0;
    }
  }
  return at + shiftMs;
}

// A proxy, not a class of its own: dates made elsewhere stay instances of it.
RealDate.now = now;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(
      target,
      args.length === 0 ? [now()] : args,
      newTarget === globalThis.Date ? target : newTarget,
    ),
  apply: () => new RealDate(now()).toString(),
});
