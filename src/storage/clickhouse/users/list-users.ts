import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import type { EventScope } from '#storage/ports/events.ts';
import {
  type ListedUser,
  USER_KINDS,
  type UserActivityStore,
  type UserKey,
} from '#storage/ports/user-activity.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { IS_FOUND, isEmpty, listParam, type SqlPart } from '../query-params.ts';
import { SEARCH_SETTINGS, SUGGESTION_SETTINGS, searching } from '../search/search-limits.ts';
import { rowsIn, USER_COLUMNS } from './user-rows.ts';

type Query = Parameters<UserActivityStore['listUsers']>[1];

/**
 * Those seen last are usually found in the last minutes, and all that is older need not be grouped by user. What is
 * searched for may be rare: there, only the first look is short.
 */
const LOOK_BACK_MS = [10 * MINUTE_MS, 2 * HOUR_MS, DAY_MS, 7 * DAY_MS] as const;

const COLUMNS = Object.values(USER_COLUMNS).join(', ');
const ANY_NAME = Object.values(USER_COLUMNS)
  .map((column) => `${column} != ''`)
  .join(' OR ');
const KIND = "multiIf(user_id != '', 'id', user_email != '', 'email', user_username != '', 'username', 'ip')";
const VALUE =
  "multiIf(user_id != '', user_id, user_email != '', user_email, user_username != '', user_username, user_ip)";

/** By the first thing that is known of somebody, as the tag `user` has it. Rows that lie twice count twice. */
export async function listUsers(
  database: ClickhouseDatabase,
  scope: EventScope,
  query: Query,
): Promise<readonly ListedUser[]> {
  if (isEmpty(scope)) return [];
  const { range } = query;
  const isSearch = query.text !== '' || query.key !== null;
  const fromMs = (isSearch ? LOOK_BACK_MS.slice(0, 1) : LOOK_BACK_MS)
    .map((lookBackMs) => range.toMs - lookBackMs)
    .filter((from) => from > range.fromMs);
  for (const from of [...fromMs, range.fromMs]) {
    const keys = await readKeys(database, scope, { ...query, range: { ...range, fromMs: from } });
    if (keys.length === query.limit || from === range.fromMs)
      return await describe(database, scope, query, keys);
  }
  return [];
}

function readKeys(
  database: ClickhouseDatabase,
  scope: EventScope,
  query: Query,
): Promise<readonly UserKey[]> {
  const rows = rowsOfUsers(scope, query, namedIn(query));
  return searching(
    database.query<UserKey>(
      `SELECT ${KIND} AS kind, ${VALUE} AS value FROM ${rows.sql}
       GROUP BY kind, value ORDER BY max(at) DESC, value
       LIMIT {limit:UInt32} ${settingsOf(query)}`,
      { ...rows.params, limit: query.limit },
    ),
  );
}

async function describe(
  database: ClickhouseDatabase,
  scope: EventScope,
  query: Query,
  keys: readonly UserKey[],
): Promise<readonly ListedUser[]> {
  if (keys.length === 0) return [];
  const rows = rowsOfUsers(scope, query, areThese(keys));
  return await searching(
    database.query<ListedUser>(
      `SELECT ${KIND} AS kind, ${VALUE} AS value,
         nullIf(argMaxIf(user_email, at, user_email != ''), '') AS email,
         nullIf(argMaxIf(user_username, at, user_username != ''), '') AS username,
         nullIf(argMaxIf(user_ip, at, user_ip != ''), '') AS ip,
         countIf(is_error) AS errors, uniqExactIf((project_id, hash), is_error) AS issues,
         countIf(NOT is_error) AS transactions, toUnixTimestamp64Milli(max(at)) AS lastSeen
       FROM ${rows.sql}
       GROUP BY kind, value ORDER BY lastSeen DESC, value LIMIT {limit:UInt32} ${settingsOf(query)}`,
      { ...rows.params, limit: query.limit },
    ),
  );
}

const settingsOf = ({ isQuick }: Query): string => (isQuick ? SUGGESTION_SETTINGS : SEARCH_SETTINGS);

/** Rows of errors, feedback and transactions that name a user so. */
function rowsOfUsers(scope: EventScope, query: Query, named: SqlPart): SqlPart {
  const events = rowsIn(scope, query, 'occurred_at');
  const transactions = rowsIn(scope, query, 'started_at');
  return {
    sql: `(
      SELECT project_id, ${COLUMNS}, occurred_at AS at, grouping_hash AS hash, true AS is_error
      FROM events WHERE ${events.sql} AND NOT ${IS_FOUND} AND ${named.sql}
      UNION ALL
      SELECT project_id, ${COLUMNS}, toDateTime64(started_at, 3, 'UTC') AS at,
        toFixedString('', 32) AS hash, false AS is_error
      FROM transactions WHERE ${transactions.sql} AND ${named.sql}
    )`,
    params: { ...events.params, ...transactions.params, ...named.params },
  };
}

/** No address has other characters; the last ones are of a zone. */
const MAY_BE_OF_ADDRESS = /^[0-9a-f.:%]*$/i;
const IS_ASCII = /^[ -~]*$/;

/** What a search reads of each row is what it costs: a column of names less is a fifth of it. */
function namedIn({ text, key }: Query): SqlPart {
  if (key !== null) return { sql: `${USER_COLUMNS[key.kind]} = {name:String}`, params: { name: key.value } };
  if (text === '') return { sql: `(${ANY_NAME})`, params: {} };
  const kinds = USER_KINDS.filter((kind) => kind !== 'ip' || MAY_BE_OF_ADDRESS.test(text));
  const position = IS_ASCII.test(text) ? 'positionCaseInsensitive' : 'positionCaseInsensitiveUTF8';
  return {
    sql: `(${kinds.map((kind) => `${position}(${USER_COLUMNS[kind]}, {name:String}) > 0`).join(' OR ')})`,
    params: { name: text },
  };
}

/** Rows of these users: a name counts where nothing that comes before it is known. */
function areThese(keys: readonly UserKey[]): SqlPart {
  let params: SqlPart['params'] = {};
  // A kind that none of them has would hide from the order of rows by user that few are asked for.
  const parts = USER_KINDS.flatMap((kind, index) => {
    const values = keys.filter((key) => key.kind === kind).map(({ value }) => value);
    if (values.length === 0) return [];
    const list = listParam(`${kind}s`, 'String', values);
    params = { ...params, ...list.params };
    const before = USER_KINDS.slice(0, index).map((other) => `${USER_COLUMNS[other]} = ''`);
    return [`(${[...before, `${USER_COLUMNS[kind]} IN ${list.sql}`].join(' AND ')})`];
  });
  return { sql: `(${parts.join(' OR ')})`, params };
}
