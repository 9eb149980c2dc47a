import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UptimeProber } from '#delivery/ports/uptime-prober.ts';
import { createSmtpMailer } from '#delivery/smtp/smtp-mailer.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import type { ProbeAnswer } from '#lib/guarded-request/guarded-probe.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import type { DeliveryParts } from '#product/deliveries/delivery-parts.ts';
import { sendDelivery, takeDue } from '#product/deliveries/send-delivery.ts';
import { setUserState } from '#product/issue-user-state/user-state.ts';
import { notifyActivities } from '#product/notifications/notify-activities.ts';
import { checkDueMonitor, takeDueMonitors } from '#product/uptime/check-due-monitor.ts';
import { tellIncidents } from '#product/uptime/tell-incidents.ts';
import { createUptimeMonitor } from '#product/uptime/uptime-monitors.ts';
import type { MonitorConfig } from '#protocol/monitor-config.ts';
import type { DigestedCheckIn } from '#protocol/telemetry.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../harness/mail-server.ts';
import { type AlertScene, openAlertScene } from './alert-scene.ts';
import { PUBLIC_URL } from './open-product.ts';
import { OUTSIDE } from './product-services.ts';
import { digestCheckIns, watchMonitors } from './take-in-check-ins.ts';
import { takeInFailures } from './take-in-failures.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const HOURLY: MonitorConfig = { schedule: { type: 'crontab', value: '0 * * * *' } };
const UP: ProbeAnswer = {
  kind: 'answered',
  status: 200,
  headers: {},
  body: 'ok',
  isCut: false,
  timings: { dnsMs: 1, connectMs: 2, tlsMs: null, firstByteMs: 3, totalMs: 10, certificateExpiresAt: null },
};

let scene: AlertScene;
let server: MailServer;
let parts: DeliveryParts;
let answer: ProbeAnswer = UP;

beforeAll(async () => {
  scene = await openAlertScene();
  server = await startMailServer();
  parts = {
    ...OUTSIDE,
    stores: scene.stores,
    now: () => scene.clock.nowMs,
    publicUrl: PUBLIC_URL,
    mailer: createSmtpMailer({ url: server.url, from: 'Errata <errata@example.com>' }, SILENT),
    faults: parseFaultPoints(null),
  };
  await scene.rule({ triggers: ['first_seen', 'regression'] });
});
afterAll(async () => {
  parts?.mailer.close();
  await server?.close();
  await scene?.close();
});

const at = (minutes: number) => NOON_MS + minutes * MINUTE_MS;

const says = (slug: string, minutes: number, fields: Partial<DigestedCheckIn> = {}) =>
  digestCheckIns(scene.product, [
    {
      organizationId: scene.mine.id,
      projectId: scene.web.id,
      keyId: 1,
      receivedAt: at(minutes),
      checkInId: newEventId(),
      monitorSlug: slug,
      status: 'ok',
      environment: 'production',
      occurredAt: at(minutes),
      durationMs: null,
      traceId: null,
      monitorConfig: null,
      ...fields,
    },
  ]);

/** All mails that what happened brings to the mail server. */
async function mails(): Promise<readonly ReceivedMail[]> {
  await scene.evaluate();
  await notifyActivities(scene.stores, scene.clock.nowMs);
  // What happens together goes into one mail.
  scene.clock.nowMs += 10 * SECOND_MS;
  const before = server.received.length;
  for (const taken of await takeDue(parts, 50)) {
    expect(await sendDelivery(parts, taken)).toEqual({ state: 'sent', reason: null });
  }
  return server.received.slice(before);
}

async function mailsAt(minutes: number): Promise<readonly ReceivedMail[]> {
  scene.clock.nowMs = at(minutes);
  await watchMonitors(scene.product);
  await takeInFailures(scene.product);
  await watchMonitors(scene.product);
  return mails();
}

/** What the mail of the alert says of the issue, line by line. */
function alertLines(received: readonly ReceivedMail[], subject: string): readonly string[] {
  const found = received.filter(({ headers }) => headers.get('subject') === subject);
  expect(found, received.map(({ headers }) => headers.get('subject')).join('\n')).toHaveLength(1);
  const { to, plain } = found[0]!;
  expect(to).toEqual([scene.owner.email]);
  return plain.split('\n').map((line) => line.trim());
}

const issueUrl = (number: number) => `${PUBLIC_URL}/${scene.mine.slug}/issues/WEB-${number}`;

test('a cron job that is missed, fails, times out and recovers is mailed about each time, with the reason', async () => {
  const subject = (cause: string) => `[${scene.mine.slug}] ${cause}: Cron failure: nightly-backup`;
  await says('nightly-backup', 0, { monitorConfig: HOURLY });
  expect(await mailsAt(1)).toEqual([]);

  const missed = alertLines(await mailsAt(62), subject('New issue'));
  expect(missed).toEqual(
    expect.arrayContaining([
      'Reason: A run was missed: no check-in arrived in time',
      'Schedule: 0 * * * * (UTC)',
      'Expected: 2026-03-01 13:00:00 UTC',
      'Last successful check-in: 2026-03-01 12:00:00 UTC',
      'Environment: production',
      `View issue: ${issueUrl(1)}`,
    ]),
  );
  // Whoever follows the issue hears when it ends.
  const [issue] = await scene.listIssues();
  await setUserState(scene.owner, { issueIds: [issue!.id], change: { isSubscribed: true } });

  const expectRecovery = async (minutes: number) => {
    await says('nightly-backup', minutes);
    const [mail, ...others] = await mailsAt(minutes);
    expect(others).toEqual([]);
    expect(mail?.headers.get('subject')).toBe('WEB-1: Recovered (Cron failure: nightly-backup)');
    expect(mail?.plain).toContain(`* WEB-1 Cron failure: nightly-backup\n  Recovered\n  ${issueUrl(1)}\n`);
  };
  await expectRecovery(120);

  await says('nightly-backup', 180, { status: 'error' });
  const failed = await mailsAt(180);
  expect(alertLines(failed, subject('Regressed'))).toContain(
    'Reason: A run failed: its check-in reported an error',
  );
  expect(failed.map(({ headers }) => headers.get('subject'))).toContain(
    'WEB-1: Failing again (Cron failure: nightly-backup)',
  );
  await expectRecovery(240);

  await says('nightly-backup', 300, { status: 'in_progress' });
  expect(alertLines(await mailsAt(331), subject('Regressed'))).toContain(
    'Reason: A run took too long: it did not finish within its maximum runtime',
  );
  await expectRecovery(360);
});

const prober: UptimeProber = { probe: async () => answer, isOffline: async () => false };

/** What a jobs role does until the monitor was checked so often. */
async function check(times: number): Promise<void> {
  const uptime = { stores: scene.stores, prober, now: () => scene.clock.nowMs };
  for (let done = 0; done < times; done++) {
    scene.clock.nowMs += 5 * MINUTE_MS;
    for (const monitor of await takeDueMonitors(uptime, 10)) await checkDueMonitor(uptime, monitor);
  }
  await tellIncidents(uptime);
  await takeInFailures(scene.product);
  await tellIncidents(uptime);
}

test('a site that goes down and comes back is mailed about, with what it answered', async () => {
  scene.clock.nowMs = at(600);
  await createUptimeMonitor(scene.owner, {
    projectSlug: 'web',
    name: 'Shop',
    url: 'https://shop.example.com/health',
    intervalSeconds: 300,
    environment: 'production',
    owner: null,
    isEnabled: true,
    headers: {},
    definition: {},
  });
  await check(1);
  expect(await mails()).toEqual([]);
  answer = { ...UP, status: 503 };
  await check(3);
  const down = alertLines(await mails(), `[${scene.mine.slug}] New issue: Downtime detected: Shop`);
  expect(down).toEqual(
    expect.arrayContaining([
      'Reason: The status is 503, expected 200-299',
      'Request: GET https://shop.example.com/health',
      `View issue: ${issueUrl(2)}`,
    ]),
  );
  const issue = (await scene.listIssues()).find(({ shortId }) => shortId === 'WEB-2');
  await setUserState(scene.owner, { issueIds: [issue!.id], change: { isSubscribed: true } });
  answer = UP;
  await check(1);
  const [recovered, ...others] = await mails();
  expect(others).toEqual([]);
  expect(recovered?.headers.get('subject')).toBe('WEB-2: Recovered (Downtime detected: Shop)');
  expect(recovered?.plain).toContain(`View issue: ${issueUrl(2)}`);
});
