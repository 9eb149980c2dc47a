import { expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { parseDsn } from '../harness/envelope.ts';
import { runProgram } from '../harness/run-program.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';
import { until } from '../harness/until.ts';

type Monitor = {
  slug: string;
  isUpserting: boolean;
  config: Record<string, unknown>;
  environments: { name: string; status: string; nextCheckIn: string | null }[];
};
type CheckIn = { status: string; duration: number | null };

test('jobs with @sentry/node and with plain addresses are monitors, and what fails is an issue', async () => {
  const { errata, api, slug, dsn } = await makeProject('crons');
  const [good, bad, hand, plain] = ['good', 'bad', 'hand', 'plain'].map((name) => `${name}-${slug}`);
  const program = await runProgram('node-crons.mjs', {
    env: { SENTRY_DSN: dsn, GOOD_MONITOR: good!, BAD_MONITOR: bad!, HAND_MONITOR: hand! },
  });
  expect(program.code, program.stderr).toBe(0);
  const { publicKey, projectId } = parseDsn(dsn);
  for (const status of ['in_progress', 'ok']) {
    const address = `${errata.url}/api/${projectId}/cron/${plain}/${publicKey}/?status=${status}`;
    expect((await fetch(address)).status).toBe(202);
  }

  const monitors = async () =>
    (await api.request('GET', `/api/0/organizations/main/monitors/?project=${slug}`)).body as Monitor[];
  await until('every monitor has checked in', async () => {
    const found = await monitors();
    return found.length === 4 && found.every(({ environments }) => environments.length === 1);
  });
  const found = await monitors();
  expect(found.map((monitor) => monitor.slug)).toEqual([bad, good, hand, plain]);
  expect(found[1]).toMatchObject({
    isUpserting: true,
    config: { schedule: '0 3 * * *', timezone: 'Europe/Vienna', checkin_margin: 5, max_runtime: 10 },
    environments: [{ name: 'production', status: 'ok', nextCheckIn: expect.any(String) }],
  });
  expect(found[0]?.environments).toMatchObject([{ status: 'error' }]);

  const checkIns = async (monitor: string) =>
    (await api.request('GET', `/api/0/projects/main/${slug}/monitors/${monitor}/checkins/`))
      .body as CheckIn[];
  expect(await checkIns(good!)).toMatchObject([{ status: 'ok' }]);
  expect(await checkIns(hand!)).toMatchObject([{ status: 'ok', duration: 1_500 }]);
  expect(await checkIns(plain!)).toMatchObject([{ status: 'ok' }]);

  await until('the failure is an issue', async () => {
    const query = new URLSearchParams({ project: slug, query: 'issue.category:cron' });
    const { body } = await api.request('GET', `/api/0/organizations/main/issues/?${query}`);
    return (body as { title: string }[]).some(({ title }) => title === `Cron failure: ${bad}`);
  });
});

test('a monitor that is made by hand shows its next runs while the schedule is entered', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, slug } = await makeProject('crons-form');
  await using browser = await launchChromium();
  const page = await openAsOwner(browser);
  await page.goto(`${errata.url}/main/monitors/crons/new?project=${slug}`);
  const schedule = page.getByRole('textbox', { name: 'Crontab' });
  await page.getByText('Enter a schedule to see its next runs.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Backup by hand');
  await schedule.fill('61 3 * * *');
  await page.getByText('This schedule can’t be used').waitFor();
  await schedule.fill('30 3 * * *');
  const runs = page.getByRole('list', { name: 'Next runs' }).getByRole('listitem');
  await until('five runs are shown', async () => (await runs.count()) === 5);
  expect(await runs.first().textContent()).toContain('03:30:00');
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await page.getByRole('heading', { level: 1, name: 'Backup by hand' }).waitFor();
});
