import { type ObfuscationMapping, openMapping } from '#pipeline/symbolicate/java/parse-mapping.ts';
import { SourceText } from '#pipeline/symbolicate/javascript/source-text.ts';
import { bytesAt, type PackedMap } from '#pipeline/symbolicate/source-map/packed-map.ts';
import type { SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import { WANTED_MAX } from '#product/symbolication/project-symbols.ts';
import type { SymbolAnswer, SymbolWish } from './thread-messages.ts';

type Ask = (scope: ProjectScope, wishes: readonly SymbolWish[]) => Promise<readonly SymbolAnswer[]>;

/** A script, its source, and once more should one of them have been forgotten in between. */
const ROUNDS_MAX = 4;

/** What was answered: the texts of sources that lie in a map are found in it, by index. */
type Known =
  | {
      kind: 'script';
      script: Extract<SymbolAnswer, { kind: 'script' }>['script'];
      texts: Map<number, SourceText>;
    }
  | { kind: 'source'; text: SourceText | null }
  | { kind: 'mapping'; mapping: Exclude<ReturnType<SymbolSources['findMapping']>, 'unknown'> }
  | { kind: 'symbols'; symbols: Exclude<ReturnType<SymbolSources['findSymbols']>, 'unknown'> };

/** Answers that a thread keeps. */
const ANSWERS_MAX = 2_000;
/** They are asked for again after so long: the thread that holds the files decides what stays in memory. */
const KEPT_MS = 2_000;

/**
 * Symbolication in a thread that has no uploaded files: it asks for what its records need, and digests them again. What
 * was answered is kept for moments, so that files are held where they are looked up.
 */
export class ThreadSymbols {
  readonly #ask: Ask;
  readonly #known = new Map<string, Known>();
  #since = performance.now();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** To be called between two records, also while there is none. */
  forgetOld(nowMs = performance.now()): void {
    if (nowMs - this.#since < KEPT_MS && this.#known.size < ANSWERS_MAX) return;
    this.#since = nowMs;
    this.#known.clear();
  }

  /** Something was uploaded, or is gone. */
  forget(): void {
    this.#known.clear();
  }

  /** As `DigestSymbols.run`. */
  async run<Result>(scope: ProjectScope, digest: (sources: SymbolSources) => Result): Promise<Result> {
    const wanted = new Set<string>();
    const late: string[] = [];
    try {
      return await this.#digest(scope, digest, wanted, late);
    } finally {
      // The next record may wait for it again.
      for (const key of late) this.#known.delete(key);
    }
  }

  async #digest<Result>(
    scope: ProjectScope,
    digest: (sources: SymbolSources) => Result,
    wanted: Set<string>,
    late: string[],
  ): Promise<Result> {
    for (let round = 0; ; round++) {
      const wishes = new Map<string, SymbolWish>();
      const want = (key: string, wish: SymbolWish): boolean => {
        if (round === ROUNDS_MAX || (wanted.size >= WANTED_MAX && !wanted.has(key))) return false;
        wanted.add(key);
        wishes.set(key, wish);
        return true;
      };
      const result = digest(this.#sourcesOf(scope, want));
      if (wishes.size === 0) return result;
      const answers = await this.#ask(scope, [...wishes.values()]);
      for (const [index, key] of [...wishes.keys()].entries()) {
        const answer = answers[index]!;
        this.#known.set(key, open(answer));
        if (isLate(answer)) late.push(key);
      }
    }
  }

  /** `want` answers false when nothing more is looked for. */
  #sourcesOf(scope: ProjectScope, want: (key: string, wish: SymbolWish) => boolean): SymbolSources {
    const owner = `${scope.organizationId} ${scope.projectId}`;
    const findSource = (key: string, map: PackedMap, wish: SymbolWish & { kind: 'source' }) => {
      const known = this.#known.get(key);
      if (known?.kind === 'source') return known.text;
      if (map.sources[wish.index] === null || map.sources[wish.index] === undefined) return null;
      return want(key, wish) ? ('unknown' as const) : null;
    };
    return {
      findScript: (reference) => {
        const { url, debugId, release, dist } = reference;
        const key = `${owner}\n${url}\n${debugId ?? ''}\n${release ?? '\0'}\n${dist ?? '\0'}`;
        const known = this.#known.get(key);
        if (known?.kind !== 'script') {
          return want(key, { kind: 'script', reference })
            ? 'unknown'
            : { kind: 'absent', reason: 'not_loaded_in_time', url };
        }
        const { script, texts } = known;
        if (script.kind === 'absent') return script;
        return {
          ...script,
          findSource: (index) => {
            const found = texts.get(index) ?? textIn(script.map, index);
            if (found) {
              texts.set(index, found);
              return found;
            }
            return findSource(`${key} ${index}`, script.map, { kind: 'source', reference, index });
          },
        };
      },
      findMapping: (debugId) => {
        const key = `${owner} mapping ${debugId}`;
        const known = this.#known.get(key);
        if (known?.kind === 'mapping') return known.mapping;
        return want(key, { kind: 'mapping', debugId })
          ? 'unknown'
          : { reason: 'not_loaded_in_time', url: debugId };
      },
      findSymbols: (debugId) => {
        const key = `${owner} symbols ${debugId}`;
        const known = this.#known.get(key);
        if (known?.kind === 'symbols') return known.symbols;
        return want(key, { kind: 'symbols', debugId })
          ? 'unknown'
          : { reason: 'not_loaded_in_time', url: debugId };
      },
    };
  }
}

function textIn(map: PackedMap, index: number): SourceText | null {
  const bytes = bytesAt(map.contents, index);
  return bytes && new SourceText(bytes);
}

function isLate(answer: SymbolAnswer): boolean {
  if (answer.kind === 'source') return answer.text === null;
  const found =
    answer.kind === 'script' ? answer.script : answer.kind === 'mapping' ? answer.mapping : answer.symbols;
  return found !== null && 'reason' in found && found.reason === 'not_loaded_in_time';
}

function open(answer: SymbolAnswer): Known {
  switch (answer.kind) {
    case 'script':
      return { kind: 'script', script: answer.script, texts: new Map() };
    case 'source':
      return { kind: 'source', text: answer.text && new SourceText(answer.text) };
    case 'symbols':
      return answer;
    case 'mapping': {
      const { mapping } = answer;
      const opened: ObfuscationMapping | null = 'reason' in mapping ? null : openMapping(mapping);
      return { kind: 'mapping', mapping: opened ?? (mapping as Exclude<typeof mapping, { text: unknown }>) };
    }
  }
}
