import { compileGlob, type Glob } from '#pipeline/patterns/glob.ts';

/**
 * `matches` takes the parts of a path from the root of the repository, in lower case. `cost` is how many comparisons one
 * character of the path takes at most.
 */
export type CodeownersPattern = { matches: (parts: readonly string[]) => boolean; cost: number };

/** Path segments of one pattern. */
const SEGMENTS_MAX = 64;

/**
 * A pattern of a CODEOWNERS file: `*` and `?` stay within a part of the path, `**` is any number of parts, a pattern
 * without a slash before its end fits at any depth, and one that fits a folder fits all that lies below it. Upper and
 * lower case are the same.
 */
export function compileCodeownersPattern(
  pattern: string,
): { pattern: CodeownersPattern; problem: null } | { pattern: null; problem: string } {
  const body = pattern.replace(/^\/+/, '');
  if (body === '') return { pattern: null, problem: 'it is empty' };
  if (body.startsWith('!')) return { pattern: null, problem: 'CODEOWNERS files do not support "!"' };
  const parts = body.split('/').filter((part) => part !== '');
  if (parts.length > SEGMENTS_MAX) {
    return { pattern: null, problem: `it has more than ${SEGMENTS_MAX} parts` };
  }
  const isAnchored = pattern.startsWith('/') || parts.length > 1;
  const segments: Segment[] = isAnchored ? [] : ['**'];
  for (const part of parts) {
    const segment = compileSegment(part);
    if (typeof segment === 'object' && 'problem' in segment)
      return { pattern: null, problem: segment.problem };
    segments.push(segment);
  }
  if (body.endsWith('/')) segments.push(ANYTHING, '**');
  // `docs/*` are the files of a folder, not those of the folders in it.
  else if (!(isAnchored && parts.at(-1) === '*')) segments.push('**');
  const cost = segments.reduce((sum, segment) => sum + (segment === '**' ? 1 : segment.cost), 0);
  return { pattern: { matches: (path) => matchSegments(segments, path), cost }, problem: null };
}

type Segment = '**' | Glob;

const ANYTHING: Glob = { matches: () => true, cost: 1 };

function compileSegment(part: string): Segment | { problem: string } {
  if (part === '**') return '**';
  // What else means something to a glob means itself here.
  const { glob, problem } = compileGlob(part.replaceAll(/[\\[\]{}]/g, '\\$&'));
  return glob ?? { problem };
}

/** Goes back to the last `**` only, so that the time is the product of both lengths at most. */
function matchSegments(segments: readonly Segment[], parts: readonly string[]): boolean {
  let segment = 0;
  let part = 0;
  let retrySegment = -1;
  let retryPart = 0;
  while (part < parts.length) {
    const current = segments[segment];
    if (current === '**') {
      retrySegment = segment;
      retryPart = part;
      segment += 1;
    } else if (current?.matches(parts[part] as string)) {
      segment += 1;
      part += 1;
    } else if (retrySegment >= 0) {
      retryPart += 1;
      part = retryPart;
      segment = retrySegment + 1;
    } else return false;
  }
  while (segments[segment] === '**') segment += 1;
  return segment === segments.length;
}
