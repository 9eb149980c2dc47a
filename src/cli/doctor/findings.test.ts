import { describe, expect, test } from 'vitest';
import { type DoctorFacts, findProblems } from './findings.ts';

const GB = 1e9;
const WELL: DoctorFacts = {
  settings: { ok: true, lines: ['The configuration is valid'] },
  checks: { edge: { ok: true, detail: '' }, digest: { ok: true, detail: '0 records wait' } },
  publicUrl: 'https://errors.example.com',
  publicAnswer: { ok: true, status: 200 },
  nowMs: 1_000_000,
  stores: [
    { name: 'PostgreSQL', version: '18.4', nowMs: 1_000_900, problems: [], servers: [] },
    { name: 'ClickHouse', version: '26.7', nowMs: 999_000, problems: [], servers: [] },
  ],
  machines: [],
  disk: { usedBytes: 2 * GB, budgetBytes: 10 * GB, volumeBytes: 100 * GB, freeBytes: 50 * GB },
  backups: { level: 'ok', detail: 'the last good one is 3 hours old', next: null },
  quarantine: [{ reason: 'digest_failed', replayedAt: 5 }],
  failing: [],
  hasMailServer: true,
};

const problemsOf = (facts: Partial<DoctorFacts>) =>
  findProblems({ ...WELL, ...facts })
    .filter(({ level }) => level !== 'ok')
    .map(({ about, level, detail, next }) => {
      expect(next).toMatch(/\w+/);
      return `${level} ${about}: ${detail}`;
    });

test('an instance that is well has a finding for everything that was looked at, and nothing to do', () => {
  const findings = findProblems(WELL);
  expect(findings.map(({ level, next }) => [level, next])).toEqual(findings.map(() => ['ok', null]));
  expect(findings.map(({ about }) => about)).toEqual([
    'settings',
    'edge',
    'digest',
    'address',
    'PostgreSQL',
    'ClickHouse',
    'disk',
    'backups',
    'quarantine',
    'mail',
    'deliveries',
  ]);
});

describe('what is not well is told with what to do', () => {
  test('no mail server, which default rules need', () => {
    expect(problemsOf({ hasMailServer: false })).toEqual([
      'warning mail: No mail server is set: alerts, invitations and password resets are not emailed',
    ]);
  });

  test('a machine whose clock is off, one that is silent, and versions side by side', () => {
    const process = { role: 'edge', version: '0.2.0', startedAt: 0, silentMs: 1_000, clockAheadMs: 20 };
    const machines = [
      { ...process, machine: 'a' },
      { ...process, machine: 'b', version: '0.1.0', clockAheadMs: 2_600 },
      { ...process, machine: 'c', silentMs: 120_000 },
    ];
    expect(problemsOf({ machines })).toEqual([
      'warning machine b: edge of 0.1.0, its clock is 2.6 s ahead',
      'warning machine c: edge of 0.2.0, silent for 120 s, its clock is 20 ms ahead',
      'warning versions: Versions 0.1.0 and 0.2.0 run side by side',
    ]);
  });

  test('a setting that cannot be read', () => {
    expect(problemsOf({ settings: { ok: false, lines: ['PORT must be a number'] } })).toEqual([
      'failed settings: PORT must be a number',
    ]);
  });

  test('a part that is down, and parts that this machine may not know of', () => {
    const checks = { clickhouse: { ok: false, detail: 'connection refused' } };
    expect(problemsOf({ checks })).toEqual(['failed clickhouse: connection refused']);
    expect(problemsOf({ checks: null })).toEqual([
      'warning server: The health of its parts is not shown without the token',
    ]);
  });

  test('an address that is not reached, is answered by something else, or has no TLS', () => {
    expect(problemsOf({ publicAnswer: { ok: false, reason: 'certificate has expired' } })).toEqual([
      'failed address: https://errors.example.com is not reached: certificate has expired',
    ]);
    expect(problemsOf({ publicAnswer: { ok: true, status: 502 } })).toEqual([
      'failed address: https://errors.example.com/health/live answers 502',
    ]);
    expect(problemsOf({ publicUrl: 'http://errors.example.com' })).toHaveLength(1);
    expect(problemsOf({ publicUrl: 'http://localhost:9000' })).toEqual([]);
  });

  test('problems of a store, and a clock that goes wrong', () => {
    const [postgres] = WELL.stores;
    const problems = [{ detail: 'The index a is invalid', next: 'Rebuild it' }];
    expect(problemsOf({ stores: [{ ...postgres!, problems }] })).toEqual([
      'warning PostgreSQL: The index a is invalid',
    ]);
    expect(problemsOf({ stores: [{ ...postgres!, nowMs: WELL.nowMs - 61_000 }] })).toEqual([
      'warning PostgreSQL: Its clock differs by 61 seconds from the clock of this machine',
    ]);
  });

  test('a volume that is nearly full, and a budget that is', () => {
    expect(problemsOf({ disk: { ...WELL.disk, freeBytes: 4 * GB } })).toHaveLength(1);
    expect(problemsOf({ disk: { ...WELL.disk, usedBytes: 9.6 * GB } })).toEqual([
      'warning disk: 9.6 GB of a budget of 10.0 GB, 50.0 GB free on the volume',
    ]);
  });

  test('items that wait in quarantine, and destinations that fail', () => {
    const quarantine = [
      { reason: 'digest_failed', replayedAt: null },
      { reason: 'digest_crashed', replayedAt: null },
      { reason: 'digest_failed', replayedAt: 5 },
    ];
    expect(problemsOf({ quarantine })).toEqual([
      'warning quarantine: 2 items wait: digest_failed, digest_crashed',
    ]);
    const failing = [{ organization: 'main', name: 'Ops', error: 'HTTP 404' }];
    expect(problemsOf({ failing })).toEqual(['warning deliveries: Messages to Ops (main) fail: HTTP 404']);
  });
});
