import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import { describeBackupAge, isBackupDue, lastTurn } from './backup-age.ts';
import type { BackupSchedule } from './backup-store.ts';

const MIDNIGHT = Date.UTC(2026, 0, 10);
const schedule: BackupSchedule = { isOn: true, folder: '/backups', minuteOfDay: 180, keep: 3 };
const AT_THREE = MIDNIGHT + 3 * HOUR_MS;

test('a turn is at its time of every day', () => {
  expect(lastTurn(schedule, AT_THREE)).toBe(AT_THREE);
  expect(lastTurn(schedule, AT_THREE - 1)).toBe(AT_THREE - DAY_MS);
  expect(lastTurn(schedule, AT_THREE + DAY_MS - 1)).toBe(AT_THREE);
});

describe('a backup is due', () => {
  const run = (createdAt: number, state: 'done' | 'failed' | 'running', finishedAt = createdAt) => ({
    createdAt,
    state,
    finishedAt,
  });

  test('once a day, also after a time in which nothing ran', () => {
    expect(isBackupDue(schedule, [], AT_THREE + 5 * HOUR_MS)).toBe(true);
    expect(isBackupDue(schedule, [run(AT_THREE + MINUTE_MS, 'done')], AT_THREE + HOUR_MS)).toBe(false);
    expect(isBackupDue(schedule, [run(AT_THREE - DAY_MS, 'done')], AT_THREE)).toBe(true);
    expect(isBackupDue(schedule, [run(AT_THREE, 'running')], AT_THREE + 9 * HOUR_MS)).toBe(false);
  });

  test('never without a folder, or while it is off', () => {
    expect(isBackupDue({ ...schedule, isOn: false }, [], AT_THREE)).toBe(false);
    expect(isBackupDue({ ...schedule, folder: null }, [], AT_THREE)).toBe(false);
  });

  test('again an hour after it failed, three times in all', () => {
    const failed = run(AT_THREE, 'failed', AT_THREE + MINUTE_MS);
    expect(isBackupDue(schedule, [failed], AT_THREE + 30 * MINUTE_MS)).toBe(false);
    expect(isBackupDue(schedule, [failed], AT_THREE + 62 * MINUTE_MS)).toBe(true);
    expect(isBackupDue(schedule, [failed, failed, failed], AT_THREE + 9 * HOUR_MS)).toBe(false);
    expect(isBackupDue(schedule, [failed, failed, failed], AT_THREE + DAY_MS)).toBe(true);
  });
});

describe('the age of the last good backup', () => {
  const at = (lastGoodAt: number | null, change: Partial<Parameters<typeof describeBackupAge>[0]> = {}) =>
    describeBackupAge({
      schedule,
      lastGood: lastGoodAt === null ? null : { momentAt: lastGoodAt },
      last: null,
      nowMs: MIDNIGHT,
      ...change,
    });
  const failed = { state: 'failed' as const, error: 'The disk is full', createdAt: MIDNIGHT };

  test('is well within two days', () => {
    expect(at(MIDNIGHT - 20 * HOUR_MS)).toEqual({
      level: 'ok',
      detail: 'the last good one is 20 hours old',
      next: null,
    });
    expect(at(MIDNIGHT - 2 * DAY_MS - 1)).toMatchObject({
      level: 'warning',
      detail: 'the last good one is 2 days old',
    });
  });

  test('names what failed last, also while an older one is good', () => {
    expect(at(MIDNIGHT - HOUR_MS, { last: failed }).detail).toContain('The disk is full');
    expect(at(null, { last: failed })).toMatchObject({ level: 'warning' });
  });

  test('is none at first, and a warning where nothing makes backups', () => {
    expect(at(null)).toMatchObject({ level: 'ok', detail: 'the first one is to come' });
    expect(at(null, { schedule: { ...schedule, isOn: false } }).next).toContain('Settings > Backups');
    expect(at(MIDNIGHT - HOUR_MS, { schedule: { ...schedule, isOn: false } }).level).toBe('ok');
  });
});
