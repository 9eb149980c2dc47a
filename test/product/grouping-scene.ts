import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { compileGroupingRules } from '#pipeline/grouping/compile-grouping-rules.ts';
import { groupEvent } from '#pipeline/grouping/group-event.ts';
import type { Context } from '#product/context.ts';
import type { GroupingChange } from '#product/grouping/grouping-change.ts';
import { type RegroupDeps, runRegroup } from '#product/grouping/run-regroup.ts';
import type { DigestedEvent, NormalizedEvent } from '#protocol/event.ts';
import { makeEvent, NOON_MS, newEventId } from '../contract/sample-events.ts';
import type { Product } from './open-product.ts';

const LEASE_MS = 60_000;

export type NewError = {
  type: string;
  value?: string;
  /** Minutes after noon; negative before. */
  at?: number;
  user?: string;
  hasBody?: boolean;
};

/** A project whose events are grouped as digest does, and its jobs. */
export async function openGroupingScene(product: Product) {
  const organization = await product.createOrganization();
  const project = await product.createProject(organization, `web-${randomBytes(3).toString('hex')}`);
  const admin = await product.join(organization, 'admin');
  const place = { organizationId: organization.id, projectId: project.id };
  const { regroups, groupingRules } = product.stores;

  async function send(errors: readonly NewError[]): Promise<readonly DigestedEvent[]> {
    const texts = await groupingRules.findActive(organization.id, project.id);
    const { rules } = compileGroupingRules(texts);
    const events = errors.map(({ type, value = 'broken', at = 0, user, hasBody = true }) => {
      const eventId = newEventId();
      const occurredAt = NOON_MS + at * MINUTE_MS;
      const payload: NormalizedEvent = {
        event_id: eventId,
        type: 'error',
        level: 'error',
        platform: 'node',
        timestamp: occurredAt / 1000,
        received: occurredAt / 1000,
        exception: { values: [{ type, value }] },
      };
      const grouping = groupEvent(payload, rules);
      return makeEvent({
        ...place,
        eventId,
        occurredAt,
        receivedAt: Date.now(),
        payload,
        hasBody,
        title: grouping.title ?? `${type}: ${value}`,
        metadata: { type, value },
        groupingHash: grouping.hashes[0]!,
        groupingHashes: grouping.hashes,
        ...(user !== undefined && { user: { id: user, email: null, username: null, ip: null } }),
      });
    });
    await product.stores.events.insertEvents(events, randomBytes(8).toString('hex'));
    await product.assignNext(events, { nowMs: product.clock.nowMs });
    return events;
  }

  const begin = async (fingerprint: string, stackTrace = ''): Promise<GroupingChange> => {
    const { version } = await groupingRules.findActive(organization.id, project.id);
    return await regroups.begin(
      organization.id,
      project.id,
      { fingerprint, stackTrace, authorUserId: admin.userId, restoredFrom: null, basedOn: version },
      Date.now(),
    );
  };

  /** A worker that claims what waits and works until it is done; `change` may break its parts. */
  async function work(change: Partial<RegroupDeps> = {}): Promise<boolean> {
    const owner = randomBytes(4).toString('hex');
    // As if the time of a worker that died were over.
    await sql`UPDATE grouping_changes SET lease_until = NULL WHERE project_id = ${project.id}`.execute(
      product.db,
    );
    const job = await regroups.claim(owner, LEASE_MS, Date.now());
    if (!job) return false;
    const deps: RegroupDeps = {
      regroups,
      regroupEvents: product.stores.regroupEvents,
      faults: parseFaultPoints(null),
      now: Date.now,
      settleMs: 0,
      ...change,
    };
    return await runRegroup(deps, job, owner);
  }

  /** All that a change could change, in an order of its own: to compare with later. */
  async function snapshot() {
    const { rows: issues } = await sql<Record<string, unknown>>`
      SELECT issues.*, (SELECT array_agg(hash ORDER BY hash) FROM grouping_hashes WHERE issue_id = issues.id) AS hashes
      FROM issues WHERE project_id = ${project.id} ORDER BY id`.execute(product.db);
    const { rows: hashes } = await sql<Record<string, unknown>>`
      SELECT * FROM grouping_hashes WHERE project_id = ${project.id} ORDER BY hash`.execute(product.db);
    const { rows: activities } = await sql<Record<string, unknown>>`
      SELECT activities.* FROM activities JOIN issues ON issues.id = activities.issue_id
      WHERE project_id = ${project.id} ORDER BY activities.id`.execute(product.db);
    const { rows: marks } = await sql<Record<string, unknown>>`
      SELECT 'bookmark' AS kind, issue_id, user_id FROM issue_bookmarks
      UNION ALL SELECT 'subscription', issue_id, user_id FROM issue_subscriptions ORDER BY 1, 2, 3`.execute(
      product.db,
    );
    return { issues, hashes, activities, marks, events: await eventsByHash() };
  }

  /** Ids of events by the hash that they are stored with, over both tables. */
  async function eventsByHash() {
    const scope = { organizationId: organization.id, projectIds: [project.id] };
    const { events } = await product.stores.events.listEvents(scope, {
      limit: 1_000,
      before: null,
      range: null,
    });
    return events.map(({ eventId, groupingHash }) => `${groupingHash} ${eventId}`).sort();
  }

  /** Issues with their events as the pages show them: what PostgreSQL counts beside what ClickHouse holds. */
  async function listIssues() {
    const { rows } = await sql<{ id: number; title: string; times_seen: number; hashes: string[] }>`
      SELECT id, title, times_seen, (SELECT array_agg(hash) FROM grouping_hashes WHERE issue_id = issues.id) AS hashes
      FROM issues WHERE project_id = ${project.id} ORDER BY id`.execute(product.db);
    const range = { fromMs: 0, toMs: NOON_MS * 2 };
    const activity = await product.stores.events.countActivity(
      { organizationId: organization.id, projectIds: [project.id] },
      rows.map((row) => ({ issueId: row.id, projectId: project.id, hashes: row.hashes ?? [] })),
      range,
      range.toMs,
    );
    return rows.map((row, index) => ({
      id: row.id,
      title: row.title,
      timesSeen: row.times_seen,
      stored: activity[index]!.events,
    }));
  }

  const idOf = async (title: string): Promise<number> => {
    const issue = (await listIssues()).find((candidate) => candidate.title.startsWith(title));
    if (!issue) throw new Error(`No issue is called ${title}`);
    return issue.id;
  };

  return {
    organization,
    project,
    admin: admin as Context & { userId: string },
    member: () => product.join(organization, 'member'),
    send,
    begin,
    work,
    snapshot,
    eventsByHash,
    listIssues,
    idOf,
  };
}

export type GroupingScene = Awaited<ReturnType<typeof openGroupingScene>>;
