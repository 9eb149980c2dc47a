import {
  captureRequestError,
  contextLinesIntegration,
  eventFiltersIntegration,
  functionToStringIntegration,
  init,
  linkedErrorsIntegration,
  nodeContextIntegration,
  requestDataIntegration,
} from '@sentry/nextjs';
import type { SelfReporting } from '#product/services.ts';
import { LINKED_ERRORS_MAX, NOISE, TRANSPORT_BUFFER_EVENTS } from './limits.ts';
import { tunnelPath } from './reporting-config.ts';
import { reportingEnvironment, reportingRelease } from './reporting-release.ts';
import { stripSecrets } from './strip-secrets.ts';

/**
 * Starts the SDK in the web process, for errors of pages and actions alone: no tracing, no patches of http or pg, and
 * no handlers of the process. Answers what reports one error of a request.
 */
export function startServerReporter(target: SelfReporting, publicUrl: string): typeof captureRequestError {
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
  return captureRequestError;
}
