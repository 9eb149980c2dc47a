import type { Issue } from '#domain/issues/issue.ts';
import type { AlertIssue, AlertMessage, AlertMetric } from '#product/messages/alert-message.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

export const PUBLIC_URL = 'https://errors.example.com';
const NOON_MS = Date.UTC(2026, 2, 1, 12);

/** Everything by which a format could be left, or somebody called. */
export const CALLING_TEXT =
  '<!channel> @everyone @here @all <@U123> <users/all> ~town :tada: **b** _i_ `c` [x](https://evil.example) <b>&amp;</b> "q" \\ | # > 1. ';

export function sampleIssue(overrides: Partial<Issue> = {}): Issue {
  return {
    id: 42,
    organizationId: 1,
    projectId: 7,
    projectSlug: 'shop',
    shortId: 'SHOP-1A',
    title: 'TypeError: coupon is undefined',
    culprit: 'applyCoupon(checkout/cart)',
    level: 'error',
    platform: 'javascript',
    type: 'error',
    metadata: { type: 'TypeError', value: 'coupon is undefined' },
    logger: null,
    status: 'unresolved',
    substatus: 'new',
    substatusAt: null,
    resolvedAt: null,
    resolution: null,
    archive: null,
    priority: 'high',
    priorityLockedAt: null,
    firstSeen: NOON_MS - 60_000,
    lastSeen: NOON_MS,
    timesSeen: 1_234,
    assignee: { userId: 'u1', name: 'Ana', email: 'ana@example.com' },
    assigneeTeam: null,
    firstRelease: 'shop@1.2.3',
    lastRelease: 'shop@1.2.3',
    ...overrides,
  };
}

export function sampleEvent(): StoredEvent {
  return {
    eventId: 'e'.repeat(32),
    projectId: 7,
    groupingHash: 'a'.repeat(32),
    title: 'TypeError: coupon is undefined',
    message: 'coupon is undefined',
    culprit: 'applyCoupon(checkout/cart)',
    level: 'error',
    platform: 'javascript',
    occurredAt: NOON_MS,
    receivedAt: NOON_MS,
    release: 'shop@1.2.3',
    environment: 'production',
    transaction: null,
    user: { id: null, email: null, username: null, ip: null },
    tags: [['level', 'error']],
    isBodySampled: false,
    payload: {
      event_id: 'e'.repeat(32),
      type: 'error',
      level: 'error',
      platform: 'javascript',
      timestamp: NOON_MS / 1_000,
      received: NOON_MS / 1_000,
      exception: { values: [{ type: 'TypeError', value: 'coupon is undefined' }] },
    },
  };
}

export function alertIssue(overrides: Partial<AlertIssue> = {}): AlertIssue {
  const issue = overrides.issue ?? sampleIssue();
  return {
    issue,
    cause: 'first_seen',
    title: issue.title,
    culprit: issue.culprit,
    crashLocation: 'applyCoupon in checkout/cart.ts:84',
    users: 56,
    release: issue.lastRelease,
    environment: 'production',
    suspect: { subject: 'Coupons may expire', author: 'Ben', url: 'https://git.example.com/c/1' },
    url: `${PUBLIC_URL}/main/issues/${issue.shortId}`,
    event: sampleEvent(),
    ...overrides,
  };
}

export const alertMetric = (overrides: Partial<AlertMetric> = {}): AlertMetric => ({
  ruleId: 9,
  firingId: 90,
  name: 'Too many errors',
  projectSlug: 'shop',
  state: 'critical',
  value: 512.345,
  measured: null,
  measuredBefore: null,
  definition: {
    kind: 'metric',
    measure: 'events',
    query: 'level:error',
    windowMinutes: 10,
    direction: 'above',
    critical: 500,
    warning: 100,
    resolve: null,
    receivers: [],
  },
  condition: 'more than 500 events within 10 minutes',
  query: 'level:error',
  environment: null,
  url: `${PUBLIC_URL}/main/alerts/9`,
  firedAt: NOON_MS,
  ruleCreatedAt: NOON_MS - 60_000,
  ruleUpdatedAt: NOON_MS - 60_000,
  ...overrides,
});

export function alertMessage(overrides: Partial<AlertMessage> = {}): AlertMessage {
  const issues = overrides.issues ?? [alertIssue()];
  return {
    isTest: false,
    organization: { id: 1, slug: 'main', name: 'Main' },
    headline: 'New issue: TypeError: coupon is undefined',
    intro: null,
    tone: 'error',
    link:
      issues.length === 1
        ? { url: `${PUBLIC_URL}/main/issues/SHOP-1A`, label: 'View issue' }
        : { url: `${PUBLIC_URL}/main/issues?query=is%3Aunresolved`, label: 'View all issues' },
    issues,
    issuesLeft: 0,
    metrics: [],
    metricsLeft: 0,
    rules: [{ id: 3, name: 'New issues', url: `${PUBLIC_URL}/main/alerts/3` }],
    at: NOON_MS,
    ...overrides,
  };
}

/** Texts as long as messages hold them, of what formats are left by. */
export const hostileMessage = (issues: number): AlertMessage =>
  longMessage(issues, CALLING_TEXT.repeat(5).slice(0, 299), issues > 1 ? 4_980 : 0);

/** Texts as long as messages hold them, of letters that are three bytes each. */
export const wideMessage = (issues: number): AlertMessage => longMessage(issues, '幅'.repeat(299), 0);

function longMessage(issues: number, long: string, issuesLeft: number): AlertMessage {
  const short = long.slice(0, 99);
  return alertMessage({
    headline: `New issue: ${long}`,
    intro: long,
    issues: Array.from({ length: issues }, (_, index) =>
      alertIssue({
        issue: sampleIssue({
          id: index + 1,
          shortId: `SHOP-${index}`,
          assignee: { userId: 'u', name: short, email: 'x' },
        }),
        title: long,
        culprit: long.slice(0, 199),
        crashLocation: long.slice(0, 199),
        release: short,
        environment: short,
        suspect: { subject: short, author: short, url: null },
      }),
    ),
    issuesLeft,
    metrics: issues > 1 ? [alertMetric({ name: short, query: long, environment: short })] : [],
    rules: Array.from({ length: 5 }, (_, id) => ({
      id,
      name: short,
      url: `${PUBLIC_URL}/main/alerts/${id}`,
    })),
  });
}
