import { z } from 'zod';
import { rangeUpToNow } from '#app/api/0/endpoints/events/events-question.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { type Parameter, PROJECTS, RANGE, text } from '#app/api/0/query.ts';
import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import { listRowFields, listRowValues } from '#product/explore/rows/row-fields.ts';
import type { RowColumnType, RowDataset } from '#storage/ports/explore-rows.ts';

/** Sentry's names of what has attributes. */
const ITEM_TYPES: Readonly<Record<string, RowDataset>> = {
  span: 'spans',
  spans: 'spans',
  logs: 'logs',
  ourlogs: 'logs',
  tracemetrics: 'metrics',
  metrics: 'metrics',
};

/** Spans when none is named. Throws Invalid. */
export function readItemType(text: string | null): RowDataset {
  const dataset = ownValue(ITEM_TYPES, text || 'spans');
  if (dataset) return dataset;
  throw invalid('itemType must be spans, logs or tracemetrics', 'itemType');
}

const ATTRIBUTE_TYPES = { text: 'string', number: 'number', flag: 'boolean' } as const satisfies Record<
  RowColumnType,
  string
>;
type AttributeType = (typeof ATTRIBUTE_TYPES)[RowColumnType];

const ITEM_TYPE = {
  dataset: {
    schema: {
      itemType: z.string().describe('What has the attributes: spans, logs or tracemetrics'),
    },
    read: (searchParams) => readItemType(searchParams.get('itemType') ?? searchParams.get('item_type')),
  } satisfies Parameter<RowDataset>,
};

const TYPES: Parameter<readonly AttributeType[]> = {
  schema: {
    attributeType: z.array(z.string()).describe('string, number or boolean; all if omitted'),
  },
  read(searchParams) {
    const names = [...searchParams.getAll('attributeType'), ...searchParams.getAll('type')];
    return names
      .filter((name) => name !== '')
      .map((name) => {
        const type = Object.values(ATTRIBUTE_TYPES).find((each) => each === name);
        if (type) return type;
        throw invalid('attributeType must be string, number or boolean', 'attributeType');
      });
  },
};

const FIND = {
  substringMatch: text('Part of the name or value'),
  ...RANGE,
  ...PROJECTS,
};

const VALUE = z.object({
  key: z.string(),
  name: z.string(),
  value: z.string(),
  count: z.number(),
});

export const attributeOperations: readonly Operation[] = [
  /** Columns and attributes of the newest rows. Source: `trace-items/attributes` of Sentry, as its clients read it. */
  get('organizations/[org]/trace-items/attributes', {
    summary: 'Lists attributes of spans, logs or metrics',
    scopes: ['event:read'],
    query: { ...ITEM_TYPE, types: TYPES, ...FIND },
    answer: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        attributeType: z.enum(['string', 'number', 'boolean']),
        attributeSource: z.object({ source_type: z.enum(['sentry', 'user']) }),
      }),
    ),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const { dataset, types, projectSlugs, range, substringMatch } = query;
      return page(async () => {
        const input = { dataset, projectSlugs, range: range ?? rangeUpToNow(ctx) };
        const fields = await listRowFields(ctx, input);
        return fields
          .map(({ name, type, isColumn }) => ({
            // A number or a flag is searched with its type; columns have theirs.
            key: isColumn || type === 'text' ? name : `tags[${name},${ATTRIBUTE_TYPES[type]}]`,
            name,
            attributeType: ATTRIBUTE_TYPES[type],
            attributeSource: { source_type: isColumn ? ('sentry' as const) : ('user' as const) },
          }))
          .filter(({ name, attributeType }) => {
            return (
              (types.length === 0 || types.includes(attributeType)) &&
              name.toLowerCase().includes((substringMatch ?? '').toLowerCase())
            );
          });
      });
    },
  }),

  /** Those of the newest rows, the most frequent first. Source: Sentry's `trace-items/attributes/{key}/values`. */
  get(
    [
      'organizations/[org]/trace-items/attributes/[key]/values',
      'organizations/[org]/spans/fields/[key]/values',
    ],
    {
      summary: 'Lists values of an attribute of spans, logs or metrics',
      scopes: ['event:read'],
      query: { ...ITEM_TYPE, ...FIND },
      answer: z.array(VALUE),
      isPaged: true,
      async handle({ ctx, params, query, page }) {
        const { dataset, projectSlugs, range, substringMatch } = query;
        return page(async () => {
          const values = await listRowValues(ctx, {
            dataset,
            projectSlugs,
            range: range ?? rangeUpToNow(ctx),
            field: params.key,
            part: substringMatch ?? '',
          });
          return values.map(({ value, count }) => ({ key: params.key, name: value, value, count }));
        });
      },
    },
  ),

  /** Texts that spans have, in the older shape. Source: Sentry's `spans/fields`. */
  get('organizations/[org]/spans/fields', {
    summary: 'Lists fields of spans',
    scopes: ['event:read'],
    query: { types: TYPES, ...FIND },
    answer: z.array(z.object({ key: z.string(), name: z.string() })),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const { projectSlugs, range, types } = query;
      const wanted = types.length === 0 ? ['string'] : types;
      return page(async () => {
        const fields = await listRowFields(ctx, {
          dataset: 'spans',
          projectSlugs,
          range: range ?? rangeUpToNow(ctx),
        });
        return fields
          .filter(({ name, type }) => {
            return wanted.includes(ATTRIBUTE_TYPES[type]) && name.includes(query.substringMatch ?? '');
          })
          .map(({ name }) => ({ key: name, name }));
      });
    },
  }),
];
