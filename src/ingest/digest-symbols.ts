import type { SymbolSources } from '#pipeline/symbolicate/artifacts.ts';
import type { ProjectScope } from '#product/artifacts/locate-script.ts';
import { type LoadableFiles, type WaitBudget, withSymbols } from '#product/symbolication/project-symbols.ts';
import { SavedTime } from './saved-time.ts';

/** A single record waits so long for uploaded files, at most. */
const RECORD_WAIT_MS = 8_000;
/** All records together may wait so long at once, and then for this part of the time. */
const FOR_ALL = { savedMs: 20_000, share: 0.3 };
/** Less, so that something is left to the others. */
const FOR_ORGANIZATION = { savedMs: 16_000, share: 0.25 };
const FOR_PROJECT = { savedMs: 12_000, share: 0.2 };
/** All records have the same owner. */
const ALL = 0;
/** Records that are digested without a pause have waited for what was saved, and saved meanwhile, after so long. */
export const WAITS_OVER_MS = FOR_ALL.savedMs / (1 - FOR_ALL.share);

/**
 * Symbolication within digest. Whoever sends events of more maps than can be kept read does not hold up everybody: once
 * the time for waiting is spent, events go on without their sources, and say so.
 */
export class DigestSymbols {
  readonly #files: LoadableFiles;
  readonly #now: () => number;
  readonly #ofAll = new SavedTime(FOR_ALL);
  readonly #ofOrganizations = new SavedTime(FOR_ORGANIZATION);
  readonly #ofProjects = new SavedTime(FOR_PROJECT);

  /** `now` counts milliseconds, from any moment. */
  constructor(files: LoadableFiles, now: () => number = () => performance.now()) {
    this.#files = files;
    this.#now = now;
  }

  /** Runs `digest` with what was uploaded for the project, once more after files had to be looked for. */
  async run<Result>(scope: ProjectScope, digest: (sources: SymbolSources) => Result): Promise<Result> {
    const nowMs = this.#now();
    const savings: readonly (readonly [SavedTime, number])[] = [
      [this.#ofAll, ALL],
      [this.#ofOrganizations, scope.organizationId],
      [this.#ofProjects, scope.projectId],
    ];
    const left = savings.map(([saved, owner]) => saved.left(owner, nowMs));
    const budget: WaitBudget = { leftMs: Math.min(RECORD_WAIT_MS, ...left) };
    const before = budget.leftMs;
    try {
      return await withSymbols(this.#files, scope, budget, digest);
    } finally {
      const spentMs = before - budget.leftMs;
      if (spentMs > 0) for (const [saved, owner] of savings) saved.spend(owner, spentMs, nowMs);
    }
  }
}
