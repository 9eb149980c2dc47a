import { DAY_MS } from '#lib/time.ts';
import { BUDGET_HIGH } from '#protocol/storage-budget.ts';

/** What arrived of one kind of data on one day and is still stored. */
export type DayBytes = { kind: string; day: string; bytes: number };

export type Forecast = {
  /** Bytes that arrive in a day; null without a whole day to go by. */
  bytesPerDay: number | null;
  /** Days that the rate was taken from. */
  daysMeasured: number;
  /** Days until data is dropped for the disk budget; 0 when it is now, null when that does not happen at this rate. */
  daysLeft: number | null;
  /** Where the usage settles, when data that is past its age makes room for what arrives. */
  settlesAtBytes: number;
};

/** The rate is that of the last days that are over, since today is not. */
const RATE_DAYS = 7;
const FORECAST_DAYS_MAX = 3_650;

/**
 * Goes forward day by day: each kind of data grows by what it grew lately, and loses what gets older than it is kept. What
 * has no day (the relational store, uploads, the spool) stays as it is.
 */
export function forecastDisk(input: {
  days: readonly DayBytes[];
  /** By kind. */
  retentionDays: (kind: string) => number;
  usedBytes: number;
  budgetBytes: number;
  nowMs: number;
}): Forecast {
  const { usedBytes, budgetBytes, nowMs } = input;
  const today = Math.floor(nowMs / DAY_MS);
  const kinds = [...Map.groupBy(input.days, ({ kind }) => kind)].map(([kind, own]) => ({
    keptDays: input.retentionDays(kind),
    byAge: own.map(({ day, bytes }) => ({ age: today - Math.floor(Date.parse(day) / DAY_MS), bytes })),
  }));
  const ages = kinds.flatMap(({ byAge }) => byAge.map(({ age }) => age));
  const daysMeasured = Math.min(RATE_DAYS, Math.max(0, ...ages));
  const rates = kinds.map(({ keptDays, byAge }) => ({
    keptDays,
    byAge,
    bytesPerDay:
      daysMeasured === 0
        ? 0
        : byAge
            .filter(({ age }) => age >= 1 && age <= daysMeasured)
            .reduce((sum, { bytes }) => sum + bytes, 0) / daysMeasured,
  }));
  const dated = input.days.reduce((sum, { bytes }) => sum + bytes, 0);
  const fixed = Math.max(0, usedBytes - dated);
  const usedIn = (days: number): number =>
    rates.reduce((sum, { keptDays, byAge, bytesPerDay }) => {
      const left = byAge.filter(({ age }) => age + days <= keptDays);
      return (
        sum + left.reduce((bytes, each) => bytes + each.bytes, 0) + bytesPerDay * Math.min(days, keptDays)
      );
    }, fixed);
  const bytesPerDay = rates.reduce((sum, rate) => sum + rate.bytesPerDay, 0);
  const settlesAtBytes = Math.round(usedIn(FORECAST_DAYS_MAX));
  const result = {
    bytesPerDay: daysMeasured === 0 ? null : Math.round(bytesPerDay),
    daysMeasured,
    settlesAtBytes,
  };
  const limit = budgetBytes * BUDGET_HIGH;
  if (usedBytes >= limit) return { ...result, daysLeft: 0 };
  if (daysMeasured === 0) return { ...result, daysLeft: null };
  for (let days = 1; days <= FORECAST_DAYS_MAX; days += 1) {
    if (usedIn(days) >= limit) return { ...result, daysLeft: days };
  }
  return { ...result, daysLeft: null };
}
