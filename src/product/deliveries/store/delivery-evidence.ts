import { type Kysely, sql } from 'kysely';
import { NO_MAIL_SERVER } from '#delivery/ports/mailer.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import { notifySender } from '#storage/sql/notices.ts';
import { query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';

/** Times are milliseconds since the epoch. */
export type MailOutcomes = {
  lastSentAt: number | null;
  /** When the mail server failed first since, and why it did last; null when it did not. */
  failedSince: number | null;
  lastError: string | null;
};

/** What deliveries did, for judging whether messages arrive. Source: PostgreSQL. */
export const createDeliveryEvidence = (db: Kysely<Database>) => ({
  /**
   * Of every email of an organization. Not counted as a failure of the mail server: mail that it refused for its mailbox
   * (that has a status), and mail from before there was one.
   */
  async findMailOutcomes(organizationId: number): Promise<MailOutcomes> {
    const row = await query<MailOutcomes>`
      WITH sent AS (
        SELECT max(done_at) AS at FROM deliveries
        WHERE organization_id = ${organizationId} AND user_id IS NOT NULL AND state = 'sent'
      ), failed AS (
        SELECT coalesce(done_at, created_at) AS at, last_error FROM deliveries, sent
        WHERE organization_id = ${organizationId} AND user_id IS NOT NULL AND state IN ('sealed', 'failed')
          AND last_error <> ${NO_MAIL_SERVER} AND last_status IS NULL
          AND created_at > coalesce(sent.at, '-infinity') - ${LONGEST}
          AND coalesce(done_at, created_at) > coalesce(sent.at, '-infinity')
      )
      SELECT (SELECT at FROM sent) AS last_sent_at, min(at) AS failed_since,
        (array_agg(last_error ORDER BY at DESC))[1] AS last_error FROM failed`.first(db);
    return row ?? { lastSentAt: null, failedSince: null, lastError: null };
  },

  /** Alerts that wait since before then without a failure, by destination; `destinationId` null for email. */
  listWaiting: (
    organizationId: number,
    beforeMs: number,
  ): Promise<readonly { destinationId: number | null; since: number; dueAt: number }[]> =>
    query<{ destinationId: number | null; since: number; dueAt: number }>`
      SELECT destination_id, min(created_at) AS since, min(due_at) AS due_at FROM deliveries
      WHERE organization_id = ${organizationId} AND state IN ('open', 'sealed') AND kind IN ('alert', 'closing')
        AND last_error IS NULL AND created_at < ${new Date(beforeMs)}
      GROUP BY destination_id`.execute(db),

  /** By rule, how many of its alerts failed to reach a recipient after then; only rules with any. */
  async countUndelivered(
    organizationId: number,
    ruleIds: readonly number[],
    sinceMs: number,
  ): Promise<ReadonlyMap<number, number>> {
    const rows = await query<{ ruleId: number; alerts: number }>`
      SELECT firing.rule_id, count(DISTINCT firing.id) AS alerts FROM deliveries
      JOIN delivery_firings ON delivery_id = deliveries.id JOIN alert_firings AS firing ON firing.id = firing_id
      WHERE deliveries.organization_id = ${organizationId} AND firing.rule_id = ANY(${[...ruleIds]}::bigint[])
        AND ${failedSince(sinceMs)}
      GROUP BY firing.rule_id`.execute(db);
    return new Map(rows.map(({ ruleId, alerts }) => [ruleId, alerts]));
  },

  /**
   * By rule, the newest mail of it that the mail server refused for its mailbox, which has taken no mail since. Whoever
   * left, and what was before the rule was edited, does not count.
   */
  async findRefusals(
    organizationId: number,
    ruleIds: readonly number[],
  ): Promise<ReadonlyMap<number, { since: number; reason: string }>> {
    const rows = await query<{ ruleId: number; since: number; reason: string }>`
      SELECT DISTINCT ON (firing.rule_id) firing.rule_id, refused.done_at AS since, refused.last_error AS reason
      FROM deliveries AS refused
      JOIN memberships USING (organization_id, user_id)
      JOIN delivery_firings ON delivery_id = refused.id JOIN alert_firings AS firing ON firing.id = firing_id
      JOIN alert_rules ON alert_rules.id = firing.rule_id
      WHERE refused.organization_id = ${organizationId} AND firing.rule_id = ANY(${[...ruleIds]}::bigint[])
        AND refused.state = 'failed' AND refused.last_status IS NOT NULL AND refused.done_at > alert_rules.updated_at
        AND NOT EXISTS (
          SELECT FROM deliveries AS later
          WHERE later.user_id = refused.user_id AND later.state = 'sent' AND later.done_at > refused.done_at)
      ORDER BY firing.rule_id, refused.done_at DESC`.execute(db);
    return new Map(rows.map(({ ruleId, ...refusal }) => [ruleId, refusal]));
  },

  /**
   * By rule, when it fired last, if that was after `sinceMs`, notified no one and kept it from no one, and the rule was not
   * edited since. Messages must be known for as long.
   */
  async findUnnotified(
    organizationId: number,
    ruleIds: readonly number[],
    sinceMs: number,
  ): Promise<ReadonlyMap<number, number>> {
    const rows = await query<{ ruleId: number; firedAt: number }>`
      SELECT rule.id AS rule_id, last.fired_at FROM alert_rules AS rule, LATERAL (
        SELECT id, fired_at, withheld FROM alert_firings WHERE rule_id = rule.id
        ORDER BY fired_at DESC, id DESC LIMIT 1) AS last
      WHERE rule.organization_id = ${organizationId} AND rule.id = ANY(${[...ruleIds]}::bigint[])
        AND last.fired_at > greatest(rule.updated_at, ${new Date(sinceMs)}::timestamptz) AND last.withheld = '[]'
        AND NOT EXISTS (SELECT FROM delivery_firings WHERE firing_id = last.id)`.execute(db);
    return new Map(rows.map(({ ruleId, firedAt }) => [ruleId, firedAt]));
  },

  /** Messages that failed and wait for another try are due now: to the destination, or all email of the organization. */
  async retryNow(organizationId: number, receiver: Receiver, nowMs: number): Promise<void> {
    const isSame =
      receiver.kind === 'destination'
        ? sql`destination_id = ${receiver.destinationId}`
        : sql`user_id IS NOT NULL`;
    await sql`
      UPDATE deliveries SET due_at = ${new Date(nowMs)}
      WHERE organization_id = ${organizationId} AND state = 'sealed' AND last_error IS NOT NULL AND ${isSame}
        AND lease_until IS NULL AND due_at > ${new Date(nowMs)}`.execute(db);
    await notifySender(db);
  },
});

/** No message is tried for longer: its waits between tries are 7 hours together. */
const LONGEST = sql`interval '1 day'`;

/** Of a row of `deliveries`. */
export const failedSince = (sinceMs: number) => sql`(deliveries.state = 'failed'
  AND deliveries.done_at > ${new Date(sinceMs)} AND deliveries.created_at > ${new Date(sinceMs)}::timestamptz - ${LONGEST})`;
