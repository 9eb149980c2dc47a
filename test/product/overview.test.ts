import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSmtpMailer } from '#delivery/smtp/smtp-mailer.ts';
import type { Organization, Project } from '#domain/projects.ts';
import { unavailable } from '#lib/errors.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { WEEK_MS } from '#lib/time.ts';
import { sendDelivery, takeDue } from '#product/deliveries/send-delivery.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { composeReport } from '#product/messages/compose-report.ts';
import {
  getNotificationSettings,
  updateNotificationSetting,
} from '#product/notifications/notification-settings.ts';
import { getWeekOverview, mondayBefore, openWeeklyReports } from '#product/overview/get-week-overview.ts';
import { insertFiring, insertRule } from '../contract/alert-scene.ts';
import { HOUR_MS, hashOf, NOON_MS } from '../contract/sample-events.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { OUTSIDE, servicesOf } from './product-services.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let organization: Organization;
let [ana, ben]: Joined[] = [];
let [web, api]: Project[] = [];
let ids: Record<string, number>;

/** So many events of an issue, the last of them `agoMs` before noon. */
const events = (project: Project, title: string, count: number, agoMs = HOUR_MS) =>
  Array.from({ length: count }, (_, index) => ({
    projectId: project.id,
    title,
    groupingHash: hashOf(title),
    occurredAt: NOON_MS - agoMs - index,
    user: { id: `u${index % 3}`, email: null, username: null, ip: null },
  }));

beforeAll(async () => {
  product = await openProduct();
  organization = await product.createOrganization();
  [web, api] = [
    await product.createProject(organization, 'web'),
    await product.createProject(organization, 'api'),
  ];
  [ana, ben] = [await product.join(organization, 'member'), await product.join(organization, 'member')];
  product.clock.nowMs = NOON_MS - 10 * 24 * HOUR_MS;
  await product.ingest(organization, [
    ...events(web!, 'Old and loud', 40, 2 * HOUR_MS),
    ...events(web!, 'Old and gone', 60, WEEK_MS + HOUR_MS),
    ...events(web!, 'Old and fixed', 2, 3 * HOUR_MS),
  ]);
  await sql`UPDATE issues SET first_seen = ${new Date(NOON_MS - 10 * 24 * HOUR_MS)}
    WHERE organization_id = ${organization.id}`.execute(product.db);
  product.clock.nowMs = NOON_MS;
  await product.ingest(organization, [
    ...events(web!, 'New and rare', 3),
    ...events(api!, 'New and frequent', 20),
    ...events(api!, 'Came back', 5),
  ]);
  const { rows } = await sql<{ id: number; title: string }>`
    SELECT id, title FROM issues WHERE organization_id = ${organization.id}`.execute(product.db);
  ids = Object.fromEntries(rows.map(({ id, title }) => [title, id]));
  const resolve = (title: string) =>
    updateIssues(ana!, { issueIds: [ids[title]!], change: { status: 'resolved' } });
  product.clock.nowMs = NOON_MS - HOUR_MS;
  await resolve('Came back');
  await resolve('Old and fixed');
  product.clock.nowMs = NOON_MS - HOUR_MS / 2;
  await product.ingest(organization, events(api!, 'Came back', 1, HOUR_MS / 2));
  product.clock.nowMs = NOON_MS;
  const ruleId = await insertRule(product.db, { organizationId: organization.id, projectId: web!.id });
  for (const agoMs of [HOUR_MS, 2 * HOUR_MS, 2 * WEEK_MS]) {
    const rule = { organizationId: organization.id, projectId: web!.id, ruleId };
    await insertFiring(product.db, rule, { issueId: ids['New and rare']!, firedAt: NOON_MS - agoMs });
  }
  await sql`
    INSERT INTO outcomes_hourly (organization_id, project_id, hour, category, outcome, reason, quantity)
    VALUES (${organization.id}, ${web!.id}, ${new Date(NOON_MS - 2 * HOUR_MS)}, 'error', 'accepted', '', 45),
      (${organization.id}, ${web!.id}, ${new Date(NOON_MS - WEEK_MS - 2 * HOUR_MS)}, 'error', 'accepted', '', 60),
      (${organization.id}, ${web!.id}, ${new Date(NOON_MS - 2 * HOUR_MS)}, 'error', 'filtered', 'browser', 9),
      (${organization.id}, ${api!.id}, ${new Date(NOON_MS - 30 * HOUR_MS)}, 'error', 'accepted', '', 26)
    ON CONFLICT DO NOTHING`.execute(product.db);
});
afterAll(async () => {
  await product?.close();
});

const titles = (issues: readonly { title: string }[]) => issues.map(({ title }) => title);

test('the week: what is new, came back, was fixed, and is most frequent', async () => {
  const { created, regressed, fixed, frequent, range } = await getWeekOverview(ana!);
  expect(range).toEqual({ fromMs: NOON_MS - WEEK_MS, toMs: NOON_MS });
  expect([created.total, titles(created.issues)]).toEqual([
    3,
    ['New and frequent', 'Came back', 'New and rare'],
  ]);
  expect([regressed.total, titles(regressed.issues)]).toEqual([1, ['Came back']]);
  expect([fixed.total, titles(fixed.issues)]).toEqual([1, ['Old and fixed']]);
  // What was loud before the week is not of it.
  expect(frequent?.map(({ title, week }) => [title, week?.events, week?.users])).toEqual([
    ['Old and loud', 40, 3],
    ['New and frequent', 20, 3],
    ['Came back', 6, 3],
    ['New and rare', 3, 3],
    ['Old and fixed', 2, 2],
  ]);
});

test('how loud it was, by project and rule, beside the week before', async () => {
  const { events: total, noisiest } = await getWeekOverview(ana!);
  expect(total).toEqual({ total: 71, before: 60, days: [0, 0, 0, 0, 0, 26, 45] });
  expect(noisiest).toEqual({
    projects: [
      { slug: 'web', name: 'web', events: 45, before: 60 },
      { slug: 'api', name: 'api', events: 26, before: 0 },
    ],
    rules: [{ ruleId: expect.any(Number), name: 'New issues', projectSlug: 'web', firings: 2 }],
  });
});

test('projects that somebody may not see are left out, and stores that are away cost their part only', async () => {
  await product.stores.organizations.update(organization.id, { isOpen: false }, NOON_MS);
  const closed = { ...organization, isOpen: false };
  const nothing = await getWeekOverview({ ...ana!, organization: closed });
  expect([nothing.created.total, nothing.events.total, nothing.frequent, nothing.noisiest]).toEqual([
    0,
    0,
    [],
    { projects: [], rules: [] },
  ]);
  await product.stores.organizations.update(organization.id, { isOpen: true }, NOON_MS);
  const away = () => Promise.reject(unavailable('away'));
  const stores = {
    ...ana!.stores,
    events: { ...ana!.stores.events, listFrequentHashes: away, countActivity: away },
  };
  const partial = await getWeekOverview({ ...ana!, stores });
  expect(partial.frequent).toBeNull();
  expect(partial.fixed.issues).toMatchObject([{ title: 'Old and fixed', week: null }]);
});

test('each member is told of a week once, unless they want no report', async () => {
  const services = servicesOf(product);
  await updateNotificationSetting(
    services,
    { ...ben!, name: 'Ben', isInstanceOwner: false },
    {
      kind: 'weekly_report',
      organizationSlug: null,
      projectSlug: null,
      isOn: false,
    },
  );
  const shown = await getNotificationSettings(services, { ...ben!, name: 'Ben', isInstanceOwner: false });
  expect(shown.everywhere.weekly_report).toBe(false);
  const monday = mondayBefore(NOON_MS) + WEEK_MS + 8 * HOUR_MS;
  // Another organization, where nothing happened, hears nothing.
  const silent = await product.createOrganization();
  await product.join(silent, 'owner');
  expect(await openWeeklyReports(product.stores, monday)).toBe(1);
  expect(await openWeeklyReports(product.stores, monday + HOUR_MS)).toBe(0);
  const { rows } = await sql<{ user_id: string; organization_id: number; subject: unknown }>`
    SELECT user_id, organization_id, subject FROM deliveries WHERE kind = 'report'`.execute(product.db);
  expect(rows).toEqual([
    {
      user_id: ana!.userId,
      organization_id: organization.id,
      subject: { kind: 'report', weekStart: mondayBefore(NOON_MS) },
    },
  ]);
});

test('the mail about a week names what the page shows, and nothing to whoever wants none', async () => {
  const links = servicesOf(product).unsubscribeLinks;
  const week = { userId: ana!.userId, weekStart: NOON_MS - WEEK_MS };
  const draft = await composeReport(ana!, week, links);
  expect(draft?.subject).toBe(`${organization.name}: 71 errors, 3 new issues`);
  expect(draft?.text).toContain('71 errors, 60 errors the week before. 3 new issues, 1 regressed, 1 fixed.');
  expect(draft?.text).toMatch(/\* New: 3 issues\n {2}API-\d+: New and frequent \(20 events, 3 users\)/);
  expect(draft?.text).toContain('Alert "New issues" in web: triggered 2 times');
  const monday = new Date(week.weekStart).toISOString().slice(0, 10);
  expect(draft?.text).toContain(`${PUBLIC_URL}/${organization.slug}/overview?week=${monday}`);
  expect(draft?.html).toMatch(new RegExp(`href="${PUBLIC_URL}/${organization.slug}/issues/API-\\d+"`));
  expect(links.read(draft!.unsubscribeUrl!.split('/').at(-1)!)).toMatchObject({ kind: 'weekly_report' });
  expect(await composeReport(ben!, { ...week, userId: ben!.userId }, links)).toBeNull();
  expect(await composeReport(ana!, { ...week, weekStart: week.weekStart - 60 * WEEK_MS }, links)).toBeNull();
});

test('on Monday the report goes to the mail server, as text and HTML, with one click to end it', async () => {
  const server = await startMailServer();
  const settings = { url: server.url, from: 'Errata <errata@example.com>' };
  const mailer = createSmtpMailer(settings, { debug() {}, info() {}, warn() {}, error() {} });
  product.clock.nowMs = mondayBefore(NOON_MS) + WEEK_MS + 8 * HOUR_MS;
  const now = () => product.clock.nowMs;
  const faults = parseFaultPoints(null);
  const parts = { ...OUTSIDE, stores: product.stores, publicUrl: PUBLIC_URL, now, mailer, faults };
  await openWeeklyReports(product.stores, now());
  const reports = (await takeDue(parts, 10)).filter(({ kind }) => kind === 'report');
  for (const report of reports) expect(await sendDelivery(parts, report)).toMatchObject({ state: 'sent' });
  mailer.close();
  await server.close();

  const ofAna = reports.find(({ receiver }) => receiver.kind === 'user' && receiver.userId === ana!.userId);
  const [mail, ...others] = server.received.filter(({ to }) => to.includes(ana!.email));
  expect(others).toEqual([]);
  const { headers, plain, html } = mail!;
  expect(headers.get('subject')).toBe(`${organization.name}: 71 errors, 3 new issues`);
  expect(headers.get('message-id')).toBe(`<${ofAna?.id}@example.com>`);
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const end = /^<(.+)\/([^/]+)>$/.exec(headers.get('list-unsubscribe') ?? '');
  expect(end?.[1]).toBe(`${PUBLIC_URL}/unsubscribe`);
  expect(OUTSIDE.unsubscribeLinks.read(end?.[2] ?? '')).toEqual({
    userId: ana!.userId,
    organizationId: organization.id,
    kind: 'weekly_report',
  });
  const address = `${PUBLIC_URL}/${organization.slug}/overview?week=2026-02-23`;
  expect(plain).toContain(`View weekly summary: ${address}`);
  expect(plain).toContain('New and frequent (20 events, 3 users)');
  expect(html).toContain(`href="${address}"`);
  expect(html).toContain('New and frequent (20 events, 3 users)');
});
