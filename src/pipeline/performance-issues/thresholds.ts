/**
 * From where on spans are a problem, as Sentry documents it. docs/performance-issues.md has them as a table.
 * Source: https://docs.sentry.io/product/issues/issue-details/performance-issues/
 */
export const THRESHOLDS = {
  nPlusOneQueries: { countMin: 5, durationMinMs: 50 },
  consecutiveQueries: { spanMinMs: 30, savedMinMs: 100, savedShareMin: 0.1 },
  slowQuery: { durationMinMs: 500 },
  nPlusOneCalls: { countMin: 10, gapMaxMs: 5, durationMinMs: 300 },
  consecutiveCalls: { countMin: 3, spanMinMs: 500, gapMaxMs: 500, savedMinMs: 2_000 },
  largePayload: { sizeMinBytes: 300_000, durationMinMs: 100 },
  uncompressedAsset: { sizeMinBytes: 512_000, durationMinMs: 500 },
  renderBlockingAsset: { sizeMinBytes: 500_000, fcpMinMs: 2_000, fcpMaxMs: 10_000, fcpShareMin: 0.33 },
} as const;
