import { z } from 'zod';
import {
  CHECK_IN,
  MONITOR,
  serializeCheckIn,
  serializeMonitor,
} from '#app/api/0/endpoints/telemetry/monitor-shapes.ts';
import { keptBy } from '#app/api/0/endpoints/telemetry/telemetry-lists.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { PAGE, PROJECTS, RANGE } from '#app/api/0/query.ts';
import type { LoadPage } from '#app/api/0/reply.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { getMonitor, listCheckIns, listMonitors } from '#product/monitors/monitors.ts';
import type { Range } from '#product/time-buckets.ts';

export const monitorOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/crons/retrieve-monitors-for-an-organization/ */
  get('organizations/[org]/monitors', {
    summary: 'Lists monitors that have checked in',
    scopes: ['event:read'],
    query: { ...PAGE, ...PROJECTS },
    refuses: ['query', 'environment'],
    answer: z.array(MONITOR),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const input = { projectSlugs: query.projectSlugs, limit: query.limit };
      return page(async (cursor) => {
        const { rows, nextCursor } = await listMonitors(ctx, { ...input, cursor });
        return { rows: rows.map((row) => serializeMonitor(row, ctx)), nextCursor };
      });
    },
  }),

  /** Source: https://docs.sentry.io/api/crons/retrieve-a-monitor/ */
  get('organizations/[org]/monitors/[monitor]', {
    summary: 'Retrieves a monitor',
    scopes: ['event:read'],
    query: { ...PROJECTS },
    answer: MONITOR,
    async handle({ ctx, params, query }) {
      const { projectSlugs } = query;
      return serializeMonitor(await getMonitor(ctx, { projectSlugs, slug: params.monitor }), ctx);
    },
  }),

  /** The same of one project. Source: https://docs.sentry.io/api/crons/retrieve-a-monitor-for-a-project/ */
  get('projects/[org]/[project]/monitors/[monitor]', {
    summary: "Retrieves a project's monitor",
    scopes: ['event:read'],
    answer: MONITOR,
    async handle({ ctx, project, params }) {
      const found = await getMonitor(ctx, { projectSlugs: [project.slug], slug: params.monitor });
      return serializeMonitor(found, ctx);
    },
  }),

  /** Source: https://docs.sentry.io/api/crons/retrieve-checkins-for-a-monitor/ */
  get('organizations/[org]/monitors/[monitor]/checkins', {
    summary: "Lists a monitor's check-ins",
    scopes: ['event:read'],
    query: { ...PAGE, ...RANGE, ...PROJECTS },
    refuses: ['query', 'environment'],
    answer: z.array(CHECK_IN),
    isPaged: true,
    async handle({ ctx, params, query, page }) {
      const requested = { projectSlugs: query.projectSlugs, slug: params.monitor };
      const { project, slug } = await getMonitor(ctx, requested);
      return page(loadCheckIns(ctx, project, slug, query));
    },
  }),

  /** Source: https://docs.sentry.io/api/crons/retrieve-checkins-for-a-monitor-by-project/ */
  get('projects/[org]/[project]/monitors/[monitor]/checkins', {
    summary: "Lists the check-ins of a project's monitor",
    scopes: ['event:read'],
    query: { ...PAGE, ...RANGE },
    refuses: ['query', 'environment'],
    answer: z.array(CHECK_IN),
    isPaged: true,
    async handle({ ctx, project, params, query, page }) {
      const { slug } = await getMonitor(ctx, { projectSlugs: [project.slug], slug: params.monitor });
      return page(loadCheckIns(ctx, project, slug, query));
    },
  }),

  /** Check-ins of all monitors of a project, or of the one that `monitorSlug` names. */
  get('projects/[org]/[project]/check-ins', {
    summary: "Lists a project's check-ins",
    scopes: ['event:read'],
    query: { ...PAGE, ...RANGE, ...keptBy(['monitorSlug']) },
    answer: z.array(CHECK_IN),
    isPaged: true,
    handle: async ({ ctx, project, query, page }) =>
      page(loadCheckIns(ctx, project, query.filter.monitorSlug ?? null, query)),
  }),
];

const loadCheckIns =
  (
    ctx: Context,
    project: Project,
    monitorSlug: string | null,
    { limit, range }: { limit: number; range: Range | null },
  ): LoadPage =>
  async (cursor) => {
    const input = { projectSlug: project.slug, monitorSlug, limit, range, cursor };
    const { rows, nextCursor } = await listCheckIns(ctx, input);
    return { rows: rows.map(serializeCheckIn), nextCursor };
  };
