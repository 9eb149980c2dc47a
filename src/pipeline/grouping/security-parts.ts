import type { NormalizedEvent } from '#protocol/event.ts';
import { isOwnOrigin, originOfUri } from '../security-reports/csp-uri.ts';

type Report = Readonly<Record<string, unknown>>;

/**
 * What tells reports of browsers apart: a policy's directive and the host that it blocked, the host of a certificate,
 * the kind of a network error and where it happened. null for events that are no such report.
 */
export function securityParts(event: NormalizedEvent): readonly string[] | null {
  if (event.csp) return cspParts(event.csp);
  if (event.expectct) return ['expectct', hostOf(event.expectct)];
  if (event.hpkp) return ['hpkp', hostOf(event.hpkp)];
  if (event.expectstaple) {
    const { response_status: response, cert_status: certificate } = event.expectstaple;
    return ['expectstaple', hostOf(event.expectstaple), textOf(response), textOf(certificate)];
  }
  if (event.nel) {
    return ['nel', event.culprit ?? event.logentry?.formatted ?? '', originOfUri(textOf(event.nel.url))];
  }
  return null;
}

function cspParts(report: Report): readonly string[] {
  const directive = textOf(report.effective_directive);
  const blocked = textOf(report.blocked_uri);
  // Of the page's own, what counts is which kind of script it was.
  if (isOwnOrigin(blocked)) {
    const violated = textOf(report.violated_directive);
    const kind = ["'unsafe-inline'", "'unsafe-eval'"].find((word) => violated.includes(word)) ?? '';
    return ['csp', directive, "'self'", directive.startsWith('script-src') ? kind : ''];
  }
  return ['csp', directive, originOfUri(blocked)];
}

const hostOf = (report: Report): string => textOf(report.hostname) || textOf(report.host_name);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
