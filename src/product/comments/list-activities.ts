import { z } from 'zod';
import type { Activity, Issue } from '#domain/issues/issue.ts';
import type { Member } from '#domain/people.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { requireRight } from '#product/permissions.ts';
import type { Team } from '#product/teams/team-store.ts';
import type { Mention } from './comment-store.ts';

export type ActivityPage = { activities: readonly Activity[]; nextCursor: string | null };

/** What people and the system did to an issue, newest first; `comments` leaves only these. Throws Invalid. */
export async function listActivities(
  ctx: Context,
  issue: Issue,
  input: { only: 'comments' | null; cursor: string | null; limit: number },
): Promise<ActivityPage> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const before = decodeCursor(input.cursor, CURSOR);
  const found = await ctx.stores.comments.listActivities(ctx.organization.id, issue.id, {
    limit: input.limit + 1,
    before,
    type: input.only === 'comments' ? 'note' : null,
  });
  const activities = found.slice(0, input.limit);
  const last = activities.at(-1);
  const nextCursor = found.length > input.limit && last ? encodeCursor({ at: last.at, id: last.id }) : null;
  return { activities, nextCursor };
}

/** Changes with every activity, and with what becomes of a reply; null before anything happened. */
export async function findNewestActivity(ctx: Context, issue: Issue): Promise<string | null> {
  const { activities } = await listActivities(ctx, issue, { only: null, cursor: null, limit: 1 });
  const [newest] = activities;
  return newest ? [newest.id, JSON.stringify(newest.data.delivery)].join(' ') : null;
}

const CURSOR = z.object({ at: z.number().int(), id: z.number().int().nonnegative() });

export const MENTIONS_MAX = 50;
/** Signs after which nothing is tried any more: a text may hold thousands. */
const SIGNS_MAX = 500;

/**
 * Members and teams that a text names: `@` with a name, an e-mail address or what stands before its `@`, `#` with the
 * slug of a team. The longest that fits counts; upper and lower case are the same. In the order of the text.
 */
export function findMentions(
  text: string,
  members: readonly Pick<Member, 'id' | 'name' | 'email'>[],
  teams: readonly Pick<Team, 'id' | 'slug'>[],
): readonly Mention[] {
  const people = index(
    members.flatMap((member) => namesOf(member).map((name) => ({ name, userId: member.id }))),
  );
  const groups = index(teams.map((team) => ({ name: team.slug, teamId: team.id })));
  const mentions: Mention[] = [];
  let signs = 0;
  for (let at = 0; at < text.length && mentions.length < MENTIONS_MAX; at += 1) {
    const sign = text[at];
    if (sign !== '@' && sign !== '#') continue;
    signs += 1;
    if (signs > SIGNS_MAX) break;
    if (at > 0 && IN_WORD.test(text[at - 1] as string)) continue;
    const named = sign === '@' ? longest(text, at + 1, people) : longest(text, at + 1, groups);
    if (!named) continue;
    const { name, ...who } = named;
    mentions.push({ start: at, end: at + 1 + name.length, ...who });
    at += name.length;
  }
  return mentions;
}

/** Letters and what belongs to addresses and slugs: a name ends before anything else. */
const IN_WORD = /[\p{L}\p{N}_@#]/u;
const NAME_CHARACTERS_MAX = 320;

function namesOf({ name, email }: Pick<Member, 'name' | 'email'>): string[] {
  return [name, email, email.split('@')[0] ?? '']
    .map((each) => each.toLowerCase())
    .filter((each) => each !== '');
}

/** By the first character, longest name first. Of two with the same name the first one counts. */
function index<Entry extends { name: string }>(
  entries: readonly Entry[],
): ReadonlyMap<string, readonly Entry[]> {
  const byFirst = new Map<string, Entry[]>();
  for (const entry of entries) {
    const first = entry.name[0] ?? '';
    byFirst.set(first, [...(byFirst.get(first) ?? []), entry]);
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.name.length - a.name.length);
  return byFirst;
}

function longest<Entry extends { name: string }>(
  text: string,
  from: number,
  entries: ReadonlyMap<string, readonly Entry[]>,
): Entry | null {
  const rest = text.slice(from, from + NAME_CHARACTERS_MAX + 1).toLowerCase();
  const found = entries
    .get(rest[0] ?? '')
    ?.find(({ name }) => rest.startsWith(name) && !IN_WORD.test(rest[name.length] ?? ' '));
  return found ?? null;
}

export type Mentioned = {
  found: readonly Mention[];
  /** User ids. */
  users: readonly string[];
  /** User ids of the members of teams. */
  teamMembers: readonly string[];
};

/** Whom a text of the organization names. */
export async function readMentions(ctx: Context, text: string): Promise<Mentioned> {
  if (!/[@#]/.test(text)) return { found: [], users: [], teamMembers: [] };
  const [members, teams] = await Promise.all([
    ctx.stores.accounts.listMembers(ctx.organization.id),
    ctx.stores.teams.list(ctx.organization.id),
  ]);
  const found = findMentions(text, members, teams);
  const users = found.flatMap((mention) => ('userId' in mention ? mention.userId : []));
  const teamIds = new Set(found.flatMap((mention) => ('teamId' in mention ? mention.teamId : [])));
  const teamMembers = teams.filter(({ id }) => teamIds.has(id)).flatMap(({ memberIds }) => memberIds);
  return { found, users, teamMembers };
}

export async function subscribeMentioned(ctx: Context, issue: Issue, mentioned: Mentioned): Promise<void> {
  const { issueUserState } = ctx.stores;
  const organizationId = ctx.organization.id;
  await issueUserState.subscribe(organizationId, [issue.id], mentioned.users, 'mentioned');
  await issueUserState.subscribe(organizationId, [issue.id], mentioned.teamMembers, 'team_mentioned');
}
