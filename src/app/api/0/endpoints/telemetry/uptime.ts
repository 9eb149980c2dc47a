import { z } from 'zod';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { PAGE, PROJECTS, RANGE } from '#app/api/0/query.ts';
import type { Project } from '#domain/projects.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { UPTIME_DEFAULTS, type UptimeMonitorInput } from '#product/uptime/check-uptime-monitor.ts';
import { listUptimeChecks } from '#product/uptime/uptime-history.ts';
import {
  createUptimeMonitor,
  deleteUptimeMonitor,
  getUptimeMonitor,
  inputOf,
  listUptimeMonitors,
  type ProjectUptimeMonitor,
  updateUptimeMonitor,
} from '#product/uptime/uptime-monitors.ts';
import {
  FILTERED_VALUE,
  serializeUptimeCheck,
  serializeUptimeMonitor,
  UPTIME_CHECK,
  UPTIME_MONITOR,
} from './uptime-shapes.ts';

const READ = ['alerts:read', 'project:read'] as const;
const WRITE = ['alerts:write', 'project:write'] as const;
const TEXT = z.string().max(10_000);

/** What the verb checks again, field by field, with a sentence for each. */
const CHANGE = z
  .object({
    name: TEXT,
    url: TEXT,
    intervalSeconds: z.number(),
    timeoutMs: z.number(),
    status: z.enum(['active', 'disabled']),
    environment: TEXT.nullable(),
    owner: TEXT.nullable().describe('`user:<id>` or `team:<id>`; null for none'),
    method: TEXT,
    headers: z
      .array(z.tuple([TEXT, TEXT]))
      .describe(`Pairs of name and value; the value ${FILTERED_VALUE} keeps what is stored`),
    body: TEXT.nullable(),
    downtimeThreshold: z.number(),
    recoveryThreshold: z.number(),
    followsRedirects: z.boolean(),
    statuses: z.array(z.unknown()),
    assertions: z.array(z.unknown()),
    certificateDays: z.number(),
    maintenance: z.array(z.unknown()),
  })
  .partial();
const NEW = CHANGE.required({ name: true, url: true, intervalSeconds: true });

export const uptimeOperations: readonly Operation[] = [
  /** Source: src/sentry/uptime/endpoints/organiation_uptime_alert_index.py of Sentry. */
  get('organizations/[org]/uptime', {
    summary: 'Lists uptime monitors',
    scopes: READ,
    query: { ...PAGE, ...PROJECTS },
    refuses: ['query', 'environment'],
    answer: z.array(UPTIME_MONITOR),
    isPaged: true,
    handle: async ({ ctx, query, page }) =>
      page(async (cursor) => {
        const { projectSlugs, limit } = query;
        const { rows, nextCursor } = await listUptimeMonitors(ctx, { projectSlugs, limit, cursor });
        return { rows: rows.map(serializeUptimeMonitor), nextCursor };
      }),
  }),

  post('projects/[org]/[project]/uptime', {
    summary: 'Creates an uptime monitor',
    scopes: WRITE,
    body: NEW,
    answer: UPTIME_MONITOR,
    status: 201,
    handle: async ({ ctx, project, body }) =>
      serializeUptimeMonitor(await createUptimeMonitor(ctx, withChange(newInput(project), body))),
  }),

  get('projects/[org]/[project]/uptime/[monitor]', {
    summary: 'Retrieves an uptime monitor',
    scopes: READ,
    answer: UPTIME_MONITOR,
    handle: async ({ ctx, project, params }) =>
      serializeUptimeMonitor(await findOfProject(ctx, project, params.monitor)),
  }),

  put('projects/[org]/[project]/uptime/[monitor]', {
    summary: 'Updates an uptime monitor; what is omitted is kept',
    scopes: WRITE,
    body: CHANGE,
    answer: UPTIME_MONITOR,
    async handle({ ctx, project, params, body }) {
      const { monitor } = await findOfProject(ctx, project, params.monitor);
      const input = withChange(inputOf(monitor, project), body);
      return serializeUptimeMonitor(await updateUptimeMonitor(ctx, monitor.id, input));
    },
  }),

  del('projects/[org]/[project]/uptime/[monitor]', {
    summary: 'Deletes an uptime monitor',
    scopes: WRITE,
    answer: null,
    async handle({ ctx, project, params }) {
      const { monitor } = await findOfProject(ctx, project, params.monitor);
      await deleteUptimeMonitor(ctx, monitor.id);
    },
  }),

  /** Source: src/sentry/uptime/endpoints/project_uptime_alert_checks_index.py of Sentry. */
  get('projects/[org]/[project]/uptime/[monitor]/checks', {
    summary: "Lists an uptime monitor's checks, newest first",
    scopes: READ,
    query: { ...PAGE, ...RANGE },
    answer: z.array(UPTIME_CHECK),
    isPaged: true,
    async handle({ ctx, project, params, query, page }) {
      const { monitor } = await findOfProject(ctx, project, params.monitor);
      const { limit, range } = query;
      return page(async (cursor) => {
        const { rows, nextCursor } = await listUptimeChecks(ctx, {
          monitorId: monitor.id,
          limit,
          range,
          cursor,
        });
        return { rows: rows.map(serializeUptimeCheck), nextCursor };
      });
    },
  }),
];

async function findOfProject(ctx: Context, project: Project, number: string): Promise<ProjectUptimeMonitor> {
  const missing = `Uptime monitor "${number.slice(0, 40)}" not found in ${project.slug}: use its ID`;
  const found = await getUptimeMonitor(ctx, readPathNumber(number, missing));
  if (found.project.id !== project.id) throw notFound(missing);
  return found;
}

const newInput = (project: Project): UptimeMonitorInput => ({
  projectSlug: project.slug,
  name: '',
  url: '',
  intervalSeconds: 0,
  environment: null,
  owner: null,
  isEnabled: true,
  headers: {},
  definition: UPTIME_DEFAULTS,
});

/** What the body names, over what was there. */
function withChange(before: UptimeMonitorInput, body: z.output<typeof CHANGE>): UptimeMonitorInput {
  const { timeoutMs, downtimeThreshold, recoveryThreshold } = body;
  const { method, followsRedirects, statuses, assertions, certificateDays, maintenance } = body;
  const definition = {
    ...(before.definition as object),
    ...defined({ method, followsRedirects, statuses, assertions, certificateDays, maintenance }),
    ...defined({ body: body.body, failuresMin: downtimeThreshold, recoveriesMin: recoveryThreshold }),
    ...defined({ timeoutSeconds: timeoutMs === undefined ? undefined : timeoutMs / 1_000 }),
  };
  return {
    ...before,
    name: body.name ?? before.name,
    url: body.url ?? before.url,
    intervalSeconds: body.intervalSeconds ?? before.intervalSeconds,
    environment: body.environment === undefined ? before.environment : body.environment,
    owner: body.owner === undefined ? before.owner : readOwner(body.owner),
    isEnabled: body.status === undefined ? before.isEnabled : body.status === 'active',
    headers: body.headers === undefined ? before.headers : readHeaders(body.headers),
    definition,
  };
}

const defined = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const readHeaders = (pairs: readonly (readonly [string, string])[]) =>
  Object.fromEntries(pairs.map(([name, value]) => [name, value === FILTERED_VALUE ? null : value]));

/** The verb refuses an owner that is none. */
function readOwner(owner: string | null): UptimeMonitorInput['owner'] {
  if (owner === null || owner === '') return null;
  const [, kind, id] = /^(user|team):(.+)$/.exec(owner) ?? [];
  return { kind: kind === 'user' ? 'user' : 'team', id: id ?? owner };
}
