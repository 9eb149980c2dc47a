import { isSource, type Source } from '../normalize/field-reader.ts';
import { present, type ReportEvent, restOf, textOf } from './report-fields.ts';

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
