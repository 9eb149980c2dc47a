// `npm run screens`: starts a real server, sends it a fortnight of events, and takes the pictures of docs/screens.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../harness/browser.ts';
import { type Dsn, eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { seededRandom } from '../harness/seeded-random.ts';
import { ADMIN, ROOT, startErrata } from '../harness/start-errata.ts';
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
await using server = await startErrata();
const web = parseDsn(await server.project('web', 'javascript-react'));
await server.project('mobile', 'javascript-nextjs');
for (const sample of SAMPLES) await sendFortnight(web, sample);
const browser = await launchChromium();
try {
  for (const look of LOOKS) await takePictures(browser, server.url, look);
} finally {
  await browser.close();
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

async function takePictures(from: Browser, url: string, look: (typeof LOOKS)[number]): Promise<void> {
  const { name, ...options } = look;
  const context = await from.newContext(options);
  const page = await context.newPage();
  const take = async (picture: string, address: string) => {
    await page.goto(`${url}${address}`);
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
  await page.getByRole('button', { name: /sign in/i }).click();
  await page.waitForURL(/\/issues/);
  await take('stream', '/main/issues');
  await take('issue', '/main/issues/WEB-1');
  await take('first-event', '/main/projects/mobile/getting-started');
  await take('stats', '/main/stats');
  await context.close();
}
