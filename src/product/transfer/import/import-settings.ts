import { UPTIME_INTERVALS } from '#domain/uptime/monitor.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { createDashboard } from '#product/dashboards/dashboards.ts';
import { readDashboardFile } from '#product/dashboards/import-dashboard.ts';
import { createMonitor } from '#product/monitors/change-monitors.ts';
import { DEFAULT_MONITOR_SETTINGS } from '#product/monitors/monitor.ts';
import { createUptimeMonitor } from '#product/uptime/uptime-monitors.ts';
import type { SavedQuestion } from '#storage/ports/saved-question.ts';
import type { RecordOf } from '../records.ts';
import { requireProject } from './import-projects.ts';
import { note } from './import-report.ts';
import { type ImportState, ownerOf, userOf } from './import-state.ts';
import type { RecordImporter } from './record-importer.ts';

/** Searches that are looked through for one of the same name. */
const SEARCHES_MAX = 10_000;

export const savedSearchImporter: RecordImporter<'saved_search'> = {
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  async find(ctx, state, record) {
    const userId = await searcherOf(ctx, state, record);
    const store = record.dataset === 'issues' ? ctx.stores.savedSearches : ctx.stores.savedQueries;
    const found = await store.list(ctx.organization.id, userId, SEARCHES_MAX);
    const same = found.find(
      ({ name, isShared }) =>
        name.toLowerCase() === record.name.toLowerCase() && isShared === record.isShared,
    );
    return same ? String(same.id) : null;
  },
  async create(ctx, state, record) {
    const { name, query, isShared, dataset, question } = record;
    const userId = await searcherOf(ctx, state, record);
    const common = { name, query, isShared };
    if (dataset === 'issues') {
      const search = { ...common, sort: record.sort ?? ('date' as const) };
      return String(
        (await ctx.stores.savedSearches.create(ctx.organization.id, userId, search, ctx.now())).id,
      );
    }
    if (question === null) throw invalid('It does not say how its rows are shown');
    const asked = { ...common, dataset, question: question as SavedQuestion };
    return String((await ctx.stores.savedQueries.create(ctx.organization.id, userId, asked, ctx.now())).id);
  },
};

/** Who saved it, if they are here; what everybody sees goes to an owner of the organization otherwise. */
async function searcherOf(
  ctx: Context,
  state: ImportState,
  { owner, isShared }: RecordOf<'saved_search'>,
): Promise<string> {
  const userId = userOf(state, owner);
  if (userId !== null) return userId;
  if (!isShared && owner !== null) throw invalid(`It is private to ${owner}, who is not a member here`);
  const members = await ctx.stores.members.list(ctx.organization.id);
  const first = members.find(({ role }) => role === 'owner') ?? members[0];
  if (!first) throw invalid('The organization has no member who could own it');
  return first.userId;
}

export const monitorImporter: RecordImporter<'monitor'> = {
  idOf: ({ id }) => id,
  nameOf: ({ slug }) => slug,
  async find(ctx, state, { project, slug }) {
    const { id } = requireProject(state, project);
    const [found] = await ctx.stores.monitors.findBySlug(ctx.organization.id, [id], slug);
    return found ? String(found.id) : null;
  },
  async create(ctx, state, record) {
    const { slug, name, schedule, timeZone, isDisabled, isMuted } = record;
    const defaults = DEFAULT_MONITOR_SETTINGS;
    const { id } = await createMonitor(ctx, {
      projectSlug: requireProject(state, record.project).slug,
      slug,
      name,
      schedule,
      timeZone,
      isDisabled,
      isMuted,
      owner: monitorOwner(state, record),
      checkinMargin: record.checkinMargin ?? defaults.checkinMargin,
      maxRuntime: record.maxRuntime ?? defaults.maxRuntime,
      failureIssueThreshold: record.failureIssueThreshold ?? defaults.failureIssueThreshold,
      recoveryThreshold: record.recoveryThreshold ?? defaults.recoveryThreshold,
    });
    return String(id);
  },
};

const monitorOwner = (state: ImportState, { owner }: Pick<RecordOf<'monitor'>, 'owner'>) =>
  ownerOf(state, owner);

export const uptimeMonitorImporter: RecordImporter<'uptime_monitor'> = {
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  async find(ctx, state, { project, name, url }) {
    const { id } = requireProject(state, project);
    const scope = { organizationId: ctx.organization.id, projectIds: [id] };
    const monitors = await ctx.stores.uptimeMonitors.list(scope, { limit: SEARCHES_MAX, after: null });
    const found = monitors.find((one) => one.name === name && one.url === url);
    return found ? String(found.id) : null;
  },
  async create(ctx, state, record) {
    const { name, url, intervalSeconds, environment, isEnabled, definition, headerNames } = record;
    const owner = ownerOf(state, record.owner);
    const { monitor } = await createUptimeMonitor(ctx, {
      projectSlug: requireProject(state, record.project).slug,
      name,
      url,
      intervalSeconds: UPTIME_INTERVALS.find((offered) => offered >= intervalSeconds) ?? intervalSeconds,
      environment,
      owner: owner && {
        kind: owner.kind,
        id: owner.kind === 'user' ? owner.userId : String(owner.teamId),
      },
      isEnabled,
      headers: {},
      definition,
    });
    if (headerNames.length > 0) {
      note(state.report, {
        kind: 'uptime_monitor',
        id: record.id,
        name,
        result: 'unmapped',
        reason: `Its headers are secret and did not come along: enter ${headerNames.join(', ')} again`,
      });
    }
    return String(monitor.id);
  },
};

export const dashboardImporter: RecordImporter<'dashboard'> = {
  idOf: ({ id }) => id,
  nameOf: titleOf,
  async find(ctx, _state, record) {
    const title = titleOf(record).toLowerCase();
    const all = await ctx.stores.dashboards.list(ctx.organization.id, '', SEARCHES_MAX);
    const found = all.find((one) => one.title.toLowerCase() === title);
    return found ? String(found.id) : null;
  },
  async create(ctx, state, { content, format, createdBy }) {
    const read = format === 'errata' ? content : readDashboardFile(JSON.stringify(content));
    const { id } = await createDashboard(ctx, read);
    const creatorId = userOf(state, createdBy);
    if (creatorId) await ctx.stores.transfers.setCreator(ctx.organization.id, 'dashboards', id, creatorId);
    return String(id);
  },
};

function titleOf({ content }: RecordOf<'dashboard'>): string {
  return typeof content.title === 'string' ? content.title : '';
}
