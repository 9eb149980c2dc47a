import type { Log } from '#lib/log.ts';
import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import type { GroupingRules } from '#pipeline/grouping/grouping-types.ts';
import { compileIngestRules, type IngestRules } from '#pipeline/ingest-rules.ts';
import type { ActiveGroupingRules } from '#product/grouping/grouping-change.ts';
import type { GroupingRulesStore } from '#product/grouping/store/rules-store.ts';
import type { IngestSettingsStore } from '#product/ingest-settings/ingest-settings-store.ts';
import { DEFAULT_INGEST_SETTINGS, type IngestSettings } from '#protocol/ingest-settings.ts';
import { PolledTable } from './polled-table.ts';
import type { ProjectFacts } from './understanding/thread-messages.ts';

/** Projects whose compiled settings are kept in memory. */
const PROJECTS_MAX = 50_000;

/** `text` is what it was compiled from. */
type ProjectEntry = { text: string; settings: IngestSettings; rules: IngestRules };
type GroupingEntry = { version: number; own: ActiveGroupingRules; rules: GroupingRules };

/** What digest does with each project's items; the last known rules count while the store is away. */
export class RulesTable extends PolledTable {
  readonly #store: Pick<IngestSettingsStore, 'listEffective'>;
  readonly #groupingStore: Pick<GroupingRulesStore, 'listActive'>;
  readonly #defaults = compileIngestRules(DEFAULT_INGEST_SETTINGS);
  #rules = new Map<number, ProjectEntry>();
  #grouping = new Map<number, GroupingEntry>();
  #onChange: (projectIds: readonly number[]) => void = () => {};

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

  /** What the rules of a project are compiled from; null where the defaults count. */
  describe(projectId: number): Pick<ProjectFacts, 'settings' | 'grouping'> {
    return {
      settings: this.#rules.get(projectId)?.settings ?? null,
      grouping: this.#grouping.get(projectId)?.own ?? null,
    };
  }

  /** Tells whose rules came, changed or went with a load. One listener. */
  onChange(listen: (projectIds: readonly number[]) => void): void {
    this.#onChange = listen;
  }

  /** Compiles only what changed. */
  protected async load(): Promise<void> {
    const [settingsOfProjects, groupingOfProjects] = await Promise.all([
      this.#store.listEffective(PROJECTS_MAX),
      this.#groupingStore.listActive(PROJECTS_MAX),
    ]);
    const grouping = new Map(groupingOfProjects.map((own) => [own.projectId, this.#compileGrouping(own)]));
    const next = new Map<number, ProjectEntry>();
    const changed: number[] = [];
    for (const { projectId, settings } of settingsOfProjects) {
      const own = grouping.get(projectId);
      const text = `${own?.version ?? 0} ${JSON.stringify(settings)}`;
      const known = this.#rules.get(projectId);
      if (known?.text === text) next.set(projectId, known);
      else {
        next.set(projectId, { text, settings, rules: compileIngestRules(settings, own?.rules) });
        changed.push(projectId);
      }
    }
    for (const projectId of this.#rules.keys()) if (!next.has(projectId)) changed.push(projectId);
    this.#grouping = grouping;
    this.#rules = next;
    if (changed.length > 0) this.#onChange(changed);
  }

  /** A version never changes. */
  #compileGrouping(own: ActiveGroupingRules): GroupingEntry {
    const known = this.#grouping.get(own.projectId);
    return known?.version === own.version
      ? known
      : { version: own.version, own, rules: compileGroupingRules(own).rules };
  }
}
