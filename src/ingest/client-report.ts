import { CATEGORIES, type Category } from '#protocol/outcome.ts';
import type { RecordOutcome } from './spool-record.ts';

const ENTRIES_MAX = 100;
const QUANTITY_MAX = 1_000_000;

/**
 * What an SDK says that it threw away itself, as outcomes. A report that cannot be read says nothing.
 * Source: https://develop.sentry.dev/sdk/telemetry/client-reports/
 */
export function readClientReport(payload: Uint8Array): RecordOutcome[] {
  let report: unknown;
  try {
    report = JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8'));
  } catch {
    return [];
  }
  const discarded = (report as { discarded_events?: unknown } | null)?.discarded_events;
  if (!Array.isArray(discarded)) return [];
  const outcomes: RecordOutcome[] = [];
  for (const entry of discarded.slice(0, ENTRIES_MAX)) {
    const { reason, category, quantity } = (entry ?? {}) as Record<string, unknown>;
    if (typeof reason !== 'string' || !/^[a-z0-9_.-]{1,64}$/i.test(reason)) continue;
    if (typeof quantity !== 'number' || !Number.isSafeInteger(quantity) || quantity < 1) continue;
    outcomes.push({
      category: isCategory(category) ? category : 'unknown',
      outcome: 'client_discard',
      reason,
      quantity: Math.min(quantity, QUANTITY_MAX),
    });
  }
  return outcomes;
}

const isCategory = (value: unknown): value is Category => CATEGORIES.some((known) => known === value);
