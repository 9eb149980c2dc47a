import type { SentryAnswer } from './sentry-server.ts';

const ORG = '/organizations/acme';
const PROJECT = '/projects/acme/web';
export const PUBLIC_KEY = '0123456789abcdef0123456789abcdef';
/** More than one page of them. */
export const EVENTS = 130;
export const EVENT_MINUTE_MS = Date.UTC(2026, 9, 1);

const ADA = { id: '501', name: 'Ada', email: 'ada@acme.example' };

const eventAt = (index: number) => new Date(EVENT_MINUTE_MS - index * 60_000).toISOString();

/** As `events/?full=1` lists it. */
const event = (index: number) => ({
  id: index.toString(16).padStart(32, 'a'),
  eventID: index.toString(16).padStart(32, 'a'),
  groupID: '9001',
  projectID: '41',
  dist: null,
  title: 'TypeError: x is undefined',
  location: 'app.js',
  culprit: 'checkout',
  platform: 'javascript',
  type: 'error',
  metadata: { type: 'TypeError', value: 'x is undefined' },
  dateCreated: eventAt(index),
  dateReceived: eventAt(index),
  user: { id: '7', email: 'user@customer.example' },
  tags: [
    { key: 'level', value: 'error' },
    { key: 'environment', value: 'production' },
    { key: 'release', value: 'web@1.2.0' },
    { key: 'plan', value: 'pro' },
  ],
  contexts: { os: { type: 'os', name: 'Linux' } },
  context: { cart: 3 },
  packages: { react: '19.0.0' },
  sdk: { name: 'sentry.javascript.browser', version: '10.0.0' },
  fingerprints: ['0123456789abcdef0123456789abcdef'],
  entries: [
    {
      type: 'exception',
      data: {
        values: [
          {
            type: 'TypeError',
            value: 'x is undefined',
            module: null,
            threadId: null,
            mechanism: { type: 'onerror', handled: false },
            stacktrace: {
              frames: [
                {
                  filename: 'app.js',
                  absPath: 'https://acme.example/app.js',
                  function: 'checkout',
                  lineNo: 12,
                  colNo: 4,
                  inApp: true,
                  context: [
                    [11, 'before'],
                    [12, 'x.y()'],
                    [13, 'after'],
                  ],
                },
              ],
              framesOmitted: null,
              registers: null,
            },
          },
        ],
      },
    },
    {
      type: 'breadcrumbs',
      data: { values: [{ type: 'default', category: 'ui', message: 'click', timestamp: eventAt(index) }] },
    },
    {
      type: 'request',
      data: {
        method: 'GET',
        url: 'https://acme.example/cart',
        query: [['a', '1']],
        headers: [['Host', 'x']],
      },
    },
  ],
});

const rule = {
  id: '71',
  name: 'New in production',
  conditions: [{ id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' }],
  filters: [{ id: 'sentry.rules.filters.level.LevelFilter', match: 'gte', level: '40' }],
  actions: [
    { id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'Team', targetIdentifier: '21' },
    {
      id: 'sentry.integrations.slack.notify_action.SlackNotifyServiceAction',
      workspace: '1',
      channel: '#errors',
    },
    { id: 'sentry.integrations.jira.notify_action.JiraCreateTicketAction' },
  ],
  actionMatch: 'any',
  filterMatch: 'all',
  frequency: 30,
  environment: 'production',
  owner: 'team:21',
  status: 'active',
};

/** An organization in the shapes that Sentry's API documents. */
export const sentryOrganization = (): Record<string, SentryAnswer> => ({
  [`${ORG}/`]: { id: '1', slug: 'acme', name: 'Acme', openMembership: true },
  [`${ORG}/members/`]: [
    {
      id: '31',
      email: ADA.email,
      name: ADA.name,
      user: ADA,
      role: 'owner',
      orgRole: 'owner',
      teams: ['backend'],
    },
    {
      id: '32',
      email: 'new@acme.example',
      name: 'new@acme.example',
      user: null,
      orgRole: 'billing',
      teams: [],
      pending: true,
    },
  ],
  [`${ORG}/teams/`]: [{ id: '21', slug: 'backend', name: 'Backend' }],
  [`${ORG}/projects/`]: [
    {
      id: '41',
      slug: 'web',
      name: 'Web',
      platform: 'javascript',
      dateCreated: '2025-01-01T00:00:00Z',
      teams: [{ id: '21', slug: 'backend' }],
    },
  ],
  [`${PROJECT}/`]: { fingerprintingRules: 'type:A -> a', groupingEnhancements: '' },
  [`${PROJECT}/keys/`]: [
    { id: PUBLIC_KEY, name: 'Default', public: PUBLIC_KEY, secret: 'f'.repeat(32), isActive: true },
  ],
  [`${PROJECT}/ownership/`]: { raw: 'path:src/* #backend' },
  [`${PROJECT}/environments/`]: [{ id: '1', name: 'production', isHidden: false }],
  [`${ORG}/releases/`]: [
    {
      version: 'web@1.2.0',
      ref: null,
      url: null,
      dateReleased: '2026-09-30T10:00:00Z',
      dateCreated: '2026-09-30T09:00:00Z',
      firstEvent: '2026-09-30T11:00:00Z',
      projects: [{ id: 41, slug: 'web' }],
      commitCount: 1,
      deployCount: 1,
    },
  ],
  [`${ORG}/releases/web%401.2.0/commits/`]: [
    {
      id: 'c0ffee',
      message: 'Fix it',
      dateCreated: '2026-09-30T08:00:00Z',
      repository: { name: 'acme/web' },
      author: ADA,
    },
  ],
  [`${ORG}/releases/web%401.2.0/deploys/`]: [
    {
      id: '1',
      environment: 'production',
      name: null,
      url: null,
      dateStarted: null,
      dateFinished: '2026-09-30T10:00:00Z',
    },
  ],
  [`${PROJECT}/events/`]: Array.from({ length: EVENTS }, (_, index) => event(index)),
  [`${ORG}/issues/`]: [
    {
      id: '9001',
      shortId: 'WEB-1',
      title: 'TypeError: x is undefined',
      culprit: 'checkout',
      level: 'error',
      status: 'resolved',
      statusDetails: { inRelease: 'web@1.3.0' },
      substatus: null,
      priority: 'high',
      priorityLockedAt: '2026-11-01T10:00:00Z',
      platform: 'javascript',
      type: 'error',
      metadata: { type: 'TypeError', value: 'x is undefined' },
      assignedTo: { type: 'user', id: ADA.id, name: ADA.name, email: ADA.email },
      count: '1234',
      userCount: 9,
      firstSeen: '2026-08-01T00:00:00Z',
      lastSeen: eventAt(0),
      stats: {
        '24h': [
          [1_790_000_000, 3],
          [1_790_003_600, 0],
          [1_790_007_200, 5],
        ],
      },
    },
    {
      id: '9002',
      shortId: 'WEB-2',
      title: 'Slow',
      culprit: '',
      level: 'warning',
      status: 'ignored',
      statusDetails: { ignoreCount: 100, ignoreWindow: 60 },
      substatus: 'archived_until_condition_met',
      platform: 'javascript',
      type: 'default',
      metadata: { title: 'Slow' },
      assignedTo: { type: 'team', id: '21', name: 'backend' },
      count: '2',
      firstSeen: '2026-08-02T00:00:00Z',
      lastSeen: '2026-08-03T00:00:00Z',
    },
  ],
  [`${ORG}/issues/9001/activities/`]: {
    activity: [
      {
        id: '3',
        type: 'set_resolved_in_release',
        user: ADA,
        dateCreated: '2026-09-01T00:00:00Z',
        data: { version: 'web@1.3.0' },
      },
      {
        id: '2',
        type: 'note',
        user: ADA,
        dateCreated: '2026-08-20T00:00:00Z',
        data: { text: 'I know this one' },
      },
      {
        id: '1',
        type: 'assigned',
        user: ADA,
        dateCreated: '2026-08-10T00:00:00Z',
        data: { assignee: '501', assigneeType: 'user' },
      },
      { id: '0', type: 'first_seen', user: null, dateCreated: '2026-08-01T00:00:00Z', data: {} },
      { id: '4', type: 'merge', user: ADA, dateCreated: '2026-09-02T00:00:00Z', data: {} },
    ],
  },
  [`${ORG}/issues/9002/activities/`]: { activity: [] },
  [`${PROJECT}/rules/`]: [rule, { ...rule, id: '72', name: 'Two at once', actionMatch: 'none', actions: [] }],
  [`${ORG}/alert-rules/`]: [
    {
      id: '81',
      name: 'Many errors',
      aggregate: 'count()',
      dataset: 'events',
      query: 'level:error',
      timeWindow: 10,
      thresholdType: 0,
      resolveThreshold: 50,
      triggers: [
        {
          label: 'critical',
          alertThreshold: 100,
          actions: [{ type: 'email', targetType: 'user', targetIdentifier: '501' }],
        },
      ],
      projects: ['web'],
      environment: null,
      owner: null,
      status: 0,
    },
  ],
  [`${ORG}/searches/`]: [
    {
      id: '91',
      name: 'Mine',
      query: 'is:unresolved',
      sort: 'date',
      visibility: 'organization',
      isGlobal: false,
    },
    { id: '1', name: 'All', query: '', sort: 'date', isGlobal: true },
  ],
  [`${ORG}/monitors/`]: [
    {
      id: 'aa',
      slug: 'nightly',
      name: 'Nightly',
      status: 'active',
      isMuted: false,
      config: {
        schedule_type: 'crontab',
        schedule: '0 3 * * *',
        timezone: 'Europe/Vienna',
        checkin_margin: 5,
        max_runtime: 30,
      },
      project: { id: '41', slug: 'web' },
      owner: { type: 'team', id: '21', name: 'backend' },
    },
  ],
  [`${ORG}/uptime/`]: [
    {
      id: '5',
      projectSlug: 'web',
      environment: 'production',
      name: 'Shop',
      status: 'active',
      url: 'https://acme.example/',
      method: 'GET',
      body: null,
      headers: [['X-Key', 'secret']],
      intervalSeconds: 300,
      timeoutMs: 5_000,
      owner: null,
    },
  ],
  [`${ORG}/dashboards/`]: [
    { id: 'default-overview', title: 'General' },
    { id: '6', title: 'Ours' },
  ],
  [`${ORG}/dashboards/6/`]: { id: '6', title: 'Ours', createdBy: ADA, widgets: [] },
});
