import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import { createDeliveryStore } from '#product/deliveries/store/delivery-store.ts';
import { createFeedbackFormStore } from '#product/feedback/feedback-form-store.ts';
import { createFeedbackReplyStore } from '#product/feedback/feedback-reply-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { HOUR_MS, hashOf, makeEvent, NOON_MS } from './sample-events.ts';

const CONTENT = {
  kind: 'mail' as const,
  summary: 'Reply to WEB-1',
  to: 'ana@example.com',
  mail: { subject: 'Re: Your feedback', text: 'Fixed' },
};
const ROOM = { sinceMs: NOON_MS - HOUR_MS, max: 2 };
const TAKE = {
  leaseUntil: NOON_MS + HOUR_MS,
  mailLeaseUntil: NOON_MS + HOUR_MS,
  limit: 10,
  mailsMax: 10,
  reportsMax: 10,
  issuesMax: 1,
  metricsMax: 1,
  // Replies have a bound of their own.
  mailsPerHourMax: 0,
};

describeOnPostgres('The stores of feedback', (engine) => {
  let stores: PostgresStores;
  let mine: Tenant;
  let theirs: Tenant;
  let issue: Issue;
  let userId: string;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    mine = await stores.createTenant();
    theirs = await stores.createTenant();
    await stores.assignNext([makeEvent(mine)]);
    issue = (await stores.issues.findByHash(mine.organizationId, mine.projectId, hashOf('default')))!;
    userId = await stores.createUser('Ana');
  });
  afterAll(async () => {
    await stores.database.drop();
  });

  test('a reply is an activity and a message that is due, and both end with the issue', async () => {
    const { db, pool } = stores.database;
    const replies = createFeedbackReplyStore(db);
    const deliveries = createDeliveryStore(db);
    const reply = { issueId: issue.id, userId, data: { text: 'Fixed', to: CONTENT.to }, content: CONTENT };
    expect(await replies.add(theirs.organizationId, reply, ROOM, NOON_MS)).toBeNull();
    expect(await replies.add(mine.organizationId, reply, ROOM, NOON_MS)).toMatchObject({
      type: 'reply',
      user: { id: userId },
      data: { text: 'Fixed', to: CONTENT.to, delivery: { state: 'sealed', dueAt: NOON_MS, doneAt: null } },
    });
    expect(await deliveries.take(NOON_MS, TAKE)).toMatchObject([
      { kind: 'reply', receiver: { kind: 'user', userId }, content: CONTENT, attempts: 1 },
    ]);
    await replies.add(mine.organizationId, reply, ROOM, NOON_MS);
    expect(await replies.add(mine.organizationId, reply, ROOM, NOON_MS)).toBe('full');
    expect(
      await replies.add(mine.organizationId, reply, { ...ROOM, sinceMs: NOON_MS }, NOON_MS),
    ).toMatchObject({ type: 'reply' });
    const [first] = (
      await pool.query("SELECT reply_id FROM deliveries WHERE kind = 'reply' ORDER BY due_at LIMIT 1")
    ).rows;
    const again = { issueId: issue.id, replyId: Number(first.reply_id), content: CONTENT };
    const free = { sinceMs: NOON_MS, max: 1 };
    expect(await replies.resend(mine.organizationId, again, free, NOON_MS)).toBeNull();
    await pool.query("UPDATE deliveries SET state = 'failed', attempts = 3 WHERE reply_id = $1", [
      again.replyId,
    ]);
    expect(await replies.resend(theirs.organizationId, again, free, NOON_MS)).toBeNull();
    expect(await replies.resend(mine.organizationId, again, ROOM, NOON_MS)).toBe('full');
    expect(await replies.resend(mine.organizationId, again, free, NOON_MS + 1)).toMatchObject({
      id: again.replyId,
      data: { delivery: { state: 'sealed', attempts: 0, dueAt: NOON_MS + 1 } },
    });
    expect(await replies.find(mine.organizationId, issue.id, again.replyId)).toMatchObject({ type: 'reply' });
    expect(await replies.find(theirs.organizationId, issue.id, again.replyId)).toBeNull();
    await pool.query('DELETE FROM activities WHERE issue_id = $1', [issue.id]);
    const left = await pool.query("SELECT FROM deliveries WHERE kind = 'reply'");
    expect(left.rowCount).toBe(0);
  });

  test('a form has one address until it is switched off, and names an active key', async () => {
    const { db, pool } = stores.database;
    const forms = createFeedbackFormStore(db);
    const [key] = await stores.projects.listKeys(mine.organizationId, mine.projectId);
    expect(await forms.find(mine.projectId)).toBeNull();
    await forms.add(mine.projectId, 'first', NOON_MS);
    await forms.add(mine.projectId, 'second', NOON_MS);
    expect(await forms.find(mine.projectId)).toBe('first');
    expect(await forms.find(theirs.projectId)).toBeNull();
    expect(await forms.open('first')).toEqual({
      projectId: mine.projectId,
      projectName: mine.projectSlug,
      publicKey: key!.publicKey,
    });
    expect(await forms.open('second')).toBeNull();
    expect(await stores.projects.findAdmission(key!.publicKey)).toMatchObject({ hasFeedbackForm: true });
    await pool.query('UPDATE client_keys SET is_active = false WHERE project_id = $1', [mine.projectId]);
    expect(await forms.open('first')).toMatchObject({ publicKey: null });
    await forms.remove(mine.projectId);
    expect(await forms.open('first')).toBeNull();
    expect(await stores.projects.findAdmission(key!.publicKey)).toMatchObject({ hasFeedbackForm: false });
  });
});
