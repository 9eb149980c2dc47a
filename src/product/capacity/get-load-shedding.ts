import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import { isInstanceOwner } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { getDetectionBudget } from '#product/performance-issues/detection-budget.ts';
import { requireRight } from '#product/permissions.ts';
import { GROUP_OF_KIND, GROUPS_WITH_BLOBS } from '#product/retention/storage-settings.ts';
import type { DropReason } from '#product/retention/store/retention-store.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { type BlobRefusal, findBlobRefusal, indexStorage } from '#protocol/storage-budget.ts';
import type { StoredKind } from '#storage/ports/stored-days.ts';
import { type Forecast, forecastDisk } from './forecast-disk.ts';

/** One thing that a project loses or gets less of, and how much of it. */
export type ShedLoad = {
  projectSlug: string;
  projectName: string;
} & (
  | { kind: 'rate_limited'; category: string; reason: string; lastHour: number; lastDay: number }
  /** Events are stored and counted; these without their body. */
  | { kind: 'sampled_bodies'; lastHour: number; lastDay: number; eventsLastDay: number }
  /** New attachments, recordings, profiles and dumps are rejected now. */
  | { kind: 'blobs_refused'; refusal: BlobRefusal }
  /** Dropped for a budget within the last day. */
  | { kind: 'dropped'; reason: Exclude<DropReason, 'age'>; rows: number; bytes: number }
  /** Performance issues are not looked for until the hour is over. */
  | { kind: 'detection_paused'; events: number; eventsMax: number }
);

export type LoadShedding = {
  /** Those that go on now come first. */
  shed: readonly ShedLoad[];
  /** For the instance's owner; null for others, whose organization shares the disk. */
  disk: { usedBytes: number; budgetBytes: number; spoolBytes: number; forecast: Forecast } | null;
};

/** Drops looked at: those of a day. */
const DROPS_MAX = 500;
/** Projects whose detection is looked at: each is a question. */
const DETECTION_PROJECTS_MAX = 100;

/** What is sampled, limited and dropped now in the projects that the actor sees, and why; how long the disk lasts. */
export async function getLoadShedding(ctx: Context): Promise<LoadShedding> {
  requireRight(ctx, 'org:read');
  const { outcomes, storedDays, retention } = ctx.stores;
  const nowMs = ctx.now();
  const projects = await listVisibleProjects(ctx);
  const ids = projects.map(({ id }) => id);
  const organizationId = ctx.organization.id;
  // Outcomes are counted by the hour: what goes on now is in this one or the last.
  const toMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS + HOUR_MS;
  const range = { fromMs: toMs - DAY_MS, toMs };
  const [series, bodiesOfDay, bodiesOfHour, drops, state, detection] = await Promise.all([
    outcomes.seriesByProject(organizationId, ids, range, HOUR_MS),
    storedDays.countBodies(organizationId, nowMs - DAY_MS),
    storedDays.countBodies(organizationId, nowMs - HOUR_MS),
    retention.listDrops(DROPS_MAX),
    retention.findState(),
    Promise.all(
      projects.slice(0, DETECTION_PROJECTS_MAX).map(async (project) => ({
        project,
        budget: await getDetectionBudget(ctx, project.slug),
      })),
    ),
  ]);
  const index = state && indexStorage(state);
  const shed = projects.flatMap(({ id, slug, name }): ShedLoad[] => {
    const named = { projectSlug: slug, projectName: name };
    const limited = series
      .filter(({ projectId, outcome }) => projectId === id && outcome === 'rate_limited')
      .map(({ category, reason, total, buckets }): ShedLoad => {
        const lastHour = buckets.slice(-2).reduce((sum, count) => sum + count, 0);
        return { ...named, kind: 'rate_limited', category, reason, lastHour, lastDay: total };
      });
    const bodies = bodiesOfDay.find(({ projectId }) => projectId === id);
    const lastHour = bodiesOfHour.find(({ projectId }) => projectId === id)?.withoutBody ?? 0;
    const sampled: ShedLoad[] =
      bodies && bodies.withoutBody > 0
        ? [
            {
              ...named,
              kind: 'sampled_bodies',
              lastHour,
              lastDay: bodies.withoutBody,
              eventsLastDay: bodies.events,
            },
          ]
        : [];
    const refusal = index && findBlobRefusal(index, id);
    const refused: ShedLoad[] = refusal ? [{ ...named, kind: 'blobs_refused', refusal }] : [];
    const own = drops.filter(
      ({ projectId, reason, startedAt }) =>
        projectId === id && reason !== 'age' && startedAt >= nowMs - DAY_MS,
    );
    const dropped = [...Map.groupBy(own, ({ reason }) => reason)].map(
      ([reason, some]): ShedLoad => ({
        ...named,
        kind: 'dropped',
        reason: reason as Exclude<DropReason, 'age'>,
        rows: some.reduce((sum, { rows }) => sum + rows, 0),
        bytes: some.reduce((sum, { bytes }) => sum + bytes, 0),
      }),
    );
    const budget = detection.find(({ project }) => project.id === id)?.budget;
    const paused: ShedLoad[] =
      budget && budget.spent >= budget.perHour
        ? [{ ...named, kind: 'detection_paused', events: budget.spent, eventsMax: budget.perHour }]
        : [];
    return [...refused, ...dropped, ...limited, ...sampled, ...paused];
  });
  return {
    shed: shed.toSorted((a, b) => Number(isNow(b)) - Number(isNow(a))),
    disk: isInstanceOwner(ctx) ? await readDisk(ctx) : null,
  };
}

/** Whether it goes on at this moment, as far as counts by the hour tell. */
export const isNow = (shed: ShedLoad): boolean => !('lastHour' in shed) || shed.lastHour > 0;

async function readDisk({ stores, now }: Context): Promise<NonNullable<LoadShedding['disk']>> {
  const [usage, rows, blobs, kept] = await Promise.all([
    stores.disk.measure(),
    stores.storedDays.list(),
    stores.blobs.listDays(),
    stores.retention.findDays(),
  ]);
  const blobDays = Math.max(...GROUPS_WITH_BLOBS.map((group) => kept[group]));
  const forecast = forecastDisk({
    days: [...rows, ...blobs.map(({ day, bytes }) => ({ kind: 'blobs', day, bytes }))],
    retentionDays: (kind) => (kind === 'blobs' ? blobDays : kept[GROUP_OF_KIND[kind as StoredKind]]),
    usedBytes: usage.usedBytes,
    budgetBytes: usage.budgetBytes,
    nowMs: now(),
  });
  return {
    usedBytes: usage.usedBytes,
    budgetBytes: usage.budgetBytes,
    spoolBytes: usage.parts.spool,
    forecast,
  };
}
