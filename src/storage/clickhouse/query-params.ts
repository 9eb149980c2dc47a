import type { BlobKey } from '#protocol/blob-key.ts';
import { FEEDBACK_TYPE } from '#protocol/event.ts';
import { MONITOR_ISSUE_TYPES } from '#protocol/monitor-issue.ts';
import { PERFORMANCE_PREFIX } from '#protocol/performance-issue.ts';
import type { EventScope, IssueEvents } from '#storage/ports/events.ts';

/** Values in one parameter: the server takes 128 KiB, and our longest value has about 110 characters. */
const VALUES_PER_PARAMETER_MAX = 1_000;

/** Part of a statement, with the values of its parameters. */
export type SqlPart = { sql: string; params: Readonly<Record<string, unknown>> };

/** An array of any length as an expression; it takes as many parameters as it needs. `type` is of one value. */
export function listParam(name: string, type: string, values: readonly unknown[]): SqlPart {
  const params: Record<string, unknown> = {};
  const placeholders: string[] = [];
  for (let start = 0; start === 0 || start < values.length; start += VALUES_PER_PARAMETER_MAX) {
    const part = `${name}${placeholders.length}`;
    params[part] = values.slice(start, start + VALUES_PER_PARAMETER_MAX);
    placeholders.push(`{${part}:Array(${type})}`);
  }
  return {
    sql: placeholders.length === 1 ? placeholders[0]! : `arrayConcat(${placeholders.join(', ')})`,
    params,
  };
}

const BLOB_KEY = /^[A-Za-z0-9/_.-]+$/;

/** The key in quotes, for statements that delete: they take no parameters. */
export function quoteBlobKey(key: BlobKey): string {
  if (!BLOB_KEY.test(key)) throw new Error(`"${key}" is not a blob key`);
  return `'${key}'`;
}

export const isVisible = (scope: EventScope, issue: IssueEvents): boolean =>
  scope.projectIds.includes(issue.projectId) && issue.hashes.length > 0;

/** True when the scope sees nothing. */
export const isEmpty = (scope: EventScope): boolean => scope.projectIds.length === 0;

/** Both conditions. */
export const both = (one: SqlPart, other: SqlPart): SqlPart => ({
  sql: `${one.sql} AND ${other.sql}`,
  params: { ...one.params, ...other.params },
});

/** Rows of an issue in one of two tables: the index holds hashes as numbers. */
export function ofIssue(
  { organizationId }: EventScope,
  { projectId, hashes }: IssueEvents,
  table: 'events' | 'event_index' = 'events',
): SqlPart {
  const list =
    table === 'events'
      ? listParam('hashes', 'FixedString(32)', hashes)
      : listParam('hashes', 'UInt128', hashes.map(toNumber));
  return {
    sql: `organization_id = {organizationId:UInt64} AND project_id = {projectId:UInt64}
      AND grouping_hash IN ${list.sql}`,
    params: { organizationId, projectId, ...list.params },
  };
}

/** The 32 hexadecimal digits of a number of 128 bits, as an expression: its bytes are fewer to handle than padded text. */
export const hex = (number: string): string => `lower(hex(reverse(reinterpretAsFixedString(${number}))))`;

/** The inverse of `hex`, as an expression. */
export const unhex = (digits: string): string => `reinterpretAsUInt128(reverse(unhex(${digits})))`;

/** The number that 32 hexadecimal digits spell; 0, which no event has, for anything else. */
export const toNumber = (digits: string): bigint => (HEX.test(digits) ? BigInt(`0x${digits}`) : 0n);
const HEX = /^[0-9a-f]{32}$/;

/** Rows of the organization and the projects of the scope: every read begins with it. */
export function inScope(scope: EventScope): SqlPart {
  const projectIds = listParam('projectIds', 'UInt64', scope.projectIds);
  return {
    sql: `organization_id = {organizationId:UInt64} AND project_id IN ${projectIds.sql}`,
    params: { organizationId: scope.organizationId, ...projectIds.params },
  };
}

/** Rows from `fromMs` to before `toMs`. */
export const IN_RANGE = `occurred_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
  AND occurred_at < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')`;

/** Events that were found in transactions, not sent. */
export const IS_FOUND = `startsWith(type, '${PERFORMANCE_PREFIX}')`;

/** Events that are not what people wrote. */
export const IS_NO_FEEDBACK = `type != '${FEEDBACK_TYPE}'`;

/** Events that count as errors: neither found, nor written by people, nor of monitors. */
export const IS_ERROR = `NOT ${IS_FOUND} AND type NOT IN (${[FEEDBACK_TYPE, ...MONITOR_ISSUE_TYPES]
  .map((type) => `'${type}'`)
  .join(', ')})`;
