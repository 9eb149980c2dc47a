import type { DigestItem } from '../item.ts';
import type { Source } from '../normalize/field-reader.ts';
import { certificateEvent, isCertificateReport } from './certificate-reports.ts';
import { cspEvent, cspReportOf } from './csp-report.ts';
import { digestReports, type ReadReport } from './digest-reports.ts';
import { nelEvent } from './nel-report.ts';

/**
 * Reports of browsers on what a page's security headers forbid: CSP in both of its forms, Expect-CT, Expect-Staple and
 * HPKP. Source: relay-server/src/processing/errors/errors/raw_security.rs.
 */
export const digestSecurityReport: DigestItem = (item, context) =>
  digestReports(item, context, (report) =>
    // What another server understood already is an event.
    item.type === 'security' ? { kind: 'event', event: report } : read(report, context.receivedAtMs),
  );

function read(report: Source, receivedAtMs: number): ReadReport {
  // Several kinds may come in one list of the Reporting API.
  if (report.type === 'network-error') return orRefused(nelEvent(report, receivedAtMs));
  const csp = cspReportOf(report);
  if (csp !== null) return orRefused(cspEvent(csp));
  if (isCertificateReport(report)) return orRefused(certificateEvent(report));
  return typeof report.type === 'string' && report.type !== 'csp-violation'
    ? { kind: 'refused', outcome: 'filtered', reason: 'unsupported_security_report' }
    : { kind: 'refused', outcome: 'invalid', reason: 'security_report_type' };
}

const orRefused = (event: ReturnType<typeof cspEvent>): ReadReport =>
  event === null
    ? { kind: 'refused', outcome: 'invalid', reason: 'security_report' }
    : { kind: 'event', event };
