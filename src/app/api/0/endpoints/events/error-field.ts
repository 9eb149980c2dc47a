import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import { readColumns } from '#product/explore/explore-fields.ts';
import type { ExploredRow } from '#product/explore/explored-events.ts';

/** What a table of errors has in a column, one event in a row. */
export type PlainField = {
  name: string;
  type: 'string' | 'integer' | 'date';
  /** Columns of the store that it is made of; none for what every row has. */
  columns: readonly string[];
  /** `cells` are those of `columns`, empty for what the event does not have. */
  read(
    row: Pick<ExploredRow, 'eventId' | 'shortId' | 'projectId' | 'projectSlug' | 'title' | 'occurredAt'>,
    cells: readonly string[],
  ): string | number | null;
};

const OF_EVERY_ROW: Readonly<Record<string, Pick<PlainField, 'type' | 'read'>>> = {
  id: { type: 'string', read: ({ eventId }) => eventId },
  issue: { type: 'string', read: ({ shortId }) => shortId },
  project: { type: 'string', read: ({ projectSlug }) => projectSlug },
  'project.name': { type: 'string', read: ({ projectSlug }) => projectSlug },
  'project.id': { type: 'integer', read: ({ projectId }) => projectId },
  title: { type: 'string', read: ({ title }) => title },
  timestamp: { type: 'date', read: ({ occurredAt }) => isoOfMs(occurredAt) },
};

const USER_COLUMNS = ['user.email', 'user.username', 'user.id', 'user.ip'];

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
