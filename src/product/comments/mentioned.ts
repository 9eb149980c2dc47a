import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import type { Mention } from '#storage/ports/comments.ts';
import { findMentions } from './find-mentions.ts';

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
