import type { DigestedEvent } from '#protocol/event.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { Outcome } from '#protocol/outcome.ts';
import { digestEvent } from '../digest-event.ts';
import { type DigestItem, discarded, type ItemContext, type ItemResult, type RawItem } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { AUTO_IP } from '../normalize/ip-address.ts';
import { parseJson } from '../parse-json.ts';
import { OutcomeTally } from '../telemetry/container.ts';
import { rowIdOf } from '../telemetry/row-identity.ts';
import { cspEvent, cspReportOf } from './csp-report.ts';
import { certificateEvent, isCertificateReport, nelEvent } from './network-reports.ts';
import type { ReportEvent } from './report-fields.ts';

/** Reports of one request; browsers send a handful. */
const REPORTS_MAX = 100;

/** What a report is: an event, or the reason why it is none. */
type ReadReport =
  | { kind: 'event'; event: ReportEvent }
  | { kind: 'refused'; outcome: Outcome; reason: string };

/**
 * Turns browsers' reports, one or a list of them, into events, which then go the way of every event. `read` understands
 * one report.
 */
function digestReports(
  item: RawItem,
  context: ItemContext,
  read: (report: Source) => ReadReport,
): ItemResult {
  const reports = parseReports(item.payload);
  if (reports === null) return discarded('security', 'invalid_json');
  if (reports.length === 0) return discarded('security', 'no_data');
  const tally = new OutcomeTally('security');
  const events: DigestedEvent[] = [];
  for (const [index, report] of reports.slice(0, REPORTS_MAX).entries()) {
    const result = isSource(report)
      ? read(report)
      : ({ kind: 'refused', outcome: 'invalid', reason: 'security_report' } as const);
    if (result.kind === 'refused') {
      tally.count(result.outcome, result.reason);
      continue;
    }
    const digested = digestOne(item, context, result.event, index);
    if (digested.kind === 'event') {
      tally.count('accepted');
      events.push(digested.event);
    } else if (digested.kind === 'discarded') {
      tally.count(digested.outcome, digested.reason);
    } else {
      tally.count('invalid', 'security_report');
    }
  }
  tally.count('invalid', 'too_many_items', reports.length - REPORTS_MAX);
  return { events, rows: {}, blobs: [], outcomes: tally.outcomes };
}

/** The reports of a body that is one report or a list; null when it is no JSON. */
function parseReports(bytes: Uint8Array): readonly unknown[] | null {
  const parsed = parseJson(Buffer.concat([OPENING, bytes, CLOSING]));
  if (parsed.kind === 'unparseable' || Object.keys(parsed.value).length !== 1) return null;
  const { reports } = parsed.value;
  return Array.isArray(reports) ? reports : [reports];
}

const OPENING = Buffer.from('{"reports":');
const CLOSING = Buffer.from('}');

function digestOne(item: RawItem, context: ItemContext, event: ReportEvent, index: number) {
  // The first has the id that the sender was answered.
  const eventId =
    index === 0 ? (parseEventId(context.envelopeEventId) ?? item.itemId) : rowIdOf(item.itemId, index);
  const payload = Buffer.from(JSON.stringify(withSender(event, item, context)));
  return digestEvent(
    { ...item, type: 'event', payload, blob: null, crash: null },
    { ...context, envelopeEventId: eventId },
  );
}

/** A report is delivered by the browser that it is about. */
function withSender(event: ReportEvent, item: RawItem, context: ItemContext): ReportEvent {
  const request = isSource(event.request) ? event.request : {};
  const headers = (Array.isArray(request.headers) ? request.headers : []) as readonly (readonly string[])[];
  const namesBrowser = headers.some(([name]) => name === 'User-Agent');
  return {
    logger: 'csp',
    user: { ip_address: AUTO_IP },
    ...event,
    ...(item.release && { release: item.release }),
    ...(item.environment && { environment: item.environment }),
    request: {
      ...request,
      headers:
        namesBrowser || context.userAgent === null
          ? headers
          : [...headers, ['User-Agent', context.userAgent]],
    },
  };
}

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

/** Reports of browsers on connections that failed (Network Error Logging). */
export const digestNel: DigestItem = (item, context) =>
  digestReports(item, context, (report) => {
    const event = nelEvent(report, context.receivedAtMs);
    return event === null
      ? { kind: 'refused', outcome: 'invalid', reason: 'invalid_nel' }
      : { kind: 'event', event };
  });
