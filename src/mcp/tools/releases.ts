import { z } from 'zod';
import type { Context } from '#product/context.ts';
import { oneLine } from '#product/event-description/event-texts.ts';
import { hasRight } from '#product/permissions.ts';
import { getRelease } from '#product/releases/get-release.ts';
import { listReleaseCommits } from '#product/releases/list-commits.ts';
import { listReleaseIssues, listReleases } from '#product/releases/list-releases.ts';
import type { ReleaseRow } from '#product/releases/release-row.ts';
import { getReleaseVerdict } from '#product/releases/verdict/get-release-verdict.ts';
import type { MeasuredSide, VerdictLine } from '#product/releases/verdict/release-verdict.ts';
import { cursorInput, environmentInput, limitInput, periodInput, projectInput, rangeOf } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, fencedRows, moment, moreRows, paragraphs } from '../text/answer.ts';
import { issueRow } from '../text/issue-text.ts';
import { defineTool } from '../tool.ts';

export const findReleases = defineTool({
  name: 'find_releases',
  title: 'Find releases',
  description:
    'Releases, newest first, each with its new issues, its events and how many sessions ended without a crash in the period.',
  right: 'project:read',
  input: z.strictObject({
    text: z.string().max(250).default('').describe('Part of the version. Defaults to all releases.'),
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
    if (releases.length === 0) return 'No matching releases.';
    return paragraphs(
      DATA_SENTENCE,
      `Each row: version | released or first seen | projects | new issues | events and users in the last ${period} | crash-free sessions | commits, deploys`,
      fencedRows(releases.map(releaseRow)),
      moreRows(nextCursor),
    );
  },
});

const releaseRow = (row: ReleaseRow): string =>
  [
    row.version,
    moment(row.releasedAt ?? row.firstSeen),
    row.projectSlugs.join(', '),
    `${row.newIssues} new issues`,
    `${row.events?.events ?? 0} events, ${row.events?.users ?? 0} users`,
    crashFree(row),
    `${row.commitCount} commits, ${row.deployCount} deploys`,
  ].join(' | ');

function crashFree({ health }: ReleaseRow): string {
  if (!health || health.crashFreeSessions === null) return 'no sessions';
  return `${(health.crashFreeSessions * 100).toFixed(2)}% of ${health.sessions} sessions`;
}

const COMMITS_SHOWN = 15;
const MESSAGE_CHARACTERS_MAX = 150;

export const getReleaseTool = defineTool({
  name: 'get_release',
  title: 'Read a release',
  description:
    'Details of a release: its events and health in the period compared with the previous release, a verdict on whether it is worse by more than chance, its new, regressed and resolved issues, its last deploy and its commits.',
  right: 'project:read',
  input: z.strictObject({
    version: z.string().min(1).max(250).describe('The full version, such as shop@2.1.0+45.'),
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
    const [verdict, issues, commits] = await Promise.all([
      describeVerdict(ctx, named),
      describeIssues(ctx, named),
      describeCommits(ctx, named),
    ]);
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
        ['crash-free', crashFree(release)],
        [
          'adoption',
          release.adoption.stage &&
            `${release.adoption.stage}, ${((release.adoption.sessionShare ?? 0) * 100).toFixed(1)}% of sessions in the last 24 hours`,
        ],
        ['last deploy', lastDeploy && `${lastDeploy.environment} at ${moment(lastDeploy.finishedAt)}`],
        ['previous release', release.older && releaseRow(release.older)],
        ['next release', release.newer],
      ]),
      verdict,
      issues,
      commits,
    );
  },
});

type Named = { version: string; projectSlugs: readonly string[] };

/** Whether it is worse than the release before it, as its page says. */
async function describeVerdict(ctx: Context, named: Named): Promise<string> {
  if (!hasRight(ctx.actor, 'event:read')) return '';
  const { before, verdict, lines, logPatterns } = await getReleaseVerdict(ctx, {
    ...named,
    environments: [],
  });
  return paragraphs(
    before !== null &&
      `## Verdict: ${VERDICTS[verdict]}\n\nAgainst the previous release, over the same length of time since each began. Each row: measure | this release | previous release | worse or better by more than chance, could be chance, or not enough data`,
    before !== null && fencedRows(lines.map(verdictRow)),
    logPatterns !== null && logPatterns.length > 0 && '## Log messages that are new in it',
    logPatterns !== null &&
      logPatterns.length > 0 &&
      fencedRows(
        logPatterns.map(
          ({ pattern, level, lines: count }) =>
            `${oneLine(pattern, MESSAGE_CHARACTERS_MAX)} | ${level} | ${count} lines`,
        ),
      ),
  );
}

const VERDICTS = {
  worse: 'worse',
  better: 'better',
  same: 'no worse and no better',
  too_few: 'not enough data to compare',
} as const;

const verdictRow = ({ measure, own, before, verdict }: VerdictLine): string =>
  [measure, sideText(measure, own), sideText(measure, before), verdict].join(' | ');

function sideText(measure: VerdictLine['measure'], { value, sample }: MeasuredSide): string {
  if (value === null) return 'none';
  if (sample === null) return String(value);
  const text = measure === 'p95' ? `${value.toFixed(1)} ms` : `${(value * 100).toFixed(2)}%`;
  return `${text} of ${sample}`;
}

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
      left > 0 && `${left} more: use search_issues to find them.`,
    );
  });
  return paragraphs(...parts);
}

const HEADS = {
  new: 'New issues',
  regressed: 'Regressed issues',
  resolved: 'Resolved issues',
} as const;

async function describeCommits(ctx: Context, named: Named): Promise<string> {
  const { commits } = await listReleaseCommits(ctx, { ...named, limit: COMMITS_SHOWN, cursor: null });
  if (commits.length === 0) return '';
  return paragraphs(
    '## Newest commits',
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
