import { z } from 'zod';
import type { Context } from '#product/context.ts';
import { groupRows, listRows, type RowQuestion } from '#product/explore/rows/explored-rows.ts';
import { FUNCTION_NAMES } from '#product/explore/rows/function-types.ts';
import { listRowFields, listRowValues } from '#product/explore/rows/row-fields.ts';
import { ROW_DATASETS, type RowDataset } from '#storage/ports/explore-rows.ts';
import { periodInput, projectInput, questionInputs, questionOf, rangeOf } from '../inputs.ts';
import { DATA_SENTENCE, fencedRows, moment, moreRows, paragraphs } from '../text/answer.ts';
import { functionTitle, numberText } from '../text/number-text.ts';
import { defineTool } from '../tool.ts';

const PERIOD_DEFAULT = '24h';
const NAME = z.string().min(1).max(200);

const datasetInput = z
  .enum(ROW_DATASETS as [RowDataset, ...RowDataset[]])
  .describe('spans (is_transaction:true for transactions), logs or metrics.');

/** What a row shows when no fields are asked for. */
const FIELDS_DEFAULT: Readonly<Record<RowDataset, readonly string[]>> = {
  spans: ['span.op', 'span.description', 'span.duration', 'span.status', 'transaction', 'span_id'],
  logs: ['severity', 'message'],
  metrics: ['metric.name', 'value', 'metric.unit'],
};

const INPUT = z.strictObject({
  dataset: datasetInput,
  ...questionInputs(
    'The search, such as span.op:db span.duration:>500ms, severity:error "timed out", trace:<ID>, tags[cart.size,number]:>3. Defaults to everything.',
    PERIOD_DEFAULT,
  ),
  fields: z
    .array(NAME)
    .max(12)
    .default([])
    .describe('Fields and attributes of each row; only without functions.'),
  functions: z
    .array(NAME)
    .max(10)
    .default([])
    .describe(
      `Returns numbers instead of rows, such as count(), p95(span.duration), avg(value), count_unique(user). Functions: ${FUNCTION_NAMES.join(', ')}.`,
    ),
  group_by: z.array(NAME).max(5).default([]).describe('Fields and attributes to group the functions by.'),
  sort: NAME.optional().describe(
    'Field or function to sort by, with - for descending. Defaults to the newest rows, or the first function, largest first.',
  ),
});
type Input = z.output<typeof INPUT>;

export const searchTelemetry = defineTool({
  name: 'search_telemetry',
  title: 'Search spans, logs and metrics',
  description:
    'Stored spans, logs or metric values that match a search, newest first; or, with functions, numbers over them, by group if group_by is given. Answers questions like "which database queries are slowest?", "what did the service log before the error?", "how often does this endpoint fail?". list_attributes returns what can be searched and grouped by.',
  right: 'event:read',
  input: INPUT,
  async run(ctx, input) {
    const question = { dataset: input.dataset, ...questionOf(input, ctx.now()) };
    return input.functions.length === 0 && input.group_by.length === 0
      ? await tellRows(ctx, question, input)
      : await tellGroups(ctx, question, input);
  },
});

async function tellRows(ctx: Context, question: RowQuestion, input: Input): Promise<string> {
  const fields = input.fields.length > 0 ? input.fields : FIELDS_DEFAULT[input.dataset];
  const { rows, nextCursor } = await listRows(ctx, question, {
    fields,
    sort: input.sort ?? '-timestamp',
    limit: input.limit,
    cursor: input.cursor ?? null,
  });
  if (rows.length === 0) return nothing(input);
  return paragraphs(
    DATA_SENTENCE,
    `Each row: ${named(['time', 'project', 'trace', ...fields])}`,
    fencedRows(
      rows.map(({ occurredAtUs, projectSlug, traceId, values }) =>
        [
          moment(occurredAtUs / 1_000),
          projectSlug,
          traceId ?? 'no trace',
          ...values.map((value) => value || '-'),
        ].join(' | '),
      ),
    ),
    moreRows(nextCursor),
  );
}

async function tellGroups(ctx: Context, question: RowQuestion, input: Input): Promise<string> {
  const { groups, functions, distinct, hasMore } = await groupRows(ctx, question, {
    groupBy: input.group_by,
    functions: input.functions.length > 0 ? input.functions : ['count()'],
    sort: input.sort ?? null,
    limit: input.limit,
    offset: input.offset,
  });
  if (groups.length === 0) return nothing(input);
  return paragraphs(
    DATA_SENTENCE,
    `${input.group_by.length === 0 ? '' : `${distinct} groups. `}Each row: ${named([
      ...functions.map(functionTitle),
      ...input.group_by,
    ])}`,
    fencedRows(
      groups.map(({ keys, values }) =>
        [
          ...functions.map((each, index) => numberText(each, values[index] ?? null)),
          ...keys.map((key) => key || '(none)'),
        ].join(' | '),
      ),
    ),
    hasMore && `There are more: call this again with the offset ${input.offset + groups.length}.`,
  );
}

const named = (names: readonly string[]): string => names.join(' | ').replaceAll('`', '');

const nothing = ({ dataset, period }: Pick<Input, 'dataset' | 'period'>): string =>
  `No matching ${dataset} in the last ${period}.`;

export const listAttributes = defineTool({
  name: 'list_attributes',
  title: 'List attributes',
  description:
    'What spans, logs or metrics can be searched and grouped by: their fields and the attributes of the newest rows, with their types; or, with attribute, the most frequent values of one.',
  right: 'event:read',
  input: z.strictObject({
    dataset: datasetInput,
    project: projectInput,
    period: periodInput.default('14d'),
    attribute: NAME.optional().describe('Returns the values of this field or attribute instead.'),
    contains: z.string().max(200).default('').describe('Part of the name, or of the value.'),
  }),
  async run(ctx, { dataset, project, period, attribute, contains }) {
    const asked = {
      dataset,
      projectSlugs: project ? [project] : [],
      range: rangeOf(period, ctx.now()),
    };
    if (attribute !== undefined) {
      const values = await listRowValues(ctx, { ...asked, field: attribute, part: contains });
      if (values.length === 0) return nothing({ dataset, period });
      return paragraphs(
        DATA_SENTENCE,
        'Each row: rows | value',
        fencedRows(values.map(({ value, count }) => `${count} | ${value}`)),
      );
    }
    const fields = (await listRowFields(ctx, asked)).filter(({ name }) => name.includes(contains));
    if (fields.length === 0) return nothing({ dataset, period });
    return paragraphs(
      DATA_SENTENCE,
      'Each row: name | type. Compare a number with tags[name,number]:>1.',
      fencedRows(
        fields.map(({ name, type, isColumn }) => `${name} | ${type}${isColumn ? '' : ', attribute'}`),
      ),
    );
  },
});
