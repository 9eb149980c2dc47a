import type { RowQuestion } from '#product/explore/rows/explored-rows.ts';
import { FUNCTION_NAMES, SPAN_FUNCTIONS } from '#product/explore/rows/function-types.ts';

const WITHOUT_FIELD: ReadonlySet<string> = new Set([
  'count',
  'epm',
  'eps',
  'first_seen',
  'last_seen',
  ...SPAN_FUNCTIONS,
]);
/** Functions that are offered; any other can be typed. */
const OFFERED_MAX = 200;

/** Every function over each number that rows have. */
export function functionsFor(
  dataset: RowQuestion['dataset'],
  fields: readonly { name: string; type: string }[],
): readonly string[] {
  const numbers = fields.filter(({ type }) => type === 'number').map(({ name }) => name);
  return FUNCTION_NAMES.filter((name) => dataset === 'spans' || !SPAN_FUNCTIONS.has(name))
    .flatMap((name) => {
      if (WITHOUT_FIELD.has(name)) return [`${name}()`];
      const names = name === 'count_unique' ? fields.map((each) => each.name) : numbers;
      return names.map((field) => `${name}(${field})`);
    })
    .slice(0, OFFERED_MAX);
}
