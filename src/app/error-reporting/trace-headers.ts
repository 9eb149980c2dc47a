import type { Send } from '#ui/navigation/retry-request.ts';

/** The trace of the document, as its meta tags name it; null without them. */
export type DocumentTrace = { traceId: string; parentSpanId: string; baggage: string };

const SENTRY_TRACE = /^([0-9a-f]{32})-([0-9a-f]{16})/;

export function readDocumentTrace(content: (name: string) => string | null): DocumentTrace | null {
  const [, traceId, parentSpanId] = SENTRY_TRACE.exec(content('sentry-trace') ?? '') ?? [];
  if (!traceId || !parentSpanId) return null;
  return { traceId, parentSpanId, baggage: content('baggage') ?? '' };
}

/**
 * Sends requests of this origin with the headers of the document's trace, in both spellings: Sentry's and that of the
 * W3C (https://www.w3.org/TR/trace-context/). Requests to other origins stay as they are.
 */
export function withTraceHeaders(send: Send, trace: DocumentTrace, origin: string): Send {
  return (input, init) => {
    const address = input instanceof Request ? input.url : input;
    if (new URL(address, origin).origin !== origin) return send(input, init);
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    const spanId = randomSpanId();
    // Whether to keep spans is left to the server: nothing is said about sampling.
    if (!headers.has('sentry-trace')) headers.set('sentry-trace', `${trace.traceId}-${spanId}`);
    if (!headers.has('traceparent')) headers.set('traceparent', `00-${trace.traceId}-${spanId}-00`);
    if (trace.baggage && !headers.has('baggage')) headers.set('baggage', trace.baggage);
    return send(input, { ...init, headers });
  };
}

function randomSpanId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
