import { conflict, invalid, notFound } from '#lib/errors.ts';
import { requireAlertWrite } from '#product/alerts/list-alert-rules.ts';
import { type AuditedChange, audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { selectProject } from '#product/visible-projects.ts';
import { checkMonitor, checkSlug, type MonitorInput } from './check-monitor.ts';
import {
  DEFAULT_MONITOR_SETTINGS,
  MONITORS_PER_ORGANIZATION_MAX,
  type Monitor,
  type MonitorEnvironment,
} from './monitor.ts';
import { findVisibleMonitor, type NamedMonitor, type ProjectMonitor, selectMonitor } from './monitors.ts';
import type { MonitorFields } from './store/monitor-store.ts';
import { sameSettings } from './watch/watch-settings.ts';

/** For who changes it, by slug or UUID, as `getMonitor`. Throws NotFound. */
export async function getMonitorToChange(ctx: Context, named: NamedMonitor): Promise<ProjectMonitor> {
  requireAlertWrite(ctx);
  return await selectMonitor(ctx, named);
}

/** Without a slug, it is made from the name. Throws Invalid, which names the field, NotFound and Conflict. */
export async function createMonitor(
  ctx: Context,
  input: MonitorInput & { projectSlug: string },
): Promise<ProjectMonitor> {
  requireAlertWrite(ctx);
  const project = await selectProject(ctx, input.projectSlug);
  const { projectSlug, ...given } = input;
  const fields = await checkMonitor(ctx, { ...NEW_MONITOR, projectId: project.id }, given);
  if (fields.schedule === null) throw invalid('Enter a schedule', 'schedule');
  const slug = checkSlug(fields.name, input.slug);
  if ((await ctx.stores.monitors.count(ctx.organization.id)) >= MONITORS_PER_ORGANIZATION_MAX) {
    throw conflict(
      `An organization can have at most ${MONITORS_PER_ORGANIZATION_MAX} monitors: delete some first`,
    );
  }
  const id = await audited(
    ctx,
    (ctx) => ctx.stores.monitors.create(ctx.organization.id, { ...fields, slug }, ctx.now()),
    (id) => ({
      action: 'monitor.add',
      target: targetOf({ id, name: fields.name }),
      data: { project: projectSlug, slug },
    }),
  );
  return await findVisibleMonitor(ctx, id);
}

const NEW_MONITOR: Omit<MonitorFields, 'projectId'> = {
  ...DEFAULT_MONITOR_SETTINGS,
  name: '',
  slug: '',
  ownerUserId: null,
  ownerTeamId: null,
  isDisabled: false,
  isMuted: false,
};

/**
 * Another schedule counts from now on; its slug stays, which check-ins name. One that is disabled expects nothing; of one
 * that is muted, nobody is told. Throws Invalid, which names the field, and NotFound.
 */
export async function updateMonitor(
  ctx: Context,
  monitorId: number,
  input: MonitorInput,
): Promise<ProjectMonitor> {
  requireAlertWrite(ctx);
  const before = await findVisibleMonitor(ctx, monitorId);
  if (input.slug !== undefined && input.slug !== before.slug) {
    throw invalid('The slug cannot be changed, since check-ins name it: create another monitor', 'slug');
  }
  const after = await checkMonitor(ctx, fieldsOf(before), input);
  const changed = CHANGES.filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  if (sameSettings(before, after) && changed.every((name) => name === 'schedule')) return before;
  const isRescheduled = !sameSettings(before, after) || before.isDisabled !== after.isDisabled;
  await audited(
    ctx,
    (ctx) => ctx.stores.monitors.update(monitorId, after, { isRescheduled, atMs: ctx.now() }),
    () => ({
      action: 'monitor.edit',
      target: targetOf(after.name === before.name ? before : { id: monitorId, name: after.name }),
      data: {
        project: before.project.slug,
        ...Object.fromEntries(changed.map((name) => [name, after[name]])),
      },
    }),
  );
  return await findVisibleMonitor(ctx, monitorId);
}

const CHANGES = [
  'name',
  'schedule',
  'timeZone',
  'checkinMargin',
  'maxRuntime',
  'failureIssueThreshold',
  'recoveryThreshold',
  'ownerUserId',
  'ownerTeamId',
  'isDisabled',
  'isMuted',
] as const satisfies readonly (keyof MonitorFields)[];

const fieldsOf = (monitor: Monitor): MonitorFields => {
  const { projectId, slug } = monitor;
  const kept = Object.fromEntries(CHANGES.map((name) => [name, monitor[name]]));
  return { projectId, slug, ...kept } as MonitorFields;
};

/** Its check-ins stay until they expire; the next one makes it anew, without a schedule of its own. Throws NotFound. */
export async function deleteMonitor(ctx: Context, monitorId: number): Promise<void> {
  requireAlertWrite(ctx);
  const monitor = await findVisibleMonitor(ctx, monitorId);
  await audited(
    ctx,
    (ctx) => ctx.stores.monitors.delete(ctx.organization.id, monitorId),
    (isDeleted) =>
      isDeleted
        ? {
            action: 'monitor.remove',
            target: targetOf(monitor),
            data: { project: monitor.project.slug, slug: monitor.slug },
          }
        : null,
  );
}

/** Mutes or disables a monitor in one environment, or the reverse. Throws NotFound. */
export async function updateMonitorEnvironment(
  ctx: Context,
  monitorId: number,
  name: string,
  change: { isMuted?: boolean; isDisabled?: boolean },
): Promise<ProjectMonitor> {
  requireAlertWrite(ctx);
  const monitor = await findVisibleMonitor(ctx, monitorId);
  const environment = environmentOf(monitor, name);
  const after = {
    id: environment.id,
    isMuted: change.isMuted ?? environment.isMuted,
    isDisabled: change.isDisabled ?? environment.isDisabled,
  };
  await audited(
    ctx,
    (ctx) => ctx.stores.monitors.updateEnvironment(after, ctx.now()),
    () => ({
      action: 'monitor.environment.edit',
      target: targetOf(monitor),
      data: { environment: name, isMuted: after.isMuted, isDisabled: after.isDisabled },
    }),
  );
  return await findVisibleMonitor(ctx, monitorId);
}

/** What is known of the monitor in the environment; its next check-in there begins anew. Throws NotFound. */
export async function deleteMonitorEnvironment(ctx: Context, monitorId: number, name: string): Promise<void> {
  requireAlertWrite(ctx);
  const monitor = await findVisibleMonitor(ctx, monitorId);
  const environment = environmentOf(monitor, name);
  await audited(
    ctx,
    (ctx) => ctx.stores.monitors.deleteEnvironment(environment.id),
    () => ({
      action: 'monitor.environment.remove',
      target: targetOf(monitor),
      data: { environment: name },
    }),
  );
}

function environmentOf(monitor: ProjectMonitor, name: string): MonitorEnvironment {
  const found = monitor.environments.find((environment) => environment.name === name);
  if (found) return found;
  throw notFound(`The monitor ${monitor.slug} has not checked in from "${name.slice(0, 80)}"`);
}

const targetOf = ({ id, name }: Pick<Monitor, 'id' | 'name'>): AuditedChange['target'] => ({
  kind: 'monitor',
  id,
  name,
});
