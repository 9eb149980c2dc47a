// Cycles that are still there, types included. The list only shrinks: see test/architecture.test.ts.

export const KNOWN_FILE_KNOTS: readonly (readonly string[])[] = [
  [
    'app/[org]/issues/[issue]/people/create-in-tracker.tsx',
    'app/[org]/issues/[issue]/people/issue-links.tsx',
    'app/[org]/issues/[issue]/people/link-form.tsx',
    'app/[org]/issues/[issue]/people/link-in-tracker.tsx',
    'app/[org]/issues/[issue]/people/tracker-project.tsx',
  ],
  [
    'product/alerts/preview/preview-alert-rule.ts',
    'product/alerts/preview/preview-issue-alert.ts',
    'product/alerts/preview/preview-metric-alert.ts',
  ],
  ['product/retention/find-floods.ts', 'product/retention/plan-drops.ts'],
  ['storage/ports/telemetry-summaries.ts', 'storage/ports/telemetry.ts'],
];

export const KNOWN_FOLDER_KNOTS: readonly (readonly string[])[] = [
  ['app/(account)', 'app/shell'],
  ['app/[org]/alerts', 'app/[org]/issues', 'app/[org]/projects', 'app/[org]/releases', 'app/[org]/settings'],
  [
    'app/[org]/issues/[issue]/event/source',
    'app/[org]/issues/[issue]/event/source-problem',
    'app/[org]/issues/[issue]/event/stack',
  ],
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
