import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from './until.ts';

/** One system call of the trace. The numbers are lines: they give the order in which calls began and ended. */
export type SystemCall = { name: string; text: string; startedAt: number; endedAt: number; thread: number };

export const hasStrace = (): boolean => spawnSync('strace', ['--version']).status === 0;

/** Follows a running process with all its threads; `stop` answers what they called. Throws when it may not attach. */
export async function attachStrace(
  pid: number,
  calls: readonly string[],
): Promise<{ stop(): Promise<SystemCall[]> }> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'errata-strace-')), 'trace');
  const child = spawn(
    'strace',
    ['-f', '-y', '-s', '16000000', '-e', `trace=${calls.join(',')}`, '-o', file, '-p', String(pid)],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    messages += chunk;
  });
  const hasEnded = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until(`strace on process ${pid}: ${messages}`, () => {
    if (child.exitCode !== null) throw new Error(messages);
    return messages.includes('attached');
  });
  return {
    stop: async () => {
      child.kill('SIGINT');
      await hasEnded;
      const trace = readFileSync(file, 'latin1');
      rmSync(path.dirname(file), { recursive: true });
      return parseTrace(trace);
    },
  };
}

/** Lines of `strace -f -o`: whole calls, and calls that were interrupted by those of other threads. */
export function parseTrace(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const unfinished = new Map<number, SystemCall>();
  trace.split('\n').forEach((line, index) => {
    const thread = Number(/^(\d+)\s/.exec(line)?.[1]);
    const rest = line.replace(/^\d+\s+/, '');
    const resumed = /^<\.\.\. \w+ resumed>/.test(rest);
    if (resumed) {
      const call = unfinished.get(thread);
      unfinished.delete(thread);
      if (call) calls.push({ ...call, text: call.text + rest, endedAt: index });
      return;
    }
    const name = /^(\w+)\(/.exec(rest)?.[1];
    if (!name) return;
    const call = { name, text: rest, startedAt: index, endedAt: index, thread };
    if (rest.endsWith('<unfinished ...>')) unfinished.set(thread, call);
    else calls.push(call);
  });
  return calls.sort((a, b) => a.startedAt - b.startedAt);
}
