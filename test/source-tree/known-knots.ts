// Cycles that are still there, types included. The list only shrinks: see test/architecture.test.ts.

export const KNOWN_FILE_KNOTS: readonly (readonly string[])[] = [
  [
    'product/alerts/preview/preview-alert-rule.ts',
    'product/alerts/preview/preview-issue-alert.ts',
    'product/alerts/preview/preview-metric-alert.ts',
  ],
  ['product/retention/find-floods.ts', 'product/retention/plan-drops.ts'],
  ['storage/ports/telemetry-summaries.ts', 'storage/ports/telemetry.ts'],
];

export const KNOWN_FOLDER_KNOTS: readonly (readonly string[])[] = [
  ['product/accounts', 'product/invitations', 'product/tokens'],
  [
    'product/alerts',
    'product/deliveries',
    'product/destinations',
    'product/mail',
    'product/messages',
    'product/ownership',
    'product/projects',
    'product/quotas',
    'product/teams',
  ],
  ['product/artifacts', 'product/symbolication'],
  [
    'product/commits',
    'product/events',
    'product/issues',
    'product/releases',
    'product/repositories',
    'product/search',
  ],
];
