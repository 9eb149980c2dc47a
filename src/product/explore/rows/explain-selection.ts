import { standardErrors } from '#domain/statistics/compare-shares.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import type { AskedField, RowColumn, RowDataset } from '#storage/ports/explore-rows.ts';
import { contrastedName, SHARES_DIFFER_MIN } from './contrast-rows.ts';
import type { RowQuestion } from './explored-rows.ts';
import { openRows } from './open-rows.ts';

export type ExplainedValue = {
  /** A field as a search spells it. */
  name: string;
  /** Projects by slug, issues by short id. */
  value: string;
  /** Of the selected rows that were looked at, and of the others. */
  selected: number;
  others: number;
};

/** What came shortly before a selection, oldest first. */
export type Arrival = {
  kind: 'release' | 'deploy';
  version: string;
  /** Of a deploy. */
  environment: string | null;
  atMs: number;
};

export type ExplainedSelection = {
  selection: Range;
  /** All rows of the question in the selection, and outside of it. */
  total: { selected: number; others: number };
  /** Those that were looked at: fewer where there are many. */
  looked: { selected: number; others: number };
  isSampled: boolean;
  /** The largest difference of shares first. */
  values: readonly ExplainedValue[];
  arrivals: readonly Arrival[];
};

/** Rows of either side that are looked at; of more, evenly one in so many. */
const LOOKED_ROWS_MAX = 20_000;
const EXPLAINED_VALUES_MAX = 20;
/** Read beyond those that are shown: some of them are chance. */
const READ_VALUES_MAX = 60;
const ARRIVALS_MAX = 10;
/** Fewer rows with a value are a coincidence. */
const SELECTED_MIN = 5;
/** Hundreds of values are compared at once: a difference that chance makes once in a thousand times is none. */
const ERRORS_MIN = 3.3;

/** Columns that rows share; the attributes of a row are compared by themselves. */
const COLUMNS: { readonly [Dataset in RowDataset]: readonly RowColumn[] } = {
  spans: [
    'release',
    'environment',
    'segment_name',
    'op',
    'normalized_name',
    'status',
    'user',
    'platform',
    'sdk',
  ],
  logs: ['release', 'environment', 'level', 'body', 'sdk'],
  metrics: ['release', 'environment', 'name'],
};
const ERROR_FIELDS: readonly AskedField[] = [
  { kind: 'grouping', standIns: new Map() },
  ...(['release', 'environment', 'transaction', 'level', 'platform', 'user.id', 'sdk.name'] as const).map(
    (name) => ({ kind: 'column', name }) as const,
  ),
];

/**
 * Which values are more frequent in a part of the time than in the rest of it, by more than chance, and which releases and
 * deploys came shortly before. Of many rows a sample is read. Throws as `groupRows`, and Invalid for a selection that is not
 * a part of the range.
 */
export async function explainSelection(
  ctx: Context,
  question: RowQuestion,
  selection: Range,
): Promise<ExplainedSelection> {
  checkRange(selection);
  const { dataset, range } = question;
  if (selection.toMs <= range.fromMs || selection.fromMs >= range.toMs) {
    throw invalid('The selection is outside of the time range: select a part of it', 'selection');
  }
  const opened = await openRows(ctx, question);
  const { scope, asked, projects } = opened;
  const selected = { kind: 'time', range: selection } as const;
  const [counted, fields, arrivals] = await Promise.all([
    ctx.stores.rowExplore.countSelected(scope, asked, selected),
    opened.withStandIns(fieldsOf(dataset)),
    listArrivals(
      ctx,
      projects.map(({ id }) => id),
      selection,
    ),
  ]);
  const total = { selected: counted.selected, others: counted.rows - counted.selected };
  const oneOf = { selected: oneOfMany(total.selected), others: oneOfMany(total.others) };
  const found =
    total.selected === 0 || total.others === 0
      ? { rows: 0, selected: 0, values: [] }
      : await ctx.stores.rowExplore.contrast(scope, asked, {
          selected,
          fields,
          oneOf,
          selectedMin: SELECTED_MIN,
          max: READ_VALUES_MAX,
        });
  const looked = { selected: found.selected, others: found.rows - found.selected };
  const values = found.values
    .map(({ field, value, rows, selected: hits }) => ({ field, value, selected: hits, others: rows - hits }))
    .filter((each) => isMoreThanChance(each, looked));
  return {
    selection,
    total,
    looked,
    isSampled: oneOf.selected > 1 || oneOf.others > 1,
    values: await nameValues(opened, dataset, values),
    arrivals,
  };
}

const fieldsOf = (dataset: RowQuestion['dataset']): readonly AskedField[] => [
  { kind: 'project' },
  ...(dataset === 'errors'
    ? ERROR_FIELDS
    : COLUMNS[dataset].map((name): AskedField => ({ kind: 'row', name }))),
];

const oneOfMany = (rows: number): number => Math.max(1, Math.ceil(rows / LOOKED_ROWS_MAX));

type Sides = { selected: number; others: number };

function isMoreThanChance({ selected, others }: Sides, looked: Sides): boolean {
  const difference = selected / looked.selected - others / looked.others;
  const errors = standardErrors({ hits: selected, of: looked.selected }, { hits: others, of: looked.others });
  return difference >= SHARES_DIFFER_MIN && errors !== null && errors >= ERRORS_MIN;
}

/** What SDKs say of themselves stands in columns; attributes of that kind repeat them. */
const OWN_PREFIX = 'sentry.';
/** A message without its values is worth more than the message. */
const TEMPLATE = 'sentry.message.template';

/** Each field and value once: what is a column may be sent as a tag too. */
async function nameValues(
  opened: Awaited<ReturnType<typeof openRows>>,
  dataset: RowQuestion['dataset'],
  values: readonly (Sides & { field: AskedField; value: string })[],
): Promise<readonly ExplainedValue[]> {
  const seen = new Set<string>();
  const named: ExplainedValue[] = [];
  for (const { field, value, selected, others } of values) {
    const [only] = await opened.withNames([field], [{ keys: [value] }]);
    const text = only?.keys[0] ?? '';
    const name = contrastedName(dataset, field);
    if (name.startsWith(OWN_PREFIX) && name !== TEMPLATE) continue;
    const key = `${name.replace(/^tags\[(.*)\]$/, '$1')}\n${text}`;
    if (text === '' || seen.has(key)) continue;
    seen.add(key);
    named.push({ name, value: text, selected, others });
    if (named.length === EXPLAINED_VALUES_MAX) break;
  }
  return named;
}

/** As long before a selection as it is itself, at least an hour and at most a day. */
const leadOf = ({ fromMs, toMs }: Range): number => Math.min(DAY_MS, Math.max(HOUR_MS, toMs - fromMs));

async function listArrivals(
  ctx: Context,
  projectIds: readonly number[],
  selection: Range,
): Promise<readonly Arrival[]> {
  const range = { fromMs: selection.fromMs - leadOf(selection), toMs: selection.toMs };
  const organizationId = ctx.organization.id;
  const [{ releases }, deploys] = await Promise.all([
    ctx.stores.releases.listPage(organizationId, projectIds, {
      search: '',
      versions: null,
      status: null,
      range,
      sort: 'date',
      limit: ARRIVALS_MAX,
      after: null,
    }),
    ctx.stores.deploys.listBetween(organizationId, projectIds, range, ARRIVALS_MAX),
  ]);
  return [
    ...releases.map(
      ({ version, releasedAt, firstSeen }): Arrival => ({
        kind: 'release',
        version,
        environment: null,
        atMs: releasedAt ?? firstSeen,
      }),
    ),
    ...deploys.map(
      ({ version, environment, finishedAt }): Arrival => ({
        kind: 'deploy',
        version,
        environment,
        atMs: finishedAt,
      }),
    ),
  ]
    .toSorted((one, other) => one.atMs - other.atMs)
    .slice(-ARRIVALS_MAX);
}
