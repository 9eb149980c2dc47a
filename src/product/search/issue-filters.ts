import { ISSUE_PRIORITIES } from '#domain/issues/issue.ts';
import { ownValue } from '#lib/own-value.ts';
import { FEEDBACK_TYPE, LEVELS } from '#protocol/event.ts';
import { isMonitorIssueType, MONITOR_ISSUE_TYPES, type MonitorIssueType } from '#protocol/monitor-issue.ts';
import {
  isPerformanceIssueType,
  PERFORMANCE_PREFIX,
  type PerformanceIssueType,
} from '#protocol/performance-issue.ts';
import {
  EVERYTHING,
  type IssueCondition,
  type IssueExpression,
  type IssueTextField,
  type TextMatch,
} from '#storage/ports/search.ts';
import { refuseProblem } from './event-filters.ts';
import { isFilter } from './is-filter.ts';
import { readAssignees, readPeople } from './people.ts';
import { readMoments, readNumbers } from './read-numbers.ts';
import { PROJECT_KEYS, readProjects } from './read-projects.ts';
import { filterProblem, type SearchScope, unknownValue } from './search-problem.ts';
import type { FilterToken } from './syntax/search-tokens.ts';
import { readMatches, readTexts, toWithin, unescapeText } from './text-match.ts';

type ReadFilter = (filter: FilterToken, scope: SearchScope) => IssueExpression | Promise<IssueExpression>;

/** What a filter asks of an issue itself; null when its key is none of an issue. Throws Invalid. */
export async function issueFilter(filter: FilterToken, scope: SearchScope): Promise<IssueExpression | null> {
  if (filter.key.kind !== 'simple') return null;
  const read = READERS.get(filter.key.name);
  return read ? await read(filter, scope) : null;
}

/** Whether the key is of issues only: events have no state, no assignee and no count. */
export const isIssueKey = (name: string): boolean => READERS.has(name) && !OF_EVENTS_TOO.has(name);

/** Whether the key asks something of an issue itself. */
export const isKnownOfIssues = (name: string): boolean => READERS.has(name);

const OF_EVENTS_TOO: ReadonlySet<string> = new Set([
  'level',
  'platform',
  'platform.name',
  'logger',
  'title',
  'culprit',
  'location',
  'message',
  ...PROJECT_KEYS,
]);

const NOTHING: IssueExpression = { kind: 'or', parts: [] };

const text =
  (field: IssueTextField): ReadFilter =>
  (filter) => {
    refuseProblem(filter);
    return { kind: 'text', field, matches: readMatches(filter), isNegated: filter.isNegated };
  };

/** One of a few values, in either case. */
const choice =
  (field: IssueTextField, values: readonly string[]): ReadFilter =>
  (filter) => {
    refuseProblem(filter);
    const matches = readTexts(filter).map((value): TextMatch => {
      const known = values.find((candidate) => candidate === value.text.toLowerCase());
      if (known === undefined && !value.text.includes('*')) {
        throw unknownValue(filter, value, values.join(', '), values);
      }
      return known === undefined
        ? { kind: 'pattern', parts: value.text.split('*') }
        : { kind: 'exact', text: known };
    });
    return { kind: 'text', field, matches, isNegated: filter.isNegated };
  };

const moment =
  (field: 'first_seen' | 'last_seen'): ReadFilter =>
  (filter, scope) => ({
    kind: 'and',
    parts: readMoments(filter, scope.nowMs).map((bound) => ({ kind: 'moment', field, ...bound })),
  });

const number =
  (field: 'times_seen' | 'id'): ReadFilter =>
  (filter) => ({
    kind: filter.isNegated ? 'and' : 'or',
    parts: readNumbers(filter).map((test): IssueCondition => ({ kind: 'number', field, ...test })),
  });

const people =
  (kind: 'bookmarked' | 'subscribed'): ReadFilter =>
  async (filter, scope) => {
    refuseProblem(filter);
    return { kind, userIds: await readPeople(filter, scope), isNegated: filter.isNegated };
  };

const assigned: ReadFilter = async (filter, scope) => {
  refuseProblem(filter);
  return { kind: 'assignee', ...(await readAssignees(filter, scope)), isNegated: filter.isNegated };
};

const project: ReadFilter = (filter, scope) => readProjects(filter, scope);

/** The kind of issue, by the types that a value stands for. Values of Sentry that no issue here can have find nothing. */
const kindOfIssue =
  (typesOf: (value: string) => readonly TextMatch[] | 'error'): ReadFilter =>
  (filter) => {
    refuseProblem(filter);
    const { isNegated } = filter;
    const values = readTexts(filter).map(({ text: value }) => unescapeText(value).toLowerCase());
    const parts = values.map((value): IssueExpression => {
      const matches = typesOf(value);
      if (matches === 'error') {
        return {
          kind: 'text',
          field: 'type',
          matches: [PERFORMANCE, FEEDBACK, ...MONITORS],
          isNegated: !isNegated,
        };
      }
      if (matches.length === 0) return isNegated ? EVERYTHING : NOTHING;
      return { kind: 'text', field: 'type', matches, isNegated };
    });
    return { kind: isNegated ? 'and' : 'or', parts };
  };

const PERFORMANCE: TextMatch = { kind: 'pattern', parts: [PERFORMANCE_PREFIX, ''] };
const FEEDBACK: TextMatch = { kind: 'exact', text: FEEDBACK_TYPE };
const MONITORS = MONITOR_ISSUE_TYPES.map((text): TextMatch => ({ kind: 'exact', text }));

/** Feedback has a page of its own: searches find it when they ask for a kind of issue, or for one issue. */
export const NO_FEEDBACK: IssueCondition = {
  kind: 'text',
  field: 'type',
  matches: [FEEDBACK],
  isNegated: true,
};
export const ASKS_FOR_KIND: ReadonlySet<string> = new Set([
  'issue.category',
  'issue.type',
  'issue',
  'issue.id',
]);

/** Sentry's categories: the older ones, and the newer ones that are parts of `performance` or hold `cron` and `uptime`. */
const category = kindOfIssue((value) => {
  if (value === 'error') return 'error';
  if (value === 'performance') return [PERFORMANCE];
  if (value === FEEDBACK_TYPE) return [FEEDBACK];
  return (ownValue(CATEGORY_TYPES, value) ?? []).map((type) => ({ kind: 'exact', text: type }));
});

const CATEGORY_TYPES: Readonly<Record<string, readonly (PerformanceIssueType | MonitorIssueType)[]>> = {
  cron: ['monitor_check_in_failure'],
  uptime: ['uptime_domain_failure'],
  outage: MONITOR_ISSUE_TYPES,
  db_query: [
    'performance_n_plus_one_db_queries',
    'performance_consecutive_db_queries',
    'performance_slow_db_query',
  ],
  http_client: [
    'performance_n_plus_one_api_calls',
    'performance_consecutive_http',
    'performance_large_http_payload',
  ],
  frontend: ['performance_uncompressed_assets', 'performance_render_blocking_asset_span'],
};

const issueType = kindOfIssue((value) => {
  if (value === 'error') return 'error';
  if (value.includes('*')) return [{ kind: 'pattern', parts: value.split('*') }];
  if (value === FEEDBACK_TYPE) return [FEEDBACK];
  return isPerformanceIssueType(value) || isMonitorIssueType(value) ? [{ kind: 'exact', text: value }] : [];
});

const shortId: ReadFilter = (filter) => {
  refuseProblem(filter);
  const matches = readTexts(filter).map(({ text: value }): TextMatch => {
    const id = unescapeText(value).toUpperCase();
    return id.includes('*') ? { kind: 'pattern', parts: id.split('*') } : { kind: 'exact', text: id };
  });
  return { kind: 'text', field: 'short_id', matches, isNegated: filter.isNegated };
};

const words: ReadFilter = (filter) => {
  refuseProblem(filter);
  return {
    kind: filter.isNegated ? 'and' : 'or',
    parts: readTexts(filter).map((value) => ({
      kind: 'words',
      match: toWithin(value.text),
      isNegated: filter.isNegated,
    })),
  };
};

const firstRelease: ReadFilter = (filter) => {
  refuseProblem(filter);
  return { kind: 'release', which: 'first', matches: readMatches(filter), isNegated: filter.isNegated };
};

const notKept =
  (reason: string): ReadFilter =>
  (filter) => {
    throw filterProblem(filter, reason);
  };

const READERS: ReadonlyMap<string, ReadFilter> = new Map<string, ReadFilter>([
  ['is', isFilter],
  ['assigned', assigned],
  ['assigned_to', assigned],
  ['assigned_or_suggested', assigned],
  ['bookmarks', people('bookmarked')],
  ['subscribed', people('subscribed')],
  ['firstSeen', moment('first_seen')],
  ['first_seen', moment('first_seen')],
  ['first-seen', moment('first_seen')],
  ['age', moment('first_seen')],
  ['lastSeen', moment('last_seen')],
  ['last_seen', moment('last_seen')],
  ['last-seen', moment('last_seen')],
  ['timesSeen', number('times_seen')],
  ['times_seen', number('times_seen')],
  ['timesseen', number('times_seen')],
  ['issue.priority', choice('priority', ISSUE_PRIORITIES)],
  ['priority', choice('priority', ISSUE_PRIORITIES)],
  ['issue.category', category],
  ['issue.type', issueType],
  ['issue', shortId],
  ['issue.id', number('id')],
  ...PROJECT_KEYS.map((key) => [key, project] as const),
  ['level', choice('level', LEVELS)],
  ['platform', text('platform')],
  ['platform.name', text('platform')],
  ['logger', text('logger')],
  ['title', text('title')],
  ['culprit', text('culprit')],
  ['location', text('culprit')],
  ['message', words],
  ['firstRelease', firstRelease],
  ['first_release', firstRelease],
  ['first-release', firstRelease],
  ['regressed_in_release', notKept('is not stored: use is:regressed with release:')],
  [
    'release.stage',
    notKept('needs release adoption data, which is not available: use release: or release.version:'),
  ],
]);
