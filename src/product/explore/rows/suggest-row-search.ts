import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import {
  bestFirst,
  quoteValue,
  type Suggestion,
  type Suggestions,
} from '#product/search/suggest/suggestions.ts';
import { wordAt } from '#product/search/suggest/word-at.ts';
import type { Range } from '#product/time-buckets.ts';
import type { RowDataset } from '#storage/ports/explore-rows.ts';
import { listRowFields, listRowValues } from './row-fields.ts';
import { rowKeyNamed, searchKeysOf } from './row-keys.ts';

const SUGGESTIONS_MAX = 12;
/** A search can be written without help. */
const ANSWER_MS_MAX = 1_500;

/** How a search of rows could go on at the caret; null where nothing can be said. */
export async function suggestRowSearch(
  ctx: Context,
  input: {
    dataset: RowDataset;
    query: string;
    caret: number;
    projectSlugs: readonly string[];
    range: Range;
  },
): Promise<Suggestions | null> {
  requireRight(ctx, 'event:read');
  const word = wordAt(input.query, input.caret);
  if (word === null) return null;
  const items = word.kind === 'key' ? await keys(ctx, input, word.text) : await values(ctx, input, word);
  return { kind: word.kind, start: word.start, end: word.end, items: items.slice(0, SUGGESTIONS_MAX) };
}

type Asked = Parameters<typeof suggestRowSearch>[1];

async function keys(ctx: Context, input: Asked, text: string): Promise<readonly Suggestion[]> {
  const fields = await orUnavailable(listRowFields(ctx, input), ANSWER_MS_MAX);
  const names = fields.ok ? fields.value : [];
  const known = [{ name: 'has', type: 'text', isColumn: true }, ...names];
  return bestFirst(
    known
      .filter(({ name }) => /^[A-Za-z_][\w.-]*$/.test(name))
      .map(({ name, type, isColumn }) => ({
        text: `${name}:`,
        label: name,
        hint: isColumn ? (HINTS[type] ?? null) : 'attribute',
        events: null,
      })),
    text,
  );
}

const HINTS: Readonly<Record<string, string | null>> = {
  number: 'a number, or >100',
  flag: 'true or false',
  text: null,
};

async function values(
  ctx: Context,
  input: Asked,
  { key, text }: { key: string; text: string },
): Promise<readonly Suggestion[]> {
  const fixed = fixedValues(input.dataset, key);
  if (fixed) {
    return bestFirst(
      fixed.map((value) => ({ text: value, label: value, hint: null, events: null })),
      text,
    );
  }
  const found =
    key === 'has'
      ? listRowFields(ctx, input).then((fields) => fields.map(({ name }) => ({ value: name, count: 0 })))
      : listRowValues(ctx, { ...input, field: key, part: text });
  const answer = await orUnavailable(found, ANSWER_MS_MAX);
  if (!answer.ok) return [];
  return bestFirst(
    answer.value.map(({ value }) => ({ text: quoteValue(value), label: value, hint: null, events: null })),
    text,
  );
}

function fixedValues(dataset: RowDataset, key: string): readonly string[] | null {
  const keys = searchKeysOf(dataset);
  if (keys.isBoolean(key)) return ['true', 'false'];
  if (keys.isDate(key)) return ['-1h', '-24h', '-7d'];
  if (keys.isDuration(key)) return ['>100ms', '>1s', '>5s'];
  const known = rowKeyNamed(dataset, key);
  if (dataset === 'logs' && known.kind === 'field' && known.field.name === 'level') {
    return ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
  }
  return keys.isNumber(key) ? ['>10', '>100', '>1k'] : null;
}
