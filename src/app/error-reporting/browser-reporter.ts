import {
  captureException,
  captureRouterTransitionStart,
  init,
  linkedErrorsIntegration,
  makeFetchTransport,
} from '@sentry/nextjs';
import { connectReporter } from './held-errors.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { LINKED_ERRORS_MAX, NOISE, REQUESTS_IN_FLIGHT_MAX, TRANSPORT_BUFFER_EVENTS } from './limits.ts';
import type { ReportingConfig } from './reporting-config.ts';
import { stripSecrets } from './strip-secrets.ts';

/** Starts the SDK, reports what was held, and answers what to call at the start of a navigation. */
export function startBrowserReporter(config: ReportingConfig): typeof captureRouterTransitionStart {
  // The SDK instruments window.fetch; its own requests must not become breadcrumbs.
  const send = limitConcurrency(window.fetch.bind(window), REQUESTS_IN_FLIGHT_MAX);
  init({
    dsn: config.dsn,
    tunnel: config.tunnel,
    release: config.release,
    environment: config.environment,
    transport: (options: Parameters<typeof makeFetchTransport>[0]) => makeFetchTransport(options, send),
    transportOptions: { bufferSize: TRANSPORT_BUFFER_EVENTS },
    ignoreErrors: [...NOISE],
    integrations: (defaults) => [
      // Errors only: sessions of readers tell nothing about the app.
      ...defaults.filter(({ name }) => name !== 'BrowserSession' && name !== 'LinkedErrors'),
      linkedErrorsIntegration({ limit: LINKED_ERRORS_MAX }),
    ],
    beforeSend: (event) => stripSecrets(event),
    beforeBreadcrumb: (breadcrumb) => stripSecrets(breadcrumb),
  });
  connectReporter(({ error, type, isHandled }) => {
    captureException(error, { mechanism: { type, handled: isHandled } });
  });
  return captureRouterTransitionStart;
}
