import type { Thread } from '#protocol/event.ts';
import { threadId } from './exception.ts';
import { type FieldReader, isSource, type Source } from './field-reader.ts';
import { NAME_CHARS_MAX, THREADS_MAX } from './limits.ts';
import { normalizeStacktrace } from './stacktrace.ts';

/** Reads `threads` as `{values}` or a bare list. */
export function normalizeThreads(
  reader: FieldReader,
  event: Source,
): { values: readonly Thread[] } | undefined {
  const sent = reader.list(event, 'threads', false);
  if (sent.length > THREADS_MAX) {
    reader.report('too_many_items', '', 'threads.values', `kept the first ${THREADS_MAX} of ${sent.length}`);
  }
  const values: Thread[] = [];
  for (const [index, source] of sent.slice(0, THREADS_MAX).entries()) {
    const path = `threads.values.${index}`;
    if (isSource(source)) {
      values.push({
        id: threadId(reader, source, 'id', path),
        name: reader.text(source, 'name', path, NAME_CHARS_MAX),
        crashed: reader.boolean(source, 'crashed', path),
        current: reader.boolean(source, 'current', path),
        main: reader.boolean(source, 'main', path),
        state: reader.text(source, 'state', path, NAME_CHARS_MAX),
        stacktrace: normalizeStacktrace(reader, source, 'stacktrace', path),
      });
    } else if (source !== null) {
      reader.invalid(path, '', 'an object', source);
    }
  }
  return values.length === 0 ? undefined : { values };
}
