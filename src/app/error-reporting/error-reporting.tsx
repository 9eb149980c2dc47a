import { randomBytes } from 'node:crypto';
import { headers } from 'next/headers';
import { connection } from 'next/server';
import { getServices } from '#product/services.ts';
import { parseDsn } from '#protocol/dsn.ts';
import { NONCE_HEADER } from '../request-names.ts';
import { EARLY_ERRORS_SCRIPT } from './held-errors.ts';
import {
  REPORTING_CONFIG_ID,
  type ReportingConfig,
  reportingEnvironment,
  reportingRelease,
  tunnelPath,
} from './reporting-config.ts';

/**
 * Place once in the root layout. Tells the browser where to report errors and which trace the page belongs to.
 * Renders nothing until the instance is set up, or when reporting is off.
 */
export async function ErrorReporting() {
  await connection();
  const target = await getServices().findSelfReporting();
  if (!target) return null;
  const config: ReportingConfig = {
    dsn: target.dsn,
    tunnel: tunnelPath(target.organizationId, target.projectId),
    release: reportingRelease(),
    environment: reportingEnvironment(),
  };
  const trace = createTrace(config);
  const nonce = (await headers()).get(NONCE_HEADER) ?? undefined;
  return (
    <>
      <meta name="sentry-trace" content={trace.sentryTrace} />
      <meta name="baggage" content={trace.baggage} />
      <script
        nonce={nonce}
        // A browser hides the nonce from scripts, so it seems to differ from the server's.
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours
        dangerouslySetInnerHTML={{ __html: EARLY_ERRORS_SCRIPT }}
      />
      <script
        id={REPORTING_CONFIG_ID}
        type="application/json"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every "<" escaped
        dangerouslySetInnerHTML={{ __html: JSON.stringify(config).replaceAll('<', '\\u003c') }}
      />
    </>
  );
}

/** A trace without spans: errors of the page and of the requests it makes share its id. */
function createTrace(config: ReportingConfig): { sentryTrace: string; baggage: string } {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  const baggage = {
    'sentry-environment': config.environment,
    'sentry-release': config.release,
    'sentry-public_key': parseDsn(config.dsn)?.publicKey ?? '',
    'sentry-trace_id': traceId,
  };
  return {
    sentryTrace: `${traceId}-${spanId}`,
    baggage: Object.entries(baggage)
      .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
      .join(','),
  };
}
