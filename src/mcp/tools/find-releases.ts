import { z } from 'zod';
import { listReleases } from '#product/releases/list-releases.ts';
import type { ReleaseRow } from '#product/releases/release-row.ts';
import { cursorInput, environmentInput, limitInput, periodInput, projectInput, rangeOf } from '../inputs.ts';
import { DATA_SENTENCE, fencedRows, moment, moreRows, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';

export const findReleases = defineTool({
  name: 'find_releases',
  title: 'Find releases',
  description:
    'Releases, newest first, each with its new issues, its events and how many sessions ended without a crash in the period.',
  right: 'project:read',
  input: z.strictObject({
    text: z.string().max(250).default('').describe('Part of the version; without it every release.'),
    project: projectInput,
    environment: environmentInput,
    period: periodInput.default('14d'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  async run(ctx, { text, project, environment, period, limit, cursor = null }) {
    const { releases, nextCursor } = await listReleases(ctx, {
      search: text,
      projectSlugs: project ? [project] : [],
      environments: environment ? [environment] : [],
      range: rangeOf(period, ctx.now()),
      sort: 'date',
      limit,
      cursor,
    });
    if (releases.length === 0) return 'No release matches.';
    return paragraphs(
      DATA_SENTENCE,
      `Each row: version | released or first seen | projects | new issues | events and users in the last ${period} | crash-free sessions | commits, deploys`,
      fencedRows(releases.map(releaseRow)),
      moreRows(nextCursor),
    );
  },
});

export const releaseRow = (row: ReleaseRow): string =>
  [
    row.version,
    moment(row.releasedAt ?? row.firstSeen),
    row.projectSlugs.join(', '),
    `${row.newIssues} new issues`,
    `${row.events?.events ?? 0} events, ${row.events?.users ?? 0} users`,
    crashFree(row),
    `${row.commitCount} commits, ${row.deployCount} deploys`,
  ].join(' | ');

export function crashFree({ health }: ReleaseRow): string {
  if (!health || health.crashFreeSessions === null) return 'no sessions';
  return `${(health.crashFreeSessions * 100).toFixed(2)}% of ${health.sessions} sessions`;
}
