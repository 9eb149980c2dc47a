import { isErrataError } from '#lib/errors.ts';

/** One among a thousand that is too much is found with four looks that fail. */
const PARTS = 8;

export type PartAnswers<Item, Answer> = {
  answers: ReadonlyMap<Item, Answer>;
  /** What is too much even alone. */
  tooMuch: ReadonlySet<Item>;
};

/**
 * Asks for all items at once, and in smaller and smaller parts where the store says that it is too much (Invalid), so that
 * one item does not answer for the others. What is in neither part of the answer was not asked for before the time was
 * over.
 */
export async function askInParts<Item, Answer>(
  items: readonly Item[],
  ask: (part: readonly Item[]) => Promise<readonly Answer[]>,
  hasTime: () => boolean,
): Promise<PartAnswers<Item, Answer>> {
  const answers = new Map<Item, Answer>();
  const tooMuch = new Set<Item>();
  const left = [items];
  while (hasTime()) {
    const part = left.pop();
    if (!part) break;
    try {
      const found = await ask(part);
      for (const [index, item] of part.entries()) answers.set(item, found[index]!);
    } catch (error) {
      if (!isErrataError(error) || error.code !== 'invalid') throw error;
      if (part.length === 1) tooMuch.add(part[0]!);
      else left.push(...cut(part));
    }
  }
  return { answers, tooMuch };
}

function cut<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const size = Math.ceil(items.length / PARTS);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
