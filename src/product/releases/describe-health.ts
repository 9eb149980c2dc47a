import type { Project } from '#domain/projects.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import type { Range } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import type { SessionGroup } from '#storage/ports/telemetry.ts';
import { NO_SESSIONS } from './count-sessions.ts';
import { sessionsOf } from './read-adoption.ts';
import type { Release } from './release.ts';
import { environmentParts, ofReleases } from './release-row.ts';

/** How the sessions of a release went in one project. */
export type ProjectHealth = {
  /** Of those that began in the range. */
  group: SessionGroup;
  sessions: number;
  /** Of the last 24 hours: of the release, and of all releases of the project. */
  sessions24h: number;
  users24h: number;
  projectSessions24h: number;
  projectUsers24h: number;
};

/** What finds the health of a release in a project; null where no session of it began, in the range or in the last 24 hours. */
export async function readProjectHealth(
  ctx: Context,
  asked: { projects: readonly Project[]; environments: readonly string[]; range: Range },
  releases: readonly Release[],
): Promise<(projectId: number, version: string) => ProjectHealth | null> {
  if (releases.length === 0) return () => null;
  const scope = eventScope(ctx, asked.projects);
  const toMs = ctx.now();
  const day = { fromMs: toMs - DAY_MS, toMs };
  const environments = environmentParts(asked.environments);
  const ofThese = {
    kind: 'and',
    parts: [ofReleases(releases.map(({ version }) => version)), ...environments],
  } as const;
  const everything = environments.length === 0 ? EVERYTHING : ({ kind: 'and', parts: environments } as const);
  const count = (range: Range, isOfAll: boolean) =>
    ctx.stores.telemetry.countSessions(scope, {
      range,
      expression: isOfAll ? everything : ofThese,
      groupBy: isOfAll ? ['project'] : ['project', 'release'],
      groups: null,
      bucketMs: null,
      limit: Math.max(1, asked.projects.length * (isOfAll ? 1 : releases.length)),
    });
  const [inRange, inDay, ofProjects] = await Promise.all([
    count(asked.range, false),
    count(day, false),
    count(day, true),
  ]);
  const find = (groups: readonly SessionGroup[], ...keys: string[]) =>
    groups.find((group) => keys.every((key, index) => group.keys[index] === key)) ?? null;
  return (projectId, version) => {
    const [own, ownDay] = [inRange, inDay].map((groups) => find(groups, String(projectId), version));
    if (!own && !ownDay) return null;
    const all = find(ofProjects, String(projectId)) ?? NO_SESSIONS;
    const last = ownDay ?? NO_SESSIONS;
    const group = own ?? NO_SESSIONS;
    return {
      group,
      sessions: sessionsOf(group),
      sessions24h: sessionsOf(last),
      users24h: last.users,
      projectSessions24h: sessionsOf(all),
      projectUsers24h: all.users,
    };
  };
}
