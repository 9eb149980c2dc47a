import { z } from 'zod';
import { parseJsonPath } from '#domain/uptime/json-path.ts';
import {
  UPTIME_INTERVALS,
  UPTIME_METHODS,
  type UptimeDefinition,
  type UptimeHeaders,
  type UptimeMonitor,
} from '#domain/uptime/monitor.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { checkUptimeHeaders } from './check-uptime-headers.ts';
import type { UptimeMonitorSettings } from './store/uptime-monitor-store.ts';

const NAME_CHARACTERS_MAX = 128;
const URL_CHARACTERS_MAX = 2_000;
const BODY_CHARACTERS_MAX = 8_192;
const ENVIRONMENT_CHARACTERS_MAX = 64;
const TEXT_CHARACTERS_MAX = 500;
const ASSERTIONS_MAX = 20;
const STATUS_RANGES_MAX = 20;
const WINDOWS_MAX = 20;
const WINDOW_DAYS_MAX = 366;
/** Sentry's bound: an incident that opens after so many failures opens after hours. */
const IN_ROW_MAX = 720;
const CERTIFICATE_DAYS_MAX = 365;
const TIMEOUT_SECONDS_MAX = 60;

const whole = (min: number, max: number, what: string) =>
  z
    .number(`${what} must be a whole number from ${min} to ${max}`)
    .int(`${what} must be a whole number from ${min} to ${max}`)
    .min(min, `${what} must be at least ${min}`)
    .max(max, `${what} must be at most ${max}`);
const text = (what: string) =>
  z
    .string()
    .min(1, `${what} cannot be empty`)
    .max(TEXT_CHARACTERS_MAX, `${what} can have at most ${TEXT_CHARACTERS_MAX} characters`);
const STATUS = whole(100, 599, 'A status code');

const ASSERTION = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: text('The text'), isAbsent: z.boolean() }),
  z.strictObject({
    kind: z.literal('json'),
    path: text('The path').refine((path) => parseJsonPath(path) !== null, {
      error: 'Enter a path such as status or data.items[0].id',
    }),
    equals: text('The value').nullable(),
  }),
  z.strictObject({
    kind: z.literal('header'),
    name: text('The header name').regex(
      /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
      'Enter a header name such as X-Cache',
    ),
    equals: text('The value').nullable(),
  }),
]);

const TIME = z.number().int().nonnegative();
const WINDOW = z.discriminatedUnion('kind', [
  z
    .strictObject({ kind: z.literal('once'), fromMs: TIME, toMs: TIME })
    .refine(({ fromMs, toMs }) => toMs > fromMs && toMs - fromMs <= WINDOW_DAYS_MAX * DAY_MS, {
      error: `A maintenance window must end after it starts, and within ${WINDOW_DAYS_MAX} days`,
    }),
  z.strictObject({
    kind: z.literal('weekly'),
    weekday: whole(0, 6, 'The weekday'),
    startMinute: whole(0, 1_439, 'The start'),
    minutes: whole(1, 1_440, 'The length in minutes'),
  }),
]);

/** Of what a person gives; header names are beside it. */
export const UPTIME_DEFINITION = z.strictObject({
  method: z.enum(UPTIME_METHODS, { error: `Choose a method: ${UPTIME_METHODS.join(', ')}` }),
  body: z
    .string()
    .max(BODY_CHARACTERS_MAX, `The body can have at most ${BODY_CHARACTERS_MAX} characters`)
    .nullable(),
  timeoutSeconds: whole(1, TIMEOUT_SECONDS_MAX, 'The timeout in seconds'),
  followsRedirects: z.boolean(),
  statuses: z
    .array(
      z
        .strictObject({ from: STATUS, to: STATUS })
        .refine(({ from, to }) => from <= to, { error: 'A range of status codes must end after it starts' }),
    )
    .min(1, 'Enter at least one status code, such as 200-299')
    .max(STATUS_RANGES_MAX, `Enter at most ${STATUS_RANGES_MAX} status codes or ranges`),
  assertions: z
    .array(ASSERTION)
    .max(ASSERTIONS_MAX, `A monitor can have at most ${ASSERTIONS_MAX} assertions`),
  certificateDays: whole(0, CERTIFICATE_DAYS_MAX, 'The days before a certificate expires'),
  failuresMin: whole(1, IN_ROW_MAX, 'The failures in a row'),
  recoveriesMin: whole(1, IN_ROW_MAX, 'The successes in a row'),
  maintenance: z
    .array(WINDOW)
    .max(WINDOWS_MAX, `A monitor can have at most ${WINDOWS_MAX} maintenance windows`),
});

/** What a monitor has unless it says otherwise. */
export const UPTIME_DEFAULTS: Omit<UptimeDefinition, 'headerNames'> = {
  method: 'GET',
  body: null,
  timeoutSeconds: 10,
  followsRedirects: true,
  statuses: [{ from: 200, to: 299 }],
  assertions: [],
  certificateDays: 14,
  failuresMin: 3,
  recoveriesMin: 1,
  maintenance: [],
};

export type UptimeMonitorInput = {
  projectSlug: string;
  name: string;
  url: string;
  intervalSeconds: number;
  /** null, or blank, for none. */
  environment: string | null;
  owner: { kind: 'user' | 'team'; id: string } | null;
  isEnabled: boolean;
  /** By name; null keeps the value that is stored. Those that are left out are removed. */
  headers: Readonly<Record<string, string | null>>;
  /** Of any shape: it is checked. */
  definition: unknown;
};

type Checked = Omit<UptimeMonitorSettings, 'projectId'> & { headers: UptimeHeaders };

/** A monitor that can be kept, or checked once. Throws Invalid, naming the field. */
export async function checkUptimeMonitor(
  ctx: Context,
  input: UptimeMonitorInput,
  known: { monitor: UptimeMonitor; headers: UptimeHeaders | null } | null,
): Promise<Checked> {
  const name = input.name.replace(/\s+/g, ' ').trim();
  if (name === '' || name.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(name)) {
    throw invalid(`Enter a monitor name of at most ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  const url = checkUptimeUrl(input.url);
  const intervalSeconds = UPTIME_INTERVALS.find((each) => each === input.intervalSeconds);
  if (intervalSeconds === undefined) {
    throw invalid(`Choose an interval of ${UPTIME_INTERVALS.join(', ')} seconds`, 'intervalSeconds');
  }
  const environment = input.environment?.trim() || null;
  if (environment !== null && environment.length > ENVIRONMENT_CHARACTERS_MAX) {
    throw invalid(`An environment can have at most ${ENVIRONMENT_CHARACTERS_MAX} characters`, 'environment');
  }
  const definition = parseDefinition(input.definition);
  const headers = checkUptimeHeaders(input.headers, url, known);
  await checkOwner(ctx, input.owner, known?.monitor.owner ?? null);
  const { owner, isEnabled } = input;
  return {
    name,
    url,
    intervalSeconds,
    environment,
    owner,
    isEnabled,
    headers,
    definition: { ...definition, headerNames: Object.keys(headers) },
  };
}

function checkUptimeUrl(value: string): string {
  const url = URL.parse(value.trim());
  if (!url || !/^https?:$/.test(url.protocol) || value.length > URL_CHARACTERS_MAX) {
    throw invalid('Enter a valid URL, such as https://example.com/health', 'url');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('The URL cannot contain a username or password: send them in a header', 'url');
  }
  url.hash = '';
  return url.href;
}

function parseDefinition(definition: unknown): Omit<UptimeDefinition, 'headerNames'> {
  const given = typeof definition === 'object' && definition !== null ? definition : {};
  const parsed = UPTIME_DEFINITION.safeParse({ ...UPTIME_DEFAULTS, ...given });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(issue?.message ?? 'The monitor is invalid', String(issue?.path[0] ?? 'definition'));
}

/** Whoever is named anew must be there; whoever was the owner may have gone meanwhile. */
async function checkOwner(
  { stores, organization }: Context,
  owner: UptimeMonitorInput['owner'],
  before: UptimeMonitor['owner'],
): Promise<void> {
  if (owner === null || (owner.kind === before?.kind && owner.id === before.id)) return;
  if (owner.kind === 'user') {
    const members = await stores.accounts.listMembers(organization.id);
    if (members.some(({ id }) => id === owner.id)) return;
  } else {
    const teams = await stores.teams.list(organization.id);
    if (teams.some(({ id }) => String(id) === owner.id)) return;
  }
  throw invalid('This owner is not in the organization: choose another owner', 'owner');
}
