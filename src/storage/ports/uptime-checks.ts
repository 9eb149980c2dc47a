import type { UptimeCheck, UptimeStatus } from '#domain/uptime/check.ts';
import type { EventScope, TimeRange } from './events.ts';
import type { TelemetryCursor } from './telemetry.ts';

/** Checks on schedule of a monitor in one stretch of time; what was checked in maintenance is in none of them. */
export type UptimeBucket = {
  monitorId: number;
  /** Of the buckets that were asked for, from 0. */
  bucket: number;
  successes: number;
  failures: number;
  /** While this machine was offline. */
  unknown: number;
  /** Of the successes; null without one. */
  averageMs: number | null;
  p95Ms: number | null;
};

export type UptimeCheckQuery = {
  monitorId: number;
  limit: number;
  before: TelemetryCursor | null;
  range: TimeRange | null;
  /** null for all. */
  status: UptimeStatus | null;
};

/** Checks of uptime monitors, each stored once however often it is inserted. Source: ClickHouse. */
export interface UptimeCheckStore {
  /** Durable when it resolves. Throws ErrataError 'unavailable' when the store does not answer. */
  insert(checks: readonly UptimeCheck[], token: string): Promise<void>;
  /** Newest first. `next` is null at the end. */
  list(
    scope: EventScope,
    query: UptimeCheckQuery,
  ): Promise<{ rows: readonly UptimeCheck[]; next: TelemetryCursor | null }>;
  /** Buckets from the beginning of the range on; those without a check are left out. */
  countBuckets(
    scope: EventScope,
    query: { monitorIds: readonly number[]; range: TimeRange; bucketMs: number },
  ): Promise<readonly UptimeBucket[]>;
}
