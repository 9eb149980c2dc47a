import { z } from 'zod';
import type { Project } from '#domain/projects.ts';
import type { UptimeMonitor } from '#domain/uptime/monitor.ts';
import { conflict, invalid, notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, toPage } from '#product/cursor.ts';
import { hasRight, requireOneOf } from '#product/permissions.ts';
import { listVisibleProjects, selectProject, selectProjects } from '#product/visible-projects.ts';
import { checkUptimeMonitor, type UptimeMonitorInput } from './check-uptime-monitor.ts';

/** Monitors of one organization. */
export const UPTIME_MONITORS_MAX = 1_000;

/** Either scope is enough, as for alert rules. Throws Forbidden. */
export const requireUptimeRead = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, ['alerts:read', 'project:read']);

export const requireUptimeWrite = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, ['alerts:write', 'project:write']);

/** Whether to offer what changes monitors; the verbs decide. */
export const canChangeUptime = ({ actor }: Pick<Context, 'actor'>): boolean =>
  hasRight(actor, 'alerts:write') || hasRight(actor, 'project:write');

export type ProjectUptimeMonitor = { monitor: UptimeMonitor; project: Project };

const PLACE = z.object({ name: z.string().max(256), id: z.number().int().positive() });

/** Monitors of the projects, of every visible one for none, by name. Throws NotFound for a project that is not visible. */
export async function listUptimeMonitors(
  ctx: Context,
  input: { projectSlugs: readonly string[]; cursor: string | null; limit: number },
): Promise<{ rows: readonly ProjectUptimeMonitor[]; nextCursor: string | null }> {
  requireUptimeRead(ctx);
  checkLimit(input.limit);
  const after = decodeCursor(input.cursor, PLACE);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const byId = new Map(projects.map((project) => [project.id, project]));
  const monitors = await ctx.stores.uptimeMonitors.list(
    { organizationId: ctx.organization.id, projectIds: [...byId.keys()] },
    { limit: input.limit + 1, after },
  );
  const { page, nextCursor } = toPage(monitors, input.limit, ({ name, id }) => ({ name, id }));
  const rows = page.flatMap((monitor) => {
    const project = byId.get(monitor.projectId);
    return project ? [{ monitor, project }] : [];
  });
  return { rows, nextCursor };
}

/** Throws NotFound. */
export async function getUptimeMonitor(ctx: Context, monitorId: number): Promise<ProjectUptimeMonitor> {
  requireUptimeRead(ctx);
  return await findUptimeMonitor(ctx, monitorId);
}

/** For verbs that have asked for their own right. Throws NotFound, also for a project that is not visible. */
export async function findUptimeMonitor(ctx: Context, monitorId: number): Promise<ProjectUptimeMonitor> {
  const [monitor, projects] = await Promise.all([
    ctx.stores.uptimeMonitors.find(ctx.organization.id, monitorId),
    listVisibleProjects(ctx),
  ]);
  const project = projects.find(({ id }) => id === monitor?.projectId);
  if (!monitor || !project) throw monitorNotFound(ctx, monitorId);
  return { monitor, project };
}

/** It is checked within seconds. Throws Invalid, which names the field, NotFound, and Conflict at the bound. */
export async function createUptimeMonitor(
  ctx: Context,
  input: UptimeMonitorInput,
): Promise<ProjectUptimeMonitor> {
  requireUptimeWrite(ctx);
  const project = await selectProject(ctx, input.projectSlug);
  const checked = await checkUptimeMonitor(ctx, input, null);
  if ((await ctx.stores.uptimeMonitors.count(ctx.organization.id)) >= UPTIME_MONITORS_MAX) {
    throw conflict(
      `${ctx.organization.slug} already has ${UPTIME_MONITORS_MAX} uptime monitors: delete some first`,
    );
  }
  const monitor = await audited(
    ctx,
    (ctx) =>
      ctx.stores.uptimeMonitors.add(
        ctx.organization.id,
        { ...checked, projectId: project.id },
        userIdOf(ctx),
        ctx.now(),
      ),
    (added) => ({
      action: 'uptime_monitor.add',
      target: uptimeTarget(added),
      data: { project: project.slug, host: hostOf(added) },
    }),
  );
  return { monitor, project };
}

/**
 * It is checked anew within seconds; one that is disabled has no incident. Throws Invalid, which names the field, and
 * NotFound.
 */
export async function updateUptimeMonitor(
  ctx: Context,
  monitorId: number,
  input: UptimeMonitorInput,
): Promise<ProjectUptimeMonitor> {
  requireUptimeWrite(ctx);
  const known = await findUptimeMonitor(ctx, monitorId);
  const { project } = known;
  if (input.projectSlug !== project.slug) {
    throw invalid('A monitor cannot move to another project: create one there', 'projectSlug');
  }
  const headers = await ctx.stores.uptimeMonitors.readHeaders(ctx.organization.id, monitorId);
  const checked = await checkUptimeMonitor(ctx, input, { monitor: known.monitor, headers });
  const monitor = await audited(
    ctx,
    async (ctx) => {
      const { uptimeMonitors, uptimeIncidents } = ctx.stores;
      const settings = { ...checked, projectId: project.id };
      const updated = await uptimeMonitors.update(ctx.organization.id, monitorId, settings, ctx.now());
      if (!updated) throw monitorNotFound(ctx, monitorId);
      if (!updated.isEnabled) await uptimeIncidents.endAll(ctx.organization.id, monitorId, ctx.now());
      return updated;
    },
    (updated) => ({
      action: 'uptime_monitor.edit',
      target: uptimeTarget(updated),
      data: { project: project.slug, host: hostOf(updated), isEnabled: updated.isEnabled },
    }),
  );
  return { monitor, project };
}

/** Pauses a monitor, whose incidents end, or goes on with it. Throws NotFound. */
export async function setUptimeMonitorEnabled(
  ctx: Context,
  monitorId: number,
  isEnabled: boolean,
): Promise<ProjectUptimeMonitor> {
  requireUptimeWrite(ctx);
  const { monitor, project } = await findUptimeMonitor(ctx, monitorId);
  return await updateUptimeMonitor(ctx, monitorId, { ...inputOf(monitor, project), isEnabled });
}

/** What is stored, as it would be entered: header values are kept. */
export const inputOf = (monitor: UptimeMonitor, project: Pick<Project, 'slug'>): UptimeMonitorInput => {
  const { headerNames, ...definition } = monitor.definition;
  return {
    projectSlug: project.slug,
    name: monitor.name,
    url: monitor.url,
    intervalSeconds: monitor.intervalSeconds,
    environment: monitor.environment,
    owner: monitor.owner,
    isEnabled: monitor.isEnabled,
    headers: Object.fromEntries(headerNames.map((name) => [name, null])),
    definition,
  };
};

/** With its incidents; its checks stay until they are too old, and its issue stays. Throws NotFound. */
export async function deleteUptimeMonitor(ctx: Context, monitorId: number): Promise<void> {
  requireUptimeWrite(ctx);
  const { monitor, project } = await findUptimeMonitor(ctx, monitorId);
  await audited(
    ctx,
    async (ctx) => {
      const isRemoved = await ctx.stores.uptimeMonitors.remove(ctx.organization.id, monitorId);
      if (!isRemoved) throw monitorNotFound(ctx, monitorId);
    },
    () => ({
      action: 'uptime_monitor.remove',
      target: uptimeTarget(monitor),
      data: { project: project.slug, host: hostOf(monitor) },
    }),
  );
}

/** The rest of a URL may be a secret. */
const hostOf = ({ url }: Pick<UptimeMonitor, 'url'>): string => new URL(url).host;

const monitorNotFound = (ctx: Context, monitorId: number) =>
  notFound(
    `Organization ${ctx.organization.slug} has no uptime monitor ${monitorId}: it may have been deleted, reload the list`,
  );

const uptimeTarget = ({ id, name }: Pick<UptimeMonitor, 'id' | 'name'>): AuditedChange['target'] => ({
  kind: 'uptime_monitor',
  id,
  name,
});
