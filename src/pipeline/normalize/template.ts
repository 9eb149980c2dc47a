import type { TemplateInfo } from '#protocol/event.ts';
import type { FieldReader, Source } from './field-reader.ts';
import { PATH_CHARS_MAX } from './limits.ts';
import { contextLine, sourceLines } from './stacktrace.ts';

/** Reads `template`; absent when it names neither a file nor a line. */
export function normalizeTemplate(reader: FieldReader, event: Source): TemplateInfo | undefined {
  const source = reader.object(event, 'template', '');
  if (source === undefined) return undefined;
  const filename = reader.text(source, 'filename', 'template', PATH_CHARS_MAX);
  const line = contextLine(reader, source, 'template');
  if (filename === undefined && line === undefined) return undefined;
  return {
    filename,
    abs_path: reader.text(source, 'abs_path', 'template', PATH_CHARS_MAX),
    lineno: reader.position(source, 'lineno', 'template'),
    pre_context: sourceLines(reader, source, 'pre_context', 'template', 'last'),
    context_line: line,
    post_context: sourceLines(reader, source, 'post_context', 'template', 'first'),
  };
}
