import { expect, test } from 'vitest';
import { isInMaintenance } from './maintenance.ts';

const at = (text: string) => Date.parse(`${text}Z`);

test('a window has its start, and not its end', () => {
  const window = { kind: 'once', fromMs: at('2026-11-27T12:00'), toMs: at('2026-11-27T13:00') } as const;
  expect(isInMaintenance([window], at('2026-11-27T11:59'))).toBe(false);
  expect(isInMaintenance([window], at('2026-11-27T12:00'))).toBe(true);
  expect(isInMaintenance([window], at('2026-11-27T13:00'))).toBe(false);
  expect(isInMaintenance([], at('2026-11-27T12:00'))).toBe(false);
});

test('a weekly window comes back, also over midnight and the end of the week', () => {
  // 28 November 2026 is a Saturday.
  const window = { kind: 'weekly', weekday: 6, startMinute: 23 * 60, minutes: 120 } as const;
  for (const day of ['2026-11-28', '2026-12-05']) {
    expect(isInMaintenance([window], at(`${day}T22:59`))).toBe(false);
    expect(isInMaintenance([window], at(`${day}T23:00`))).toBe(true);
  }
  expect(isInMaintenance([window], at('2026-11-29T00:59'))).toBe(true);
  expect(isInMaintenance([window], at('2026-11-29T01:00'))).toBe(false);
  expect(isInMaintenance([window], at('2026-11-27T23:30'))).toBe(false);
});
