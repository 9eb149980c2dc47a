import type { Log } from '#lib/log.ts';
import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import type { GroupingRules } from '#pipeline/grouping/grouping-types.ts';
import { compileIngestRules, type IngestRules } from '#pipeline/ingest-rules.ts';
import type { ActiveGroupingRules } from '#product/grouping/grouping-change.ts';
import type { GroupingRulesStore } from '#product/grouping/store/rules-store.ts';
import type { IngestSettingsStore } from '#product/ingest-settings/ingest-settings-store.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { PolledTable } from './polled-table.ts';

/** Projects whose compiled settings are kept in memory. */
const PROJECTS_MAX = 50_000;

/** What digest does with each project's items; the last known rules count while the store is away. */
export class RulesTable extends PolledTable {
  readonly #store: Pick<IngestSettingsStore, 'listEffective'>;
  readonly #groupingStore: Pick<GroupingRulesStore, 'listActive'>;
  readonly #defaults = compileIngestRules(DEFAULT_INGEST_SETTINGS);
  #rules = new Map<number, { text: string; rules: IngestRules }>();
  #grouping = new Map<number, { version: number; rules: GroupingRules }>();

  constructor(
    store: Pick<IngestSettingsStore, 'listEffective'>,
    groupingStore: Pick<GroupingRulesStore, 'listActive'>,
    log: Log,
  ) {
    super(log, 'Project rules could not be refreshed');
    this.#store = store;
    this.#groupingStore = groupingStore;
  }

  /** A project that is not known yet has the defaults, as every new one does. */
  find(projectId: number): IngestRules {
    return this.#rules.get(projectId)?.rules ?? this.#defaults;
  }

  /** Compiles only what changed. */
  protected async load(): Promise<void> {
    const [settingsOfProjects, groupingOfProjects] = await Promise.all([
      this.#store.listEffective(PROJECTS_MAX),
      this.#groupingStore.listActive(PROJECTS_MAX),
    ]);
    const grouping = new Map(groupingOfProjects.map((own) => [own.projectId, this.#compileGrouping(own)]));
    const next = new Map<number, { text: string; rules: IngestRules }>();
    for (const { projectId, settings } of settingsOfProjects) {
      const own = grouping.get(projectId);
      const text = `${own?.version ?? 0} ${JSON.stringify(settings)}`;
      const known = this.#rules.get(projectId);
      const rules = known?.text === text ? known.rules : compileIngestRules(settings, own?.rules);
      next.set(projectId, { text, rules });
    }
    this.#grouping = grouping;
    this.#rules = next;
  }

  /** A version never changes. */
  #compileGrouping(own: ActiveGroupingRules): { version: number; rules: GroupingRules } {
    const known = this.#grouping.get(own.projectId);
    return known?.version === own.version
      ? known
      : { version: own.version, rules: compileGroupingRules(own).rules };
  }
}
