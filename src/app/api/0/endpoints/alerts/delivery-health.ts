import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import { PROJECTS } from '#app/api/0/query.ts';
import { shapeOf } from '#app/api/0/shape.ts';
import { isoOfMsOrNull } from '#app/api/0/shapes/moments.ts';
import { DELIVERY_STATUSES, type DeliveryHealth } from '#product/alerts/delivery-health.ts';
import { getDeliveryHealth } from '#product/alerts/get-delivery-health.ts';
import { listAlertRules } from '#product/alerts/list-alert-rules.ts';
import { getServices } from '#product/services.ts';

const TIME = z.iso.datetime().nullable();

const [HEALTH, serializeHealth] = shapeOf<DeliveryHealth>()(
  {
    status: z.enum(DELIVERY_STATUSES),
    /** A sentence that says what to do; null while messages arrive. */
    reason: [z.string().nullable(), (health) => ('reason' in health ? health.reason : null)],
    since: [TIME, (health) => isoOfMsOrNull('since' in health ? health.since : null)],
    lastSent: [TIME, (health) => isoOfMsOrNull('lastSentAt' in health ? health.lastSentAt : null)],
  },
  'DeliveryHealth',
);

/** Sentry's reference has nothing of the kind. */
const REPORT = z
  .object({
    email: HEALTH,
    destinations: z.array(HEALTH.extend({ id: z.string() }).meta({ id: 'DestinationHealth' })),
    /** Each with the worst of how it notifies. */
    rules: z.array(
      HEALTH.extend({
        id: z.string(),
        /** Alerts that failed to reach a recipient in the last 24 hours. */
        undelivered: z.number(),
      }).meta({ id: 'RuleHealth' }),
    ),
  })
  .meta({ id: 'DeliveryHealthReport' });

export const deliveryHealthOperations: readonly Operation[] = [
  get('organizations/[org]/delivery-health', {
    summary: 'Retrieves whether notifications arrive, by email, destination and alert rule',
    scopes: ['alerts:read', 'project:read'],
    query: { ...PROJECTS },
    answer: REPORT,
    async handle({ ctx, query }) {
      const rows = await listAlertRules(ctx, { projectSlugs: query.projectSlugs });
      const report = await getDeliveryHealth(
        ctx,
        getServices().mailer,
        rows.map(({ rule }) => rule),
      );
      return {
        email: serializeHealth(report.email),
        destinations: Object.entries(report.destinations).map(([id, health]) => ({
          id,
          ...serializeHealth(health),
        })),
        rules: [...report.rules].flatMap(([id, { routes, undelivered }]) =>
          routes
            .slice(0, 1)
            .map(({ health }) => ({ id: String(id), ...serializeHealth(health), undelivered })),
        ),
      };
    },
  }),
];
