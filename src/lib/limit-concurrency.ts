/** Runs at most `max` calls at a time; the others wait in order. The caller bounds how many wait. */
export function limitConcurrency<Arguments extends unknown[], Result>(
  call: (...args: Arguments) => Promise<Result>,
  max: number,
): (...args: Arguments) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (...args) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await call(...args);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
