import { expect, test } from 'vitest';
import { describeMachines } from './describe-machines.ts';
import type { RoleProcess } from './role-process-store.ts';

const process = (machine: string, role: string, other: Partial<RoleProcess> = {}): RoleProcess => ({
  machine,
  role,
  version: '0.2.0',
  startedAt: 0,
  silentMs: 2_000,
  clockAheadMs: 3,
  ...other,
});

test('says of each machine what runs there, in which version, and how its clock goes', () => {
  const states = describeMachines([
    process('a:9000', 'edge'),
    process('a:9000', 'web'),
    process('b:9000', 'digest', { version: '0.1.0', clockAheadMs: -1_540 }),
  ]);
  expect(states).toEqual([
    { name: 'a:9000', detail: 'edge, web of 0.2.0, its clock is 3 ms ahead', trouble: null },
    { name: 'b:9000', detail: 'digest of 0.1.0, its clock is 1.5 s behind', trouble: 'clock' },
  ]);
});

test('a role that was started anew hides the process that died, a machine that is gone is silent', () => {
  const states = describeMachines([
    process('a:9000', 'edge', { silentMs: 600_000, version: '0.1.0' }),
    process('a:9000', 'edge'),
    process('b:9000', 'jobs', { silentMs: 90_000, clockAheadMs: null }),
  ]);
  expect(states.map(({ detail, trouble }) => [detail, trouble])).toEqual([
    ['edge of 0.2.0, its clock is 3 ms ahead', null],
    ['jobs of 0.2.0, silent for 90 s', 'silent'],
  ]);
});
