import type { Log } from '#lib/log.ts';
import {
  type CompiledOwnership,
  compileOwnership,
  findOwners,
  type OwnedEvent,
} from '#pipeline/ownership/find-owners.ts';
import type { IssueDeletionStore } from '#product/issue-deletion/issue-deletion-store.ts';
import type { OwnershipStore } from '#product/ownership/ownership-store.ts';
import type { IssueOwnerRule } from '#storage/ports/digest.ts';
import { BudgetOfSecond, PolledTable } from './polled-table.ts';

/** Projects whose ownership rules are kept in memory. */
const PROJECTS_MAX = 50_000;
/** Discarded hashes of the instance, newest first; about 100 bytes each. */
const DISCARDED_HASHES_MAX = 500_000;
/** Comparisons for the owners of new issues in one second, at worst a fifth of it. Later issues stay unassigned. */
const COMPARISONS_PER_SECOND_MAX = 20_000_000;

type Source = {
  issueDeletions: Pick<IssueDeletionStore, 'stampDiscarded' | 'listDiscardedHashes'>;
  ownership: Pick<OwnershipStore, 'stamp' | 'listAutoAssigning'>;
};

/**
 * What people decided about issues and digest must know: hashes whose events are dropped, and owners. Loaded again when
 * it changed, at most seconds late; the last known state counts while the store is away.
 */
export class IssueRulesTable extends PolledTable {
  readonly #source: Source;
  readonly #now: () => number;
  #discarded = new Map<number, Set<string>>();
  #discardedStamp = '';
  #onDiscard: () => void = () => {};
  #owners = new Map<number, CompiledOwnership>();
  #ownersStamp = '';
  readonly #budget = new BudgetOfSecond(COMPARISONS_PER_SECOND_MAX);

  constructor(source: Source, log: Log, now: () => number = Date.now) {
    super(log, 'Owners and discarded issues could not be refreshed');
    this.#source = source;
    this.#now = now;
  }

  isDiscarded(projectId: number, groupingHashes: readonly string[]): boolean {
    const discarded = this.#discarded.get(projectId);
    return discarded !== undefined && groupingHashes.some((hash) => discarded.has(hash));
  }

  /** Grouping hashes of a project whose events are dropped. */
  listDiscarded(projectId: number): readonly string[] {
    return [...(this.#discarded.get(projectId) ?? [])];
  }

  /** Tells that hashes were discarded, or may come again. One listener. */
  onDiscard(listen: () => void): void {
    this.#onDiscard = listen;
  }

  /** The rule by which a new issue is assigned; null for none. */
  findOwner(projectId: number, event: OwnedEvent): IssueOwnerRule | null {
    const ownership = this.#owners.get(projectId);
    if (!ownership) return null;
    const { matches } = findOwners(ownership, event, { limit: 1, budget: this.#budget.at(this.#now()) });
    const [match] = matches;
    if (!match || match.rule.owners.length === 0) return null;
    const { source, line, text } = match.rule;
    return { owners: match.rule.owners, rule: { source, line, text, value: match.value } };
  }

  async load(): Promise<void> {
    const { issueDeletions, ownership } = this.#source;
    const discardedStamp = await issueDeletions.stampDiscarded();
    if (discardedStamp !== this.#discardedStamp) {
      this.#discarded = byProject(await issueDeletions.listDiscardedHashes(DISCARDED_HASHES_MAX));
      this.#discardedStamp = discardedStamp;
      this.#onDiscard();
    }
    const ownersStamp = await ownership.stamp();
    if (ownersStamp === this.#ownersStamp) return;
    const projects = await ownership.listAutoAssigning(PROJECTS_MAX);
    this.#owners = new Map(projects.map((project) => [project.projectId, compileOwnership(project)]));
    this.#ownersStamp = ownersStamp;
  }
}

function byProject(hashes: readonly { projectId: number; hash: string }[]): Map<number, Set<string>> {
  const grouped = new Map<number, Set<string>>();
  for (const { projectId, hash } of hashes) {
    const known = grouped.get(projectId);
    if (known) known.add(hash);
    else grouped.set(projectId, new Set([hash]));
  }
  return grouped;
}
