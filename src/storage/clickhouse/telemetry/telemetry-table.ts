import type { TelemetryOrigin } from '#protocol/telemetry.ts';
import type { TelemetryFilter } from '#storage/ports/telemetry.ts';
import { type Cells, type Column, count, millis, record } from './columns.ts';

/** What the columns of a kind are for; every field of its rows has one. */
export type TableShape<Row extends TelemetryOrigin> = {
  /** Name of the table. */
  table: string;
  /** The clock that lists are ordered by. */
  time: { column: string; unit: 'ms' | 'us' };
  /** Expression that tells rows of one moment apart. */
  rowId: string;
  /** Column that a row is found by, and which one of those that have the value. */
  find: { by: string; first?: string };
  /** What a list can be narrowed down by. */
  filters: Partial<Record<TelemetryFilter, string>>;
  /** The column that is searched for a text. */
  text?: string;
  columns: { [Field in Exclude<keyof Row, keyof TelemetryOrigin>]: Column<Row[Field]> };
};

export type TelemetryTable<Row extends TelemetryOrigin> = Omit<TableShape<Row>, 'columns'> & {
  /** The list of columns that a row is read from. */
  select: string;
  toCells(row: Row): Cells;
  fromCells(cells: Readonly<Cells>): Row;
};

export function defineTable<Row extends TelemetryOrigin>({
  columns,
  ...shape
}: TableShape<Row>): TelemetryTable<Row> {
  const whole = record<Row>({ ...ORIGIN, ...columns } as Parameters<typeof record<Row>>[0]);
  return {
    ...shape,
    select: whole.select,
    toCells(row) {
      const cells: Cells = {};
      whole.write(row, cells);
      return cells;
    },
    fromCells: whole.read,
  };
}

const ORIGIN: { [Field in keyof TelemetryOrigin]: Column<TelemetryOrigin[Field]> } = {
  organizationId: count('organization_id'),
  projectId: count('project_id'),
  keyId: count('key_id'),
  receivedAt: millis('received_at'),
};
