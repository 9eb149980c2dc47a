import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import type { NotificationKind } from '#domain/notification-kinds.ts';
import type { Organization } from '#domain/projects.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { addComment } from '#product/comments/comments.ts';
import { setUserState } from '#product/issue-user-state/user-state.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { composeActivity } from '#product/messages/compose-activity.ts';
import {
  getNotificationSettings,
  updateNotificationSetting,
} from '#product/notifications/notification-settings.ts';
import { notifyActivities } from '#product/notifications/notify-activities.ts';
import { openUnsubscribe, undoUnsubscribe, unsubscribe } from '#product/notifications/unsubscribe.ts';
import { NOON_MS } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';
import { servicesOf } from './product-services.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let organization: Organization;
let [ana, ben]: Joined[] = [];
let issue: Issue;
let issueCount = 0;

beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product?.close();
});
beforeEach(async () => {
  product.clock.nowMs = NOON_MS;
  organization = await product.createOrganization();
  await product.createProject(organization, 'web');
  [ana, ben] = await Promise.all([
    product.join(organization, 'member'),
    product.join(organization, 'member'),
  ]);
  issue = await newIssue();
  await tell();
});

async function newIssue(): Promise<Issue> {
  const web = await product.stores.projects.findProject(organization.id, 'web');
  issueCount++;
  await product.ingest(organization, [
    {
      projectId: web!.id,
      title: `Error ${issueCount}`,
      groupingHash: issueCount.toString(16).padStart(32, '0'),
    },
  ]);
  const found = await product.stores.issues.search(
    organization.id,
    [web!.id],
    { kind: 'and', parts: [] },
    { sort: 'new', limit: 100 },
  );
  return found.issues.find(({ title }) => title === `Error ${issueCount}`)!;
}

const tell = () => notifyActivities(product.stores, product.clock.nowMs);

/** Mails of the organization, oldest first. */
async function mails() {
  const { rows } = await sql<{ id: string; user_id: string; kind: string; state: string; due_at: Date }>`
    SELECT id, user_id, kind, state, due_at FROM deliveries WHERE organization_id = ${organization.id}
    ORDER BY created_at, user_id`.execute(product.db);
  return Promise.all(
    rows.map(async (row) => {
      const { activities, total } = await product.stores.activityOutbox.listNotified(row.id, 10);
      return {
        id: row.id,
        to: row.user_id,
        dueInMs: row.due_at.getTime() - NOON_MS,
        total,
        says: activities.map(({ type, reason, issue: about }) => `${about.shortId} ${type} (${reason})`),
      };
    }),
  );
}

/** As the sender does it: what is open is taken, and gone. */
async function send(): Promise<void> {
  await sql`
    UPDATE deliveries SET state = 'sent', done_at = ${new Date(product.clock.nowMs)}
    WHERE organization_id = ${organization.id} AND state = 'open'`.execute(product.db);
}

test('whoever is named by a comment is told once, and nobody of what they did themselves', async () => {
  const text = `@${ben!.email} look at this`;
  await addComment(ana!, issue, { text });
  await tell();
  expect(await mails()).toMatchObject([
    { to: ben!.userId, dueInMs: 2_000, says: [`${issue.shortId} note (mentioned)`] },
  ]);
  expect(await tell()).toBe(0);
});

test('what happens within five minutes of a mail joins the next one', async () => {
  await updateIssues(ana!, { issueIds: [issue.id], change: { assigneeUserId: ben!.userId } });
  await tell();
  await send();
  product.clock.nowMs += MINUTE_MS;
  await addComment(ana!, issue, { text: 'One' });
  await tell();
  product.clock.nowMs += MINUTE_MS;
  const other = await newIssue();
  await updateIssues(ana!, { issueIds: [other.id], change: { assigneeUserId: ben!.userId } });
  await updateIssues(ana!, { issueIds: [issue.id], change: { status: 'resolved' } });
  await tell();
  expect(await mails()).toMatchObject([
    { dueInMs: 2_000, says: [`${issue.shortId} assigned (assigned)`] },
    {
      to: ben!.userId,
      dueInMs: 5 * MINUTE_MS,
      says: [
        `${issue.shortId} note (subscribed)`,
        `${other.shortId} assigned (assigned)`,
        `${issue.shortId} set_resolved (subscribed)`,
      ],
    },
  ]);
});

test('what is done to many issues at once is one mail', async () => {
  const issues = [issue, await newIssue(), await newIssue()];
  const issueIds = issues.map(({ id }) => id);
  await updateIssues(ana!, { issueIds, change: { assigneeUserId: ben!.userId } });
  await tell();
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: ben!.userId, total: 3 });
});

test('a failure leaves the news as it was', async () => {
  await updateIssues(ana!, { issueIds: [issue.id], change: { assigneeUserId: ben!.userId } });
  const failing = {
    ...product.stores,
    notifications: { ...product.stores.notifications, listOff: () => Promise.reject(new Error('away')) },
  };
  await expect(notifyActivities(failing, NOON_MS)).rejects.toThrow('away');
  expect(await mails()).toEqual([]);
  await tell();
  expect(await mails()).toHaveLength(1);
});

test('only members who may see the project are told', async () => {
  const outsider = await product.join(organization, 'member');
  await setUserState(ben!, { issueIds: [issue.id], change: { isSubscribed: true } });
  await setUserState(outsider, { issueIds: [issue.id], change: { isSubscribed: true } });
  await product.stores.members.remove(organization.id, outsider.userId);
  await product.stores.organizations.update(organization.id, { isOpen: false }, NOON_MS);
  await addComment(ana!, issue, { text: 'Closed now' });
  await tell();
  expect(await mails()).toEqual([]);

  const team = await product.stores.teams.create(organization.id, { slug: 'web', name: 'Web' });
  await product.stores.teams.setMember(organization.id, team.id, ben!.userId, true);
  await product.stores.teams.setProject(organization.id, team.id, issue.projectId, true);
  await addComment(ana!, issue, { text: 'His now' });
  await tell();
  expect((await mails()).map(({ to }) => to)).toEqual([ben!.userId]);
});

test('a team that is assigned is told, but not who assigned it', async () => {
  const team = await product.stores.teams.create(organization.id, { slug: 'web', name: 'Web' });
  for (const { userId } of [ana!, ben!]) {
    await product.stores.teams.setMember(organization.id, team.id, userId, true);
  }
  await updateIssues(ana!, { issueIds: [issue.id], change: { assigneeTeamId: team.id } });
  await tell();
  expect((await mails()).map(({ to }) => to)).toEqual([ben!.userId]);
});

test.each<[NotificationKind, boolean]>([
  ['assigned', false],
  ['mentions', true],
  ['workflow', true],
])('with "%s" switched off, who is assigned is told: %s', async (kind, isTold) => {
  const services = servicesOf(product);
  await updateNotificationSetting(
    services,
    { ...ben!, name: 'Ben', isInstanceOwner: false },
    {
      kind,
      organizationSlug: organization.slug,
      projectSlug: null,
      isOn: false,
    },
  );
  await updateIssues(ana!, { issueIds: [issue.id], change: { assigneeUserId: ben!.userId } });
  await tell();
  expect(await mails()).toHaveLength(isTold ? 1 : 0);
});

test('the narrowest setting counts', async () => {
  const services = servicesOf(product);
  const { notifications } = product.stores;
  const set = (organizationSlug: string | null, projectSlug: string | null, isOn: boolean | null) =>
    updateNotificationSetting(
      services,
      { ...ben!, name: 'Ben', isInstanceOwner: false },
      { kind: 'alerts', organizationSlug, projectSlug, isOn },
    );
  const isOff = async (projectId: number | null) =>
    (await notifications.listOff('alerts', organization.id, projectId, [ben!.userId])).size === 1;
  await set(null, null, false);
  expect(await isOff(issue.projectId)).toBe(true);
  await set(organization.slug, null, true);
  expect([await isOff(issue.projectId), await isOff(null)]).toEqual([false, false]);
  await set(organization.slug, 'web', false);
  expect([await isOff(issue.projectId), await isOff(null)]).toEqual([true, false]);
  const shown = await getNotificationSettings(services, {
    userId: ben!.userId,
    name: 'Ben',
    isInstanceOwner: false,
  });
  expect(shown).toMatchObject({
    everywhere: { alerts: false, assigned: true },
    organizations: [
      {
        slug: organization.slug,
        settings: { alerts: true, assigned: null },
        projects: [{ slug: 'web', alerts: false }],
      },
    ],
  });
  await set(organization.slug, 'web', null);
  expect(await isOff(issue.projectId)).toBe(false);
});

test('settings of what is not theirs are refused', async () => {
  const services = servicesOf(product);
  const other = await product.createOrganization();
  const set = (change: Partial<Parameters<typeof updateNotificationSetting>[2]>) =>
    updateNotificationSetting(
      services,
      { ...ben!, name: 'Ben', isInstanceOwner: false },
      {
        kind: 'alerts',
        organizationSlug: organization.slug,
        projectSlug: null,
        isOn: false,
        ...change,
      },
    );
  await expect(set({ organizationSlug: other.slug })).rejects.toMatchObject({ code: 'not_found' });
  await expect(set({ projectSlug: 'nothing' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(set({ projectSlug: 'web', kind: 'mentions' })).rejects.toMatchObject({ code: 'invalid' });
  await expect(set({ organizationSlug: null, projectSlug: 'web' })).rejects.toMatchObject({
    code: 'invalid',
  });
});

test('a link of a mail switches that mail off without signing in, and on again', async () => {
  const services = servicesOf(product);
  const what = { userId: ben!.userId, organizationId: organization.id, kind: 'assigned' } as const;
  const token = services.unsubscribeLinks.urlFor(what).split('/').at(-1)!;
  const about = { kind: 'assigned', organization: { slug: organization.slug }, email: ben!.email };
  expect(await openUnsubscribe(services, token)).toMatchObject({ ...about, isOn: true });
  expect(await unsubscribe(services, token)).toMatchObject({ ...about, isOn: false });
  expect(await openUnsubscribe(services, token)).toMatchObject({ isOn: false });
  const off = () => product.stores.notifications.listOff('assigned', organization.id, null, [ben!.userId]);
  expect([...(await off())]).toEqual([ben!.userId]);
  expect(await undoUnsubscribe(services, token)).toMatchObject({ isOn: true });
  expect([...(await off())]).toEqual([]);
  expect(await unsubscribe(services, `${token}x`)).toBeNull();
  await product.stores.members.remove(organization.id, ben!.userId);
  expect(await unsubscribe(services, token)).toBeNull();
});

test('a link about alerts switches off those of projects where they were chosen', async () => {
  const services = servicesOf(product);
  await updateNotificationSetting(
    services,
    { ...ben!, name: 'Ben', isInstanceOwner: false },
    {
      kind: 'alerts',
      organizationSlug: organization.slug,
      projectSlug: 'web',
      isOn: true,
    },
  );
  const what = { userId: ben!.userId, organizationId: organization.id, kind: 'alerts' } as const;
  await unsubscribe(services, services.unsubscribeLinks.urlFor(what).split('/').at(-1)!);
  const off = await product.stores.notifications.listOff('alerts', organization.id, issue.projectId, [
    ben!.userId,
  ]);
  expect([...off]).toEqual([ben!.userId]);
});

test('a mail says what happened, of issues that the reader still sees, and links where to switch it off', async () => {
  const services = servicesOf(product);
  const other = await newIssue();
  await updateIssues(ana!, { issueIds: [other.id], change: { assigneeUserId: ben!.userId } });
  await addComment(ana!, issue, { text: `@${ben!.email} <b>look</b>` });
  await tell();
  const [mail] = await mails();
  const compose = () =>
    composeActivity(ben!, { deliveryId: mail!.id, userId: ben!.userId }, services.unsubscribeLinks);
  const draft = await compose();
  expect(draft?.subject).toBe(`2 issues: ${other.shortId}, ${issue.shortId}`);
  expect(draft?.text).toContain('A member assigned it to you');
  expect(draft?.text).toContain(`A member mentioned you: @${ben!.email} <b>look</b>`);
  expect(draft?.html).not.toContain('<b>look');
  const token = draft!.unsubscribeUrl!.split('/').at(-1)!;
  await unsubscribe(services, token);
  expect((await compose())?.subject).toBe(
    `${issue.shortId}: A member mentioned you: @${ben!.email} <b>look</b>`,
  );
  await product.stores.organizations.update(organization.id, { isOpen: false }, NOON_MS);
  const closed = { ...ben!, organization: { ...organization, isOpen: false } };
  const links = services.unsubscribeLinks;
  expect(await composeActivity(closed, { deliveryId: mail!.id, userId: ben!.userId }, links)).toBeNull();
});
