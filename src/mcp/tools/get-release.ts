import { z } from 'zod';
import type { Context } from '#product/context.ts';
import { oneLine } from '#product/event-description/event-texts.ts';
import { hasRight } from '#product/permissions.ts';
import { getRelease } from '#product/releases/get-release.ts';
import { listReleaseCommits } from '#product/releases/list-commits.ts';
import { listReleaseIssues } from '#product/releases/list-releases.ts';
import { periodInput, projectInput, rangeOf } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, fencedRows, moment, paragraphs } from '../text/answer.ts';
import { issueRow } from '../text/issue-text.ts';
import { defineTool } from '../tool.ts';
import { crashFree, releaseRow } from './find-releases.ts';

const COMMITS_SHOWN = 15;
const MESSAGE_CHARACTERS_MAX = 150;

export const getReleaseTool = defineTool({
  name: 'get_release',
  title: 'Read a release',
  description:
    'Facts of one release: its events and health in the period beside those of the release before, the issues that are new, came back or are resolved in it, its last deploy and its commits.',
  right: 'project:read',
  input: z.strictObject({
    version: z.string().min(1).max(250).describe('The whole version, such as shop@2.1.0+45.'),
    project: projectInput,
    period: periodInput.default('14d'),
  }),
  async run(ctx, { version, project, period }) {
    const projectSlugs = project ? [project] : [];
    const named = { version, projectSlugs };
    const release = await getRelease(ctx, {
      ...named,
      environments: [],
      range: rangeOf(period, ctx.now()),
    });
    const [issues, commits] = await Promise.all([describeIssues(ctx, named), describeCommits(ctx, named)]);
    const { lastDeploy } = release;
    return paragraphs(
      `# A release, with its events of the last ${period}`,
      DATA_SENTENCE,
      fencedFacts([
        ['version', release.version],
        ['state', release.status],
        ['released', release.releasedAt === null ? null : moment(release.releasedAt)],
        ['first seen', moment(release.firstSeen)],
        ['projects', release.projectSlugs.join(', ')],
        ['new issues', String(release.newIssues)],
        ['events', `${release.events?.events ?? 0} of ${release.events?.users ?? 0} users`],
        ['without a crash', crashFree(release)],
        ['share of all sessions', release.health ? `${(release.health.adoption * 100).toFixed(1)}%` : null],
        ['last deploy', lastDeploy && `${lastDeploy.environment} at ${moment(lastDeploy.finishedAt)}`],
        ['release before', release.older && releaseRow(release.older)],
        ['release after', release.newer],
      ]),
      issues,
      commits,
    );
  },
});

type Named = { version: string; projectSlugs: readonly string[] };

async function describeIssues(ctx: Context, named: Named): Promise<string> {
  if (!hasRight(ctx.actor, 'event:read')) return '';
  const lists = await listReleaseIssues(ctx, named);
  const parts = (['new', 'regressed', 'resolved'] as const).map((which) => {
    const { issues, total } = lists[which];
    if (total === 0) return '';
    const left = total - issues.length;
    return paragraphs(
      `## ${HEADS[which]}: ${total}`,
      fencedRows(issues.map((issue) => issueRow(issue))),
      left > 0 && `${left} more: search_issues finds them.`,
    );
  });
  return paragraphs(...parts);
}

const HEADS = {
  new: 'Issues that are new in it',
  regressed: 'Issues that came back in it',
  resolved: 'Issues that are resolved in it',
} as const;

async function describeCommits(ctx: Context, named: Named): Promise<string> {
  const { commits } = await listReleaseCommits(ctx, { ...named, limit: COMMITS_SHOWN, cursor: null });
  if (commits.length === 0) return '';
  return paragraphs(
    '## Its newest commits',
    fencedRows(
      commits.map(({ key, repositoryName, author, message, files }) =>
        [
          key.slice(0, 12),
          repositoryName,
          author.memberName ?? author.name ?? author.email ?? 'somebody',
          `${files} files`,
          oneLine(message, MESSAGE_CHARACTERS_MAX),
        ].join(' | '),
      ),
    ),
  );
}
