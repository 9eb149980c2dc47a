import { boundedJson } from '../normalize/bounded-json.ts';
import { isSource } from '../normalize/field-reader.ts';
import { LINK_LIMITS, LINKS_MAX } from '../telemetry/limits.ts';
import { parseSpanId, parseTraceId } from '../telemetry/trace-ids.ts';

/** The links of a span that name a trace and a span, within bounds; null when there are none. */
export function readLinks(sent: unknown, unsafeText: boolean): readonly unknown[] | null {
  if (!Array.isArray(sent)) return null;
  const links: unknown[] = [];
  for (const link of sent.slice(0, LINKS_MAX)) {
    if (!isSource(link)) continue;
    const traceId = parseTraceId(link.trace_id);
    const spanId = parseSpanId(link.span_id);
    if (traceId === null || spanId === null) continue;
    const attributes = isSource(link.attributes)
      ? boundedJson(link.attributes, LINK_LIMITS, unsafeText).value
      : undefined;
    links.push({
      trace_id: traceId,
      span_id: spanId,
      ...(typeof link.sampled === 'boolean' ? { sampled: link.sampled } : {}),
      ...(attributes === undefined ? {} : { attributes }),
    });
  }
  return links.length === 0 ? null : links;
}
