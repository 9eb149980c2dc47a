import { z } from 'zod';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { findProjectSlugs } from '#app/api/0/query.ts';
import { each, idOf, isoMs, NULL, shapeOf } from '#app/api/0/shape.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import type { Dashboard, DashboardContent } from '#domain/dashboards/dashboard.ts';
import { toSentryWidgets } from '#domain/dashboards/sentry-widget.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  listDashboards,
  starDashboard,
  updateDashboard,
} from '#product/dashboards/dashboards.ts';
import { fromSentryWidgets, SENTRY_WIDGET } from '#product/dashboards/import-dashboard.ts';
import {
  getDashboardSharing,
  shareDashboard,
  stopSharingDashboard,
} from '#product/sharing/dashboard-sharing.ts';
import { SHARE_DAYS_DEFAULT } from '#product/sharing/sharing.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';

const TEXT = z.string();
const CREATED_BY = z.object({ id: TEXT, name: TEXT }).nullable();

const WIDGET = z.object({
  ...each(TEXT, 'id', 'title', 'displayType', 'widgetType'),
  description: TEXT.nullable(),
  limit: z.int().nullable(),
  queries: z.array(
    z.object({
      ...each(TEXT, 'name', 'conditions', 'orderby'),
      ...each(z.array(TEXT), 'fields', 'aggregates', 'columns'),
    }),
  ),
  layout: z.object(each(z.int(), 'x', 'y', 'w', 'h', 'minH')),
});

/** In the shape of Sentry's; `variables` are fields that readers narrow all widgets by. */
export const [DASHBOARD, serializeDashboard] = shapeOf<Dashboard, [projects: readonly Project[]]>()(
  {
    id: idOf('id'),
    ...each(TEXT, 'title', 'description'),
    dateCreated: isoMs('createdAt'),
    dateUpdated: isoMs('updatedAt'),
    createdBy: [CREATED_BY, ({ createdBy }) => createdBy],
    widgets: [
      z.array(WIDGET),
      ({ widgets }) => toSentryWidgets(widgets) as unknown as z.output<typeof WIDGET>[],
    ],
    projects: [
      z.array(z.int()),
      ({ filters }, projects) =>
        projects.filter(({ slug }) => filters.projects.includes(slug)).map(({ id }) => id),
    ],
    environment: [z.array(TEXT), ({ filters }) => [...filters.environments]],
    period: [TEXT.nullable(), ({ filters }) => filters.period],
    filters: [z.object({}), () => ({})],
    variables: [z.array(TEXT), ({ variables }) => [...variables]],
    isFavorited: [z.boolean(), 'isStarred'],
    ...each(NULL, 'lastVisited', 'permissions'),
  },
  'Dashboard',
);

const DASHBOARD_LINE = z
  .object({
    ...each(TEXT, 'id', 'title', 'dateCreated'),
    createdBy: CREATED_BY,
    widgetDisplay: z.array(TEXT),
    projects: z.array(z.int()),
    environment: z.array(TEXT),
    isFavorited: z.boolean(),
  })
  .meta({ id: 'DashboardLine' });

const BODY = z.object({
  title: z.string().max(255),
  description: z.string().max(500).nullish(),
  widgets: z.array(SENTRY_WIDGET).max(200).nullish(),
  projects: z.array(z.int()).max(100).nullish(),
  environment: z.array(z.string().max(200)).max(100).nullish(),
  period: z.string().max(10).nullish(),
  variables: z.array(z.string().max(200)).max(20).nullish(),
});

/** What a request says; what it leaves out stays as it is. */
async function readContent(
  ctx: Context,
  body: Partial<z.output<typeof BODY>>,
): Promise<Partial<DashboardContent>> {
  const { title, description, widgets, projects, environment, period, variables } = body;
  const hasFilters = projects !== undefined || environment !== undefined || period !== undefined;
  return {
    ...(title !== undefined && { title }),
    ...(description != null && { description }),
    // The product checks widgets, and fills in what they leave out.
    ...(widgets && { widgets: fromSentryWidgets(widgets) as DashboardContent['widgets'] }),
    ...(variables && { variables }),
    ...(hasFilters && {
      filters: {
        projects: [...(await findProjectSlugs(ctx, (projects ?? []).map(String)))],
        environments: environment ?? [],
        period: period ?? null,
      },
    }),
  };
}

const ALL = 'organizations/[org]/dashboards';
const ONE = `${ALL}/[dashboard]` as const;

/** Source: https://docs.sentry.io/api/dashboards/ */
export const dashboardOperations: readonly Operation[] = [
  get(ALL, {
    summary: 'Lists dashboards, starred first, then by title',
    scopes: ['event:read'],
    refuses: ['sort', 'query', 'filter'],
    answer: z.array(DASHBOARD_LINE),
    handle: async ({ ctx }) => {
      const projects = await listVisibleProjects(ctx);
      return (await listDashboards(ctx)).map((dashboard) => {
        const { id, title, dateCreated, createdBy, widgets, ...rest } = serializeDashboard(
          dashboard,
          projects,
        );
        const { environment, isFavorited } = rest;
        const widgetDisplay = widgets.map(({ displayType }) => displayType);
        return {
          ...{ id, title, dateCreated, createdBy, widgetDisplay, environment, isFavorited },
          projects: rest.projects,
        };
      });
    },
  }),

  post(ALL, {
    summary: 'Creates a dashboard',
    scopes: ['event:write'],
    body: BODY,
    answer: DASHBOARD,
    status: 201,
    handle: async ({ ctx, body }) =>
      await answer(ctx, await createDashboard(ctx, await readContent(ctx, body))),
  }),

  get(ONE, {
    summary: 'Retrieves a dashboard with its widgets',
    scopes: ['event:read'],
    answer: DASHBOARD,
    handle: async ({ ctx, params }) => await answer(ctx, await getDashboard(ctx, readId(ctx, params))),
  }),

  put(ONE, {
    summary: 'Changes a dashboard; widgets replace all that there were',
    scopes: ['event:write'],
    body: BODY.partial(),
    answer: DASHBOARD,
    handle: async ({ ctx, params, body }) =>
      await answer(ctx, await updateDashboard(ctx, readId(ctx, params), await readContent(ctx, body), null)),
  }),

  del(ONE, {
    summary: 'Deletes a dashboard',
    scopes: ['event:write'],
    answer: null,
    handle: async ({ ctx, params }) => deleteDashboard(ctx, readId(ctx, params)),
  }),

  put(`${ONE}/favorite`, {
    summary: 'Stars a dashboard, or removes its star',
    scopes: ['event:write'],
    body: z.strictObject({ isFavorited: z.boolean() }),
    answer: null,
    handle: async ({ ctx, params, body }) => starDashboard(ctx, readId(ctx, params), body.isFavorited),
  }),

  /** Whether a dashboard has a public page; the reference has no such thing. */
  get(`${ONE}/share`, {
    summary: 'Retrieves whether a dashboard is shared publicly',
    scopes: ['event:read'],
    answer: z.object({ isAllowed: z.boolean(), isPublic: z.boolean(), dateExpires: z.string().nullable() }),
    async handle({ ctx, params }) {
      const { isAllowed, share } = await getDashboardSharing(ctx, readId(ctx, params));
      return { isAllowed, isPublic: share !== null, dateExpires: share && isoOfMs(share.expiresAt) };
    },
  }),

  /** Makes a public page; its address is answered this once. */
  post(`${ONE}/share`, {
    summary: 'Shares a dashboard publicly, with the projects that are saved with it',
    scopes: ['event:write'],
    body: z.strictObject({ days: z.number().int().default(SHARE_DAYS_DEFAULT) }),
    answer: z.object({ url: z.string(), dateExpires: z.string() }),
    status: 201,
    async handle({ ctx, params, body }) {
      const { share, url } = await shareDashboard(ctx, readId(ctx, params), body);
      return { url, dateExpires: isoOfMs(share.expiresAt) };
    },
  }),

  del(`${ONE}/share`, {
    summary: 'Stops sharing a dashboard publicly',
    scopes: ['event:write'],
    answer: null,
    handle: async ({ ctx, params }) => stopSharingDashboard(ctx, readId(ctx, params)),
  }),
];

const answer = async (ctx: Context, dashboard: Dashboard) =>
  serializeDashboard(dashboard, await listVisibleProjects(ctx));

const readId = ({ organization }: Context, { dashboard }: { dashboard: string }): number =>
  readPathNumber(
    dashboard,
    `The organization ${organization.slug} has no dashboard "${dashboard.slice(0, 40)}"`,
  );
