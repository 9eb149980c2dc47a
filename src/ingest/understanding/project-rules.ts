import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import { compileIngestRules, type IngestRules } from '#pipeline/ingest-rules.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import type { ProjectFacts } from './thread-messages.ts';

/** Projects whose compiled rules a thread keeps; those of others are asked for again. */
const PROJECTS_MAX = 2_000;

type Kept = { rules: IngestRules; discarded: ReadonlySet<string> };

/** Rules of the projects that a thread has records of, asked for once until they change. Records come one after the other. */
export class ProjectRules {
  readonly #ask: (projectId: number) => Promise<ProjectFacts>;
  readonly #defaults = compileIngestRules(DEFAULT_INGEST_SETTINGS);
  /** In the order in which they were asked for. */
  readonly #projects = new Map<number, Kept>();
  #current: Kept = { rules: this.#defaults, discarded: new Set() };

  constructor(ask: (projectId: number) => Promise<ProjectFacts>) {
    this.#ask = ask;
  }

  /** Begins a record: until the next one nothing changes. Rejects when the question cannot be answered. */
  async begin(projectId: number): Promise<void> {
    this.#current = this.#projects.get(projectId) ?? (await this.#load(projectId));
  }

  find(): IngestRules {
    return this.#current.rules;
  }

  isDiscarded(groupingHashes: readonly string[]): boolean {
    const { discarded } = this.#current;
    return discarded.size > 0 && groupingHashes.some((hash) => discarded.has(hash));
  }

  /** null for all. */
  forget(projectIds: readonly number[] | null): void {
    if (projectIds === null) this.#projects.clear();
    else for (const projectId of projectIds) this.#projects.delete(projectId);
  }

  async #load(projectId: number): Promise<Kept> {
    const { settings, grouping, discardedHashes } = await this.#ask(projectId);
    const rules =
      settings === null
        ? this.#defaults
        : compileIngestRules(settings, grouping ? compileGroupingRules(grouping).rules : undefined);
    const kept: Kept = { rules, discarded: new Set(discardedHashes) };
    this.#projects.set(projectId, kept);
    const [oldest] = this.#projects.keys();
    if (this.#projects.size > PROJECTS_MAX && oldest !== undefined) this.#projects.delete(oldest);
    return kept;
  }
}
