import { ISSUE_CATEGORIES } from '#domain/issues/category.ts';
import { ISSUE_PRIORITIES } from '#domain/issues/issue.ts';
import type { Project } from '#domain/projects.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import { FEEDBACK_TYPE, LEVELS } from '#protocol/event.ts';
import { MONITOR_ISSUE_TYPES } from '#protocol/monitor-issue.ts';
import { PERFORMANCE_ISSUE_TYPES } from '#protocol/performance-issue.ts';
import type { FieldValue } from '#storage/ports/events.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import { eventKeyNamed } from '../event-fields.ts';
import { IS_VALUES } from '../is-filter.ts';
import { isIssueKey } from '../issue-filters.ts';
import { seenWithin } from '../open-issue-search.ts';
import { inEnvironments } from '../read-issue-search.ts';
import { openScope, type SearchScope } from '../search-problem.ts';
import { ISSUE_KEYS } from '../syntax/search-keys.ts';
import { KNOWN_KEYS } from './key-catalogue.ts';
import { bestFirst, quoteValue, type Suggestion, type Suggestions } from './suggestions.ts';
import { type WordAt, wordAt } from './word-at.ts';

const SUGGESTIONS_MAX = 12;
const LOOK_BACK_MS = 14 * DAY_MS;
/** Whoever types does not wait longer for what the event store knows. */
const ANSWER_MS_MAX = 2_000;

/**
 * How the search at the caret could go on, of issues unless `subject` says otherwise; null where nothing can be said.
 * Values are counted in the range (the last 14 days by default) and the environments (all by default).
 */
export async function suggestSearch(
  ctx: Context,
  input: {
    query: string;
    caret: number;
    projectSlugs: readonly string[];
    environments?: readonly string[];
    range?: Range;
    subject?: 'issues' | 'events';
  },
): Promise<Suggestions | null> {
  requireRight(ctx, 'event:read');
  const word = wordAt(input.query, input.caret);
  if (!word) return null;
  const projects = await selectProjects(ctx, input.projectSlugs);
  const items =
    word.kind === 'key'
      ? await suggestKeys(ctx, word, projects, input.subject ?? 'issues')
      : await suggestValues(ctx, word, projects, {
          range: seenWithin(ctx, input.range ?? null) ?? lately(ctx),
          expression: input.environments?.length ? inEnvironments(input.environments) : EVERYTHING,
        });
  return { kind: word.kind, start: word.start, end: word.end, items: items.slice(0, SUGGESTIONS_MAX) };
}

async function suggestKeys(
  ctx: Context,
  { text }: Extract<WordAt, { kind: 'key' }>,
  projects: readonly Project[],
  subject: 'issues' | 'events',
): Promise<readonly Suggestion[]> {
  const known = KNOWN_KEYS.filter(({ key }) => subject === 'issues' || isEventKey(key)).map(
    ({ key, hint }) => ({ text: `${key}:`, label: key, hint, events: null }),
  );
  const names = new Set(KNOWN_KEYS.map(({ key }) => key));
  const tags = (await tagKeys(ctx, projects))
    .filter((key) => !names.has(key) && /^[A-Za-z_][\w.-]*$/.test(key))
    .map((key) => ({ text: `${key}:`, label: key, hint: 'tag', events: null }));
  return bestFirst([...known, ...tags], text);
}

/** Of the keys of issues, events know only the issue that they belong to. */
const isEventKey = (key: string): boolean => key === 'issue' || !isIssueKey(key);

async function suggestValues(
  ctx: Context,
  { key, text }: Extract<WordAt, { kind: 'value' }>,
  projects: readonly Project[],
  matching: Matching,
): Promise<readonly Suggestion[]> {
  const [fixed, found] = await Promise.all([
    fixedValues(ctx, key, openScope(ctx, projects)),
    fieldValues(ctx, key, text, projects, matching),
  ]);
  if (!fixed) return found.map(({ value, events }) => suggestionOf(value, events));
  const counts = new Map(found.map(({ value, events }) => [value, events]));
  return bestFirst(
    fixed.map((value) => suggestionOf(value, counts.get(value) ?? null)),
    text,
  );
}

type Matching = Parameters<Context['stores']['events']['listFieldValues']>[3];

const suggestionOf = (value: string, events: number | null): Suggestion => ({
  text: quoteValue(value),
  label: value,
  hint: null,
  events,
});

/** null for keys whose values only the events know. */
async function fixedValues(ctx: Context, key: string, scope: SearchScope): Promise<readonly string[] | null> {
  switch (key) {
    case 'is':
      return IS_VALUES;
    case 'level':
      return LEVELS;
    case 'issue.priority':
    case 'priority':
      return ISSUE_PRIORITIES;
    case 'issue.category':
      return ISSUE_CATEGORIES;
    case 'issue.type':
      return ['error', FEEDBACK_TYPE, ...MONITOR_ISSUE_TYPES, ...PERFORMANCE_ISSUE_TYPES];
    case 'has':
      return [...new Set([...(await tagKeys(ctx, scope.projects)), ...HAS_KEYS])];
    case 'assigned':
    case 'assigned_to':
    case 'assigned_or_suggested':
      return ['me', 'none', 'my_teams', ...(await teamNames(scope)), ...(await emails(scope))];
    case 'bookmarks':
    case 'subscribed':
      return ['me', ...(await emails(scope))];
    case 'project':
    case 'project.name':
      return scope.projects.map((project) => project.slug);
    case 'release':
    case 'firstRelease':
      return [...new Set(['latest', ...(await scope.releases()).map((release) => release.version)])];
    case 'environment': {
      const projectIds = scope.projects.map((project) => project.id);
      return await ctx.stores.projects.listEnvironments(ctx.organization.id, projectIds);
    }
    default:
      if (ISSUE_KEYS.isBoolean(key)) return ['true', 'false'];
      if (ISSUE_KEYS.isDate(key)) return ['-1h', '-24h', '-7d', '-14d', '-30d', '+7d'];
      return ISSUE_KEYS.isNumber(key) ? ['>10', '>100', '>1k'] : null;
  }
}

const HAS_KEYS = ['release', 'environment', 'user.email', 'user.id', 'trace', 'error.type', 'stack.filename'];

const teamNames = async (scope: SearchScope) => (await scope.teams()).map((team) => `#${team.slug}`);
const emails = async (scope: SearchScope) => (await scope.members()).map((member) => member.email);

/** None while the event store is away: a search can be written without. */
async function tagKeys(ctx: Context, projects: readonly Project[]): Promise<readonly string[]> {
  const scope = eventScope(ctx, projects);
  const keys = await orUnavailable(
    ctx.stores.events.listTagKeys(scope, lately(ctx), TAG_KEYS_MAX),
    ANSWER_MS_MAX,
  );
  return keys.ok ? keys.value : [];
}

const TAG_KEYS_MAX = 200;

async function fieldValues(
  ctx: Context,
  key: string,
  text: string,
  projects: readonly Project[],
  matching: Matching,
): Promise<readonly FieldValue[]> {
  const known = eventKeyNamed(key);
  if (known.kind !== 'text' || isIssueKey(key) || key === 'has') return [];
  const scope = eventScope(ctx, projects);
  const reading = ctx.stores.events.listFieldValues(scope, known.field, text, matching, VALUES_MAX);
  const values = await orUnavailable(reading, ANSWER_MS_MAX);
  return values.ok ? values.value : [];
}

/** Values that are counted; more than are shown, for keys whose values are ordered otherwise. */
const VALUES_MAX = 100;

const lately = (ctx: Context) => ({ fromMs: ctx.now() - LOOK_BACK_MS, toMs: ctx.now() + HOUR_MS });
