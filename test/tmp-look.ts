import { setTimeout as delay } from 'node:timers/promises';
import { launchChromium } from './harness/browser.ts';
import { parseDsn } from './harness/envelope.ts';
import { signIn } from './harness/sign-in.ts';
import { ADMIN, startErrata } from './harness/start-errata.ts';

const errata = await startErrata();
const dsn = parseDsn(errata.dsn!);
const token = await errata.token('org:read,project:read,project:write,event:read,alerts:write');
const ping = async (slug: string, query: string, body?: unknown) => {
  const url = `${errata.url}/api/${dsn.projectId}/cron/${slug}/${dsn.publicKey}/?${query}`;
  const answer = await fetch(
    url,
    body
      ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : undefined,
  );
  if (answer.status !== 202) console.log(slug, answer.status, await answer.text());
};
const config = (value: string, more = {}) => ({
  schedule: { type: 'crontab', value },
  checkin_margin: 1,
  max_runtime: 1,
  timezone: 'Europe/Vienna',
  ...more,
});
try {
  const at = Date.now();
  await ping('every-minute', '', {
    status: 'ok',
    monitor_config: config('* * * * *'),
    environment: 'production',
  });
  await ping('every-minute', 'status=ok&environment=staging');
  await ping('nightly-backup', '', { status: 'ok', monitor_config: config('0 3 * * *') });
  await ping('curl-only', 'status=ok');
  await ping('slow-job', '', { status: 'in_progress', monitor_config: config('*/10 * * * *') });
  await ping('broken-schedule', '', { status: 'ok', monitor_config: config('61 * * * *') });
  const created = await fetch(`${errata.url}/api/0/organizations/main/monitors/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      project: 'default',
      name: 'Invoice export',
      config: { schedule_type: 'interval', schedule: [2, 'hour'] },
    }),
  });
  console.log('created', created.status, (await created.text()).slice(0, 300));
  for (let i = 0; i < 8; i++) {
    await ping('every-minute', 'status=in_progress&environment=staging');
    await delay(1_500);
    await ping('every-minute', `status=${i === 5 ? 'error' : 'ok'}&environment=staging`);
    await ping('nightly-backup', i % 3 === 2 ? 'status=error' : 'status=ok');
    await delay(3_000);
  }
  const ask = async (path: string) =>
    (await fetch(`${errata.url}/api/0/${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
  let seen: unknown = null;
  for (let i = 0; i < 200 && !seen; i++) {
    const checkIns = (await ask(
      'organizations/main/monitors/every-minute/checkins/?environment=production',
    )) as { status: string; expectedTime: string }[];
    const missed = checkIns.find(({ status }) => status === 'missed');
    if (missed) {
      seen = missed;
      console.log(
        'missed row seen',
        (Date.now() - Date.parse(missed.expectedTime) - 60_000) / 1000,
        's after its deadline',
      );
    } else await delay(300);
  }
  for (let i = 0; i < 100; i++) {
    const issues = (await ask('organizations/main/issues/?query=issue.category:cron')) as {
      title: string;
      shortId: string;
    }[];
    if (issues.length > 1) {
      console.log(issues.map(({ title, shortId }) => `${shortId} ${title}`));
      break;
    }
    await delay(300);
  }
  console.log('after', Date.now() - at);
  await using browser = await launchChromium();
  const page = await signIn(browser, errata.url, ADMIN);
  await page.setViewportSize({ width: 1280, height: 800 });
  page.on('console', (m) => {
    if (m.type() === 'error') console.log('console', m.text());
  });
  const shot = async (name: string, path: string) => {
    await page.goto(`${errata.url}${path}`);
    await page.waitForTimeout(1200);
    await page.screenshot({ path: `/tmp/look-${name}.png`, fullPage: true });
  };
  await shot('list', '/main/monitors?range=1h');
  const monitors = (await ask('organizations/main/monitors/')) as { slug: string }[];
  console.log(monitors.map(({ slug }) => slug));
  const link = page.getByRole('link', { name: 'every-minute' });
  const href = await link.getAttribute('href');
  await shot('page', `${href}?range=1h`);
  await shot('edit', `${href}/edit`);
  await shot('new', '/main/monitors/crons/new');
  await page.getByLabel('Crontab', { exact: true }).fill('30 2 * * MON-FRI');
  await page.getByLabel('Time zone').fill('Europe/Vienna');
  await page.waitForTimeout(300);
  await page.screenshot({ path: '/tmp/look-new-filled.png', fullPage: true });
  await page.emulateMedia({ colorScheme: 'dark' });
  await shot('list-dark', '/main/monitors/crons?range=1h');
  await shot('page-dark', `${href}?range=1h`);
  await page.setViewportSize({ width: 390, height: 844 });
  await shot('list-phone', '/main/monitors/crons?range=1h');
  await shot('page-phone', `${href}?range=1h`);
  await shot('new-phone', '/main/monitors/crons/new');
  const [issue] = (await ask('organizations/main/issues/?query=issue.category:cron')) as {
    shortId: string;
  }[];
  await page.setViewportSize({ width: 1280, height: 800 });
  await shot('issue', `/main/issues/${issue!.shortId}`);
} finally {
  await errata[Symbol.asyncDispose]();
}
