import type { Issue } from '#domain/issues/issue.ts';
import { hashDistinctId } from '#pipeline/sessions/session-attributes.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type {
  UserEvent,
  UserIssue,
  UserKey,
  UserNames,
  UserReplay,
  UserSession,
  UserTransaction,
} from '#storage/ports/user-activity.ts';

/** Of each kind so many of the newest are listed. */
export const USER_ROWS_MAX = 100;
/** Groups of errors that are counted. */
const USER_GROUPS_MAX = 500;
/** Events whose whole content is read for what only it has: a name, a place. */
const PROFILED_EVENTS_MAX = 3;
/** Somebody who is known by more ids is not one person. */
const LINKED_IDS_MAX = 5;

/** What only the content of events says of a user; what was taken away there is not here. */
export type UserProfile = {
  names: readonly string[];
  /** `Vienna, Austria`; newest first. */
  places: readonly string[];
};

export type UserActivity = {
  key: UserKey;
  /** null when no event or transaction of the range names the user so. */
  names: UserNames | null;
  profile: UserProfile;
  /** With how often they happened to the user, last seen first. */
  issues: readonly { issue: Issue; events: number; firstSeen: number; lastSeen: number }[];
  /** Errors and feedback. */
  events: readonly (UserEvent & { shortId: string | null })[];
  transactions: { rows: readonly UserTransaction[]; total: number; failed: number };
  /** Of users that are known by an id. */
  replays: readonly UserReplay[];
  /** One row for each session that the SDK did not only count. */
  sessions: readonly UserSession[];
  /** Slugs by the number of the project. */
  projects: ReadonlyMap<number, string>;
};

/**
 * What happened to a user of the programs in a range, in the projects, every visible one for none, and environments. Throws
 * NotFound for a project that is not visible, and Invalid when there is more than a search may read.
 */
export async function getUser(
  ctx: Context,
  input: {
    key: UserKey;
    projectSlugs: readonly string[];
    environments: readonly string[];
    range: Range;
  },
): Promise<UserActivity> {
  requireRight(ctx, 'event:read');
  checkRange(input.range);
  const { key, range, environments } = input;
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(ctx, projects);
  const { userActivity } = ctx.stores;
  const query = { range, environments, limit: USER_ROWS_MAX };
  const [names, groups, events, transactions] = await Promise.all([
    userActivity.findNames(scope, key, query),
    userActivity.listIssues(scope, key, { ...query, limit: USER_GROUPS_MAX }),
    userActivity.listEvents(scope, key, query),
    userActivity.listTransactions(scope, key, query),
  ]);
  const ids = idsOf(key, names);
  const [replays, sessions, profile, issues] = await Promise.all([
    userActivity.listReplays(scope, ids, query),
    userActivity.listSessions(scope, hashesOf([key.value, ...ids]), query),
    readProfile(ctx, scope, events),
    findIssues(ctx, groups, events),
  ]);
  return {
    key,
    names,
    profile,
    ...issues,
    transactions,
    replays,
    sessions,
    projects: new Map(projects.map(({ id, slug }) => [id, slug])),
  };
}

/** Ids that stand for the same person: an address may be of a whole office. */
function idsOf({ kind, value }: UserKey, names: UserNames | null): readonly string[] {
  if (kind === 'id') return [value];
  if (kind === 'ip' || !names || names.ids.length > LINKED_IDS_MAX) return [];
  return names.ids;
}

/** Sessions have but a hash of what the SDK calls the user by. */
const hashesOf = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].flatMap((value) => hashDistinctId(value) ?? []);

async function readProfile(
  ctx: Context,
  scope: EventScope,
  events: readonly UserEvent[],
): Promise<UserProfile> {
  const newest = events.filter(({ isFeedback }) => !isFeedback).slice(0, PROFILED_EVENTS_MAX);
  const found = await Promise.all(
    newest.map(({ projectId, eventId }) =>
      ctx.stores.events.findEvent({ ...scope, projectIds: [projectId] }, eventId),
    ),
  );
  const users = found.flatMap((event) => event?.payload.user ?? []);
  return {
    names: distinct(users.map(({ name }) => name ?? '')),
    places: distinct(users.map(placeOf)),
  };
}

function placeOf({ geo }: NonNullable<NormalizedEvent['user']>): string {
  const parts = [geo?.city, geo?.subdivision, geo?.region ?? geo?.country_code];
  return distinct(parts.map((part) => (typeof part === 'string' ? part : ''))).join(', ');
}

const distinct = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.filter((text) => text !== '')),
];

/** Groups that were merged count together. */
async function findIssues(
  ctx: Context,
  groups: readonly UserIssue[],
  events: readonly UserEvent[],
): Promise<Pick<UserActivity, 'issues' | 'events'>> {
  const organizationId = ctx.organization.id;
  const shortIds = await ctx.stores.issues.findShortIds(
    organizationId,
    [...groups, ...events].map(({ projectId, hash }) => ({ projectId, hash })),
  );
  const shortIdOf = ({ projectId, hash }: { projectId: number; hash: string }) =>
    shortIds.get(`${projectId}:${hash}`) ?? null;
  const ids = await ctx.stores.issues.findIdsByShortIds(organizationId, [...new Set(shortIds.values())]);
  const found = await ctx.stores.issues.findByIds(organizationId, [...ids.values()]);
  const byShortId = Map.groupBy(groups, shortIdOf);
  const issues = found.flatMap((issue) => {
    const own = byShortId.get(issue.shortId) ?? [];
    if (own.length === 0) return [];
    return {
      issue,
      events: own.reduce((total, group) => total + group.events, 0),
      firstSeen: Math.min(...own.map((group) => group.firstSeen)),
      lastSeen: Math.max(...own.map((group) => group.lastSeen)),
    };
  });
  return {
    issues: issues.toSorted((a, b) => b.lastSeen - a.lastSeen),
    events: events.map((event) => ({ ...event, shortId: shortIdOf(event) })),
  };
}
