// Cycles that are still there, types included. The list only shrinks: see test/architecture.test.ts.

export const KNOWN_FILE_KNOTS: readonly (readonly string[])[] = [
  [
    'app/[org]/issues/[issue]/people/create-in-tracker.tsx',
    'app/[org]/issues/[issue]/people/issue-links.tsx',
    'app/[org]/issues/[issue]/people/link-form.tsx',
    'app/[org]/issues/[issue]/people/link-in-tracker.tsx',
    'app/[org]/issues/[issue]/people/tracker-project.tsx',
  ],
  ['app/api/0/handle-api-request.ts', 'app/api/0/operation.ts'],
  ['ingest/scrub-body.ts', 'ingest/scrub-recording.ts'],
  ['lib/zip-archive.ts', 'lib/zip-member.ts', 'lib/zip-window.ts'],
  [
    'main/run-role.ts',
    'main/start-digest.ts',
    'main/start-edge.ts',
    'main/start-jobs.ts',
    'main/start-web.ts',
  ],
  [
    'pipeline/grouping/stack-trace-rules/compile-matcher.ts',
    'pipeline/grouping/stack-trace-rules/frame-facts.ts',
    'pipeline/grouping/stack-trace-rules/rule-set.ts',
  ],
];

export const KNOWN_FOLDER_KNOTS: readonly (readonly string[])[] = [
  ['app/(account)', 'app/shell'],
  ['app/[org]', 'app/api'],
  ['app/[org]/alerts', 'app/[org]/issues', 'app/[org]/projects', 'app/[org]/releases', 'app/[org]/settings'],
  [
    'app/[org]/issues/[issue]/event/source',
    'app/[org]/issues/[issue]/event/source-problem',
    'app/[org]/issues/[issue]/event/stack',
  ],
  ['pipeline/symbolicate/javascript', 'pipeline/symbolicate/source-map'],
];
