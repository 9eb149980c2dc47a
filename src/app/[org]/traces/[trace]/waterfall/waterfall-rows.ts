import type { ShownSpan, SpanTree } from './span-tree.ts';

export type WaterfallRow =
  | { kind: 'span'; key: string; depth: number; span: ShownSpan; isOpen: boolean }
  /** Brothers of one kind in a row, such as the queries of a loop. */
  | {
      kind: 'repeats';
      key: string;
      depth: number;
      spans: readonly [ShownSpan, ...ShownSpan[]];
      isOpen: boolean;
    }
  /** Time of a span in which none of those that it started ran. */
  | { kind: 'gap'; key: string; depth: number; startUs: number; endUs: number };

/** Keys of the rows that are not as they are at first: spans are open at first, repeats closed. */
export type Toggled = ReadonlySet<string>;

const REPEATS_MIN = 5;
const GAP_US_MIN = 100_000;
/** Shorter gaps of a long span are nothing to wonder about. */
const GAP_SHARE_MIN = 0.1;

/** The rows in view, in the order of reading. */
export function listRows({ roots }: Pick<SpanTree, 'roots'>, toggled: Toggled): readonly WaterfallRow[] {
  const rows: WaterfallRow[] = [];
  const open: WaterfallRow[] = groupBrothers(roots, 0, toggled).toReversed();
  for (let row = open.pop(); row; row = open.pop()) {
    rows.push(row);
    if (row.kind === 'gap' || !row.isOpen) continue;
    const below =
      row.kind === 'span'
        ? withGaps(row.span, row.depth + 1, toggled)
        : row.spans.map((span) => spanRow(span, row.depth + 1, toggled));
    for (const each of below.toReversed()) open.push(each);
  }
  return rows;
}

/** Those that have to change for a row of the span to be there. */
export function rowsAbove(span: ShownSpan, toggled: Toggled): Toggled {
  const next = new Set(toggled);
  for (let each: ShownSpan | null = span; each; each = each.parent) {
    if (each !== span) next.delete(each.spanId);
    const first = each.parent && runOf(each, each.parent.children);
    if (first) next.add(repeatsKey(first));
  }
  return next;
}

function spanRow(span: ShownSpan, depth: number, toggled: Toggled): WaterfallRow {
  const isOpen = span.children.length > 0 && !toggled.has(span.spanId);
  return { kind: 'span', key: span.spanId, depth, span, isOpen };
}

function groupBrothers(spans: readonly ShownSpan[], depth: number, toggled: Toggled): WaterfallRow[] {
  const rows: WaterfallRow[] = [];
  for (let at = 0; at < spans.length; ) {
    const [first, ...others] = spans.slice(at, endOfRun(spans, at));
    if (!first) break;
    at += others.length + 1;
    if (others.length + 1 < REPEATS_MIN) {
      rows.push(...[first, ...others].map((span) => spanRow(span, depth, toggled)));
      continue;
    }
    const key = repeatsKey(first);
    rows.push({ kind: 'repeats', key, depth, spans: [first, ...others], isOpen: toggled.has(key) });
  }
  return rows;
}

/** Where the brothers that are like the one at `at` end. */
function endOfRun(spans: readonly ShownSpan[], at: number): number {
  const first = spans[at];
  let end = at + 1;
  while (first && isAlike(first, spans[end])) end++;
  return end;
}

const isAlike = (a: ShownSpan, b: ShownSpan | undefined): boolean => a.op === b?.op && a.name === b.name;

/** The first of the repeats that the span is one of; null when it stands alone. */
function runOf(span: ShownSpan, brothers: readonly ShownSpan[]): ShownSpan | null {
  let start = brothers.indexOf(span);
  const end = endOfRun(brothers, start);
  while (isAlike(span, brothers[start - 1])) start--;
  return end - start < REPEATS_MIN ? null : (brothers[start] ?? null);
}

const repeatsKey = (first: ShownSpan): string => `repeats ${first.spanId}`;

/** What a span started, with a row for each stretch of it that is not accounted for. */
function withGaps(span: ShownSpan, depth: number, toggled: Toggled): WaterfallRow[] {
  const longEnough = Math.max(GAP_US_MIN, (span.endUs - span.startUs) * GAP_SHARE_MIN);
  const rows: WaterfallRow[] = [];
  let coveredUs = span.startUs;
  const gapUntil = (endUs: number) => {
    if (endUs - coveredUs < longEnough) return;
    rows.push({ kind: 'gap', key: `gap ${span.spanId} ${coveredUs}`, depth, startUs: coveredUs, endUs });
  };
  for (const row of groupBrothers(span.children, depth, toggled)) {
    const spans: readonly ShownSpan[] =
      row.kind === 'repeats' ? row.spans : row.kind === 'span' ? [row.span] : [];
    gapUntil(Math.min(spans[0]?.startUs ?? coveredUs, span.endUs));
    rows.push(row);
    coveredUs = spans.reduce((last, { endUs }) => Math.max(last, endUs), coveredUs);
  }
  gapUntil(span.endUs);
  return rows;
}
