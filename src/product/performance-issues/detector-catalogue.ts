import { THRESHOLDS } from '#pipeline/performance-issues/thresholds.ts';
import { PERFORMANCE_ISSUE_TYPES, type PerformanceIssueType } from '#protocol/performance-issue.ts';

const {
  nPlusOneQueries,
  consecutiveQueries,
  slowQuery,
  nPlusOneCalls,
  consecutiveCalls,
  largePayload,
  uncompressedAsset,
  renderBlockingAsset,
} = THRESHOLDS;

/** With a space that no line ends at. */
const kilobytes = (bytes: number): string => `${bytes / 1_000}\u00a0kB`;
const seconds = (ms: number): string => `${ms / 1_000}\u00a0s`;
const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** What each detector looks for, with its thresholds. */
const HELP: Readonly<Record<PerformanceIssueType, string>> = {
  performance_n_plus_one_db_queries: `The same query at least ${nPlusOneQueries.countMin} times in a row, for at least ${nPlusOneQueries.durationMinMs} ms in total, after another query.`,
  performance_consecutive_db_queries: `Queries in a row, some of which do not depend on the others: running those in parallel would save at least ${consecutiveQueries.savedMinMs} ms and ${percent(consecutiveQueries.savedShareMin)}.`,
  performance_slow_db_query: `A SELECT that takes ${slowQuery.durationMinMs} ms or longer.`,
  performance_n_plus_one_api_calls: `At least ${nPlusOneCalls.countMin} simultaneous GET requests of a page or screen to the same kind of URL, for at least ${nPlusOneCalls.durationMinMs} ms in total.`,
  performance_consecutive_http: `At least ${consecutiveCalls.countMin} requests in a row that take ${consecutiveCalls.spanMinMs} ms or longer each: running them in parallel would save at least ${seconds(consecutiveCalls.savedMinMs)}.`,
  performance_large_http_payload: `A response larger than ${kilobytes(largePayload.sizeMinBytes)} that takes at least ${largePayload.durationMinMs} ms. Files other than JSON are ignored.`,
  performance_uncompressed_assets: `A script or style sheet of ${kilobytes(uncompressedAsset.sizeMinBytes)} or more, sent uncompressed, that takes at least ${uncompressedAsset.durationMinMs} ms.`,
  performance_render_blocking_asset_span: `A script or style sheet larger than ${kilobytes(renderBlockingAsset.sizeMinBytes)} that takes at least ${percent(renderBlockingAsset.fcpShareMin)} of a first contentful paint between ${seconds(renderBlockingAsset.fcpMinMs)} and ${seconds(renderBlockingAsset.fcpMaxMs)}.`,
};

export type DetectorChoice = { type: PerformanceIssueType; help: string };

/** In the order of the settings page. */
export const DETECTORS: readonly DetectorChoice[] = PERFORMANCE_ISSUE_TYPES.map((type) => ({
  type,
  help: HELP[type],
}));
