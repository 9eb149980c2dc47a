import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { inEnvironments } from '#product/search/read-issue-search.ts';
import { eventScope } from '#product/visible-projects.ts';
import { EVERYTHING, type EventExpression } from '#storage/ports/search.ts';
import type { SessionGroup } from '#storage/ports/telemetry.ts';
import type { Release } from './release.ts';
import type { NotedAdoption } from './store/adoption-store.ts';

/** A release is adopted where it has this share of the sessions of the last hours. */
export const ADOPTED_SHARE = 0.1;
export const ADOPTED_WITHIN_MS = 6 * HOUR_MS;
/** Releases of places, those with the most sessions: what is further down is adopted nowhere. */
export const PLACES_MAX = 1_000;

/** `replaced`: it was adopted, and another release took its place. */
export type AdoptionStage = 'low' | 'adopted' | 'replaced';

/** How far a release has spread among those that run its projects: of sessions of the last 24 hours. */
export type Adoption = {
  sessions: number;
  users: number;
  /** Share of the sessions of its projects, 0 to 1; null when there were none. */
  sessionShare: number | null;
  /** Share of the users; null when no session names one. A user of two projects counts in each. */
  userShare: number | null;
  /** Of the last 6 hours, and of what was noted before; null for a release that no session ever had. */
  stage: AdoptionStage | null;
  /** Milliseconds since the epoch: when it was adopted first in one of the environments; null when it never was. */
  adoptedAt: number | null;
  /** When it was replaced everywhere; null while it is not. */
  replacedAt: number | null;
};

type Asked = { projectIds: readonly number[]; environments: readonly string[] };

/** By the version of each release. Throws Invalid when there are more sessions than a search may read. */
export async function readAdoption(
  ctx: Context,
  { projectIds, environments }: Asked,
  releases: readonly Release[],
): Promise<ReadonlyMap<string, Adoption>> {
  if (releases.length === 0) return new Map();
  const scope = eventScope(ctx, projectIds);
  const toMs = ctx.now();
  const expression = environments.length === 0 ? EVERYTHING : inEnvironments(environments);
  const day = { range: { fromMs: toMs - DAY_MS, toMs }, expression, groups: null, bucketMs: null };
  const { telemetry } = ctx.stores;
  const [own, all, places, noted] = await Promise.all([
    telemetry.countSessions(scope, {
      ...day,
      expression: ofVersions(expression, releases),
      groupBy: ['project', 'release'],
      limit: releases.length * Math.max(1, projectIds.length),
    }),
    telemetry.countSessions(scope, {
      ...day,
      groupBy: ['project'],
      limit: Math.max(1, projectIds.length),
    }),
    telemetry.countSessions(scope, {
      ...day,
      range: { fromMs: toMs - ADOPTED_WITHIN_MS, toMs },
      groupBy: ['project', 'environment', 'release'],
      limit: PLACES_MAX,
    }),
    ctx.stores.releases.listAdoptions(
      ctx.organization.id,
      releases.map(({ id }) => id),
      projectIds,
    ),
  ]);
  const adopted = new Set(adoptedPlaces(places).flatMap((place) => place.adopted));
  return new Map(
    releases.map((release) => {
      const groups = own.filter(({ keys }) => keys[1] === release.version);
      const inProjects = new Set(release.projects.map(({ projectId }) => String(projectId)));
      const within = all.filter(({ keys: [project = ''] }) => inProjects.has(project));
      const past = noted.filter(
        ({ releaseId, environment }) =>
          releaseId === release.id && (environments.length === 0 || environments.includes(environment)),
      );
      const sessions = sum(groups, sessionsOf);
      const users = sum(groups, (group) => group.users);
      return [
        release.version,
        {
          sessions,
          users,
          sessionShare: shareOf(sessions, sum(within, sessionsOf)),
          userShare: shareOf(
            users,
            sum(within, (group) => group.users),
          ),
          ...stageOf(past, { isAdopted: adopted.has(release.version), hasSessions: sessions > 0 }),
        },
      ];
    }),
  );
}

export const sessionsOf = ({ exited, errored, crashed, abnormal, unhandled }: SessionGroup): number =>
  exited + errored + crashed + abnormal + unhandled;

/**
 * Of sessions by project, environment and release: in each project and environment the releases that have a large enough share.
 * Of more groups than were read, the shares are a little too large.
 */
export function adoptedPlaces(
  groups: readonly SessionGroup[],
): readonly { projectId: number; environment: string; adopted: readonly string[] }[] {
  const places = Map.groupBy(groups, ({ keys: [project, environment] }) =>
    JSON.stringify([project, environment]),
  );
  return [...places.values()].map((of) => {
    const [projectId = '', environment = ''] = of[0]?.keys ?? [];
    const total = sum(of, sessionsOf);
    return {
      projectId: Number(projectId),
      environment,
      adopted: of
        .filter((group) => sessionsOf(group) >= ADOPTED_SHARE * total)
        .map(({ keys: [, , release = ''] }) => release),
    };
  });
}

/** What is measured now is newer than what was noted in the last hour. */
export function stageOf(
  noted: readonly Pick<NotedAdoption, 'adoptedAt' | 'replacedAt'>[],
  { isAdopted, hasSessions }: { isAdopted: boolean; hasSessions: boolean },
): Pick<Adoption, 'stage' | 'adoptedAt' | 'replacedAt'> {
  const adoptedAt = noted.length === 0 ? null : Math.min(...noted.map((each) => each.adoptedAt));
  const ends = noted.map(({ replacedAt }) => replacedAt);
  const isCurrent = isAdopted || ends.includes(null);
  if (isCurrent) return { stage: 'adopted', adoptedAt, replacedAt: null };
  if (noted.length === 0) return { stage: hasSessions ? 'low' : null, adoptedAt, replacedAt: null };
  return { stage: 'replaced', adoptedAt, replacedAt: Math.max(...ends.map((end) => end ?? 0)) };
}

const shareOf = (part: number, whole: number): number | null =>
  // What arrives between the two questions may be in one of them only.
  whole === 0 ? null : Math.min(1, part / whole);

const ofVersions = (expression: EventExpression, releases: readonly Release[]): EventExpression => ({
  kind: 'and',
  parts: [
    expression,
    {
      kind: 'text',
      field: { kind: 'column', name: 'release' },
      matches: releases.map(({ version }) => ({ kind: 'exact', text: version })),
      isNegated: false,
    },
  ],
});

const sum = <Row>(rows: readonly Row[], read: (row: Row) => number): number =>
  rows.reduce((total, row) => total + read(row), 0);
