import { isDistinctive, patternOf, spellings } from '#domain/person-names.ts';
import type { UserKey, UserKind } from '#storage/ports/user-activity.ts';
import type { SqlPart } from '../query-params.ts';
import { USER_COLUMNS } from '../users/user-rows.ts';

/** Attributes in which SDKs and OpenTelemetry name a user. */
const ATTRIBUTES: Readonly<Record<UserKind, readonly string[]>> = {
  id: ['user.id', 'enduser.id', 'sentry.user.id', 'user.hash'],
  email: ['user.email', 'sentry.user.email'],
  username: ['user.name', 'user.username', 'sentry.user.username', 'enduser.pseudo.id'],
  ip: ['user.ip_address', 'client.address', 'sentry.user.ip', 'sentry.user.ip_address', 'net.peer.ip'],
};

/** Expressions of one kind of table that may name a person. */
export type NamingColumns = {
  /** Whether it has `user_id` and its like. */
  user: 'all' | 'id' | 'none';
  /** A column of an email address. */
  email?: string;
  /** A column of a hash of what the SDK calls the user by. */
  distinctIdHash?: string;
  /** A map of attributes. */
  attributes?: string;
  /** Texts. */
  texts: readonly string[];
  /** Arrays of texts. */
  lists: readonly string[];
};

/** Rows that carry one of the names; `hashes` are of the identifiers, as sessions have them. */
export function namesPerson(
  columns: NamingColumns,
  identifiers: readonly UserKey[],
  hashes: readonly string[],
): SqlPart {
  const params: Record<string, unknown> = {};
  const conditions: string[] = [];
  for (const [index, key] of identifiers.entries()) {
    const name = `name${index}`;
    params[name] = key.value;
    const value = `{${name}:String}`;
    const same = (column: string) =>
      key.kind === 'email' ? `lower(${column}) = lower(${value})` : `${column} = ${value}`;
    if (columns.user === 'all' || (columns.user === 'id' && key.kind === 'id'))
      conditions.push(same(USER_COLUMNS[key.kind]));
    if (columns.email && key.kind === 'email') conditions.push(same(columns.email));
    for (const attribute of columns.attributes ? ATTRIBUTES[key.kind] : [])
      conditions.push(same(`${columns.attributes}['${attribute}']`));
    if (!isDistinctive(key)) continue;
    const { pattern, ignoresCase } = patternOf(key);
    params[`pattern${index}`] = `${ignoresCase ? '(?i)' : ''}${pattern}`;
    const matches = (text: string) =>
      `(${spellings(key.value)
        .map((spelling, at) => {
          const needle = `needle${index}_${at}`;
          params[needle] = spelling;
          return `${position(key, spelling)}(${text}, {${needle}:String}) > 0`;
        })
        .join(' OR ')}) AND match(${text}, {pattern${index}:String})`;
    for (const text of columns.texts) conditions.push(`(${matches(text)})`);
    for (const list of columns.lists) conditions.push(`arrayExists(item -> ${matches('item')}, ${list})`);
  }
  if (columns.distinctIdHash && hashes.length > 0) {
    params.distinctIds = hashes;
    conditions.push(`${columns.distinctIdHash} IN {distinctIds:Array(String)}`);
  }
  return { sql: conditions.length === 0 ? 'false' : `(${conditions.join(' OR ')})`, params };
}

const IS_ASCII = /^[ -~]*$/;

const position = ({ kind }: UserKey, spelling: string): string => {
  if (kind !== 'email') return 'position';
  return IS_ASCII.test(spelling) ? 'positionCaseInsensitive' : 'positionCaseInsensitiveUTF8';
};
