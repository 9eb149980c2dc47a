import type { SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import type { ProjectScope } from '#product/artifacts/locate-source-map.ts';
import type { DigestSymbols } from '../digest-symbols.ts';
import type { SymbolAnswer, SymbolWish } from './thread-messages.ts';

/**
 * Looks up what a thread needs where uploaded files are held, within the time that records may wait for them: for each
 * question of a record anew.
 */
export function answerSymbols(
  symbols: Pick<DigestSymbols, 'run'>,
  scope: ProjectScope,
  wishes: readonly SymbolWish[],
): Promise<readonly SymbolAnswer[]> {
  return symbols.run(scope, (sources) => wishes.map((wish) => answerWish(sources, wish)));
}

/** While something is on its way the answer is thrown away: any will do. */
function answerWish(sources: SymbolSources, wish: SymbolWish): SymbolAnswer {
  switch (wish.kind) {
    case 'script': {
      const script = sources.findScript(wish.reference);
      if (script === 'unknown') return NOT_YET;
      if (script.kind === 'absent') return { kind: 'script', script };
      const { findSource: _, ...found } = script;
      return { kind: 'script', script: found };
    }
    case 'source': {
      const script = sources.findScript(wish.reference);
      if (script === 'unknown' || script.kind === 'absent') return NOT_YET;
      const text = script.findSource(wish.index);
      return text === 'unknown' ? NOT_YET : { kind: 'source', text: text?.utf8 ?? null };
    }
    case 'mapping': {
      const mapping = sources.findMapping(wish.debugId);
      if (mapping === 'unknown') return NOT_YET;
      return { kind: 'mapping', mapping: 'reason' in mapping ? mapping : mapping.packed };
    }
    case 'symbols': {
      const symbols = sources.findSymbols(wish.debugId);
      return symbols === 'unknown' ? NOT_YET : { kind: 'symbols', symbols };
    }
  }
}

const NOT_YET: SymbolAnswer = { kind: 'source', text: null };
