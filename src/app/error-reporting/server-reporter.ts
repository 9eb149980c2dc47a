import {
  captureRequestError,
  contextLinesIntegration,
  eventFiltersIntegration,
  functionToStringIntegration,
  init,
  linkedErrorsIntegration,
  nodeContextIntegration,
  requestDataIntegration,
  withScope,
} from '@sentry/nextjs';
import type { Instrumentation } from 'next';
import type { SelfReporting } from '#product/services.ts';
import { digestOf } from './error-words.ts';
import {
  LINKED_ERRORS_MAX,
  NOISE,
  reportingEnvironment,
  reportingRelease,
  TRANSPORT_BUFFER_EVENTS,
  tunnelPath,
} from './reporting-config.ts';
import { stripSecrets } from './strip-secrets.ts';
import { readDocumentTrace } from './trace-headers.ts';

type ReportRequestError = (...failure: Parameters<Instrumentation.onRequestError>) => void;

/**
 * Starts the SDK in the web process, for errors of pages and actions alone: no tracing, no patches of http or pg, and
 * no handlers of the process. Answers what reports one error of a request.
 */
export function startServerReporter(target: SelfReporting, publicUrl: string): ReportRequestError {
  init({
    dsn: target.dsn,
    tunnel: `${publicUrl}${tunnelPath(target.organizationId, target.projectId)}`,
    release: reportingRelease(),
    environment: reportingEnvironment(),
    enableOpenTelemetrySetup: false,
    transportOptions: { bufferSize: TRANSPORT_BUFFER_EVENTS },
    ignoreErrors: [...NOISE],
    defaultIntegrations: false,
    integrations: [
      eventFiltersIntegration(),
      functionToStringIntegration(),
      linkedErrorsIntegration({ limit: LINKED_ERRORS_MAX }),
      requestDataIntegration(),
      contextLinesIntegration(),
      nodeContextIntegration(),
    ],
    beforeSend: (event) => stripSecrets(event),
    beforeBreadcrumb: (breadcrumb) => stripSecrets(breadcrumb),
  });
  return (error, request, context) =>
    withScope((scope) => {
      const digest = digestOf(error);
      if (digest) scope.setTag('digest', digest);
      const trace = readDocumentTrace((name) => firstOf(request.headers[name]));
      if (trace) scope.setPropagationContext({ ...trace, sampleRand: Math.random() });
      captureRequestError(error, request, context);
    });
}

const firstOf = (header: string | string[] | undefined): string | null =>
  (Array.isArray(header) ? header[0] : header) ?? null;
