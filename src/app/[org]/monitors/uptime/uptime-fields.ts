import { type FormInput, type FormValues, fields } from '#app/forms/fields.ts';
import { formatStatuses } from '#domain/uptime/judge-response.ts';
import { UPTIME_INTERVALS, UPTIME_METHODS, type UptimeMonitor } from '#domain/uptime/monitor.ts';
import { UPTIME_DEFAULTS, type UptimeMonitorInput } from '#product/uptime/check-uptime-monitor.ts';
import {
  readAssertions,
  readHeaders,
  readStatuses,
  readWindows,
  writeAssertions,
  writeHeaders,
  writeWindows,
} from './uptime-text.ts';

export const intervalLabel = (seconds: number): string =>
  seconds < 60
    ? `${seconds} seconds`
    : seconds === 60
      ? '1 minute'
      : seconds === 3_600
        ? '1 hour'
        : `${seconds / 60} minutes`;

/** What is requested. The page fills in the projects. */
export const REQUEST_FIELDS = fields({
  projectSlug: { kind: 'choice', label: 'Project' },
  name: { kind: 'text', label: 'Name', placeholder: 'Checkout', max: 128 },
  url: { kind: 'text', label: 'URL', placeholder: 'https://example.com/health', max: 2_000 },
  intervalSeconds: {
    kind: 'choice',
    label: 'Check every',
    options: UPTIME_INTERVALS.map((seconds) => ({ value: String(seconds), label: intervalLabel(seconds) })),
  },
  timeoutSeconds: { kind: 'number', label: 'Timeout', unit: 'seconds', help: 'From 1 to 60.', max: 2 },
});

export const DETAIL_FIELDS = fields({
  method: {
    kind: 'choice',
    label: 'Method',
    options: UPTIME_METHODS.map((method) => ({ value: method, label: method })),
  },
  headers: {
    kind: 'lines',
    label: 'Request headers',
    help: 'One per line. Values are encrypted and never shown again: a name without a value keeps what is saved.',
    placeholder: 'Authorization: Bearer …',
    isOptional: true,
  },
  body: { kind: 'lines', label: 'Request body', isOptional: true, max: 8_192 },
  followsRedirects: {
    kind: 'switch',
    label: 'Follow redirects',
    help: 'The last response counts. Request headers are sent only to the server in the URL.',
  },
});

export const EXPECTATION_FIELDS = fields({
  statuses: { kind: 'text', label: 'Status codes', help: 'Such as 200-299, 404.', max: 200 },
  certificateDays: {
    kind: 'number',
    label: 'Warn before the certificate expires',
    unit: 'days',
    help: '0 for no warning.',
    max: 3,
  },
  assertions: {
    kind: 'lines',
    label: 'Assertions',
    help: 'One per line: “body contains OK”, “body does not contain error”, “json status = ok”, “json data.id”, or “header X-Cache = HIT”. Of the body, the first 256 KiB count.',
    placeholder: 'json status = ok',
    isOptional: true,
  },
});

export const INCIDENT_FIELDS = fields({
  failuresMin: {
    kind: 'number',
    label: 'Open an incident after',
    unit: 'failures in a row',
    help: 'After a failure the next check follows in 15 seconds.',
    max: 3,
  },
  recoveriesMin: { kind: 'number', label: 'Resolve it after', unit: 'successes in a row', max: 3 },
  environment: { kind: 'text', label: 'Environment', placeholder: 'production', isOptional: true, max: 64 },
  owner: { kind: 'choice', label: 'Owner' },
  maintenance: {
    kind: 'lines',
    label: 'Maintenance windows',
    help: 'One per line, in UTC: “2026-12-01 22:00 to 2026-12-02 02:00” or “Sunday 02:00 for 90 min”. Checks run, but open no incident and do not count for the availability.',
    placeholder: 'Sunday 02:00 for 90 min',
    isOptional: true,
  },
});

export const UPTIME_FIELDS = fields({
  ...REQUEST_FIELDS,
  ...DETAIL_FIELDS,
  ...EXPECTATION_FIELDS,
  ...INCIDENT_FIELDS,
});
export type UptimeFields = typeof UPTIME_FIELDS;

/** Throws Invalid, naming the field. */
export const readUptimeForm = (input: FormInput<UptimeFields>, isEnabled: boolean): UptimeMonitorInput => ({
  projectSlug: input.projectSlug,
  name: input.name,
  url: input.url,
  intervalSeconds: Number(input.intervalSeconds),
  environment: input.environment,
  owner: readOwner(input.owner),
  isEnabled,
  headers: readHeaders(input.headers),
  definition: {
    method: input.method,
    body: input.body === '' ? null : input.body,
    timeoutSeconds: input.timeoutSeconds,
    followsRedirects: input.followsRedirects,
    statuses: readStatuses(input.statuses),
    assertions: readAssertions(input.assertions),
    certificateDays: input.certificateDays,
    failuresMin: input.failuresMin,
    recoveriesMin: input.recoveriesMin,
    maintenance: readWindows(input.maintenance),
  },
});

/** `user:…`, `team:…`, or nothing. */
function readOwner(text: string): UptimeMonitorInput['owner'] {
  const [, kind, id = ''] = /^(user|team):(.+)$/.exec(text) ?? [];
  return kind === 'user' || kind === 'team' ? { kind, id } : null;
}

export const writeOwner = (owner: { kind: string; id: string } | null): string =>
  owner === null ? '' : `${owner.kind}:${owner.id}`;

/** What stands in the form of a new monitor. */
export const newUptimeValues = (projectSlug: string, url: string): FormValues<UptimeFields> => ({
  ...definitionValues({ ...UPTIME_DEFAULTS, headerNames: [] }),
  projectSlug,
  url,
  name: URL.parse(url)?.hostname ?? '',
  intervalSeconds: '60',
  owner: '',
});

export const uptimeValues = (monitor: UptimeMonitor, projectSlug: string): FormValues<UptimeFields> => ({
  ...definitionValues(monitor.definition),
  projectSlug,
  url: monitor.url,
  name: monitor.name,
  intervalSeconds: String(monitor.intervalSeconds),
  environment: monitor.environment,
  owner: writeOwner(monitor.owner),
});

const definitionValues = (definition: UptimeMonitor['definition']): FormValues<UptimeFields> => ({
  method: definition.method,
  headers: writeHeaders(definition.headerNames),
  body: definition.body,
  timeoutSeconds: definition.timeoutSeconds,
  followsRedirects: definition.followsRedirects,
  statuses: formatStatuses(definition.statuses),
  certificateDays: definition.certificateDays,
  assertions: writeAssertions(definition.assertions),
  failuresMin: definition.failuresMin,
  recoveriesMin: definition.recoveriesMin,
  maintenance: writeWindows(definition.maintenance),
});
