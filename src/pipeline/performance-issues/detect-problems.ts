import type { PerformanceIssueType } from '#protocol/performance-issue.ts';
import type { DigestedSpan } from '#protocol/telemetry.ts';
import { detectRenderBlockingAssets, detectUncompressedAssets } from './detect-assets.ts';
import { detectConsecutiveCalls, detectLargePayloads, detectNPlusOneCalls } from './detect-calls.ts';
import { detectConsecutiveQueries, detectNPlusOneQueries, detectSlowQueries } from './detect-queries.ts';
import type { Detector, Problem } from './detector.ts';
import { type PreparedTransaction, prepareTransaction } from './prepare-transaction.ts';

/** Problems of one transaction; of more, those that took longest count. */
const PROBLEMS_PER_TRANSACTION_MAX = 10;

const DETECTORS: Readonly<Record<PerformanceIssueType, Detector>> = {
  performance_n_plus_one_db_queries: detectNPlusOneQueries,
  performance_consecutive_db_queries: detectConsecutiveQueries,
  performance_slow_db_query: detectSlowQueries,
  performance_n_plus_one_api_calls: detectNPlusOneCalls,
  performance_consecutive_http: detectConsecutiveCalls,
  performance_large_http_payload: detectLargePayloads,
  performance_uncompressed_assets: detectUncompressedAssets,
  performance_render_blocking_asset_span: detectRenderBlockingAssets,
};

export type DetectedProblem = Problem & {
  /** The span that all offenders are children of; null when it is not there. */
  parent: DigestedSpan | null;
  /** Sum of the durations of the offenders, microseconds. */
  durationUs: number;
};

/**
 * What is wrong with the spans of a transaction, one problem for each fingerprint, the longest first. Pure, never throws,
 * and the same for the same spans.
 */
export function detectProblems(
  transaction: PreparedTransaction['transaction'],
  spans: readonly DigestedSpan[],
  types: readonly PerformanceIssueType[],
): readonly DetectedProblem[] {
  const prepared = prepareTransaction(transaction, spans);
  const byFingerprint = new Map<string, DetectedProblem>();
  for (const type of types) {
    for (const problem of DETECTORS[type](prepared)) {
      const durationUs = problem.offenders.reduce((sum, span) => sum + span.durationUs, 0);
      const key = JSON.stringify([type, ...problem.fingerprint]);
      const known = byFingerprint.get(key);
      if (known && known.durationUs >= durationUs) continue;
      const parent = prepared.findSpan(problem.offenders[0]?.parentSpanId ?? null);
      byFingerprint.set(key, { ...problem, parent, durationUs });
    }
  }
  return [...byFingerprint.values()]
    .sort((a, b) => b.durationUs - a.durationUs)
    .slice(0, PROBLEMS_PER_TRANSACTION_MAX);
}
