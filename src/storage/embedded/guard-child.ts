import { spawn } from 'node:child_process';

/**
 * Makes a process die with this one, also after `kill -9`: a small shell holds the reading end of a pipe whose
 * writing end only we have. When we are gone the pipe closes, and the shell stops the process.
 * Answers how to take the guard away (when the process has ended by itself).
 */
export function guardChild(pid: number, signals: { first: string; last: string }): () => void {
  const guard = spawn('/bin/sh', ['-c', GUARD, 'errata-guard', String(pid), signals.first, signals.last], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    // The secrets of the supervisor's environment are not for a shell that only waits.
    env: { NODE_ENV: 'production', PATH: process.env.PATH },
  });
  guard.on('error', () => {});
  guard.stdin?.on('error', () => {});
  guard.unref();
  return () => {
    guard.kill('SIGKILL');
  };
}

// POSIX shell. Waits at most 5 s between the polite signal and the last one.
const GUARD = `
while read -r _; do :; done
kill -s "$2" "$1" 2>/dev/null
i=0
while [ "$i" -lt 50 ] && kill -0 "$1" 2>/dev/null; do sleep 0.1; i=$((i + 1)); done
kill -s "$3" "$1" 2>/dev/null
`;
