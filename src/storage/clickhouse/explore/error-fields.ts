import type { ExploredField } from '#storage/ports/explore-rows.ts';
import { listParam, type SqlPart } from '../query-params.ts';
import { fieldText, fieldValue } from '../search/match-events.ts';

/** The values of a field, one per row. */
export const exploredValue = (field: ExploredField, prefix?: string): SqlPart =>
  isOwn(field) ? ownText(field, prefix) : fieldValue(field, prefix);

/** The values of a field as one text. */
export const exploredText = (field: ExploredField, prefix: string): SqlPart =>
  isOwn(field) ? ownText(field, prefix) : fieldText(field, prefix);

/** What no search names as a text. */
type OwnField = Extract<ExploredField, { kind: 'project' | 'user' | 'grouping' | 'flag' }>;

const isOwn = (field: ExploredField): field is OwnField =>
  field.kind === 'project' || field.kind === 'user' || field.kind === 'grouping' || field.kind === 'flag';

/** As `user_hash` of the table is made. */
const USER = `multiIf(user_id != '', concat('id:', user_id), user_email != '', concat('email:', user_email),
  user_username != '', concat('username:', user_username), user_ip != '', concat('ip:', user_ip), '')`;

function ownText(field: OwnField, prefix = 'own_'): SqlPart {
  if (field.kind === 'project') return { sql: 'toString(project_id)', params: {} };
  if (field.kind === 'user') return { sql: USER, params: {} };
  if (field.kind === 'grouping') return groupingText(field.standIns, prefix);
  const isTrue = field.name === 'error.handled' ? 'NOT is_unhandled' : 'is_in_app';
  return { sql: `if(${isTrue}, 'true', 'false')`, params: {} };
}

function groupingText(standIns: ReadonlyMap<string, string>, prefix: string): SqlPart {
  const key = "concat(toString(project_id), ':', grouping_hash)";
  if (standIns.size === 0) return { sql: key, params: {} };
  const from = listParam(`${prefix}from`, 'String', [...standIns.keys()]);
  const to = listParam(`${prefix}to`, 'String', [...standIns.values()]);
  return {
    sql: `transform(${key}, ${from.sql}, ${to.sql}, ${key})`,
    params: { ...from.params, ...to.params },
  };
}
