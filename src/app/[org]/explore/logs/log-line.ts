import { visibleText } from '#lib/visible-text.ts';
import type { ListedRow } from '#product/explore/rows/explored-rows.ts';
import { LOG_LEVELS, type LogLevel } from '../../traces/log-levels.ts';

/** A line of a log as it is listed. */
export type LogLine = {
  id: string;
  projectSlug: string;
  /** Milliseconds since the epoch. */
  atMs: number;
  level: LogLevel;
  body: string;
  traceId: string | null;
  spanId: string | null;
  /** Values of further columns, empty for none. */
  more: readonly { name: string; value: string }[];
};

/** What every line is read with, before the columns that were chosen. */
const OWN_FIELDS = ['severity', 'message'];
const SHOWN_ANYWAY: ReadonlySet<string> = new Set(['timestamp', ...OWN_FIELDS]);

/** The fields that lines are read with. */
export const lineFields = (columns: readonly string[]): readonly string[] => [
  ...OWN_FIELDS,
  ...columns.filter((name) => !SHOWN_ANYWAY.has(name)),
];

/** `fields` are those that the row was read with. */
export function toLogLine(row: ListedRow, fields: readonly string[]): LogLine {
  const fieldOf = (name: string) => visibleText(row.values[fields.indexOf(name)] ?? '');
  return {
    id: row.id,
    projectSlug: row.projectSlug,
    atMs: row.occurredAtUs / 1_000,
    level: LOG_LEVELS.find((level) => level === fieldOf('severity')) ?? 'info',
    body: fieldOf('message'),
    traceId: row.traceId,
    spanId: row.spanId,
    more: fields.filter((name) => !SHOWN_ANYWAY.has(name)).map((name) => ({ name, value: fieldOf(name) })),
  };
}

/** Lines that are kept on the page while new ones come; the oldest go first. */
export const LINES_MAX = 2_000;

/** The lines with those that are new, by time; what is there already stays as it is. */
export function withNewLines(lines: readonly LogLine[], found: readonly LogLine[]): readonly LogLine[] {
  const known = new Set(lines.map(({ id }) => id));
  const fresh = found.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return lines;
  return [...lines, ...fresh].toSorted((one, other) => one.atMs - other.atMs).slice(-LINES_MAX);
}
