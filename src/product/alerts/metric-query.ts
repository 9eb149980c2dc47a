import type { AlertMeasure } from '#domain/alerts/alert-rule.ts';
import type { Project } from '#domain/projects.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { openEventSearch } from '#product/search/read-event-search.ts';
import { EVERYTHING, type EventCondition, type EventExpression } from '#storage/ports/search.ts';

/** What the rows of a measure can be asked for; null for everything that an event has. */
const COLUMNS_OF: Readonly<Record<AlertMeasure, { columns: ReadonlySet<string>; hasTags: boolean } | null>> =
  {
    events: null,
    users: null,
    crash_free_sessions: { columns: new Set(['release', 'environment']), hasTags: false },
    crash_free_users: { columns: new Set(['release', 'environment']), hasTags: false },
    failure_rate: {
      columns: new Set([
        'transaction',
        'release',
        'dist',
        'environment',
        'platform',
        'trace',
        'user.id',
        'user.email',
        'user.username',
        'user.ip',
        'sdk.name',
        'sdk.version',
      ]),
      hasTags: true,
    },
  };

/** What a metric is measured of. Throws Invalid for a bad search, and for one that the measure does not know. */
export async function openMetricQuery(
  ctx: Context,
  project: Project,
  { measure, query, environment }: { measure: AlertMeasure; query: string; environment: string | null },
): Promise<EventExpression> {
  const environments = environment === null ? [] : [environment];
  const { expression = EVERYTHING } = await openEventSearch(ctx, query, [project], environments);
  const known = COLUMNS_OF[measure];
  const unknown = known && leavesOf(expression).find((condition) => !isKnown(condition, known));
  if (!known || !unknown) return expression;
  const names = [...known.columns].join(', ');
  throw invalid(
    `${SUBJECTS[measure]} can only be filtered by ${names}${known.hasTags ? ' and tags' : ''}`,
    'query',
  );
}

const SUBJECTS: Readonly<Record<AlertMeasure, string>> = {
  events: 'Events',
  users: 'Events',
  crash_free_sessions: 'Sessions',
  crash_free_users: 'Sessions',
  failure_rate: 'Transactions',
};

function leavesOf(expression: EventExpression): readonly EventCondition[] {
  return expression.kind === 'and' || expression.kind === 'or'
    ? expression.parts.flatMap(leavesOf)
    : [expression];
}

function isKnown(
  condition: EventCondition,
  { columns, hasTags }: { columns: ReadonlySet<string>; hasTags: boolean },
): boolean {
  if (condition.kind !== 'text' && condition.kind !== 'present' && condition.kind !== 'number') return false;
  const { field } = condition;
  return field.kind === 'column' ? columns.has(field.name) : field.kind === 'tag' && hasTags;
}
