import type { Dashboard } from '#domain/dashboards/dashboard.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { listDashboards } from '#product/dashboards/dashboards.ts';
import { listMonitors } from '#product/monitors/monitors.ts';
import { hasRight, requireRight } from '#product/permissions.ts';
import { openReleaseList } from '#product/releases/list-releases.ts';
import { listUptimeMonitors } from '#product/uptime/uptime-monitors.ts';
import { suggestUsers } from '#product/users/list-users.ts';
import { formatUserKey } from '#product/users/user-key.ts';

/** Of each kind. */
const FOUND_MAX = 5;
/** Uptime monitors by name among which the text is looked for. */
const UPTIME_MONITORS_READ_MAX = 100;
/** Who types waits no longer for what is slow: the rest is shown without it. */
const ANSWER_MS_MAX = 600;
const USERS_DAYS = 14;
const TEXT_CHARACTERS_MAX = 200;

/** Words that say what is looked for, not what it is called. */
const KIND_WORDS = /^(?:crons?|uptime|monitors?|dashboards?|users?|releases?)$/i;

export type FoundPlaces = {
  monitors: readonly { id: number; name: string; projectSlug: string }[];
  uptimeMonitors: readonly { id: number; name: string; projectSlug: string }[];
  dashboards: readonly Dashboard[];
  /** By their key, such as `email:ann@example.com`. */
  users: readonly { key: string; name: string }[];
  releases: readonly { version: string }[];
};

const NO_PLACES: FoundPlaces = {
  monitors: [],
  uptimeMonitors: [],
  dashboards: [],
  users: [],
  releases: [],
};

/**
 * What is named so, a few of each kind; words for kinds, as in `monitor backup`, are no part of a name. Nothing for a text
 * without another word, and nothing of a kind that takes too long or that the actor may not read.
 */
export async function findPlaces(ctx: Context, text: string): Promise<FoundPlaces> {
  requireRight(ctx, 'event:read');
  const words = text.slice(0, TEXT_CHARACTERS_MAX).split(/\s+/).filter(Boolean);
  const name = words.filter((word) => !KIND_WORDS.test(word)).join(' ');
  if (name === '') return NO_PLACES;
  const readsProjects = hasRight(ctx.actor, 'project:read');
  const soon = async <Item>(reading: Promise<readonly Item[]>): Promise<readonly Item[]> => {
    const read = await orUnavailable(reading, ANSWER_MS_MAX);
    return read.ok ? read.value.slice(0, FOUND_MAX) : [];
  };
  const [monitors, uptimeMonitors, dashboards, users, releases] = await Promise.all([
    soon(findMonitors(ctx, name)),
    readsProjects ? soon(findUptimeMonitors(ctx, name)) : [],
    soon(findDashboards(ctx, name)),
    soon(findUsers(ctx, name)),
    readsProjects ? soon(findReleases(ctx, name)) : [],
  ]);
  return { monitors, uptimeMonitors, dashboards, users, releases };
}

async function findMonitors(ctx: Context, text: string): Promise<FoundPlaces['monitors']> {
  const { rows } = await listMonitors(ctx, { projectSlugs: [], text, cursor: null, limit: FOUND_MAX });
  return rows.map(({ id, name, project }) => ({ id, name, projectSlug: project.slug }));
}

async function findUptimeMonitors(ctx: Context, text: string): Promise<FoundPlaces['uptimeMonitors']> {
  const { rows } = await listUptimeMonitors(ctx, {
    projectSlugs: [],
    cursor: null,
    limit: UPTIME_MONITORS_READ_MAX,
  });
  return rows
    .filter(({ monitor }) => contains(`${monitor.name} ${monitor.url}`, text))
    .map(({ monitor: { id, name }, project }) => ({ id, name, projectSlug: project.slug }));
}

const findDashboards = async (ctx: Context, text: string): Promise<FoundPlaces['dashboards']> =>
  (await listDashboards(ctx)).filter(({ title }) => contains(title, text));

async function findUsers(ctx: Context, search: string): Promise<FoundPlaces['users']> {
  const toMs = ctx.now() + MINUTE_MS;
  const found = await suggestUsers(ctx, {
    search,
    projectSlugs: [],
    environments: [],
    range: { fromMs: toMs - USERS_DAYS * DAY_MS, toMs },
  });
  return found.map((user) => ({ key: formatUserKey(user), name: user.email ?? user.username ?? user.value }));
}

async function findReleases(ctx: Context, search: string): Promise<FoundPlaces['releases']> {
  const { readPage } = await openReleaseList(ctx, {
    search,
    projectSlugs: [],
    sort: 'date',
    limit: FOUND_MAX,
    cursor: null,
  });
  const { releases } = await readPage({ versions: null, status: 'open' });
  return releases.map(({ version }) => ({ version }));
}

/** Whether each word stands in it, in either case. */
const contains = (name: string, text: string): boolean => {
  const searched = name.toLowerCase();
  return text
    .toLowerCase()
    .split(' ')
    .every((word) => searched.includes(word));
};
