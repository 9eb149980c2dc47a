import { z } from 'zod';
import { serializeMetricRule } from '#app/api/0/endpoints/alerts/metric-rule-shape.ts';
import { findMetricRule } from '#app/api/0/endpoints/alerts/metric-rules.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, type Parameter, PROJECTS, WORDS } from '#app/api/0/query.ts';
import { each } from '#app/api/0/shape.ts';
import { invalid } from '#lib/errors.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import { type AlertRuleRow, listAlertReceivers, listAlertRules } from '#product/alerts/list-alert-rules.ts';

const METRIC_ISSUE = 'metric_issue';

const QUERY = z.object({
  id: z.string(),
  ...each(z.string(), 'dataset', 'query', 'aggregate'),
  /** Seconds. */
  timeWindow: z.number(),
  environment: z.string().nullable(),
  eventTypes: z.array(z.string()),
});

export const DETECTOR = z
  .object({
    ...each(z.string(), 'id', 'projectId', 'projectSlug', 'name'),
    description: z.null(),
    type: z.literal(METRIC_ISSUE),
    workflowIds: z.array(z.string()),
    owner: z.object({ type: z.string(), id: z.string() }).nullable(),
    createdBy: z.string().nullable(),
    latestGroup: z.null(),
    ...each(z.string(), 'dateCreated', 'dateUpdated'),
    dataSources: z.array(
      z.object({
        ...each(z.string(), 'id', 'organizationId', 'type', 'sourceId'),
        queryObj: z.object({ id: z.string(), status: z.number(), subscription: z.null(), snubaQuery: QUERY }),
      }),
    ),
    conditionGroup: z.object({
      ...each(z.string(), 'id', 'organizationId', 'logicType'),
      conditions: z.array(
        z.object({
          ...each(z.string(), 'id', 'type'),
          ...each(z.number(), 'comparison', 'conditionResult'),
        }),
      ),
      actions: z.array(z.unknown()),
    }),
    config: z.object({ detectionType: z.string() }),
    enabled: z.boolean(),
  })
  .meta({ id: 'Detector' });

/** Sentry's numbers of priorities. */
const RESULTS = { critical: 75, warning: 50 } as const;

const SORTS = ['-id', 'id', 'name', '-name'] as const;
const SORT: Parameter<(typeof SORTS)[number]> = {
  schema: z.enum(SORTS).describe('Order; -id (newest first) by default'),
  read(searchParams, name) {
    const text = searchParams.get(name) || '-id';
    const sort = SORTS.find((each) => each === text);
    if (sort) return sort;
    throw invalid(`${name} "${text.slice(0, 40)}" is not supported: choose one of ${SORTS.join(', ')}`, name);
  },
};

export const detectorOperations: readonly Operation[] = [
  /** Rules of metrics as detectors. Of the types of Sentry's there is only this one. Source: Sentry's `detectors`. */
  get('organizations/[org]/detectors', {
    summary: 'Lists metric alert rules in the detector format',
    scopes: ['alerts:read', 'project:read'],
    query: { ...CURSOR, ...PROJECTS, ...WORDS, sortBy: SORT },
    answer: z.array(DETECTOR),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const words = query.search.toLowerCase().split(/\s+/).filter(Boolean);
      const types = words.flatMap((word) => (word.startsWith('type:') ? [word.slice('type:'.length)] : []));
      const name = words.filter((word) => !word.startsWith('type:')).join(' ');
      const [rows, known] = await Promise.all([
        listAlertRules(ctx, { projectSlugs: query.projectSlugs }),
        listAlertReceivers(ctx),
      ]);
      const found = rows.filter(
        ({ rule }) =>
          rule.definition.kind === 'metric' &&
          types.every((type) => type === METRIC_ISSUE) &&
          rule.name.toLowerCase().includes(name),
      );
      const sign = query.sortBy.startsWith('-') ? -1 : 1;
      const sorted = found.toSorted((a, b) =>
        query.sortBy.endsWith('id')
          ? sign * (a.rule.id - b.rule.id)
          : sign * a.rule.name.localeCompare(b.rule.name),
      );
      return page(async () =>
        sorted.map((row) => serializeDetector(row, serializeMetricRule(row, known, ctx.now()))),
      );
    },
  }),

  get('organizations/[org]/detectors/[rule]', {
    summary: 'Retrieves a metric alert rule in the detector format',
    scopes: ['alerts:read', 'project:read'],
    answer: DETECTOR,
    async handle({ ctx, params }) {
      const row = await findMetricRule(ctx, params.rule);
      return serializeDetector(row, serializeMetricRule(row, await listAlertReceivers(ctx), ctx.now()));
    },
  }),
];

function serializeDetector(
  { rule, project }: AlertRuleRow,
  metric: ReturnType<typeof serializeMetricRule>,
): z.input<typeof DETECTOR> {
  const organizationId = String(rule.organizationId);
  const [type, id] = metric.owner?.split(':') ?? [];
  const comparison = metric.thresholdType === 0 ? 'gt' : 'lt';
  return {
    id: metric.id,
    projectId: String(project.id),
    projectSlug: project.slug,
    name: metric.name,
    description: null,
    type: METRIC_ISSUE,
    workflowIds: [],
    owner: type && id ? { type, id } : null,
    createdBy: rule.createdBy?.id ?? null,
    latestGroup: null,
    dateCreated: metric.dateCreated,
    dateUpdated: metric.dateModified,
    dataSources: [
      {
        id: metric.id,
        organizationId,
        type: 'snuba_query_subscription',
        sourceId: metric.id,
        queryObj: {
          id: metric.id,
          status: 0,
          subscription: null,
          snubaQuery: {
            id: metric.id,
            dataset: metric.dataset,
            query: metric.query,
            aggregate: metric.aggregate,
            timeWindow: (metric.timeWindow * MINUTE_MS) / SECOND_MS,
            environment: metric.environment,
            eventTypes: [...metric.eventTypes],
          },
        },
      },
    ],
    conditionGroup: {
      id: `${metric.id}-conditions`,
      organizationId,
      logicType: 'any',
      conditions: [
        ...metric.triggers.map((trigger) => ({
          id: trigger.id,
          type: comparison,
          comparison: trigger.alertThreshold,
          conditionResult: RESULTS[trigger.label],
        })),
        ...(metric.resolveThreshold === null
          ? []
          : [
              {
                id: `${metric.id}-resolve`,
                type: comparison === 'gt' ? 'lte' : 'gte',
                comparison: metric.resolveThreshold,
                conditionResult: 0,
              },
            ]),
      ],
      actions: [],
    },
    config: { detectionType: metric.detectionType },
    enabled: rule.isEnabled,
  };
}
