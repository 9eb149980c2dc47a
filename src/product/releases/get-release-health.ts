import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import type { ReleaseHealth } from '#storage/ports/telemetry.ts';

/** Rows when no releases are named: one for each release of each project. */
const ROWS_MAX = 1_000;

export type ReleaseHealthRow = ReleaseHealth & {
  /** All that began in the range. */
  sessions: number;
  /** Share of sessions without a crash, 0 to 1; null when there are none. */
  crashFreeSessions: number | null;
  /** Share of users without a crash; null when no session names a user. */
  crashFreeUsers: number | null;
};

/**
 * How the sessions of each release went that began in the range: of the projects, of every visible one for none, and
 * of the environments likewise; one row for each release of each project. Of named releases all rows, otherwise at most
 * 1,000. Most sessions first.
 */
export async function getReleaseHealth(
  ctx: Context,
  input: {
    projectSlugs: readonly string[];
    range: Range;
    environments: readonly string[];
    /** Absent for all; at least one. */
    releases?: readonly string[];
  },
): Promise<readonly ReleaseHealthRow[]> {
  requireRight(ctx, 'event:read');
  checkRange(input.range);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const scope = eventScope(
    ctx,
    projects.map((project) => project.id),
  );
  const { range, environments, releases = null } = input;
  const rows = await ctx.stores.telemetry.countReleaseHealth(scope, {
    range,
    environments,
    releases,
    limit: releases === null ? ROWS_MAX : releases.length * projects.length,
  });
  return rows.map((row) => {
    const sessions = row.exited + row.errored + row.crashed + row.abnormal + row.unhandled;
    return {
      ...row,
      sessions,
      crashFreeSessions: shareWithout(row.crashed, sessions),
      crashFreeUsers: shareWithout(row.crashedUsers, row.users),
    };
  });
}

const shareWithout = (part: number, whole: number): number | null =>
  whole === 0 ? null : (whole - part) / whole;
