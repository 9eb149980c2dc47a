import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { MINUTE_MS } from '#lib/time.ts';

/** The estimate takes more than linear time; whatever comes behind these characters can only make a password stronger. */
const ESTIMATED_CHARS_MAX = 64;
/** One estimate takes longer the more words of the person's own there are. */
const OWN_WORDS_MAX = 40;
const OWN_WORD_CHARS = { min: 3, max: 64 } as const;
/** The index of the word lists takes 15 MB of memory, and passwords are set rarely. */
const ESTIMATOR_KEPT_MS = MINUTE_MS;

/** What makes a password easy to guess. */
export type Weakness = 'own_words' | 'common' | 'pattern' | 'simple';

export type PasswordStrength = {
  /** Decimal logarithm of the number of guesses that a good cracking program needs. */
  guessesLog10: number;
  weakness: Weakness;
};

/** How hard a password is to guess for somebody who knows these words about the person: address, name, organization. */
export async function estimatePassword(
  password: string,
  ownWords: readonly string[],
): Promise<PasswordStrength> {
  const estimator = await loadEstimator();
  const { guessesLog10, sequence } = estimator.check(
    password.slice(0, ESTIMATED_CHARS_MAX),
    splitOwnWords(ownWords),
  );
  return { guessesLog10, weakness: findWeakness(sequence) };
}

let loaded: { estimator: Promise<ZxcvbnFactory>; timer: NodeJS.Timeout } | null = null;

function loadEstimator(): Promise<ZxcvbnFactory> {
  const estimator = loaded?.estimator ?? createEstimator();
  clearTimeout(loaded?.timer);
  const timer = setTimeout(() => {
    loaded = null;
  }, ESTIMATOR_KEPT_MS).unref();
  loaded = { estimator, timer };
  return estimator;
}

async function createEstimator(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    maxLength: ESTIMATED_CHARS_MAX,
  });
}

/** Each text as a whole, each of its parts, and the parts as one word, with and without accents. */
function splitOwnWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => {
    const lower = text
      .trim()
      .toLowerCase()
      .slice(0, OWN_WORD_CHARS.max * 4);
    const plain = lower.normalize('NFKD').replace(/\p{M}/gu, '');
    return [lower, plain].flatMap((form) => {
      const parts = form.split(/[^\p{L}\p{N}]+/u);
      return [form, ...form.split('@'), parts.join(''), ...parts];
    });
  });
  const usable = words.filter(({ length }) => length >= OWN_WORD_CHARS.min && length <= OWN_WORD_CHARS.max);
  return [...new Set(usable)].slice(0, OWN_WORDS_MAX);
}

type Match = ReturnType<ZxcvbnFactory['check']>['sequence'][number];

function findWeakness(sequence: readonly Match[]): Weakness {
  const has = (is: (match: Match) => boolean) => sequence.some(is);
  if (has((match) => match.pattern === 'dictionary' && match.dictionaryName === 'userInputs')) {
    return 'own_words';
  }
  if (has(({ pattern }) => pattern === 'repeat' || pattern === 'sequence' || pattern === 'spatial')) {
    return 'pattern';
  }
  return has(({ pattern }) => pattern === 'dictionary') ? 'common' : 'simple';
}
