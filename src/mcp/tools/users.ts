import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import { getUser } from '#product/users/get-user.ts';
import { listUsers, USERS_MAX } from '#product/users/list-users.ts';
import { formatUserKey, parseUserKey } from '#product/users/user-key.ts';
import { environmentInput, limitInput, periodInput, projectInput, rangeOf } from '../inputs.ts';
import { DATA_SENTENCE, fencedFacts, fencedRows, moment, paragraphs } from '../text/answer.ts';
import { issueRow } from '../text/issue-text.ts';
import { defineTool } from '../tool.ts';

/** Of each of the three lists about a user. */
const ROWS_OF_EACH_MAX = 15;

export const findUsers = defineTool({
  name: 'find_users',
  title: 'Find users',
  description:
    'People who use the monitored programs, last seen first, with how many errors and issues each had in the period. get_user shows what happened to one.',
  right: 'event:read',
  input: z.strictObject({
    text: z
      .string()
      .max(250)
      .default('')
      .describe(
        'Part of an ID, an email, a username or an IP address; or a whole one as id:42, email:ann@example.com, username:ann, ip:203.0.113.7.',
      ),
    project: projectInput,
    environment: environmentInput,
    period: periodInput.default('14d'),
    limit: limitInput,
  }),
  async run(ctx, { text, project, environment, period, limit }) {
    const { users, hasMore } = await listUsers(ctx, {
      search: text,
      projectSlugs: project ? [project] : [],
      environments: environment ? [environment] : [],
      range: rangeOf(period, ctx.now()),
    });
    if (users.length === 0) return `No matching users in the last ${period}.`;
    return paragraphs(
      DATA_SENTENCE,
      'Each row: user | email | username | IP address | errors | issues | transactions | last seen',
      fencedRows(
        users
          .slice(0, limit)
          .map((user) =>
            [
              formatUserKey(user),
              user.email ?? '-',
              user.username ?? '-',
              user.ip ?? '-',
              `${user.errors} errors`,
              `${user.issues} issues`,
              `${user.transactions} transactions`,
              moment(user.lastSeen),
            ].join(' | '),
          ),
      ),
      (hasMore || users.length > limit) &&
        `There are more${hasMore ? ` than ${USERS_MAX}` : ''}: search for a part of the name, or raise the limit.`,
    );
  },
});

export const getUserTool = defineTool({
  name: 'get_user',
  title: 'Read a user',
  description:
    'What happened to a user of the monitored programs in the period: their issues with how often, their latest events, transactions, replays and sessions.',
  right: 'event:read',
  input: z.strictObject({
    user: z
      .string()
      .min(1)
      .max(250)
      .describe('As find_users lists them: id:42, email:ann@example.com, username:ann or ip:203.0.113.7.'),
    project: projectInput,
    environment: environmentInput,
    period: periodInput.default('14d'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(ROWS_OF_EACH_MAX)
      .default(10)
      .describe(`Number of issues, events and replays to return, at most ${ROWS_OF_EACH_MAX} of each.`),
  }),
  async run(ctx, { user, project, environment, period, limit }) {
    const key = parseUserKey(user);
    if (key === null) {
      throw invalid(
        `"${user.slice(0, 80)}" does not name a user: write id:, email:, username: or ip: in front`,
        'user',
      );
    }
    const activity = await getUser(ctx, {
      key,
      projectSlugs: project ? [project] : [],
      environments: environment ? [environment] : [],
      range: rangeOf(period, ctx.now()),
    });
    const { names, profile, issues, events, transactions, replays, sessions, projects } = activity;
    if (names === null && issues.length + events.length + replays.length + sessions.length === 0) {
      return `Nothing of this user is stored in the last ${period}: find_users searches for a part of a name.`;
    }
    const slugOf = (projectId: number): string => projects.get(projectId) ?? '';
    const list = (title: string, columns: string, rows: readonly string[]): string =>
      rows.length === 0
        ? ''
        : paragraphs(`## ${title}`, `Each row: ${columns}`, fencedRows(rows.slice(0, limit)));
    const ended = Map.groupBy(sessions, (session) => session.ended);
    return paragraphs(
      `# A user, in the last ${period}`,
      DATA_SENTENCE,
      `Page: ${ctx.publicUrl}/${ctx.organization.slug}/users/${encodeURIComponent(formatUserKey(key))}`,
      fencedFacts([
        ['user', formatUserKey(key)],
        ['names', profile.names.join(', ') || null],
        ['IDs', names?.ids.join(', ') || null],
        ['emails', names?.emails.join(', ') || null],
        ['usernames', names?.usernames.join(', ') || null],
        ['IP addresses', names?.ips.join(', ') || null],
        ['places', profile.places.join('; ') || null],
        ['first seen', names && moment(names.firstSeen)],
        ['last seen', names && moment(names.lastSeen)],
        ['transactions', `${transactions.total}, of which ${transactions.failed} failed`],
        [
          'sessions',
          sessions.length === 0
            ? null
            : `${sessions.length} of the last: ${[...ended].map(([how, of]) => `${of.length} ${how}`).join(', ')}`,
        ],
      ]),
      list(
        `Issues: ${issues.length}`,
        'events of the user, last to the user | short id | state | level | priority | events | first seen | last seen | project | assignee | title | culprit',
        issues.map(
          ({ issue, events, lastSeen }) => `${events} events, ${moment(lastSeen)} | ${issueRow(issue)}`,
        ),
      ),
      list(
        'Latest events',
        'time | issue | event | project | release | title',
        events.map((event) =>
          [
            moment(event.at),
            event.shortId ?? 'no issue',
            event.eventId,
            slugOf(event.projectId),
            event.release ?? 'no release',
            event.title,
          ].join(' | '),
        ),
      ),
      list(
        'Latest replays',
        'replay ID | began | errors | project',
        replays.map(({ replayId, at, errors, projectId }) =>
          [replayId, moment(at), `${errors} errors`, slugOf(projectId)].join(' | '),
        ),
      ),
    );
  },
});
