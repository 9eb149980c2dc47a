import { readFileSync, rmSync } from 'node:fs';

/**
 * Places where a test makes the program fail on purpose. Set `ERRATA_FAULT_POINTS` to `point=text` pairs, separated by
 * commas: the point fails for input that holds the text. `point:kill=text` kills the process instead, `point:end=text` ends
 * the thread, and `point:hang=text` never comes back. For steps without
 * an input, `point:armed=file` kills the process once for each time that the file is made; when the file holds the id of
 * another process, such as a store's, that one is killed instead. Nothing is configured in normal running.
 */
export type FaultPoints = {
  /** Throws, or kills this process for a point named `<point>:kill`, when the input holds the configured text. */
  hit(point: string, input: Uint8Array): void;
  /** Kills this process, or the one that is named, when the point is armed, and disarms it first. */
  reach(point: string): void;
};

export function parseFaultPoints(text: string | null): FaultPoints {
  if (!text) return { hit() {}, reach() {} };
  const points = new Map(
    text.split(',').map((pair): [string, string] => {
      const equals = pair.indexOf('=');
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
  return {
    hit(point, input) {
      const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
      const thrown = points.get(point);
      if (thrown && bytes.includes(thrown)) throw new Error(`Fault point ${point} was hit`);
      const killed = points.get(`${point}:kill`);
      if (killed && bytes.includes(killed)) process.kill(process.pid, 'SIGKILL');
      const ended = points.get(`${point}:end`);
      if (ended && bytes.includes(ended)) process.exit(1);
      const hung = points.get(`${point}:hang`);
      if (hung && bytes.includes(hung)) for (;;);
    },
    reach(point) {
      const file = points.get(`${point}:armed`);
      if (file === undefined) return;
      let victim: number;
      try {
        victim = Number(readFileSync(file, 'utf8')) || process.pid;
        rmSync(file);
      } catch {
        return;
      }
      process.kill(victim, 'SIGKILL');
    },
  };
}
