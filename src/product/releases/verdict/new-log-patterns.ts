import { limitConcurrency } from '#lib/limit-concurrency.ts';
import { parameterize } from '#pipeline/grouping/parameterize.ts';
import type { Context } from '#product/context.ts';
import { type RowQuestion, readRowGroups } from '#product/explore/rows/explored-rows.ts';
import { exactTerm } from '#product/performance/performance-search.ts';
import type { LogPattern } from './release-verdict.ts';

/** Messages of each release that are made patterns: the most frequent. */
const MESSAGES_MAX = 2_000;
/** Characters of a message that its pattern is of. */
const MESSAGE_CHARACTERS_MAX = 300;
/** Patterns that are shown; each is looked for before the release by itself. */
const PATTERNS_MAX = 8;
/** Of the candidates, in case that some were there before. */
const CANDIDATES_MAX = 16;
const QUESTIONS_AT_ONCE_MAX = 2;
/** One line is a coincidence. */
const LINES_MIN = 2;

type Asked = Omit<RowQuestion, 'dataset' | 'query' | 'within'>;

/**
 * Patterns of the lines of a release that neither the release before wrote in its time, nor any other release in as long a
 * time before it. Throws Invalid when there are too many lines.
 */
export async function listNewLogPatterns(
  ctx: Context,
  asked: Asked,
  own: { version: string; range: RowQuestion['range'] },
  before: { version: string; range: RowQuestion['range'] } | null,
): Promise<readonly LogPattern[]> {
  const [patterns, known] = await Promise.all([
    readPatterns(ctx, { ...asked, range: own.range }, own.version),
    before
      ? readPatterns(ctx, { ...asked, range: before.range }, before.version)
      : new Map<string, LogPattern>(),
  ]);
  const candidates = [...patterns.values()]
    .filter(({ pattern, lines }) => lines >= LINES_MIN && !known.has(pattern))
    .toSorted((one, other) => other.lines - one.lines)
    .slice(0, CANDIDATES_MAX);
  const lengthMs = own.range.toMs - own.range.fromMs;
  const earlier = { fromMs: Math.max(0, own.range.fromMs - lengthMs), toMs: own.range.toMs };
  const isNew = limitConcurrency(async ({ pattern }: LogPattern): Promise<boolean> => {
    const { groups } = await readRowGroups(
      ctx,
      {
        ...asked,
        dataset: 'logs',
        range: earlier,
        query: '',
        within: `${patternTerm(pattern)} !${exactTerm('release', own.version)}`,
      },
      { groupBy: [], functions: ['count()'], sort: null, limit: 1, offset: 0 },
    );
    return (groups[0]?.values[0] ?? 0) === 0;
  }, QUESTIONS_AT_ONCE_MAX);
  const checked = await Promise.all(candidates.map(async (each) => ((await isNew(each)) ? [each] : [])));
  return checked.flat().slice(0, PATTERNS_MAX);
}

async function readPatterns(ctx: Context, asked: Asked, version: string): Promise<Map<string, LogPattern>> {
  const { groups } = await readRowGroups(
    ctx,
    { ...asked, dataset: 'logs', query: '', within: exactTerm('release', version) },
    { groupBy: ['message', 'severity'], functions: ['count()'], sort: null, limit: MESSAGES_MAX, offset: 0 },
  );
  const patterns = new Map<string, LogPattern>();
  for (const {
    keys: [message = '', level = ''],
    values: [count],
  } of groups) {
    const example = message.slice(0, MESSAGE_CHARACTERS_MAX);
    const pattern = parameterize(example);
    const known = patterns.get(pattern);
    if (pattern.trim() === '') continue;
    patterns.set(pattern, {
      ...(known ?? { pattern, level, example }),
      lines: (known?.lines ?? 0) + (count ?? 0),
    });
  }
  return patterns;
}

/** What finds the lines of a pattern: anything in place of what varies. */
export function patternTerm(pattern: string): string {
  const texts = pattern.split(PLACEHOLDER).map((text) => text.replace(/["\\*]/g, '\\$&'));
  return `message:"${texts.join('*')}*"`;
}
const PLACEHOLDER = /<[a-z0-9_]+>/;
