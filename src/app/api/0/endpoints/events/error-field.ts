import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import { readColumns, readGroupField } from '#product/explore/explore-fields.ts';
import type { ExploredRow } from '#product/explore/explored-events.ts';
import type { EventGroup, GroupSort } from '#storage/ports/event-explore.ts';

export type FieldType = 'string' | 'integer' | 'date';

/** What a table of errors has in a column, one event in a row. */
export type PlainField = {
  name: string;
  type: FieldType;
  /** Columns of the store that it is made of; none for what every row has. */
  columns: readonly string[];
  /** `cells` are those of `columns`, empty for what the event does not have. */
  read(
    row: Pick<ExploredRow, 'eventId' | 'shortId' | 'projectSlug' | 'title' | 'occurredAt'>,
    cells: readonly string[],
  ): string | null;
};

/** What is counted over the events of a group. */
export type AggregateField = {
  name: string;
  type: FieldType;
  sort: GroupSort;
  read(group: Pick<EventGroup, 'events' | 'users' | 'firstSeen' | 'lastSeen'>): string | number;
};

const AGGREGATES: Readonly<Record<string, Omit<AggregateField, 'name'>>> = {
  'count()': { type: 'integer', sort: 'events', read: ({ events }) => events },
  'count_unique(user)': { type: 'integer', sort: 'users', read: ({ users }) => users },
  'first_seen()': { type: 'date', sort: 'first', read: ({ firstSeen }) => isoOfMs(firstSeen) },
  'min(timestamp)': { type: 'date', sort: 'first', read: ({ firstSeen }) => isoOfMs(firstSeen) },
  'last_seen()': { type: 'date', sort: 'last', read: ({ lastSeen }) => isoOfMs(lastSeen) },
  'max(timestamp)': { type: 'date', sort: 'last', read: ({ lastSeen }) => isoOfMs(lastSeen) },
};

const OF_EVERY_ROW: Readonly<Record<string, Pick<PlainField, 'type' | 'read'>>> = {
  id: { type: 'string', read: ({ eventId }) => eventId },
  issue: { type: 'string', read: ({ shortId }) => shortId },
  project: { type: 'string', read: ({ projectSlug }) => projectSlug },
  'project.name': { type: 'string', read: ({ projectSlug }) => projectSlug },
  title: { type: 'string', read: ({ title }) => title },
  timestamp: { type: 'date', read: ({ occurredAt }) => isoOfMs(occurredAt) },
};

const USER_COLUMNS = ['user.email', 'user.username', 'user.id', 'user.ip'];

export const isAggregate = (name: string): boolean => name.includes('(');

/** Throws Invalid for what is not counted. */
export function readAggregate(name: string): AggregateField {
  const known = ownValue(AGGREGATES, name);
  if (known) return { name, ...known };
  throw invalid(
    `"${name.slice(0, 80)}" cannot be counted here: choose one of ${Object.keys(AGGREGATES).join(', ')}`,
    'field',
  );
}

/** Throws Invalid for what cannot be shown. */
export function readPlainField(name: string): PlainField {
  const known = ownValue(OF_EVERY_ROW, name);
  if (known) return { name, columns: [], ...known };
  if (name === 'user.display') {
    return {
      name,
      type: 'string',
      columns: USER_COLUMNS,
      read: (_, cells) => cells.find((cell) => cell !== '') ?? null,
    };
  }
  if (name === 'issue.id')
    throw invalid('"issue.id" is not available here: use issue, the short ID', 'field');
  readColumns([name]);
  return { name, type: 'string', columns: [name], read: (_, [cell = '']) => cell || null };
}

/** The name of a field that events are grouped by. Throws Invalid for what they cannot be. */
export function readGroupName(name: string): string {
  if (name === 'title') return name;
  const field = name === 'project.name' ? 'project' : name;
  readGroupField(field);
  return field;
}
