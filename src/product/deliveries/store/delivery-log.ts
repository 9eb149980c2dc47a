import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { FiringDigest } from '#domain/alerts/alert-rule.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import type { DeliveryPlace, ListedDelivery } from '../delivery.ts';

/** What was sent, as far as it mentions projects that the reader sees. */
export const createDeliveryLog = (db: Kysely<Database>) => ({
  /** Of the ids of firings, by firing, the messages that mention them. `seenIn`: projects that are asked for, null for all. */
  async findByFirings(
    organizationId: number,
    firingIds: readonly number[],
    seenIn: readonly number[] | null,
  ): Promise<ReadonlyMap<number, readonly ListedDelivery[]>> {
    const rows = await query<ListedDelivery & { firingId: number }>`
      SELECT joined.firing_id, ${listed(seenIn)} FROM delivery_firings AS joined
      JOIN deliveries ON deliveries.id = joined.delivery_id
      LEFT JOIN users ON users.id = deliveries.user_id
      WHERE joined.firing_id = ANY(${firingIds}::bigint[]) AND deliveries.organization_id = ${organizationId}
      ORDER BY deliveries.created_at, deliveries.id`.execute(db);
    return new Map(
      [...Map.groupBy(rows, ({ firingId }) => firingId)].map(([id, found]) => [
        id,
        found.map(({ firingId: _firingId, ...delivery }) => delivery),
      ]),
    );
  },

  /**
   * Newest first: the log of a destination, of a rule, or of everything. `seenIn` keeps tests and what mentions one of the
   * projects; null for all.
   */
  async list(
    organizationId: number,
    {
      destinationId,
      ruleId,
      seenIn,
    }: { destinationId: number | null; ruleId: number | null; seenIn: readonly number[] | null },
    { limit, before }: { limit: number; before: DeliveryPlace | null },
  ): Promise<readonly ListedDelivery[]> {
    const conditions = [
      sql`deliveries.organization_id = ${organizationId} AND deliveries.kind <> 'reply'`,
      ...(destinationId === null ? [] : [sql`deliveries.destination_id = ${destinationId}`]),
      ...(ruleId === null
        ? []
        : [
            sql`EXISTS (SELECT FROM delivery_firings JOIN alert_firings ON alert_firings.id = firing_id
              WHERE delivery_id = deliveries.id AND rule_id = ${ruleId})`,
          ]),
      ...(seenIn === null ? [] : [sql`(deliveries.kind = 'test' OR ${mentions(within(seenIn))})`]),
      ...(before === null
        ? []
        : [
            sql`(deliveries.created_at, deliveries.id) < (${new Date(before.createdAt)}::timestamptz, ${before.id}::uuid)`,
          ]),
    ];
    return await query<ListedDelivery>`
      SELECT ${listed(seenIn)} FROM deliveries LEFT JOIN users ON users.id = deliveries.user_id
      WHERE ${sql.join(conditions, sql` AND `)}
      ORDER BY deliveries.created_at DESC, deliveries.id DESC LIMIT ${limit}`.execute(db);
  },
});

const listed = (seenIn: readonly number[] | null) => sql`${DELIVERY}, users.name AS user_name,
  (SELECT count(*) FROM delivery_firings JOIN alert_firings ON alert_firings.id = firing_id
    WHERE delivery_id = deliveries.id AND ${seenIn === null ? sql`true` : within(seenIn)(sql`alert_firings.project_id`)}) AS firings_total,
  ${seenIn === null ? sql`false` : mentions(outside(seenIn))} AS mentions_others`;

/** Whether a message mentions something in the projects: by what fired, or by the incidents that it closes. */
const mentions = (projects: ProjectCondition) => sql`(
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

/** Of a row with `destination_id` and `user_id`, as JSON. */
export const receiverOf = (
  table: string,
) => sql<Receiver>`CASE WHEN ${sql.ref(table)}.destination_id IS NOT NULL
  THEN json_build_object('kind', 'destination', 'destinationId', ${sql.ref(table)}.destination_id)
  ELSE json_build_object('kind', 'user', 'userId', coalesce(${sql.ref(table)}.user_id, '')) END`;

export const DELIVERY = sql`deliveries.id, deliveries.organization_id, deliveries.kind,
  ${receiverOf('deliveries')} AS receiver, CASE WHEN deliveries.subject ? 'kind' THEN deliveries.subject
    ELSE '{"kind": "none"}' END AS subject, deliveries.state, deliveries.due_at, deliveries.content, deliveries.attempts,
  deliveries.last_error, deliveries.last_status, deliveries.created_at, deliveries.done_at`;

export const NO_FIRINGS: FiringDigest = {
  named: [],
  issues: 0,
  metrics: 0,
  total: 0,
  firstAt: null,
  ruleIds: [],
};
