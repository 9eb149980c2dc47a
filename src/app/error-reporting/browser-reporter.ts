import {
  captureException,
  consoleLoggingIntegration,
  getCurrentScope,
  init,
  linkedErrorsIntegration,
  makeFetchTransport,
} from '@sentry/nextjs';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { isCancelled } from '#ui/navigation/navigation-errors.ts';
import type { Send } from '#ui/navigation/retry-request.ts';
import { connectReporter } from './held-errors.ts';
import {
  LINKED_ERRORS_MAX,
  NOISE,
  REQUESTS_IN_FLIGHT_MAX,
  type ReportingConfig,
  TRANSPORT_BUFFER_EVENTS,
} from './reporting-config.ts';
import { stripSecrets } from './strip-secrets.ts';
import type { DocumentTrace } from './trace-headers.ts';

/** Integrations of the SDK that are replaced, or that tell nothing about the app: sessions of readers, spans. */
const LEFT_OUT: ReadonlySet<string> = new Set(['BrowserSession', 'BrowserTracing', 'LinkedErrors']);

/**
 * Starts the SDK and reports what was held. `plainFetch` is the browser's own: what the reporter sends is no request of
 * the pages.
 */
export function startBrowserReporter(
  config: ReportingConfig,
  plainFetch: Send,
  trace: DocumentTrace | null,
): void {
  const send = limitConcurrency(plainFetch, REQUESTS_IN_FLIGHT_MAX);
  const client = init({
    dsn: config.dsn,
    tunnel: config.tunnel,
    release: config.release,
    environment: config.environment,
    transport: (options: Parameters<typeof makeFetchTransport>[0]) => makeFetchTransport(options, send),
    transportOptions: { bufferSize: TRANSPORT_BUFFER_EVENTS },
    // The timer of the SDK starts with the first log and is not put off by later ones: flushIdleLogs has its own. The option
    // is not among the documented ones of version 11.
    _flushInterval: 0,
    ignoreErrors: [...NOISE],
    integrations: (defaults) => [
      ...defaults.filter(({ name }) => !LEFT_OUT.has(name)),
      linkedErrorsIntegration({ limit: LINKED_ERRORS_MAX }),
      consoleLoggingIntegration({ levels: ['warn', 'error'] }),
    ],
    beforeSend: (event, { originalException }) =>
      isCancelled(originalException) ? null : stripSecrets(event),
    beforeSendLog: (log) => stripSecrets(log),
    beforeBreadcrumb: (breadcrumb) => stripSecrets(breadcrumb),
  });
  if (client) flushIdleLogs(client);
  if (trace) continueDocumentTrace(trace);
  connectReporter(({ error, type, isHandled }) => {
    captureException(error, { mechanism: { type, handled: isHandled } });
  });
}

/** Errors and logs of the page belong to the trace that its requests carry. */
function continueDocumentTrace({ traceId, parentSpanId }: DocumentTrace): void {
  getCurrentScope().setPropagationContext({ traceId, parentSpanId, sampleRand: Math.random() });
}

/** The part of a client that logs pass through. */
type LogClient = {
  on(hook: 'afterCaptureLog', listener: () => void): unknown;
  emit(hook: 'flush'): void;
};

/** Sends collected logs once none has come for this long. */
const LOG_FLUSH_IDLE_MS = 5_000;

/** Flushes logs after a silence that each further log begins anew. A full buffer is still flushed by the SDK at once. */
export function flushIdleLogs(client: LogClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  client.on('afterCaptureLog', () => {
    clearTimeout(timer);
    timer = setTimeout(() => client.emit('flush'), LOG_FLUSH_IDLE_MS);
  });
}
