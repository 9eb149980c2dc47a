// `npm run screens`: starts a real server, sends it a fortnight of events, and takes the pictures of docs/screens.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../harness/browser.ts';
import { type Dsn, eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { makeSampleTrace } from '../harness/sample-trace.ts';
import { seededRandom } from '../harness/seeded-random.ts';
import { ADMIN, ROOT, startErrata } from '../harness/start-errata.ts';
import { openAlerts, SHOP_RULE } from './fill-alerts.ts';
import { fillSessions } from './fill-sessions.ts';
import { fillSettings } from './fill-settings.ts';
import { fillUploads } from './fill-uploads.ts';
import { SAMPLES, type Sample } from './sample-events.ts';

const DAYS = 13;
const FOLDER = path.join(ROOT, 'docs/screens');
const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

const random = seededRandom(20);
mkdirSync(FOLDER, { recursive: true });
const mail = await startMailServer();
await using server = await startErrata({
  env: {
    ERRATA_SMTP_URL: mail.url,
    ERRATA_MAIL_FROM: 'Errata <errata@example.com>',
    // The services of the pictures are on this machine.
    ERRATA_ALLOW_INSIDE_ADDRESSES: '127.0.0.1',
  },
});
const web = parseDsn(await server.project('web', 'javascript-react'));
await server.project('mobile', 'javascript-nextjs');
const closeAlerts = await openAlerts(server);
for (const sample of SAMPLES) await sendFortnight(web, sample);
const trace = makeSampleTrace();
const backend = parseDsn(await server.project('backend', 'node-express'));
for (const envelope of trace.envelopes) await postEnvelope(backend, envelope);
await fillSessions(web);
await fillSettings(server, web);
await fillUploads(server);
const browser = await launchChromium();
try {
  for (const look of LOOKS) await takePictures(browser, server.url, look);
} finally {
  await browser.close();
  await closeAlerts();
  await mail.close();
}

/** More and more events towards now, as a problem grows. */
async function sendFortnight(dsn: Dsn, sample: Sample): Promise<void> {
  for (let index = 0; index < sample.count; index++) {
    const agoMs =
      index === 0 ? sample.lastAgoMs : random() ** sample.growth * DAYS * 86_400_000 + sample.lastAgoMs;
    const event = { ...sample.make(random), event_id: newEventId(), timestamp: (Date.now() - agoMs) / 1000 };
    const answer = await postEnvelope(dsn, eventEnvelope(event));
    if (answer.status !== 200) throw new Error(`The server answered ${answer.status}`);
  }
}

/** Shows an address, does something there, and takes the picture. */
type Take = (picture: string, address: string, act?: () => Promise<void>) => Promise<void>;

async function takePictures(from: Browser, url: string, look: (typeof LOOKS)[number]): Promise<void> {
  const { name, ...options } = look;
  const context = await from.newContext(options);
  const page = await context.newPage();
  const take: Take = async (picture, address, act) => {
    await page.goto(`${url}${address}`);
    await act?.();
    // A page that follows live never falls silent; its charts and fonts are there by then.
    await page.waitForTimeout(1_500);
    await page.screenshot({ path: path.join(FOLDER, `${picture}-${name}.png`) });
  };
  await page.goto(`${url}/login`);
  await page.getByLabel(/e-?mail/i).fill(ADMIN.email);
  await page
    .getByLabel(/password/i)
    .first()
    .fill(ADMIN.password);
  await page.getByRole('button', { name: /^sign in$/i }).click();
  await page.waitForURL(/\/issues/);
  await take('stream', '/main/issues');
  await take('issue', '/main/issues/WEB-1');
  await take('first-event', '/main/projects/mobile/getting-started');
  await take('stats', '/main/stats');
  await take('releases', '/main/releases?project=web');
  await take('release', '/main/releases/web@2.1.0?project=web');
  await take('explore', '/main/explore/errors?project=web');
  await take('explore-groups', '/main/explore/errors?project=web&group=route');
  await take('explore-traces', '/main/explore/traces');
  await take('logs', '/main/explore/logs');
  await take('explore-span-groups', '/main/explore/traces?view=groups&compare=before');
  await take('explore-metrics', '/main/explore/metrics');
  await take('trace', `/main/traces/${trace.traceId}?span=${trace.failedId}`);
  await take('projects', '/main/projects');
  await take('project', '/main/projects/web');
  await take('source', '/main/issues/CHECKOUT-1');
  await take('source-problems', '/main/issues/CHECKOUT-1', async () => {
    const reasons = page.getByRole('region', { name: /shows? (no|its) source/ });
    await reasons.evaluate((section) => section.scrollIntoView({ block: 'center' }));
  });
  await take('release-commits', '/main/releases/checkout@4.2.0?project=checkout&tab=commits');
  await take('overview', '/main/overview');
  await take('alerts', '/main/alerts');
  await take('alert', '/main/alerts', async () => {
    await page.getByRole('link', { name: SHOP_RULE }).click();
    await page.getByRole('list', { name: 'History' }).waitFor();
  });
  await take('alert-rule', '/main/alerts/new?template=crash-free&project=web', async () => {
    await page.getByText('This rule would have reached').waitFor();
  });
  // Forms look alike: one look of them is enough for the docs.
  if (name === 'light') await takeSettings(page, take);
  await context.close();
}

async function takeSettings(page: Page, take: Take): Promise<void> {
  await take('destinations', '/main/settings/destinations');
  await take('notifications', '/account/notifications');
  await take('storage', '/main/settings/storage');
  await take('members', '/main/settings/members');
  await take('project-settings', '/main/settings/projects/web');
  await take('account', '/account/security');
  await take('source-maps', '/main/settings/projects/checkout/source-maps');
  await take('source-maps-how-to', '/main/settings/projects/checkout/source-maps/how-to');
  await take('filters', '/main/settings/projects/web/filters');
  await take('rate-limits', '/main/settings/projects/web/rate-limits');
  await take('privacy-preview', '/main/settings/projects/web/privacy', async () => {
    await addRule(page);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('list', { name: 'Values that would change' }).waitFor();
    await page.locator('#rules').evaluate((card) => card.scrollIntoView({ block: 'start' }));
  });
}

/** A rule that is not saved: the preview shows what it would do. */
async function addRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Source', { exact: true }).fill('$user.email');
  await dialog.getByRole('button', { name: 'Apply rule' }).click();
}
