import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { ownValue } from '#lib/own-value.ts';
import { readErrorField } from '#product/explore/explore-fields.ts';
import type { ListedRow } from '#product/explore/rows/explored-rows.ts';

/** What a table of errors has in a column, one event in a row. */
export type PlainField = {
  name: string;
  type: 'string' | 'integer' | 'date';
  /** Columns of the store that it is made of; none for what every row has. */
  columns: readonly string[];
  /** `cells` are those of `columns`, empty for what the event does not have. */
  read(
    row: Pick<ListedRow, 'id' | 'shortId' | 'projectId' | 'projectSlug' | 'occurredAtUs'>,
    cells: readonly string[],
  ): string | number | null;
};

const OF_EVERY_ROW: Readonly<Record<string, Pick<PlainField, 'type' | 'read'>>> = {
  id: { type: 'string', read: ({ id }) => id },
  issue: { type: 'string', read: ({ shortId }) => shortId },
  project: { type: 'string', read: ({ projectSlug }) => projectSlug },
  'project.name': { type: 'string', read: ({ projectSlug }) => projectSlug },
  'project.id': { type: 'integer', read: ({ projectId }) => projectId },
  timestamp: { type: 'date', read: ({ occurredAtUs }) => isoOfMs(occurredAtUs / 1_000) },
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
  readErrorField(name);
  return { name, type: 'string', columns: [name], read: (_, [cell = '']) => cell || null };
}
