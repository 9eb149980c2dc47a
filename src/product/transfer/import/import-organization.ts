import type { Mailer } from '#delivery/ports/mailer.ts';
import { isErrataError, messageOf } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { createOrganization, updateOrganization } from '#product/organizations/organizations.ts';
import { isMonitorIssueType } from '#protocol/monitor-issue.ts';
import { isPerformanceIssueType } from '#protocol/performance-issue.ts';
import type { EventSink } from '../event-sink.ts';
import { type RecordOf, TRANSFER_KINDS, type TransferKind, type TransferRecord } from '../records.ts';
import type { ReadOptions, TransferSource } from '../transfer-source.ts';
import { alertRuleImporter } from './import-alerts.ts';
import { createEventImporter, type EventImporter } from './import-events.ts';
import { memberImporter, teamImporter } from './import-people.ts';
import { environmentImporter, MissingProject, projectImporter, releaseImporter } from './import-projects.ts';
import { count, type ImportReport, MAPPED_MAX, newReport, note } from './import-report.ts';
import { createRowImporter, type RowImporter } from './import-rows.ts';
import {
  dashboardImporter,
  monitorImporter,
  savedSearchImporter,
  uptimeMonitorImporter,
} from './import-settings.ts';
import type { ImportState } from './import-state.ts';
import { keepCursor, readKeptCursor } from './kept-cursor.ts';
import { reconcileIssues } from './reconcile-issues.ts';
import type { RecordImporter } from './record-importer.ts';

export type ImportOptions = {
  isDryRun: boolean;
  /** Slug of the organization here; null for the one of the source. */
  organization: string | null;
  /** null for all. */
  kinds: ReadonlySet<TransferKind> | null;
  projects: ReadonlySet<string> | null;
  /** Of events, by their arrival; milliseconds since the epoch, half-open. */
  fromMs: number;
  toMs: number;
  /** Events a second; null for as many as digest takes. */
  rate: number | null;
  progress: (line: string) => void;
  signal: AbortSignal;
};

export type ImportDeps = Omit<Context, 'organization'> & {
  sink: EventSink;
  /** Invites people by mail; null to invite them without one. */
  mailer: Mailer | null;
};

/** Kinds whose records become something of their own. */
const IMPORTERS: { readonly [Kind in TransferKind]?: RecordImporter<Kind> } = {
  member: memberImporter,
  team: teamImporter,
  project: projectImporter,
  environment: environmentImporter,
  release: releaseImporter,
  alert_rule: alertRuleImporter,
  saved_search: savedSearchImporter,
  monitor: monitorImporter,
  uptime_monitor: uptimeMonitorImporter,
  dashboard: dashboardImporter,
};

/** What others name: read in any case. */
const ALWAYS: ReadonlySet<TransferKind> = new Set(['organization', 'project'] as const);

/**
 * Makes here what a source tells of an organization. It may be stopped at any point and run again: it goes on where it was, and makes nothing
 * twice. A dry run changes nothing. Throws what the signal throws, and ErrataError 'unavailable' when a store is away;
 * a record that cannot be made is told of in the report.
 */
export async function importOrganization(
  deps: ImportDeps,
  source: TransferSource,
  options: ImportOptions,
): Promise<ImportReport> {
  const report = newReport(source.name, options.isDryRun);
  const state: ImportState = {
    ctx: null,
    transferId: null,
    isDryRun: options.isDryRun,
    report,
    mailer: deps.mailer,
    projects: new Map(),
    teams: new Map(),
    users: new Map(),
    destinations: new Map(),
  };
  const read = readOptions(options, state, deps);
  const run = new ImportRun(deps, source, options, state, read);
  if (options.organization !== null) await run.openOrganization(options.organization, null);
  for await (const item of source.read({ ...read, after: await run.findCursor() })) {
    options.signal.throwIfAborted();
    if (item.kind === 'malformed') {
      note(report, {
        kind: 'malformed',
        id: item.place,
        name: item.place,
        result: 'failed',
        reason: item.problem,
      });
    } else if (item.kind === 'checkpoint') await run.checkpoint(item.cursor);
    else await run.take(item);
  }
  await run.finish();
  report.isComplete = true;
  return report;
}

function readOptions(
  { kinds, projects, fromMs, toMs, progress, signal }: ImportOptions,
  state: ImportState,
  { stores }: ImportDeps,
): ReadOptions {
  return {
    kinds: kinds ?? new Set(TRANSFER_KINDS),
    projects,
    fromMs,
    toMs,
    progress,
    signal,
    after: null,
    async listImported(kind, ids) {
      if (state.transferId === null) return new Set();
      return new Set((await stores.transfers.listTargets(state.transferId, kind, ids)).keys());
    },
  };
}

class ImportRun {
  readonly #deps: ImportDeps;
  readonly #source: TransferSource;
  readonly #options: ImportOptions;
  readonly #state: ImportState;
  readonly #read: ReadOptions;
  #events: EventImporter | null = null;
  #rows: RowImporter | null = null;

  constructor(
    deps: ImportDeps,
    source: TransferSource,
    options: ImportOptions,
    state: ImportState,
    read: ReadOptions,
  ) {
    this.#deps = deps;
    this.#source = source;
    this.#options = options;
    this.#state = state;
    this.#read = read;
  }

  /** Where an import of the same into the same organization was stopped; null for the beginning, as for a dry run. */
  async findCursor(): Promise<string | null> {
    const { projects, transfers } = this.#deps.stores;
    if (this.#options.isDryRun) return null;
    const slug = this.#options.organization ?? (await this.#readSlug());
    const organization = slug === null ? null : await projects.findOrganization(slug);
    if (organization === null) return null;
    const transfer = await transfers.find(organization.id, this.#source.key);
    return readKeptCursor(this.#read, transfer?.cursor ?? null);
  }

  /** Of the organization in the source, which comes first; null when it has none. */
  async #readSlug(): Promise<string | null> {
    const kinds: ReadOptions['kinds'] = new Set(['organization'] as const);
    for await (const item of this.#source.read({ ...this.#read, kinds, progress: () => {} })) {
      if (item.kind === 'organization') return item.slug;
    }
    return null;
  }

  /** The one with the slug, which is made unless this is a dry run. */
  async openOrganization(slug: string, record: RecordOf<'organization'> | null): Promise<void> {
    const state = this.#state;
    if (state.ctx !== null) return;
    state.report.organization = slug;
    const { sink: _sink, mailer: _mailer, ...base } = this.#deps;
    const known = await base.stores.projects.findOrganization(slug);
    if (record !== null || known === null) {
      count(state.report, 'organization', known ? 'matched' : 'created');
    }
    if (known === null && this.#options.isDryRun) return;
    state.ctx = known
      ? { ...base, organization: known }
      : await createOrganization(base, { slug, name: record?.name ?? slug });
    if (!known && record?.isOpen === false) {
      state.ctx = { ...state.ctx, organization: await updateOrganization(state.ctx, { isOpen: false }) };
    }
    await this.#openTransfer(state.ctx);
  }

  async #openTransfer(ctx: Context): Promise<void> {
    const state = this.#state;
    const { id: organizationId } = ctx.organization;
    const transfer = state.isDryRun
      ? await ctx.stores.transfers.find(organizationId, this.#source.key)
      : await ctx.stores.transfers.open(organizationId, this.#source, ctx.now());
    state.transferId = transfer?.id ?? null;
    for (const { email, userId } of await ctx.stores.members.list(organizationId)) {
      state.users.set(email.toLowerCase(), userId);
    }
    for (const { id, kind, name } of await ctx.stores.destinations.list(organizationId)) {
      state.destinations.set(`${kind} ${name}`.toLowerCase(), id);
    }
    if (transfer === null || state.isDryRun) return;
    const openFile: TransferSource['openFile'] = (path) => this.#source.openFile(path);
    this.#rows = createRowImporter(ctx, { ...state, transferId: transfer.id }, openFile);
    this.#events = createEventImporter(
      ctx,
      { ...state, transferId: transfer.id },
      {
        sink: this.#deps.sink,
        openFile,
        rate: this.#options.rate,
        signal: this.#options.signal,
      },
    );
  }

  async take(record: TransferRecord): Promise<void> {
    const { kinds } = this.#options;
    if (kinds !== null && !kinds.has(record.kind) && !ALWAYS.has(record.kind)) return;
    switch (record.kind) {
      case 'organization':
        return await this.openOrganization(this.#options.organization ?? record.slug, record);
      case 'unmapped':
        return this.#noteUnmapped(record);
      case 'event':
        return await this.#guard(record, record.id, record.id, () => this.#takeEvent(record));
      case 'issue':
        return await this.#guard(record, record.id, record.title, () => this.#takeIssue(record));
      case 'row':
        return await this.#guard(record, record.table, record.table, () => this.#takeRow(record));
      default:
        return await this.#takeNamed(record);
    }
  }

  #noteUnmapped({ of, id, name, reason }: RecordOf<'unmapped'>): void {
    count(this.#state.report, 'unmapped', 'unmapped');
    note(this.#state.report, { kind: 'unmapped', id: `${of} ${id}`, name, result: 'unmapped', reason });
  }

  async #takeEvent(record: RecordOf<'event'>): Promise<void> {
    const atMs = Date.parse(record.receivedAt);
    if (atMs < this.#options.fromMs || atMs >= this.#options.toMs) return;
    this.#requireProject(record.project);
    // No SDK sends these: they are found in transactions and monitors, and their issues are made of their records.
    const type = String(record.payload.type ?? 'default');
    if (isPerformanceIssueType(type) || isMonitorIssueType(type)) {
      return count(this.#state.report, 'event', 'unmapped');
    }
    if (this.#events) await this.#events.add(record);
    else count(this.#state.report, 'event', await this.#dryResult('event', `${record.project}:${record.id}`));
  }

  async #takeRow(record: RecordOf<'row'>): Promise<void> {
    this.#requireProject(record.project);
    if (this.#rows) await this.#rows.add(record);
    else count(this.#state.report, 'row', 'created');
  }

  async #takeIssue(record: RecordOf<'issue'>): Promise<void> {
    const { ctx, transferId, isDryRun } = this.#state;
    const project = this.#requireProject(record.project);
    if (isDryRun || ctx === null || transferId === null || project.id === null) {
      return count(this.#state.report, 'issue', await this.#dryResult('issue', record.id));
    }
    await ctx.stores.issueImports.noteRecord(transferId, project.id, record);
  }

  #requireProject(sourceId: string) {
    const project = this.#state.projects.get(sourceId);
    if (project) return project;
    throw new MissingProject(`Its project ${sourceId} is not here`);
  }

  async #dryResult(kind: 'event' | 'issue', id: string): Promise<'created' | 'unchanged'> {
    const { transferId } = this.#state;
    if (transferId === null) return 'created';
    const { transfers, issueImports } = this.#deps.stores;
    if (kind === 'issue') return (await issueImports.isKnown(transferId, id)) ? 'unchanged' : 'created';
    return (await transfers.listTargets(transferId, kind, [id])).has(id) ? 'unchanged' : 'created';
  }

  async #takeNamed<Kind extends TransferKind>(record: RecordOf<Kind> & { kind: Kind }): Promise<void> {
    const importer = IMPORTERS[record.kind] as RecordImporter<Kind> | undefined;
    if (!importer) return;
    if (
      record.kind === 'project' &&
      this.#options.projects?.has((record as RecordOf<'project'>).slug) === false
    )
      return;
    const sourceId = importer.idOf(record);
    const name = importer.nameOf(record);
    await this.#guard(record, sourceId, name, async () => {
      const { result, target } = await this.#make(importer, record, sourceId);
      count(this.#state.report, record.kind, result);
      const { mapped } = this.#state.report;
      if (mapped.length < MAPPED_MAX) mapped.push({ kind: record.kind, id: sourceId, name, target, result });
    });
  }

  async #make<Kind extends TransferKind>(
    importer: RecordImporter<Kind>,
    record: RecordOf<Kind> & { kind: Kind },
    sourceId: string,
  ): Promise<{ result: 'created' | 'matched' | 'unchanged'; target: string | null }> {
    const { ctx, transferId, isDryRun } = this.#state;
    const { kind } = record;
    const known =
      transferId === null
        ? new Map<string, string | null>()
        : await this.#deps.stores.transfers.listTargets(transferId, kind, [sourceId]);
    let target = known.get(sourceId) ?? null;
    let result: 'created' | 'matched' | 'unchanged' = 'unchanged';
    if (target === null) {
      target = ctx && !this.#isNewProject(record) ? await importer.find(ctx, this.#state, record) : null;
      result = target === null ? 'created' : 'matched';
      if (target === null && ctx && !isDryRun) target = await importer.create(ctx, this.#state, record);
      if (target !== null && ctx && transferId !== null && !isDryRun) {
        await ctx.stores.transfers.noteTargets(transferId, kind, [{ sourceId, target }]);
      }
    }
    await importer.settle?.(ctx, this.#state, record, target);
    return { result, target };
  }

  /** In a dry run nothing can be looked for in a project that would be made. */
  #isNewProject(record: TransferRecord): boolean {
    if (!this.#state.isDryRun || !('project' in record)) return false;
    return this.#state.projects.get(record.project)?.id === null;
  }

  /** What cannot be made is told of, and the others go on; a store that is away ends the import. */
  async #guard(record: TransferRecord, id: string, name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const isOfRecord =
        error instanceof MissingProject || (isErrataError(error) && error.code !== 'unavailable');
      if (!isOfRecord) throw error;
      if (error instanceof MissingProject && this.#options.projects !== null) return;
      count(this.#state.report, record.kind, 'failed');
      note(this.#state.report, { kind: record.kind, id, name, result: 'failed', reason: messageOf(error) });
    }
  }

  async checkpoint(cursor: string): Promise<void> {
    await this.#events?.flush();
    await this.#rows?.flush();
    const { ctx, transferId, isDryRun } = this.#state;
    if (ctx && transferId !== null && !isDryRun) {
      await ctx.stores.transfers.saveCursor(transferId, keepCursor(this.#read, cursor));
    }
  }

  async finish(): Promise<void> {
    await this.#events?.finish();
    await this.#rows?.flush();
    const { ctx, transferId, isDryRun } = this.#state;
    if (ctx === null || transferId === null || isDryRun) return;
    this.#options.progress('applying what the source says of issues');
    await reconcileIssues(ctx, { ...this.#state, transferId }, this.#options.signal);
    await ctx.stores.transfers.finish(transferId, ctx.now());
  }
}
