import type { BlobKey } from '#protocol/blob-key.ts';
import type { EventScope, IssueEvents } from '#storage/ports/events.ts';

/** A server takes at most 128 KiB in one parameter; our longest value has about 110 characters. */
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

/** Rows of `events` of the organization and the projects that may be seen. */
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
