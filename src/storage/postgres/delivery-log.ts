import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DeliveryStore, ListedDelivery } from '#storage/ports/deliveries.ts';
import { DELIVERY, type DeliveryRow, toDelivery } from './delivery-row.ts';
import type { Database } from './schema.ts';

/** What was sent, as far as it tells of projects that the reader sees. */
export const createDeliveryLog = (db: Kysely<Database>): Pick<DeliveryStore, 'findByFirings' | 'list'> => ({
  async findByFirings(organizationId, firingIds, seenIn) {
    const { rows } = await sql<ListedRow & { firing_id: number }>`
      SELECT joined.firing_id, ${listed(seenIn)} FROM delivery_firings AS joined
      JOIN deliveries ON deliveries.id = joined.delivery_id
      LEFT JOIN users ON users.id = deliveries.user_id
      WHERE joined.firing_id = ANY(${firingIds}::bigint[]) AND deliveries.organization_id = ${organizationId}
      ORDER BY deliveries.created_at, deliveries.id`.execute(db);
    const byFiring = Map.groupBy(rows, (row) => row.firing_id);
    return new Map([...byFiring].map(([id, found]) => [id, found.map(toListed)]));
  },

  async list(organizationId, { destinationId, ruleId, seenIn }, { limit, before }) {
    const conditions = [
      sql`deliveries.organization_id = ${organizationId}`,
      ...(destinationId === null ? [] : [sql`deliveries.destination_id = ${destinationId}`]),
      ...(ruleId === null
        ? []
        : [
            sql`EXISTS (SELECT FROM delivery_firings JOIN alert_firings ON alert_firings.id = firing_id
              WHERE delivery_id = deliveries.id AND rule_id = ${ruleId})`,
          ]),
      ...(seenIn === null ? [] : [sql`(deliveries.kind = 'test' OR ${tellsOf(within(seenIn))})`]),
      ...(before === null
        ? []
        : [
            sql`(deliveries.created_at, deliveries.id) < (${new Date(before.createdAt)}::timestamptz, ${before.id}::uuid)`,
          ]),
    ];
    const { rows } = await sql<ListedRow>`
      SELECT ${listed(seenIn)} FROM deliveries LEFT JOIN users ON users.id = deliveries.user_id
      WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY deliveries.created_at DESC, deliveries.id DESC LIMIT ${limit}`.execute(db);
    return rows.map(toListed);
  },
});

const listed = (seenIn: readonly number[] | null) => sql`${DELIVERY}, users.name AS user_name,
  (SELECT count(*) FROM delivery_firings JOIN alert_firings ON alert_firings.id = firing_id
    WHERE delivery_id = deliveries.id AND ${seenIn === null ? sql`true` : within(seenIn)(sql`alert_firings.project_id`)}) AS firings_total,
  ${seenIn === null ? sql`false` : tellsOf(outside(seenIn))} AS tells_of_others`;

type ListedRow = DeliveryRow & {
  user_name: string | null;
  firings_total: number;
  tells_of_others: boolean;
};

const toListed = (row: ListedRow): ListedDelivery => ({
  ...toDelivery(row),
  firingsTotal: Number(row.firings_total),
  tellsOfOthers: row.tells_of_others,
  userName: row.user_name,
});

/** Whether a message tells of something in the projects: by what fired, or by the incidents that it closes. */
const tellsOf = (projects: ProjectCondition) => sql`(
  EXISTS (SELECT FROM delivery_firings JOIN alert_firings ON alert_firings.id = firing_id
    WHERE delivery_id = deliveries.id AND ${projects(sql`alert_firings.project_id`)})
  OR EXISTS (
    SELECT FROM jsonb_array_elements(deliveries.subject -> 'incidents') AS incident
    WHERE deliveries.kind = 'closing' AND CASE incident ->> 'kind'
      WHEN 'issue' THEN EXISTS (
        SELECT FROM issues WHERE id = (incident ->> 'id')::bigint AND ${projects(sql`project_id`)})
      WHEN 'metric' THEN EXISTS (
        SELECT FROM alert_rules WHERE id = (incident ->> 'id')::bigint AND ${projects(sql`project_id`)})
      ELSE EXISTS (
        SELECT FROM delivery_firings JOIN alert_firings ON alert_firings.id = firing_id
        WHERE delivery_id = (incident ->> 'id')::uuid AND ${projects(sql`alert_firings.project_id`)})
    END
  ))`;

type ProjectCondition = (projectId: RawBuilder<unknown>) => RawBuilder<unknown>;

const within =
  (projectIds: readonly number[]): ProjectCondition =>
  (projectId) =>
    sql`${projectId} = ANY(${[...projectIds]}::bigint[])`;

const outside =
  (projectIds: readonly number[]): ProjectCondition =>
  (projectId) =>
    sql`NOT ${within(projectIds)(projectId)}`;
