/** The tag of an operation: the first that matches its path. */
const TAGS: readonly (readonly [string, RegExp])[] = [
  ['Alerts', /\/(?:rules|alert-rules|combined-rules|workflows|destinations)\b/],
  ['Trackers', /\/(?:trackers|integrations|webhooks)\b/],
  [
    'Uploads',
    /\/(?:files|chunk-upload|artifact|artifactbundle|artifact-bundles|assemble|source-map-debug)\b/,
  ],
  ['Releases and code', /\/(?:releases|repos|code-mappings|stacktrace-link|committers)\b/],
  ['Members and teams', /^teams\b|\/(?:members|teams|user-teams)\b/],
  ['Issues', /^issues\b|\/(?:issues|issues-count|shortids|searches|tombstones)\b/],
  ['Statistics', /\/(?:stats|stats_v2|stats-summary|sessions|events-stats|events-timeseries)\b/],
  ['Monitors', /\/(?:monitors|check-ins)\b/],
  ['Replays', /\/(?:replays|replay-count)\b/],
  ['Events', /\/(?:events|eventids|tags|attachments|user-feedback)\b/],
  [
    'Traces, logs and metrics',
    /\/(?:trace|traces|trace-meta|trace-items|trace-logs|transactions|spans|logs|metrics|profiles|profiling)\b/,
  ],
  ['Projects', /^projects\b|\/(?:projects|project-keys|environments|spike-protections)\b/],
  ['Organizations', /^(?:organizations\b|auth\b|$)/],
];

/** Of a path such as `organizations/[org]/members`. */
export const tagOf = (path: string): string => TAGS.find(([, fits]) => fits.test(path))?.[0] ?? 'Other';

/** In the order of the document. */
export const TAG_NAMES: readonly string[] = [
  'Organizations',
  'Members and teams',
  'Projects',
  'Issues',
  'Events',
  'Alerts',
  'Releases and code',
  'Uploads',
  'Statistics',
  'Traces, logs and metrics',
  'Replays',
  'Monitors',
  'Trackers',
  'Other',
];
