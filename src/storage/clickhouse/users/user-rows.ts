import type { EventScope } from '#storage/ports/events.ts';
import type { UserKey, UserKind, UserQuery } from '#storage/ports/user-activity.ts';
import { both, inScope, listParam, type SqlPart } from '../query-params.ts';

/** The column of a name, in the tables of events and of transactions. */
export const USER_COLUMNS: Readonly<Record<UserKind, string>> = {
  id: 'user_id',
  email: 'user_email',
  username: 'user_username',
  ip: 'user_ip',
};

/** Rows of the scope whose time lies in the range, of the environments. */
export function rowsIn(scope: EventScope, { range, environments }: UserQuery, time: string): SqlPart {
  const within: SqlPart = {
    sql: `${time} >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
      AND ${time} < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`,
    params: { fromMs: Math.trunc(range.fromMs), toMs: Math.trunc(range.toMs) },
  };
  const visible = both(inScope(scope), within);
  if (environments.length === 0) return visible;
  const named = listParam('environments', 'String', environments);
  return both(visible, { sql: `environment IN ${named.sql}`, params: named.params });
}

/** Rows of events or transactions that name the user so. */
export const rowsOf = (scope: EventScope, key: UserKey, query: UserQuery, time: string): SqlPart =>
  both(rowsIn(scope, query, time), {
    sql: `${USER_COLUMNS[key.kind]} = {user:String}`,
    params: { user: key.value },
  });
