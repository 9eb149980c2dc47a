import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { ADMIN } from '../harness/start-errata.ts';

type Process = { command: string; environment: string };

/** Every process below the given one, of any depth. Of processes that are not ours only the parent is looked up. */
function listDescendants(rootPid: number): readonly Process[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(Number(name))] as const);
  const found = new Set([rootPid]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  found.delete(rootPid);
  return [...found].map(readProcess);
}

/** 0 for one that has ended meanwhile. */
function parentOf(pid: number): number {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return 0;
  }
}

const readProcess = (pid: number): Process => ({
  command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
  environment: readFileSync(`/proc/${pid}/environ`, 'utf8'),
});

describe.runIf(process.platform === 'linux')('what the processes of a server are started with', () => {
  test('no role, no engine and no guard has the password of the first admin', () => {
    const processes = listDescendants(inject('errata').pid);
    for (const role of ['edge', 'digest', 'web', 'jobs']) {
      const found = processes.find(({ command }) => command.includes(`role ${role} `));
      // A process whose environment could not be read would show nothing.
      expect(found?.environment, role).toContain('ERRATA_DATA_DIR=');
    }
    expect(processes.some(({ command }) => command.includes('errata-guard'))).toBe(true);
    const knowing = processes.filter(({ environment, command }) =>
      `${environment}${command}`.includes(ADMIN.password),
    );
    expect(knowing.map(({ command }) => command)).toEqual([]);
  });
});
