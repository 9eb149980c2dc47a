import type { EventScope } from '#storage/ports/events.ts';
import type { ListedUser, UserActivityStore } from '#storage/ports/user-activity.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { IS_FOUND, isEmpty, type SqlPart } from '../query-params.ts';
import { SEARCH_SETTINGS, SUGGESTION_SETTINGS, searching } from '../search/search-limits.ts';
import { rowsIn, USER_COLUMNS } from './user-rows.ts';

type Query = Parameters<UserActivityStore['listUsers']>[1];

const COLUMNS = 'user_id, user_email, user_username, user_ip';

/** By the first thing that is known of somebody, as the tag `user` has it. Rows that lie twice count twice. */
export async function listUsers(
  database: ClickhouseDatabase,
  scope: EventScope,
  query: Query,
): Promise<readonly ListedUser[]> {
  if (isEmpty(scope)) return [];
  const named = namedIn(query);
  const events = rowsIn(scope, query, 'occurred_at');
  const transactions = rowsIn(scope, query, 'started_at');
  return await searching(
    database.query<ListedUser>(
      `SELECT multiIf(user_id != '', 'id', user_email != '', 'email', user_username != '', 'username', 'ip') AS kind,
         multiIf(user_id != '', user_id, user_email != '', user_email, user_username != '', user_username, user_ip) AS value,
         nullIf(argMaxIf(user_email, at, user_email != ''), '') AS email,
         nullIf(argMaxIf(user_username, at, user_username != ''), '') AS username,
         nullIf(argMaxIf(user_ip, at, user_ip != ''), '') AS ip,
         countIf(is_error) AS errors, uniqExactIf((project_id, hash), is_error) AS issues,
         countIf(NOT is_error) AS transactions,
         toUnixTimestamp64Milli(max(at)) AS lastSeen
       FROM (
         SELECT project_id, ${COLUMNS}, occurred_at AS at, grouping_hash AS hash, true AS is_error
         FROM events WHERE ${events.sql} AND user_hash != 0 AND NOT ${IS_FOUND} AND ${named.sql}
         UNION ALL
         SELECT project_id, ${COLUMNS}, toDateTime64(started_at, 3, 'UTC') AS at,
           toFixedString('', 32) AS hash, false AS is_error
         FROM transactions WHERE ${transactions.sql} AND ${named.sql}
           AND (user_id != '' OR user_email != '' OR user_username != '' OR user_ip != '')
       )
       GROUP BY kind, value
       ORDER BY lastSeen DESC, value
       LIMIT {limit:UInt32} ${query.isQuick ? SUGGESTION_SETTINGS : SEARCH_SETTINGS}`,
      { ...events.params, ...transactions.params, ...named.params, limit: query.limit },
    ),
  );
}

function namedIn({ text, key }: Query): SqlPart {
  if (key !== null) return { sql: `${USER_COLUMNS[key.kind]} = {name:String}`, params: { name: key.value } };
  if (text === '') return { sql: 'true', params: {} };
  const columns = Object.values(USER_COLUMNS);
  return {
    sql: `(${columns.map((column) => `positionCaseInsensitiveUTF8(${column}, {name:String}) > 0`).join(' OR ')})`,
    params: { name: text },
  };
}
