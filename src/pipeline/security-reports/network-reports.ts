import { WEEK_MS } from '#lib/time.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { countOf, present, type ReportEvent, restOf, textOf } from './report-fields.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * The event of a report about certificates: Expect-CT, Expect-Staple or public key pinning. null when the report is of
 * none of these kinds or names no host. The payloads keep the fields of their drafts, with `_` for `-`.
 * Sources: `ExpectCt`, `ExpectStaple` and `Hpkp` in security_report.rs of relay 22 (later releases dropped them);
 * draft-ietf-httpbis-expect-ct-07, RFC 7469.
 */
export function certificateEvent(sent: Source): ReportEvent | null {
  const expectCt = sent['expect-ct-report'];
  if (isSource(expectCt)) return eventOf('expectct', 'Expect-CT failed', expectCt);
  const expectStaple = sent['expect-staple-report'];
  if (isSource(expectStaple)) return eventOf('expectstaple', 'Expect-Staple failed', expectStaple);
  if (Array.isArray(sent['known-pins'])) {
    return eventOf('hpkp', 'Public key pinning validation failed', sent);
  }
  return null;
}

/** Whether the report says that it is of one of these kinds. */
export const isCertificateReport = (sent: Source): boolean =>
  ['expect-ct-report', 'expect-staple-report', 'known-pins'].some((name) => name in sent);

function eventOf(
  kind: 'expectct' | 'expectstaple' | 'hpkp',
  message: string,
  report: Source,
): ReportEvent | null {
  const host = textOf(report, 'hostname', 'host-name');
  if (host === undefined) return null;
  const fields = restOf(report, NONE);
  const tags: [string, string][] = [['hostname', host]];
  for (const [tag, name] of TAGS) {
    const value = report[name];
    if (typeof value === 'string' || typeof value === 'number') tags.push([tag, String(value)]);
  }
  return present({
    logentry: { formatted: `${message} for '${host}'` },
    culprit: host,
    tags,
    request: { url: `https://${host}${portOf(report.port)}` },
    [kind]: fields,
  });
}

const TAGS = [
  ['port', 'port'],
  ['response_status', 'response-status'],
  ['cert_status', 'cert-status'],
] as const;

const portOf = (port: unknown): string =>
  typeof port === 'number' && Number.isInteger(port) && port !== 443 ? `:${port}` : '';

/** Age of a report; browsers keep them for a day, so a greater age is a wrong clock. */
const AGE_MAX_MS = WEEK_MS;

/**
 * The event of a network error that a browser reports; null when it is no such report.
 * Sources: relay-event-schema/src/protocol/nel.rs (the form that made events), https://w3c.github.io/network-error-logging/.
 */
export function nelEvent(sent: Source, receivedAtMs: number): ReportEvent | null {
  const body = sent.body;
  if (!isSource(body) || (sent.type !== undefined && sent.type !== 'network-error')) return null;
  const type = textOf(body, 'type');
  if (type === undefined) return null;
  const phase = textOf(body, 'phase') ?? '';
  const status = countOf(body, 'status_code');
  const userAgent = textOf(sent, 'user_agent');
  const tags: [string, string][] = [];
  for (const name of ['method', 'protocol', 'status_code', 'server_ip'] as const) {
    const value = body[name];
    if (typeof value === 'string' || typeof value === 'number') tags.push([name, String(value)]);
  }
  return present({
    logger: 'nel',
    level: type === 'ok' ? 'info' : 'error',
    logentry: {
      formatted: type === 'http.error' ? `${phase} / ${type} (${status ?? 0})` : `${phase} / ${type}`,
    },
    culprit: type,
    tags,
    timestamp: (receivedAtMs - ageOf(sent.age)) / 1000,
    request: present({
      url: textOf(sent, 'url'),
      headers: userAgent === undefined ? undefined : [['User-Agent', userAgent]],
    }),
    contexts: { nel: { type: 'nel', error_type: type } },
    nel: present({
      age: typeof sent.age === 'number' ? sent.age : undefined,
      type: 'network-error',
      url: textOf(sent, 'url'),
      user_agent: userAgent,
      body,
    }),
  });
}

const ageOf = (age: unknown): number => (typeof age === 'number' && age > 0 ? Math.min(age, AGE_MAX_MS) : 0);
