import { FEEDBACK_TYPE } from '#protocol/event.ts';
import type {
  UserActivityStore,
  UserEvent,
  UserIssue,
  UserNames,
  UserReplay,
  UserSession,
  UserTransaction,
} from '#storage/ports/user-activity.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { both, IS_FOUND, isEmpty, listParam } from '../query-params.ts';
import { SEARCH_SETTINGS, searching } from '../search/search-limits.ts';
import { NOT_FAILED } from '../span-failures.ts';
import { listUsers } from './list-users.ts';
import { rowsIn, rowsOf } from './user-rows.ts';

/** Names of one kind that are told of one user. */
const NAMES_MAX = 20;

const distinct = (column: string): string => `groupUniqArrayIf(${NAMES_MAX})(${column}, ${column} != '')`;
const millis = (moment: string): string => `toUnixTimestamp64Milli(${moment})`;
const orNull = (column: string): string => `nullIf(toString(${column}), '')`;

/** Rows may lie twice in a table until parts are merged: every query here counts each of them once. */
export function createUserActivityStore(database: ClickhouseDatabase): UserActivityStore {
  const ask = <Row>(sql: string, params: Readonly<Record<string, unknown>>): Promise<Row[]> =>
    searching(database.query<Row>(`${sql} ${SEARCH_SETTINGS}`, params));
  return {
    async findNames(scope, key, query) {
      if (isEmpty(scope)) return null;
      const events = rowsOf(scope, key, query, 'occurred_at');
      const transactions = rowsOf(scope, key, query, 'started_at');
      const columns = 'user_id, user_email, user_username, user_ip';
      const [row] = await ask<UserNames & { rows: number }>(
        `SELECT ${distinct('user_id')} AS ids, ${distinct('user_email')} AS emails,
           ${distinct('user_username')} AS usernames, ${distinct('user_ip')} AS ips,
           ${millis('min(at)')} AS firstSeen, ${millis('max(at)')} AS lastSeen, count() AS rows
         FROM (
           SELECT ${columns}, occurred_at AS at FROM events WHERE ${events.sql} AND NOT ${IS_FOUND}
           UNION ALL
           SELECT ${columns}, toDateTime64(started_at, 3, 'UTC') AS at FROM transactions WHERE ${transactions.sql}
         )`,
        { ...events.params, ...transactions.params },
      );
      if (!row || row.rows === 0) return null;
      const { rows: _rows, ...names } = row;
      return names;
    },

    async listIssues(scope, key, { limit, ...query }) {
      if (isEmpty(scope)) return [];
      const own = rowsOf(scope, key, query, 'occurred_at');
      return await ask<UserIssue>(
        `SELECT project_id AS projectId, grouping_hash AS hash, uniqExact(event_id) AS events,
           ${millis('min(occurred_at)')} AS firstSeen, ${millis('max(occurred_at)')} AS lastSeen
         FROM events WHERE ${own.sql} AND NOT ${IS_FOUND}
         GROUP BY project_id, grouping_hash ORDER BY lastSeen DESC, hash LIMIT {limit:UInt32}`,
        { ...own.params, limit },
      );
    },

    async listEvents(scope, key, { limit, ...query }) {
      if (isEmpty(scope)) return [];
      const own = rowsOf(scope, key, query, 'occurred_at');
      return await ask<UserEvent>(
        `SELECT project_id AS projectId, grouping_hash AS hash, event_id AS eventId, ${millis('occurred_at')} AS at,
           title, type = '${FEEDBACK_TYPE}' AS isFeedback, ${orNull('release')} AS release,
           ${orNull('environment')} AS environment
         FROM (
           SELECT * FROM events WHERE ${own.sql} AND NOT ${IS_FOUND}
           ORDER BY occurred_at DESC, event_id DESC LIMIT 1 BY project_id, event_id LIMIT {limit:UInt32}
         )
         ORDER BY at DESC, eventId DESC`,
        { ...own.params, limit },
      );
    },

    async listTransactions(scope, key, { limit, ...query }) {
      if (isEmpty(scope)) return { rows: [], total: 0, failed: 0 };
      const own = rowsOf(scope, key, query, 'started_at');
      const [rows, totals] = await Promise.all([
        ask<UserTransaction>(
          `SELECT project_id AS projectId, event_id AS eventId, trace_id AS traceId, toString(name) AS name,
             toString(op) AS op, toString(status) AS status, toUnixTimestamp64Milli(toDateTime64(started_at, 3)) AS at,
             (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000 AS durationMs,
             ${orNull('release')} AS release, ${orNull('environment')} AS environment
           FROM (
             SELECT project_id, event_id, trace_id, name, op, status, started_at, ended_at, release, environment
             FROM transactions WHERE ${own.sql}
             ORDER BY started_at DESC, event_id DESC LIMIT 1 BY project_id, event_id LIMIT {limit:UInt32}
           )
           ORDER BY at DESC, eventId DESC`,
          { ...own.params, limit },
        ),
        ask<{ total: number; failed: number }>(
          `SELECT uniqExact(event_id) AS total, uniqExactIf(event_id, status != '' AND status NOT IN ${NOT_FAILED}) AS failed
           FROM transactions WHERE ${own.sql}`,
          own.params,
        ),
      ]);
      return { rows, total: totals[0]?.total ?? 0, failed: totals[0]?.failed ?? 0 };
    },

    async listReplays(scope, ids, { limit, ...query }) {
      if (isEmpty(scope) || ids.length === 0) return [];
      const users = listParam('users', 'String', ids);
      const own = both(rowsIn(scope, query, 'occurred_at'), {
        sql: `user_id IN ${users.sql}`,
        params: users.params,
      });
      return await ask<UserReplay>(
        `SELECT project_id AS projectId, replay_id AS replayId,
           ${millis('min(coalesce(started_at, occurred_at))')} AS at, ${millis('max(occurred_at)')} AS finishedAt,
           length(arrayDistinct(arrayFlatten(groupArray(error_ids)))) AS errors
         FROM replays WHERE ${own.sql}
         GROUP BY project_id, replay_id ORDER BY at DESC, replayId DESC LIMIT {limit:UInt32}`,
        { ...own.params, limit },
      );
    },

    async listSessions(scope, hashes, { limit, ...query }) {
      if (isEmpty(scope) || hashes.length === 0) return [];
      const users = listParam('users', 'String', hashes);
      const own = both(rowsIn(scope, query, 'started_at'), {
        sql: `session_id != '' AND distinct_id_hash IN ${users.sql}`,
        params: users.params,
      });
      return await ask<UserSession>(
        `SELECT project_id AS projectId, toString(release) AS release, nullIf(toString(last.3), '') AS environment,
           ms AS at, last.2 AS durationSeconds, last.1 AS ended
         FROM (
           SELECT project_id, release, session_id, ${millis('min(started_at)')} AS ms,
             argMax(
               (multiIf(crashed > 0, 'crashed', abnormal > 0, 'abnormal', unhandled > 0, 'unhandled',
                 errored > 0, 'errored', 'healthy'), duration_seconds, environment),
               (seq, occurred_at, received_at)
             ) AS last
           FROM sessions WHERE ${own.sql}
           GROUP BY project_id, release, session_id
         )
         ORDER BY at DESC, release LIMIT {limit:UInt32}`,
        { ...own.params, limit },
      );
    },

    listUsers: (scope, query) => listUsers(database, scope, query),
  };
}
