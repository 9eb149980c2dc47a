import { z } from 'zod';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { CURSOR, PAGE, text } from '#app/api/0/query.ts';
import { always, each, FALSE, isoMs, NO_TEXT, NULL, shapeOf } from '#app/api/0/shape.ts';
import { invalid, notFound } from '#lib/errors.ts';
import {
  createProjectKey,
  deleteProjectKey,
  listOrganizationKeys,
  listProjectKeys,
  type ProjectKey,
  updateProjectKey,
} from '#product/projects/client-keys.ts';
import { parseDsn } from '#protocol/dsn.ts';

type Sender = Pick<ProjectKey, 'dsn' | 'publicKey' | 'projectId'>;

/** Where one kind of sender sends to; in the path `KEY` stands for the key. */
const sendsTo = (path: string) =>
  [z.string(), (key: Sender) => `${baseOf(key)}/${path.replace('KEY', key.publicKey)}`] as const;

const baseOf = ({ dsn, projectId }: Sender) => `${parseDsn(dsn)?.baseUrl}/api/${projectId}`;

/** `___MONITOR_SLUG___` stands for the name of a monitor, as with Sentry. */
export const [DSN, serializeDsn] = shapeOf<Sender>()(
  {
    ...each([z.string(), 'dsn'], 'public', 'secret'),
    csp: sendsTo('csp-report/?sentry_key=KEY'),
    security: sendsTo('security/?sentry_key=KEY'),
    minidump: sendsTo('minidump/?sentry_key=KEY'),
    nel: sendsTo('nel/?sentry_key=KEY'),
    unreal: sendsTo('unreal/KEY/'),
    crons: sendsTo('cron/___MONITOR_SLUG___/KEY/'),
    integration: sendsTo('integration/'),
    otlp_traces: sendsTo('integration/otlp/v1/traces'),
    otlp_logs: sendsTo('integration/otlp/v1/logs'),
    otlp_metrics: sendsTo('integration/otlp/v1/metrics'),
    // There is no loader script, and no entrance for consoles.
    ...each(NO_TEXT, 'cdn', 'playstation'),
  },
  'Dsn',
);

const [NO_LOADER, serializeNoLoader] = shapeOf<object>()(
  each(FALSE, 'hasReplay', 'hasPerformance', 'hasDebug', 'hasFeedback', 'hasLogsAndMetrics'),
);

/**
 * Source of the fields: https://docs.sentry.io/api/projects/list-a-projects-client-keys/
 * Keys have no secret part here: SDKs have not used one for years, and `dsn.secret` is the same as `dsn.public`.
 * Without a loader script there is no version of it to choose, and nothing that it could switch on.
 */
export const [KEY, serializeKey] = shapeOf<ProjectKey>()(
  {
    id: [z.string(), 'publicKey'],
    ...each([z.string(), 'label'], 'name', 'label'),
    public: [z.string(), 'publicKey'],
    secret: NULL,
    projectId: z.number(),
    isActive: z.boolean(),
    rateLimit: [
      z.object({ count: z.number(), window: z.number() }).nullable(),
      ({ rateLimit }) => rateLimit && { count: rateLimit.count, window: rateLimit.windowSeconds },
    ],
    dsn: [DSN, (key) => serializeDsn(key)],
    browserSdkVersion: NO_TEXT,
    browserSdk: always(z.object({ choices: z.array(z.array(z.string())) }), { choices: [] }),
    dynamicSdkLoaderOptions: [NO_LOADER, () => serializeNoLoader({})],
    dateCreated: isoMs('createdAt'),
  },
  'Key',
);

/** At most `count` errors in each `window` of seconds; null for no limit. */
const RATE_LIMIT = z.object({ count: z.number(), window: z.number() }).nullable();
const NEW_KEY = z.object({ name: z.string().optional(), rateLimit: RATE_LIMIT.optional() });

const KEY_UPDATE = z.object({
  name: z.string().optional(),
  isActive: z.boolean().optional(),
  rateLimit: RATE_LIMIT.optional(),
});

export const keyOperations: readonly Operation[] = [
  /** Of all projects. Source: https://docs.sentry.io/api/organizations/list-an-organizations-client-keys/ */
  get('organizations/[org]/project-keys', {
    summary: 'Lists the client keys of all projects',
    scopes: ['project:read'],
    query: { ...PAGE, status: text('active or inactive; defaults to both') },
    refuses: ['team'],
    answer: z.array(KEY),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const { limit } = query;
      return page(async (cursor) => {
        const { keys, nextCursor } = await listOrganizationKeys(ctx, { cursor, limit });
        return { rows: keys.filter((key) => isOfStatus(query.status, key)).map(serializeKey), nextCursor };
      });
    },
  }),

  /** Source: https://docs.sentry.io/api/projects/list-a-projects-client-keys/ */
  get('projects/[org]/[project]/keys', {
    summary: "Lists a project's client keys",
    scopes: ['project:read'],
    query: { ...CURSOR, status: text('active or inactive; defaults to both') },
    answer: z.array(KEY),
    isPaged: true,
    handle: async ({ ctx, project, query, page }) =>
      page(async () =>
        (await listProjectKeys(ctx, project.slug))
          .filter((key) => isOfStatus(query.status, key))
          .map(serializeKey),
      ),
  }),

  /** Answers 201. Source: https://docs.sentry.io/api/projects/create-a-new-client-key/ */
  post('projects/[org]/[project]/keys', {
    summary: 'Creates a client key',
    scopes: ['project:write'],
    body: NEW_KEY,
    answer: KEY,
    status: 201,
    async handle({ ctx, project, body }) {
      const { name = 'Key', rateLimit } = body;
      const key = await createProjectKey(ctx, {
        projectSlug: project.slug,
        label: name,
        rateLimit: rateLimit ? toRateLimit(rateLimit) : null,
      });
      return serializeKey(key);
    },
  }),

  /** Source: https://docs.sentry.io/api/projects/retrieve-a-client-key/ */
  get('projects/[org]/[project]/keys/[key]', {
    summary: 'Retrieves a client key',
    scopes: ['project:read'],
    answer: KEY,
    async handle({ ctx, project, params }) {
      const keys = await listProjectKeys(ctx, project.slug);
      const key = keys.find(({ publicKey }) => publicKey === params.key);
      if (!key) throw notFound(`The project ${project.slug} has no client key ${params.key.slice(0, 40)}`);
      return serializeKey(key);
    },
  }),

  /** Changes what the body names. Source: https://docs.sentry.io/api/projects/update-a-client-key/ */
  put('projects/[org]/[project]/keys/[key]', {
    summary: 'Updates a client key',
    scopes: ['project:write'],
    body: KEY_UPDATE,
    answer: KEY,
    async handle({ ctx, project, params, body }) {
      const { name, isActive, rateLimit } = body;
      const key = await updateProjectKey(ctx, {
        projectSlug: project.slug,
        key: params.key,
        change: {
          ...(name !== undefined && { label: name }),
          ...(isActive !== undefined && { isActive }),
          ...(rateLimit !== undefined && { rateLimit: toRateLimit(rateLimit) }),
        },
      });
      return serializeKey(key);
    },
  }),

  /** Source: https://docs.sentry.io/api/projects/delete-a-client-key/ */
  del('projects/[org]/[project]/keys/[key]', {
    summary: 'Deletes a client key',
    scopes: ['project:write'],
    answer: null,
    handle: async ({ ctx, project, params }) =>
      deleteProjectKey(ctx, { projectSlug: project.slug, publicKey: params.key }),
  }),
];

const toRateLimit = (limit: z.infer<typeof RATE_LIMIT>) =>
  limit && { count: limit.count, windowSeconds: limit.window };

/** `status=active` and `status=inactive` keep some keys. */
function isOfStatus(status: string | null, { isActive }: Pick<ProjectKey, 'isActive'>): boolean {
  if (status === null || status === '') return true;
  if (status !== 'active' && status !== 'inactive') {
    throw invalid('status must be "active" or "inactive"', 'status');
  }
  return isActive === (status === 'active');
}
