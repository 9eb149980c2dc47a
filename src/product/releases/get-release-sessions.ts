import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { inEnvironments } from '#product/search/read-issue-search.ts';
import { alignRange, checkRange, chooseBucketMs, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { EventExpression } from '#storage/ports/search.ts';
import type { SessionDurations, SessionGroup } from '#storage/ports/telemetry.ts';
import { NO_SESSIONS } from './count-sessions.ts';
import { sessionsOf } from './read-adoption.ts';

/** Buckets of one chart, of the release and of what it is compared with. */
const POINTS_MAX = 1_000;

/** How sessions went: of a range as a whole, or of a part of it. */
export type SessionFigures = {
  sessions: number;
  users: number;
  healthy: number;
  errored: number;
  crashed: number;
  abnormal: number;
  unhandled: number;
  /** Share without a crash, 0 to 1; null when there are none. */
  crashFreeSessions: number | null;
  /** null when no session names a user. */
  crashFreeUsers: number | null;
};

export type SessionTrend = {
  totals: SessionFigures & {
    /** Of them those that the SDK counted itself, without durations. */
    aggregated: number;
    /** In seconds, of sessions that ended as usual; null when none of them says. */
    durations: SessionDurations | null;
  };
  /** Of each bucket; null where no session began. */
  buckets: readonly (SessionFigures | null)[];
};

export type ReleaseSessions = {
  range: Range;
  bucketMs: number;
  own: SessionTrend;
  /** Of the release before, or of all others; null when there is none before. */
  compared: SessionTrend | null;
};

/**
 * How the sessions of a release went that began in the whole buckets of a range, beside those of the release before, or of all
 * other releases, in the same projects and environments. Throws NotFound for a project that is not visible.
 */
export async function getReleaseSessions(
  ctx: Context,
  input: {
    version: string;
    /** A version; null for all releases but this one; undefined for none. */
    comparedWith: string | null | undefined;
    projectSlugs: readonly string[];
    environments: readonly string[];
    range: Range;
  },
): Promise<ReleaseSessions> {
  requireRight(ctx, 'event:read');
  checkRange(input.range);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const bucketMs = chooseBucketMs(input.range);
  const range = alignRange(input.range, bucketMs);
  const scope = eventScope(ctx, projects);
  const buckets = Math.ceil((range.toMs - range.fromMs) / bucketMs);
  const count = async (release: EventExpression): Promise<SessionTrend> => {
    const environments = input.environments.length === 0 ? [] : [inEnvironments(input.environments)];
    const asked = {
      range,
      expression: { kind: 'and', parts: [release, ...environments] },
      groupBy: [],
      groups: null,
    } as const;
    const [totals, points] = await Promise.all([
      ctx.stores.telemetry.countSessions(scope, { ...asked, bucketMs: null, limit: 1 }),
      ctx.stores.telemetry.countSessions(scope, { ...asked, bucketMs, limit: POINTS_MAX }),
    ]);
    const values = Array<SessionFigures | null>(buckets).fill(null);
    for (const point of points) values[point.bucket] = toFigures(point);
    const total = totals[0] ?? NO_SESSIONS;
    return {
      totals: { ...toFigures(total), aggregated: total.aggregated, durations: total.durations },
      buckets: values,
    };
  };
  const { comparedWith } = input;
  const [own, compared] = await Promise.all([
    count(ofRelease(input.version, false)),
    comparedWith === undefined
      ? null
      : count(comparedWith === null ? ofRelease(input.version, true) : ofRelease(comparedWith, false)),
  ]);
  return { range, bucketMs, own, compared };
}

function toFigures(group: SessionGroup): SessionFigures {
  const { exited: healthy, errored, crashed, abnormal, unhandled, users } = group;
  const sessions = sessionsOf(group);
  return {
    ...{ sessions, users, healthy, errored, crashed, abnormal, unhandled },
    crashFreeSessions: sessions === 0 ? null : (sessions - crashed) / sessions,
    crashFreeUsers: users === 0 ? null : (users - group.crashedUsers) / users,
  };
}

const ofRelease = (version: string, isNegated: boolean): EventExpression => ({
  kind: 'text',
  field: { kind: 'column', name: 'release' },
  matches: [{ kind: 'exact', text: version }],
  isNegated,
});
