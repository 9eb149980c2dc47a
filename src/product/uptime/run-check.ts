import { randomBytes } from 'node:crypto';
import type { UptimeProber } from '#delivery/ports/uptime-prober.ts';
import { NETWORK_REASONS, type UptimeCheck, type UptimePhases } from '#domain/uptime/check.ts';
import { asksForBody, judgeResponse, type UptimeProblem } from '#domain/uptime/judge-response.ts';
import type { UptimeDefinition, UptimeHeaders } from '#domain/uptime/monitor.ts';
import type { ProbeAnswer } from '#lib/guarded-request/guarded-probe.ts';
import { SECOND_MS } from '#lib/time.ts';

/** Redirects that a check follows. */
const REDIRECTS_MAX = 10;
/** What is read of a body that is asked about. */
export const UPTIME_BODY_BYTES_MAX = 256 * 1_024;
/** What is read of any other, to be shown when the check fails. */
const EXCERPT_BYTES_MAX = 1_024;
const DETAIL_CHARACTERS_MAX = 500;

/** What one request of a monitor came to; nothing is stored by it. */
export type CheckResult = UptimePhases &
  Pick<
    UptimeCheck,
    'reason' | 'detail' | 'statusCode' | 'durationMs' | 'certificateExpiresAt' | 'traceId'
  > & {
    status: 'success' | 'failure' | 'unknown';
    /** The beginning of the body, without the values of the headers that were sent; null without a response. */
    excerpt: string | null;
  };

export type CheckTarget = {
  url: string;
  definition: UptimeDefinition;
  /** null when they cannot be decrypted: then nothing is sent. */
  headers: UptimeHeaders | null;
};

/** Requests what a monitor names and judges the response. Never throws. */
export async function runCheck(
  prober: UptimeProber,
  { url, definition, headers }: CheckTarget,
): Promise<CheckResult> {
  const traceId = randomBytes(16).toString('hex');
  if (headers === null) return unreadable(traceId);
  const answer = await prober.probe(url, {
    method: definition.method,
    headers: {
      'user-agent': 'Errata-Uptime',
      'accept-encoding': 'identity',
      ...headers,
      // Without the flag whether the trace is sampled is up to the server.
      'sentry-trace': `${traceId}-${randomBytes(8).toString('hex')}`,
    },
    body: definition.body,
    redirectsMax: definition.followsRedirects ? REDIRECTS_MAX : 0,
    bodyBytesMax: asksForBody(definition.assertions) ? UPTIME_BODY_BYTES_MAX : EXCERPT_BYTES_MAX,
    timeMsMax: definition.timeoutSeconds * SECOND_MS,
  });
  const problem = problemOf(definition, answer);
  const { totalMs, ...timings } = answer.timings;
  const isUnknown = problem !== null && (await isOwnFault(prober, url, problem, answer));
  return {
    ...timings,
    status: problem === null ? 'success' : isUnknown ? 'unknown' : 'failure',
    reason: problem?.reason ?? null,
    detail: problem?.detail.slice(0, DETAIL_CHARACTERS_MAX) ?? '',
    statusCode: answer.kind === 'answered' ? answer.status : null,
    durationMs: totalMs,
    traceId,
    excerpt: answer.kind === 'answered' ? excerptOf(answer.body, headers) : null,
  };
}

function problemOf(definition: UptimeDefinition, answer: ProbeAnswer): UptimeProblem | null {
  if (answer.kind === 'failed') return { reason: answer.reason, detail: answer.detail };
  return judgeResponse(definition, { ...answer, statusCode: answer.status });
}

/** Whoever was connected to is there; else this machine may be the one that is cut off. */
async function isOwnFault(
  prober: UptimeProber,
  url: string,
  { reason }: UptimeProblem,
  { timings }: ProbeAnswer,
): Promise<boolean> {
  return timings.connectMs === null && NETWORK_REASONS.has(reason) && (await prober.isOffline(url));
}

/** Some servers answer with what they were sent. */
function excerptOf(body: string, headers: UptimeHeaders): string {
  let excerpt = body.slice(0, EXCERPT_BYTES_MAX);
  for (const value of Object.values(headers)) {
    if (value.length >= HIDDEN_CHARACTERS_MIN) excerpt = excerpt.replaceAll(value, '[Filtered]');
  }
  return excerpt;
}

/** Shorter values are no secrets, and would be found everywhere. */
const HIDDEN_CHARACTERS_MIN = 4;

const unreadable = (traceId: string): CheckResult => ({
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  certificateExpiresAt: null,
  status: 'unknown',
  reason: 'not_allowed',
  detail: 'The header values were encrypted with a different ERRATA_SECRET: save them again',
  statusCode: null,
  durationMs: 0,
  traceId,
  excerpt: null,
});
