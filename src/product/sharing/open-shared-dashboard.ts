import type { Dashboard, Widget } from '#domain/dashboards/dashboard.ts';
import { queriesOf } from '#domain/dashboards/widget-queries.ts';
import { isErrataError } from '#lib/errors.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { hashSecret } from '#lib/one-time-secret.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { readWidget, type WidgetData, type WidgetPlace } from '#product/dashboards/read-widget.ts';
import type { Services } from '#product/services.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Widgets are asked anew after so long, however many people look at them. */
const PAGE_AGE_MS_MAX = 60 * SECOND_MS;
/** Pages that are kept. */
const PAGES_MAX = 100;
/** Questions of all public pages that are asked at the same time. */
const QUESTIONS_AT_ONCE_MAX = 2;
const PERIOD_DEFAULT_MS = 14 * DAY_MS;

/** A widget with its answer; null when it cannot be answered now. */
export type SharedWidget = {
  widget: Pick<
    Widget,
    'id' | 'title' | 'display' | 'dataset' | 'text' | 'groupBy' | 'fields' | 'width' | 'height'
  >;
  /** Of its queries; empty for one without. */
  aliases: readonly string[];
  data: WidgetData | null;
};

/**
 * What everybody may see of a shared dashboard: its title, its description, and what its widgets show of the projects that
 * it was shared with. Searches, names of projects that are not in an answer, who made it, and everything else of the
 * organization is not in it.
 */
export type SharedDashboard = {
  title: string;
  description: string;
  widgets: readonly SharedWidget[];
  /** Milliseconds since the epoch. */
  range: { fromMs: number; toMs: number };
  expiresAt: number;
  readAt: number;
};

type Read = Pick<SharedDashboard, 'widgets' | 'range' | 'readAt'>;
const kept = new Map<string, { at: number; read: Promise<Read> }>();

const ask = limitConcurrency(
  (ctx: Context, widget: Widget, place: WidgetPlace) => answerWidget(ctx, widget, place),
  QUESTIONS_AT_ONCE_MAX,
);

/**
 * null when the token opens nothing, or nothing any more. Whether it does is looked up each time; what the widgets show is
 * up to a minute old.
 */
export async function openSharedDashboard(
  services: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  token: string,
): Promise<SharedDashboard | null> {
  if (!TOKEN.test(token)) return null;
  const { stores, now } = services;
  const share = await stores.dashboardShares.open(hashSecret(token), now());
  if (!share) return null;
  const { organizationId, projectIds, expiresAt } = share;
  const [organization, dashboard, projects] = await Promise.all([
    stores.projects.findOrganization(share.organizationSlug),
    stores.dashboards.find(organizationId, '', share.dashboardId),
    stores.projects.listProjects(organizationId),
  ]);
  const projectSlugs = projects.flatMap(({ id, slug }) => (projectIds.includes(id) ? [slug] : []));
  // Without a project, a question would be about all of them.
  if (!organization || !dashboard || projectSlugs.length === 0) return null;
  const ctx: Context = { ...services, organization, actor: READER };
  const key = JSON.stringify([dashboard.id, dashboard.version, share.createdAt, projectSlugs]);
  const { widgets, range, readAt } = await keep(key, now(), () => readAll(ctx, dashboard, projectSlugs));
  const { title, description } = dashboard;
  return { title, description, widgets, range, expiresAt, readAt };
}

/** May read events of the projects that a question names, and nothing else. */
const READER: Context['actor'] = {
  kind: 'organization_token',
  tokenId: 0,
  name: 'Public page',
  scopes: ['event:read'],
};

async function keep(key: string, nowMs: number, read: () => Promise<Read>): Promise<Read> {
  const known = kept.get(key);
  if (known && nowMs - known.at < PAGE_AGE_MS_MAX && nowMs >= known.at) return await known.read;
  const reading = read();
  kept.delete(key);
  kept.set(key, { at: nowMs, read: reading });
  if (kept.size > PAGES_MAX) kept.delete(kept.keys().next().value!);
  // What could not be read is read again by the next one.
  reading.catch(() => kept.delete(key));
  return await reading;
}

async function readAll(
  ctx: Context,
  { widgets, filters }: Dashboard,
  projectSlugs: readonly string[],
): Promise<Read> {
  const readAt = ctx.now();
  const range = { fromMs: readAt - periodMs(filters.period), toMs: readAt };
  const place = { projectSlugs, environments: filters.environments, range, terms: [] };
  return {
    widgets: await Promise.all(
      widgets.map(async (widget) => {
        const { id, title, display, dataset, text, groupBy, fields, width, height } = widget;
        return {
          widget: { id, title, display, dataset, text, groupBy, fields, width, height },
          aliases: queriesOf(widget).map(({ alias }) => alias),
          data: await ask(ctx, widget, place),
        };
      }),
    ),
    range,
    readAt,
  };
}

/** Why a widget cannot be answered is nothing for the public. */
async function answerWidget(ctx: Context, widget: Widget, place: WidgetPlace): Promise<WidgetData | null> {
  try {
    const answer = await orUnavailable(readWidget(ctx, widget, place));
    return answer.ok ? answer.value : null;
  } catch (error) {
    if (!isErrataError(error)) throw error;
    return null;
  }
}

const UNITS_MS: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

const periodMs = (period: string | null): number =>
  period === null ? PERIOD_DEFAULT_MS : Number(period.slice(0, -1)) * (UNITS_MS[period.slice(-1)] ?? 0);
