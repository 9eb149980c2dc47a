import { z } from 'zod';
import type { Context } from '#product/context.ts';
import { describeSchedule } from '#product/monitors/describe-schedule.ts';
import type { MonitorEnvironment } from '#product/monitors/monitor.ts';
import { type ExpectedCheckIn, getMonitor, listCheckIns, listMonitors } from '#product/monitors/monitors.ts';
import { cursorInput, environmentInput, limitInput, projectInput } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, fencedRows, moment, moreRows, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';

export const findMonitors = defineTool({
  name: 'find_monitors',
  title: 'Find cron monitors',
  description:
    'Cron monitors (scheduled jobs) with their state, those that fail first: schedule, last run and next run of each environment. get_monitor lists the runs of one.',
  right: 'event:read',
  input: z.strictObject({
    text: z.string().max(250).default('').describe('Part of the name or slug. Defaults to all monitors.'),
    project: projectInput,
    environment: environmentInput,
    limit: limitInput,
    cursor: cursorInput,
  }),
  async run(ctx, { text, project, environment, limit, cursor = null }) {
    const { rows, nextCursor } = await listMonitors(ctx, {
      projectSlugs: project ? [project] : [],
      environments: environment ? [environment] : [],
      text,
      cursor,
      limit,
    });
    if (rows.length === 0) return 'No matching cron monitors.';
    return paragraphs(
      DATA_SENTENCE,
      'Each row: slug | project | state | schedule | environments, each with its last and next run | name',
      fencedRows(
        rows.map(({ slug, project, rank, environments, name, ...settings }) =>
          [
            slug,
            project.slug,
            rank,
            describeSchedule(settings),
            environments.map(environmentText).join('; ') || 'no run yet',
            name,
          ].join(' | '),
        ),
      ),
      moreRows(nextCursor),
    );
  },
});

const environmentText = ({ name, lastCheckInAt, nextExpectedAt, incidentStartedAt }: MonitorEnvironment) =>
  [
    name,
    incidentStartedAt === null ? null : `failing since ${moment(incidentStartedAt)}`,
    lastCheckInAt === null ? 'no run yet' : `last ${moment(lastCheckInAt)}`,
    nextExpectedAt === null ? null : `next ${moment(nextExpectedAt)}`,
  ]
    .filter((part) => part !== null)
    .join(', ');

export const getMonitorTool = defineTool({
  name: 'get_monitor',
  title: 'Read a cron monitor',
  description:
    'A cron monitor: what is expected of it, its state in each environment, and its last runs with their status (ok, error, missed, timeout, in_progress, unknown) and duration.',
  right: 'event:read',
  input: z.strictObject({
    monitor: z.string().min(1).max(100).describe('Slug of the monitor, as find_monitors lists it.'),
    project: projectInput,
    environment: environmentInput,
    limit: limitInput.describe('Number of runs to return.'),
    cursor: cursorInput,
  }),
  async run(ctx, { monitor: slug, project, environment, limit, cursor = null }) {
    const monitor = await getMonitor(ctx, { projectSlugs: project ? [project] : [], slug });
    const { rows, nextCursor } = await listCheckIns(ctx, {
      projectSlug: monitor.project.slug,
      monitorSlug: monitor.slug,
      environments: environment ? [environment] : [],
      cursor,
      limit,
    });
    return paragraphs(
      '# A cron monitor',
      DATA_SENTENCE,
      `Page: ${monitorPage(ctx, monitor)}`,
      fencedFacts([
        ['name', monitor.name],
        ['slug', monitor.slug],
        ['project', monitor.project.slug],
        ['state', monitor.rank],
        ['schedule', describeSchedule(monitor)],
        ['missed after', `${monitor.checkinMargin} minutes`],
        ['timed out after', `${monitor.maxRuntime} minutes`],
        ['issue after', `${monitor.failureIssueThreshold} failures in a row`],
        ['owner', monitor.owner?.name ?? null],
        ['configuration refused', monitor.configProblem],
        ...monitor.environments.map((each) => ['environment', environmentText(each)] as const),
      ]),
      rows.length === 0
        ? 'None of its runs are stored.'
        : paragraphs(
            '## Runs, newest first',
            'Each row: began | status | duration | environment | trace',
            fencedRows(rows.map(runRow)),
            moreRows(nextCursor),
          ),
      `The issues of its failures: search_issues with issue.category:cron project:${monitor.project.slug}.`,
    );
  },
});

const runRow = ({ startedAt, status, durationMs, environment, traceId }: ExpectedCheckIn): string =>
  [
    moment(startedAt),
    status,
    durationMs === null ? 'no duration' : `${durationMs} ms`,
    environment ?? 'no environment',
    traceId ?? 'no trace',
  ].join(' | ');

const monitorPage = (
  { publicUrl, organization }: Pick<Context, 'publicUrl' | 'organization'>,
  { id }: { id: number },
): string => `${publicUrl}/${organization.slug}/monitors/crons/${id}`;
