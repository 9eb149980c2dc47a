import type { AttributeValue, DigestedSpan } from '#protocol/telemetry.ts';

/** What OpenTelemetry recorded at a moment of a span: an exception, a retry, a message. */
export type SpanEvent = {
  name: string;
  /** Microseconds since the span began; null when it was not said. */
  afterUs: number | null;
  /** `Type: message` of an exception, as far as they are known; null for other events. */
  exception: string | null;
  stackTrace: string | null;
  /** Those that are not told by the exception. */
  attributes: readonly (readonly [string, string])[];
};

/** Where the events of a span are kept, as JSON. */
export const EVENTS_ATTRIBUTE = 'otel.events';

const EXCEPTION = 'exception';
const [TYPE, MESSAGE, STACK_TRACE] = ['exception.type', 'exception.message', 'exception.stacktrace'];
const NANOSECONDS = /^\d{1,25}$/;

/** The events of a span; null when it has none, or they were cut and cannot be read. */
export function readSpanEvents({
  attributes,
  startedAtUs,
}: Pick<DigestedSpan, 'attributes' | 'startedAtUs'>): readonly SpanEvent[] | null {
  const sent = parse(attributes[EVENTS_ATTRIBUTE]);
  if (!Array.isArray(sent) || sent.length === 0) return null;
  return sent.filter(isRecord).map((event): SpanEvent => {
    const all = isRecord(event.attributes) ? event.attributes : {};
    const isException = event.name === EXCEPTION;
    const told = isException ? new Set<string>([TYPE, MESSAGE, STACK_TRACE]) : new Set<string>();
    return {
      name: textOf(event.name) ?? '',
      afterUs: momentOf(event.timeUnixNano, startedAtUs),
      exception: isException
        ? [all[TYPE], all[MESSAGE]].map(textOf).filter(Boolean).join(': ') || null
        : null,
      stackTrace: isException ? textOf(all[STACK_TRACE]) : null,
      attributes: Object.entries(all)
        .filter(([key]) => !told.has(key))
        .map(([key, value]) => [key, textOf(value) ?? JSON.stringify(value)] as const),
    };
  });
}

function parse(stored: AttributeValue | undefined): unknown {
  if (typeof stored !== 'string') return null;
  try {
    return JSON.parse(stored) as unknown;
  } catch {
    return null;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | null =>
  typeof value === 'string'
    ? value || null
    : typeof value === 'number' || typeof value === 'boolean'
      ? `${value}`
      : null;

/** Nanoseconds are a number or, beyond what numbers hold exactly, a text. */
function momentOf(nanoseconds: unknown, startedAtUs: number): number | null {
  const text = typeof nanoseconds === 'number' ? nanoseconds.toFixed(0) : nanoseconds;
  if (typeof text !== 'string' || !NANOSECONDS.test(text)) return null;
  return Math.max(0, Number(BigInt(text) / 1_000n) - startedAtUs);
}
