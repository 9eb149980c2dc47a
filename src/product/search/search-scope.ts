import type { Member } from '#domain/people.ts';
import type { Project } from '#domain/projects.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import type { Team } from '#product/teams/team-store.ts';
import type { SeenRelease } from '#storage/ports/search.ts';

/** Releases that a search can name by their version: the newest so many. */
export const RELEASES_MAX = 2_000;

/** What the words of a search are looked up in; each list is read once, when it is first needed. */
export type SearchScope = {
  nowMs: number;
  /** null for jobs: nobody is "me". */
  userId: string | null;
  /** Those that are searched. */
  projects: readonly Project[];
  members(): Promise<readonly Member[]>;
  teams(): Promise<readonly Team[]>;
  releases(): Promise<readonly SeenRelease[]>;
};

export function openScope(ctx: Context, projects: readonly Project[]): SearchScope {
  const { stores, organization } = ctx;
  const projectIds = projects.map((project) => project.id);
  return {
    nowMs: ctx.now(),
    userId: userIdOf(ctx),
    projects,
    members: once(() => stores.accounts.listMembers(organization.id)),
    teams: once(() => stores.teams.list(organization.id)),
    releases: once(() => stores.searchNames.listReleases(organization.id, projectIds, RELEASES_MAX)),
  };
}

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | null = null;
  return () => {
    reading ??= read();
    return reading;
  };
}
