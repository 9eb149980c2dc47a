/** What the server shows of `docs/`, by the work that somebody has in mind; each name is a file there. */
export const GUIDE_GROUPS = [
  { title: 'Start', guides: ['first-hour', 'install', 'sdks', 'migrating', 'transfer', 'interface'] },
  {
    title: 'Errors',
    guides: ['issues', 'search', 'grouping', 'source-maps', 'ownership', 'releases', 'feedback', 'users'],
  },
  {
    title: 'Telemetry',
    guides: [
      'explore',
      'traces',
      'performance-pages',
      'performance-issues',
      'profiles',
      'replays',
      'dashboards',
      'telemetry',
    ],
  },
  {
    title: 'Being notified',
    guides: ['on-call', 'alerts', 'destinations', 'notifications', 'monitors', 'uptime'],
  },
  { title: 'Programs', guides: ['mcp', 'integrations', 'sentry-cli', 'cli', 'api', 'contract'] },
  { title: 'Organization', guides: ['organizations', 'members', 'accounts', 'limits', 'privacy'] },
  {
    title: 'Operation',
    guides: [
      'operate',
      'containers',
      'upgrade',
      'backup',
      'hardening',
      'scale',
      'security',
      'reliability',
      'performance',
    ],
  },
] as const satisfies readonly { title: string; guides: readonly string[] }[];

/** For people who change Errata: not shown. */
export const NOT_SHOWN: readonly string[] = ['bounds', 'testing'];

export const GUIDES: readonly string[] = GUIDE_GROUPS.flatMap(({ guides }): readonly string[] => guides);
