import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import { describeBackupAge, isBackupDue, lastTurn } from './backup-age.ts';
import type { SavedSchedule } from './backup-store.ts';

const MIDNIGHT = Date.UTC(2026, 0, 10);
const schedule: SavedSchedule = {
  isOn: true,
  folder: '/backups',
  minuteOfDay: 180,
  keep: 3,
  savedAt: MIDNIGHT - MINUTE_MS,
};
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
  const failed = {
    state: 'failed' as const,
    error: 'The disk is full',
    createdAt: MIDNIGHT,
    beatAt: MIDNIGHT,
  };

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

  test('is missing when no machine begins the first one, or one that was asked for', () => {
    const savedAt = MIDNIGHT - 2 * HOUR_MS;
    const unmade = { level: 'warning', next: expect.stringContaining('Run the jobs role') };
    expect(at(null, { schedule: { ...schedule, savedAt } })).toMatchObject(unmade);
    const waiting = { state: 'waiting' as const, error: null, createdAt: savedAt, beatAt: null };
    expect(at(null, { last: waiting })).toMatchObject(unmade);
    expect(at(MIDNIGHT - 5 * HOUR_MS, { last: waiting })).toMatchObject({
      ...unmade,
      detail: 'the last good one is 5 hours old; the next one has been waiting without progress for 2 hours',
    });
    expect(at(null, { last: { ...waiting, createdAt: MIDNIGHT - MINUTE_MS } }).level).toBe('ok');
    // However long it takes, as long as it is heard of.
    const running = { ...waiting, state: 'running' as const, beatAt: MIDNIGHT - MINUTE_MS };
    expect(at(null, { last: running }).level).toBe('ok');
    expect(at(null, { last: { ...running, beatAt: savedAt } })).toMatchObject(unmade);
  });
});
