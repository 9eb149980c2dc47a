import { setTimeout as delay } from 'node:timers/promises';
import type { SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import { type LoadableFiles, type WaitBudget, withSymbols } from '#product/symbolication/project-symbols.ts';
import { readAttempt } from './attempt-file.ts';

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

/** How much time may be saved (milliseconds), and which part of the time that passes is. */
type Saving = { savedMs: number; share: number };

/**
 * Projects and organizations whose waiting time is remembered. Beyond it, the one idle longest gets its full time
 * again.
 */
const OWNERS_MAX = 10_000;

/** Time that each owner may spend: whoever never spent any has all that can be saved. */
export class SavedTime {
  readonly #saving: Saving;
  readonly #owners = new Map<number, { leftMs: number; at: number }>();

  constructor(saving: Saving) {
    this.#saving = saving;
  }

  /** Below zero when more was spent than there was. */
  left(owner: number, nowMs: number): number {
    const { savedMs, share } = this.#saving;
    const known = this.#owners.get(owner);
    return known ? Math.min(savedMs, known.leftMs + (nowMs - known.at) * share) : savedMs;
  }

  spend(owner: number, spentMs: number, nowMs: number): void {
    const leftMs = this.left(owner, nowMs) - spentMs;
    this.#owners.delete(owner);
    if (this.#owners.size >= OWNERS_MAX) {
      const [oldest] = this.#owners.keys();
      if (oldest !== undefined) this.#owners.delete(oldest);
    }
    this.#owners.set(owner, { leftMs, at: nowMs });
  }
}

const LOOK_EVERY_MS = 100;
/** Between two ranges the file says for a moment that nothing is under way. */
const LOOKS_AT_FIRST = 3;

/**
 * Resolves when what the digest of this machine has understood by now is stored: once it has got past the range that
 * it has begun. After `timeoutMs` at the latest, since a store may be away, and when `signal` says stop.
 */
export async function waitForDigest(path: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  const wait = () => delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  const endsAt = performance.now() + timeoutMs;
  let begunTo = 0;
  for (let looks = 1; ; looks++) {
    const attempt = readAttempt(path);
    if (looks <= LOOKS_AT_FIRST) begunTo = Math.max(begunTo, attempt?.to ?? 0);
    else if ((attempt?.from ?? 0) >= begunTo) return;
    if (signal?.aborted || performance.now() >= endsAt) return;
    await wait();
  }
}
