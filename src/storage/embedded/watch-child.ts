import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Log } from '#lib/log.ts';

/** Characters of one line of output that are logged. */
const LINE_CHARACTERS_MAX = 2_000;
const LINES_KEPT = 5;

/** What is known of a child from outside. */
export type WatchedChild = {
  hasEnded(): boolean;
  /** Resolves when the process has ended, or could not be started at all. */
  exited: Promise<void>;
  /** The end of what it wrote to stderr, for the message when it does not start. */
  lastLines(): string;
};

/** Follows a child that was started with a pipe for stderr; `onLine` sees each line, shortened. */
export function watchChild(
  child: ChildProcess,
  name: string,
  log: Log,
  onLine: (line: string) => void = () => {},
): WatchedChild {
  let ended = false;
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      ended = true;
      resolve();
    };
    child.once('exit', end);
    child.once('error', (error) => {
      log.error({ error: error.message }, `${name} could not be started`);
      end();
    });
  });
  const lines: string[] = [];
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (text) => {
      const line = text.slice(0, LINE_CHARACTERS_MAX);
      lines.push(line);
      if (lines.length > LINES_KEPT) lines.shift();
      onLine(line);
    });
  }
  return { hasEnded: () => ended, exited, lastLines: () => lines.join(' | ') };
}
