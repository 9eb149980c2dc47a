import { type Kysely, sql } from 'kysely';
import { BUDGET_WINDOW_MS, MAIL_ROOM_LOOK_MS, REPORTS_SHARE } from '#domain/alerts/delivery-budgets.ts';
import type { Receiver } from '#domain/alerts/who-is-notified.ts';
import { findOpenIncidents, type Incident } from '#product/incidents/store/incidents.ts';
import { notifyChanges } from '#storage/sql/notices.ts';
import { affectedRows, query } from '#storage/sql/query.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson, toStorableText } from '#storage/sql/storable-json.ts';
import type { Delivery, Lease, TakenDelivery } from '../delivery.ts';
import { createDeliveryEvidence } from './delivery-evidence.ts';
import { createDeliveryLog, DELIVERY, NO_FIRINGS } from './delivery-log.ts';
import { readFirings } from './read-firings.ts';

/** Only one process at a time decides what is sent next, so that budgets are exact. */
const TAKE_LOCK = 7_310_001;
/** Of mails, and of the others: neither stand in the way of the others. */
const CANDIDATES_MAX = 1_000;

/** Messages on their way. Source: PostgreSQL. Calls that people cause are scoped by organization. */
export function createDeliveryStore(db: Kysely<Database>) {
  return {
    /**
     * Due messages, leased until `leaseUntil`, mails until `mailLeaseUntil`: alerts before mails about activities, reports last, the oldest first; with at
     * most `issuesMax` issues and `metricsMax` metrics of what fired. Of the `limit` at most `mailsMax` are mails, and
     * `reportsMax` reports. Open ones are sealed:
     * from here on nothing joins them. One of a destination at a time, and none while another is under way to it: they
     * arrive in their order. Mails for which their organization has no room are due later instead.
     */
    take: (
      nowMs: number,
      limits: {
        leaseUntil: number;
        mailLeaseUntil: number;
        limit: number;
        mailsMax: number;
        reportsMax: number;
        issuesMax: number;
        metricsMax: number;
        mailsPerHourMax: number;
      },
    ): Promise<readonly TakenDelivery[]> =>
      db.transaction().execute(async (transaction) => {
        await sql`SELECT pg_advisory_xact_lock(${TAKE_LOCK})`.execute(transaction);
        const chosen = await chooseDue(transaction, nowMs, limits);
        if (chosen.length === 0) return [];
        const rows = await query<Delivery & Lease>`
          UPDATE deliveries SET state = 'sealed', attempts = attempts + 1,
            lease_until = CASE WHEN user_id IS NULL THEN ${new Date(limits.leaseUntil)}::timestamptz
              ELSE ${new Date(limits.mailLeaseUntil)}::timestamptz END
          WHERE id IN (
            SELECT id FROM deliveries WHERE id = ANY(${chosen}::uuid[]) AND state IN ('open', 'sealed')
            FOR UPDATE SKIP LOCKED
          ) RETURNING ${DELIVERY}, lease_until`.execute(transaction);
        const bare = rows.filter(({ content, kind }) => content === null && kind === 'alert');
        const firings = await readFirings(
          transaction,
          bare.map(({ id }) => id),
          limits,
        );
        return rows
          .map((row): TakenDelivery => ({ ...row, firings: firings.get(row.id) ?? NO_FIRINGS }))
          .sort((a, b) => chosen.indexOf(a.id) - chosen.indexOf(b.id));
      }),

    /**
     * Decides what every try says, and which incidents it opens, unless that is decided already; answers what it says. null
     * when it is not sealed.
     */
    async seal(id: string, content: unknown, opened: readonly Incident[] = []): Promise<unknown> {
      const subject = opened.length === 0 ? null : toStorableJson({ kind: 'incidents', incidents: opened });
      const sealed = await query<{ content: unknown }>`
        UPDATE deliveries SET content = coalesce(content, ${toStorableJson(content)}::jsonb),
          subject = CASE WHEN content IS NULL THEN coalesce(${subject}::jsonb, subject) ELSE subject END
        WHERE id = ${id} AND state = 'sealed' RETURNING content`.first(db);
      return sealed?.content ?? null;
    },

    /**
     * Final; of the content only its `summary` is kept. False when it was final already, or is somebody else's since the
     * lease ended.
     */
    async finish(
      { id, leaseUntil }: Lease,
      state: 'sent' | 'failed' | 'dropped',
      { error, status }: { error: string | null; status: number | null },
      atMs: number,
    ): Promise<boolean> {
      const finished = await query<{ replyId: number | null }>`
        UPDATE deliveries SET state = ${state}, done_at = ${new Date(atMs)}, lease_until = NULL, last_error = ${errorText(error)},
          last_status = ${status}, content = jsonb_build_object('summary', content -> 'summary')
        WHERE id = ${id} AND state = 'sealed' AND lease_until = ${new Date(leaseUntil)} RETURNING reply_id`.first(
        db,
      );
      if (finished) await notifyIssue(db, finished.replyId);
      return finished !== null;
    },

    /**
     * Gives it back: it is due again then. `result` null: no try was made, and none counts. Nothing happens when it is
     * somebody else's since the lease ended.
     */
    async postpone(
      { id, leaseUntil }: Lease,
      dueAt: number,
      result: { error: string; status: number | null } | null,
    ): Promise<void> {
      const tried =
        result === null
          ? sql`attempts = greatest(attempts - 1, 0)`
          : sql`last_error = ${errorText(result.error)}, last_status = ${result.status}`;
      const postponed = await query<{ replyId: number | null }>`
        UPDATE deliveries SET due_at = ${new Date(dueAt)}, lease_until = NULL, ${tried}
        WHERE id = ${id} AND state = 'sealed' AND lease_until = ${new Date(leaseUntil)} RETURNING reply_id`.first(
        db,
      );
      if (postponed) await notifyIssue(db, postponed.replyId);
    },

    /** A test that was sent, or failed, is part of the log; not when the destination is gone meanwhile. */
    async recordTest(
      {
        id,
        organizationId,
        receiver,
        summary,
      }: { id: string; organizationId: number; receiver: Receiver; summary: string },
      { error, status }: { error: string | null; status: number | null },
      atMs: number,
    ): Promise<void> {
      const at = new Date(atMs);
      const to =
        receiver.kind === 'destination'
          ? sql`SELECT id AS destination_id, NULL::text AS user_id FROM destinations
              WHERE organization_id = ${organizationId} AND id = ${receiver.destinationId}`
          : sql`SELECT NULL::bigint AS destination_id, ${receiver.userId}::text AS user_id`;
      await sql`
        INSERT INTO deliveries (id, organization_id, kind, destination_id, user_id, state, due_at, content, attempts,
          last_error, last_status, created_at, done_at)
        SELECT ${id}::uuid, ${organizationId}::bigint, 'test', destination_id, user_id,
          ${error === null ? 'sent' : 'failed'}, ${at}::timestamptz, ${toStorableJson({ summary })}::jsonb, 1,
          ${errorText(error)}, ${status}::integer, ${at}::timestamptz, ${at}::timestamptz
        FROM (${to}) AS tested`.execute(db);
    },

    ...createDeliveryLog(db),
    ...createDeliveryEvidence(db),
    /**
     * Of each incident, whether it goes on: its issue (or the one that this was merged into), or one of its issues, is
     * unresolved; its metric is not ok, and looked at. What is gone does not go on.
     */
    areOpen: (organizationId: number, incidents: readonly Incident[]): Promise<readonly boolean[]> =>
      findOpenIncidents(db, organizationId, incidents),

    /** Finished messages older than that, at most `limit`; replies stay with their issues. Answers how many. */
    forget: (beforeMs: number, limit: number): Promise<number> =>
      affectedRows`
        DELETE FROM deliveries WHERE id IN (
          SELECT id FROM deliveries WHERE created_at < ${new Date(beforeMs)}
            AND state IN ('sent', 'failed', 'dropped') AND kind <> 'reply' LIMIT ${limit})`.execute(db),
  };
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** Shows the pages of an issue what became of a reply. */
async function notifyIssue(db: Kysely<Database>, replyId: number | null): Promise<void> {
  if (replyId === null) return;
  const place = await query<{ organizationId: number; projectId: number }>`
    SELECT organization_id, project_id FROM activities JOIN issues ON issues.id = issue_id
    WHERE activities.id = ${replyId}`.first(db);
  if (place) await notifyChanges(db, [place]);
}

/** Ids of what may be sent now; mails for which there is no room are put off. */
async function chooseDue(
  transaction: Kysely<Database>,
  nowMs: number,
  limits: { limit: number; mailsMax: number; reportsMax: number; mailsPerHourMax: number },
): Promise<readonly string[]> {
  const { mailsPerHourMax } = limits;
  const rows = await query<DueDelivery>`
    WITH busy AS (
      SELECT destination_id FROM deliveries
      WHERE state IN ('open', 'sealed') AND lease_until > ${new Date(nowMs)} AND destination_id IS NOT NULL
    ), waiting AS (
      SELECT id, organization_id, due_at, created_at, kind = 'report' AS is_report,
        user_id IS NOT NULL AS is_mail, user_id IS NOT NULL AND state = 'open' AS is_new_mail,
        CASE kind WHEN 'report' THEN 2 WHEN 'activity' THEN 1 ELSE 0 END AS turn,
        row_number() OVER (PARTITION BY coalesce(destination_id::text, id::text)
          ORDER BY due_at, created_at, id) AS place
      FROM deliveries
      WHERE state IN ('open', 'sealed') AND due_at <= ${new Date(nowMs)}
        AND (lease_until IS NULL OR lease_until <= ${new Date(nowMs)})
        AND (destination_id IS NULL OR destination_id NOT IN (SELECT destination_id FROM busy))
    ), lines AS (
      SELECT *, row_number() OVER (PARTITION BY is_mail ORDER BY turn, due_at, created_at, id) AS in_line
      FROM waiting WHERE place = 1
    ), due AS (
      SELECT * FROM lines WHERE in_line <= ${CANDIDATES_MAX}
    ), used AS (
      SELECT organization_id, count(*) AS mails, count(*) FILTER (WHERE kind = 'report') AS reports FROM deliveries
      WHERE organization_id IN (SELECT organization_id FROM due WHERE is_new_mail) AND user_id IS NOT NULL
        AND kind <> 'reply' AND (state = 'sealed' OR (state = 'sent' AND done_at > ${new Date(nowMs - BUDGET_WINDOW_MS)}))
      GROUP BY organization_id
    )
    SELECT id, is_mail, is_report, NOT is_new_mail OR (
      coalesce(mails, 0) + row_number() OVER (PARTITION BY organization_id, is_new_mail
        ORDER BY turn, due_at, created_at, id) <= ${mailsPerHourMax}
      AND (NOT is_report OR coalesce(reports, 0) + row_number() OVER (PARTITION BY organization_id, is_new_mail, is_report
        ORDER BY due_at, created_at, id) <= ${Math.floor(mailsPerHourMax * REPORTS_SHARE)})) AS has_room
    FROM due LEFT JOIN used USING (organization_id) ORDER BY turn, due_at, created_at, id`.execute(
    transaction,
  );
  const put = rows.filter(({ hasRoom }) => !hasRoom).map(({ id }) => id);
  if (put.length > 0) {
    await sql`
      UPDATE deliveries SET due_at = ${new Date(nowMs + MAIL_ROOM_LOOK_MS)}
      WHERE id IN (SELECT id FROM deliveries WHERE id = ANY(${put}::uuid[]) FOR UPDATE SKIP LOCKED)`.execute(
      transaction,
    );
  }
  return cut(
    rows.filter(({ hasRoom }) => hasRoom),
    limits,
  ).map(({ id }) => id);
}

type DueDelivery = { id: string; isMail: boolean; isReport: boolean; hasRoom: boolean };

/** The first of them, with no more mails and reports than may be under way. */
function cut(
  rows: readonly DueDelivery[],
  { limit, mailsMax, reportsMax }: { limit: number; mailsMax: number; reportsMax: number },
): readonly DueDelivery[] {
  let mails = 0;
  let reports = 0;
  return rows
    .filter(({ isMail, isReport }) => {
      if ((isMail && mails >= mailsMax) || (isReport && reports >= reportsMax)) return false;
      if (isMail) mails++;
      if (isReport) reports++;
      return true;
    })
    .slice(0, limit);
}

const ERROR_CHARACTERS_MAX = 1_000;

const errorText = (error: string | null): string | null =>
  error === null ? null : toStorableText(error.slice(0, ERROR_CHARACTERS_MAX));
