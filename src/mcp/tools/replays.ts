import { z } from 'zod';
import { getReplay, listReplayErrors, listReplays } from '#product/replays/replays.ts';
import { selectProjects } from '#product/visible-projects.ts';
import { REPLAY_SORTS, type ReplaySummary } from '#storage/ports/telemetry.ts';
import { cursorInput, environmentInput, limitInput, periodInput, projectInput, rangeOf } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, fencedRows, moment, moreRows, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';

const URLS_SHOWN = 30;

export const searchReplays = defineTool({
  name: 'search_replays',
  title: 'Search session replays',
  description:
    'Recorded sessions of users, the last begun first, with their errors, dead and rage clicks and pages. get_replay reads one.',
  right: 'event:read',
  input: z.strictObject({
    text: z
      .string()
      .max(250)
      .default('')
      .describe('Part of a URL, of a user or of the browser’s name; or the ID. Defaults to all replays.'),
    having: z
      .array(z.enum(['errors', 'rageClicks', 'deadClicks']))
      .max(3)
      .default([])
      .describe('Only replays that have some of each.'),
    project: projectInput,
    environment: environmentInput,
    period: periodInput.default('14d'),
    sort: z.enum(REPLAY_SORTS).default('started').describe('What to sort by, the largest first.'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  async run(ctx, { text, having, project, environment, period, sort, limit, cursor = null }) {
    const [{ rows, nextCursor }, projects] = await Promise.all([
      listReplays(ctx, {
        projectSlugs: project ? [project] : [],
        cursor,
        limit,
        range: rangeOf(period, ctx.now()),
        filter: { text, having, environments: environment ? [environment] : [], durationMsMin: 0 },
        sort,
      }),
      selectProjects(ctx, []),
    ]);
    if (rows.length === 0) return `No matching replays in the last ${period}.`;
    const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
    return paragraphs(
      DATA_SENTENCE,
      'Each row: replay ID | began | seconds | project | errors | rage clicks | dead clicks | user | browser | first page',
      fencedRows(
        rows.map((replay) =>
          [
            replay.replayId,
            moment(replay.startedAt),
            secondsOf(replay),
            slugs.get(replay.projectId) ?? '',
            `${replay.errorIds.length} errors`,
            `${replay.rageClicks} rage`,
            `${replay.deadClicks} dead`,
            userOf(replay) ?? 'no user',
            named(replay.browserName, replay.browserVersion) ?? 'no browser',
            replay.urls[0] ?? 'no page',
          ].join(' | '),
        ),
      ),
      moreRows(nextCursor),
    );
  },
});

export const getReplayTool = defineTool({
  name: 'get_replay',
  title: 'Read a session replay',
  description:
    'A summary of a recorded session: who, with what, how long, the pages in their order, dead and rage clicks, and its errors with their issues. The recording itself is played on its page.',
  right: 'event:read',
  input: z.strictObject({
    replay: z.string().min(1).max(40).describe('ID of the replay: 32 hexadecimal digits.'),
    project: projectInput,
  }),
  async run(ctx, { replay: replayId, project }) {
    const replay = await getReplay(ctx, { replayId, projectSlugs: project ? [project] : [] });
    const [errors, projects] = await Promise.all([listReplayErrors(ctx, replay), selectProjects(ctx, [])]);
    const urlsLeft = replay.urls.length - URLS_SHOWN;
    return paragraphs(
      '# A session replay',
      DATA_SENTENCE,
      `Page: ${ctx.publicUrl}/${ctx.organization.slug}/replays/${replay.replayId}`,
      fencedFacts([
        ['replay ID', replay.replayId],
        ['project', projects.find(({ id }) => id === replay.projectId)?.slug ?? null],
        ['began', moment(replay.startedAt)],
        ['lasted', `${secondsOf(replay)} seconds`],
        ['recorded', replay.replayType === 'buffer' ? 'around an error' : 'the whole session'],
        ['environment', replay.environment],
        ['releases', replay.releases.join(', ') || null],
        ['user', userOf(replay)],
        ['browser', named(replay.browserName, replay.browserVersion)],
        ['system', named(replay.osName, replay.osVersion)],
        ['rage clicks', String(replay.rageClicks)],
        ['dead clicks', String(replay.deadClicks)],
        ['traces', replay.traceIds.slice(0, 5).join(', ') || null],
      ]),
      replay.urls.length > 0 &&
        paragraphs('## Pages, in their order', fencedRows(replay.urls.slice(0, URLS_SHOWN))),
      urlsLeft > 0 && `${urlsLeft} more pages.`,
      errors.length === 0
        ? `It recorded ${replay.errorIds.length} errors, of which none are stored.`
        : paragraphs(
            '## Errors, oldest first',
            'Each row: time | seconds after the beginning | issue | event | title',
            fencedRows(
              errors.map(({ event, issue }) =>
                [
                  moment(event.occurredAt),
                  Math.max(0, Math.round((event.occurredAt - replay.startedAt) / 1_000)),
                  issue?.shortId ?? 'no issue',
                  event.eventId,
                  event.title,
                ].join(' | '),
              ),
            ),
          ),
    );
  },
});

const secondsOf = ({ startedAt, finishedAt }: ReplaySummary): number =>
  Math.round((finishedAt - startedAt) / 1_000);

const userOf = ({ userEmail, userUsername, userId, userIp }: ReplaySummary): string | null =>
  userEmail ?? userUsername ?? userId ?? userIp;

const named = (name: string | null, version: string | null): string | null =>
  name && [name, version].filter(Boolean).join(' ');
