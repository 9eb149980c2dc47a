import type { UptimeReason } from '#domain/uptime/check.ts';
import type { UptimePeriod } from '#product/uptime/uptime-history.ts';

export const PERIOD_LABELS: Readonly<Record<UptimePeriod, string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};

export const isUptimePeriod = (text: string | null): text is UptimePeriod =>
  text !== null && Object.hasOwn(PERIOD_LABELS, text);

export const REASON_LABELS: Readonly<Record<UptimeReason, string>> = {
  dns_error: 'DNS error',
  connection_error: 'Connection error',
  tls_error: 'TLS error',
  timeout: 'Timeout',
  redirect_error: 'Redirect error',
  not_allowed: 'Not allowed',
  status: 'Status code',
  text: 'Body text',
  json: 'JSON value',
  header: 'Response header',
};

/** `99.95%`: never rounded up to 100, since something failed. */
export function formatUptime(share: number | null): string {
  if (share === null) return '—';
  if (share === 1) return '100%';
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`;
}
