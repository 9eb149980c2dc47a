import type { ScriptReference, SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import type { MappingFiles } from './mapping-files.ts';
import type { NativeSymbolFiles } from './native-symbol-files.ts';
import type { ScriptFiles } from './script-files.ts';

/** Time that may be waited for uploaded files, of however many events. */
export type WaitBudget = { leftMs: number };

/** What is in memory, and what brings more: `load…` answers false when there is no room for one more on its way. */
export type LoadableFiles = {
  scripts: Pick<ScriptFiles, 'find' | 'findSource' | 'load' | 'loadSource'>;
  mappings: Pick<MappingFiles, 'find' | 'load'>;
  native: Pick<NativeSymbolFiles, 'find' | 'load'>;
};

/** Files that one envelope may ask for. */
export const WANTED_MAX = 100;
const LOADS_AT_ONCE = 8;
/** A map, then a source, and once more should something be forgotten in between. */
const ROUNDS_MAX = 4;

/** Symbolicates, again after missing files loaded within the budget. Throws ErrataError 'unavailable'. */
export async function withSymbols<Result>(
  files: LoadableFiles,
  scope: ProjectScope,
  budget: WaitBudget,
  run: (sources: SymbolSources) => Result,
): Promise<Result> {
  const symbols = new ProjectSymbols(files, scope);
  for (let round = 0; ; round++) {
    const result = run(symbols.sources);
    if (symbols.isComplete) return result;
    if (round === ROUNDS_MAX) symbols.giveUp();
    else await symbols.load(budget);
  }
}

class ProjectSymbols {
  readonly #files: LoadableFiles;
  readonly #scope: ProjectScope;
  readonly #wanted = new Map<string, () => Promise<boolean>>();
  readonly #late = new Set<string>();
  #wantedCount = 0;
  #hasGivenUp = false;

  readonly sources: SymbolSources = {
    findScript: (reference) => {
      const known = this.#files.scripts.find(this.#scope, reference);
      if (known === 'unknown') {
        const key = keyOf(reference);
        if (this.#isLate(key)) return { kind: 'absent', reason: 'not_loaded_in_time', url: reference.url };
        this.#want(key, () => this.#files.scripts.load(this.#scope, reference));
        return 'unknown';
      }
      if (known.kind === 'absent') return known;
      const { file, foundBy, baseUrl } = known.located;
      return {
        kind: 'found',
        file,
        foundBy,
        baseUrl,
        map: known.map,
        findSource: (index) => {
          const text = this.#files.scripts.findSource(this.#scope, known, index);
          if (text !== 'unknown') return text;
          const key = `${keyOf(reference)} ${index}`;
          if (this.#isLate(key)) return null;
          this.#want(key, () => this.#files.scripts.loadSource(this.#scope, reference, known, index));
          return 'unknown';
        },
      };
    },
    findMapping: (debugId) => {
      const known = this.#files.mappings.find(this.#scope, debugId);
      if (known !== 'unknown') return known;
      const key = `mapping ${debugId}`;
      if (this.#isLate(key)) return { reason: 'not_loaded_in_time', url: debugId };
      this.#want(key, () => this.#files.mappings.load(this.#scope, debugId));
      return 'unknown';
    },
    findSymbols: (debugId) => {
      const known = this.#files.native.find(this.#scope, debugId);
      if (known !== 'unknown') return known;
      const key = `symbols ${debugId}`;
      if (this.#isLate(key)) return { reason: 'not_loaded_in_time', url: debugId };
      this.#want(key, () => this.#files.native.load(this.#scope, debugId));
      return 'unknown';
    },
  };

  constructor(files: LoadableFiles, scope: ProjectScope) {
    this.#files = files;
    this.#scope = scope;
  }

  /** Whether everything that was asked for was answered. */
  get isComplete(): boolean {
    return this.#wanted.size === 0;
  }

  /** From now on nothing is waited for. */
  giveUp(): void {
    this.#hasGivenUp = true;
    this.#wanted.clear();
  }

  /** Loads what was asked for, and waits as long as the budget lasts. */
  async load(budget: WaitBudget): Promise<void> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const startedAt = performance.now();
    const deadline = new AbortController();
    // Whoever has no time left does not wait for a timer either.
    if (budget.leftMs <= 0) deadline.abort();
    const timer = setTimeout(() => deadline.abort(), Math.max(0, budget.leftMs));
    const runs = Array.from({ length: LOADS_AT_ONCE }, async () => {
      for (let next = wanted.pop(); next; next = wanted.pop()) {
        const [key, load] = next;
        if (!(await within(load(), deadline.signal))) this.#late.add(key);
      }
    });
    try {
      await Promise.all(runs);
    } finally {
      // Once one has failed, the others start nothing more.
      wanted.length = 0;
      clearTimeout(timer);
      const leftMs = budget.leftMs - (performance.now() - startedAt);
      // A timer may fire a fraction of a millisecond early: nothing is left then all the same.
      budget.leftMs = deadline.signal.aborted ? Math.min(0, leftMs) : leftMs;
    }
  }

  #isLate(key: string): boolean {
    if (this.#hasGivenUp || this.#late.has(key)) return true;
    return this.#wantedCount >= WANTED_MAX && !this.#wanted.has(key);
  }

  #want(key: string, load: () => Promise<boolean>): void {
    if (!this.#wanted.has(key)) this.#wantedCount++;
    this.#wanted.set(key, load);
  }
}

/** False when there was no room, or the signal came first; what fails after that is nobody's. */
async function within(loading: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const stop = () => resolve(false);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([loading, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    loading.catch(() => {});
  }
}

const keyOf = ({ url, debugId, release, dist }: ScriptReference): string =>
  `${url}\n${debugId ?? ''}\n${release ?? ''}\n${dist ?? ''}`;
