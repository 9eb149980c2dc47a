import type { Breadcrumb } from '#protocol/event.ts';
import { parseEventId } from '#protocol/event-id.ts';
import { parseLevel } from '#protocol/level.ts';
import { parseTimestamp } from '#protocol/timestamp.ts';
import { type FieldReader, isSource, type Source } from './field-reader.ts';
import { BREADCRUMB_DATA_LIMITS, BREADCRUMBS_MAX, MESSAGE_CHARS_MAX, NAME_CHARS_MAX } from './limits.ts';

/** Reads `breadcrumbs` as `{values}` or a bare list, oldest first as sent. The newest are kept. */
export function normalizeBreadcrumbs(
  reader: FieldReader,
  event: Source,
): { values: readonly Breadcrumb[] } | undefined {
  const sent = reader.list(event, 'breadcrumbs', false);
  if (sent.length > BREADCRUMBS_MAX) {
    reader.report(
      'too_many_items',
      '',
      'breadcrumbs.values',
      `kept the last ${BREADCRUMBS_MAX} of ${sent.length}`,
    );
  }
  const values: Breadcrumb[] = [];
  for (const [index, source] of sent.slice(-BREADCRUMBS_MAX).entries()) {
    const path = `breadcrumbs.values.${index}`;
    if (isSource(source)) values.push(normalizeBreadcrumb(reader, source, path));
    else if (source !== null) reader.invalid(path, '', 'an object', source);
  }
  return values.length === 0 ? undefined : { values };
}

function normalizeBreadcrumb(reader: FieldReader, source: Source, path: string): Breadcrumb {
  return {
    timestamp: timestampOf(reader, source, path),
    type: reader.text(source, 'type', path, NAME_CHARS_MAX),
    category: reader.text(source, 'category', path, NAME_CHARS_MAX),
    level: levelOf(reader, source, path),
    message: reader.anyText(source, 'message', path, MESSAGE_CHARS_MAX),
    data: reader.jsonObject(source, 'data', path, BREADCRUMB_DATA_LIMITS),
    event_id: eventIdOf(reader, source, path),
  };
}

function eventIdOf(reader: FieldReader, source: Source, path: string): string | undefined {
  const value = source.event_id;
  if (value === undefined || value === null || value === '') return undefined;
  const id = parseEventId(value);
  if (id === null) reader.invalid(path, 'event_id', '32 hex digits', value);
  return id ?? undefined;
}

function timestampOf(reader: FieldReader, source: Source, path: string): number | undefined {
  const value = source.timestamp;
  if (value === undefined || value === null) return undefined;
  const seconds = parseTimestamp(value);
  if (seconds === null) reader.invalid(path, 'timestamp', 'a timestamp', value);
  return seconds ?? undefined;
}

function levelOf(reader: FieldReader, source: Source, path: string): Breadcrumb['level'] {
  const value = source.level;
  if (value === undefined || value === null || value === '') return undefined;
  const level = parseLevel(value);
  if (level === null) reader.invalid(path, 'level', 'a level', value);
  return level ?? undefined;
}
