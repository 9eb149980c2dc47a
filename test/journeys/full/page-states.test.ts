import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../harness/api-client.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { hydrated } from '../../harness/hydrated.ts';
import { listenForFaults } from '../../harness/listen-for-faults.ts';
import { DESKTOP, faultsOf } from '../../harness/page-soundness.ts';
import { makeSampleProfile } from '../../harness/sample-profile.ts';
import {
  breadcrumb,
  deadClick,
  element,
  replayEnvelope,
  request,
  snapshot,
  windowSize,
} from '../../harness/sample-replay.ts';
import { makeSampleTrace } from '../../harness/sample-trace.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

const SCOPES = 'org:read,project:read,project:write,event:read,event:write,alerts:write';
const WIDGETS = [
  { displayType: 'table', aggregates: ['count()', 'count_unique(user)', 'last_seen()'], columns: ['title'] },
  { displayType: 'line', aggregates: ['count()'], columns: ['level'] },
].map(({ displayType, ...query }) => ({
  title: `A ${displayType} whose title is as long as people make them when they say all of its query`,
  displayType,
  widgetType: 'error-events',
  limit: 10,
  queries: [{ ...query, conditions: '' }],
}));
/** Titles of errors: more than a widget is high. */
const TITLES = 12;

type Place = {
  project: string;
  empty: string;
  replay: string;
  profile: string;
  dashboard: string;
  sharedDashboard: string;
};
type State = { at: (place: Place) => string; act?: (page: Page) => Promise<void>; isSignedOut?: true };

const LISTS = [
  ...['replays', 'feedback', 'releases', 'users', 'monitors/crons', 'monitors/uptime'],
  ...['errors', 'traces', 'logs', 'metrics', 'profiles'].map((page) => `explore/${page}`),
  ...['', '/web-vitals', '/queries', '/requests', '/caches', '/queues'].map((page) => `performance${page}`),
];
const press = (name: string) => async (page: Page) => {
  await hydrated(page);
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').waitFor();
};
const tab = (name: string) => async (page: Page) => {
  await page.getByRole('list', { name: 'Breadcrumbs' }).getByRole('listitem').nth(1).waitFor();
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
};

/** What pages show besides what their rows in pages-matrix.test.ts do. */
const STATES: Readonly<Record<string, State>> = {
  ...Object.fromEntries(
    LISTS.map((list) => [
      `${list} of a project without any`,
      { at: ({ empty }: Place) => `/main/${list}?project=${empty}` },
    ]),
  ),
  ...Object.fromEntries(
    ['Console', 'Network', 'Errors', 'Tags', 'Traces'].map((name) => [
      `a replay: ${name}`,
      { at: ({ replay }: Place) => `/main/replays/${replay}`, act: tab(name) },
    ]),
  ),
  'what changed in a peak': {
    at: ({ project }) => `/main/explore/errors?project=${project}&select=peak`,
    act: (page) => page.locator('#changed').getByText('compared with').waitFor(),
  },
  'a search that cannot be read': { at: () => '/main/explore/errors?query=%22open' },
  'adding to a dashboard': {
    at: ({ project }) => `/main/explore/errors?project=${project}&view=groups`,
    act: press('Add to dashboard'),
  },
  'sharing a dashboard': {
    at: ({ dashboard }) => `/main/dashboards/${dashboard}`,
    act: press('Share'),
  },
  'arranging a dashboard': { at: ({ dashboard }) => `/main/dashboards/${dashboard}?edit=1` },
  'the strip of an alert rule': {
    at: ({ project }) => `/main/alerts/new?template=events&project=${project}`,
  },
  'a dashboard with more rows than room': {
    at: ({ sharedDashboard }) => `/share/dashboard/${sharedDashboard}`,
    isSignedOut: true,
  },
  'a page that is not there': { at: () => '/main/no-such-page' },
  'a feedback form that is not there': { at: () => '/share/feedback/none', isSignedOut: true },
  'a dashboard that is shared no more': { at: () => '/share/dashboard/none', isSignedOut: true },
  'a status page that is not there': { at: () => '/status/no-such-page', isSignedOut: true },
};

const hasBrowser = findChromium() !== null;
describe.skipIf(!hasBrowser)(`pages in their states${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let signedIn: Page;
  let signedOut: Page;
  let url: string;
  let place: Place;

  beforeAll(async () => {
    const { errata, slug, dsn } = await makeProject('states');
    ({ url } = errata);
    const api = createApiClient(url, await errata.token(SCOPES));
    const [trace, profile, replayId] = [makeSampleTrace(), makeSampleProfile(), newEventId()];
    const startedAt = Date.now() - 60_000;
    const error = {
      event_id: newEventId(),
      timestamp: (startedAt + 12_000) / 1_000,
      platform: 'javascript',
      exception: { values: [{ type: 'TypeError', value: 'total of nothing' }] },
    };
    const replay = replayEnvelope({
      replayId,
      segmentId: 0,
      startedAt,
      endedAt: startedAt + 30_000,
      events: [
        windowSize(startedAt),
        snapshot(startedAt, [], [element('h1')]),
        breadcrumb(startedAt + 3_000, {
          category: 'ui.click',
          message: 'main > form.coupon > button#broken',
        }),
        deadClick(startedAt + 9_000, 6),
        request(startedAt + 11_000, `https://shop.example/api/carts/${'c'.repeat(80)}`, 500),
        breadcrumb(startedAt + 12_000, {
          category: 'console',
          level: 'warning',
          message: 'the cart is empty',
        }),
      ],
      event: { error_ids: [error.event_id], trace_ids: [trace.traceId] },
    });
    const others = Array.from({ length: TITLES }, (_, index) => ({
      ...error,
      event_id: newEventId(),
      exception: { values: [{ type: `Error${'abcdefghijkl'[index]}`, value: 'of the cart' }] },
    }));
    const errors = [error, ...others].map(eventEnvelope);
    for (const envelope of [...errors, replay, ...trace.envelopes, ...profile.envelopes]) {
      expect((await postEnvelope(parseDsn(dsn), envelope)).status).toBe(200);
    }
    const { issue } = await findEvent(api, slug, error.event_id);
    await until('the replay is stored', async () => {
      const { body } = await api.request('GET', `/api/0/projects/main/${slug}/replays/${replayId}/`);
      return (body as { data?: { count_errors: number } }).data?.count_errors === 1;
    });
    const dashboard = await api.request('POST', '/api/0/organizations/main/dashboards/', {
      title: slug,
      projects: [Number(issue.project.id)],
      widgets: WIDGETS,
    });
    const { id: dashboardId } = dashboard.body as { id: string };
    const sharePath = `/api/0/organizations/main/dashboards/${dashboardId}/share/`;
    const shared = await api.request('POST', sharePath, {});
    const empty = `${slug}-empty`;
    await errata.project(empty);
    place = {
      project: slug,
      empty,
      replay: replayId,
      profile: profile.profileId,
      dashboard: dashboardId,
      sharedDashboard: (shared.body as { url: string }).url.split('/').at(-1) ?? 'none',
    };
    browser = await launchChromium();
    signedIn = await openAsOwner(browser);
    signedOut = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    await signedIn.emulateMedia({ reducedMotion: 'reduce' });
  });
  afterAll(async () => browser?.close());

  test.each(Object.entries(STATES))('%s', async (_, { at, act, isSignedOut }) => {
    const page = isSignedOut ? signedOut : signedIn;
    expect(await look(page, at(place), act)).toEqual([]);
  });

  /** Everything that is wrong with a state of a page. */
  async function look(page: Page, address: string, act?: State['act']): Promise<string[]> {
    const found: string[] = [];
    const stop = listenForFaults(page, (what) => found.push(what), new URL(url).origin);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(DESKTOP);
    await page.goto(`${url}${address}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await act?.(page);
    found.push(...(await faultsOf(page, true)));
    stop();
    return found;
  }

  test('what an owner publishes: a feedback form, sent, and a status page', async () => {
    await signedIn.setViewportSize(DESKTOP);
    await signedIn.goto(`${url}/main/settings/projects/${place.project}/feedback`);
    await signedIn.getByRole('checkbox', { name: 'Public feedback form' }).check();
    await signedIn.getByRole('button', { name: 'Save', exact: true }).click();
    const form = await signedIn.getByRole('link', { name: /\/share\/feedback\// }).textContent();
    const address = new URL(form ?? '').pathname;
    expect(await look(signedOut, address)).toEqual([]);
    const send = async (page: Page) => {
      await page.getByLabel('Message').fill('The button does nothing.');
      await page.getByRole('button', { name: 'Send feedback' }).click();
      await page.getByText('Your feedback was sent').waitFor();
    };
    expect(await look(signedOut, address, send)).toEqual([]);

    const status = `${place.project}-status`;
    await signedIn.goto(`${url}/main/monitors/uptime/status-page`);
    await signedIn.getByLabel('Address').fill(status);
    await signedIn.getByLabel('Publish the page').check();
    await signedIn.getByRole('button', { name: 'Save', exact: true }).click();
    await signedIn.getByText('Published at').waitFor();
    expect(await look(signedOut, `/status/${status}`)).toEqual([]);
    await signedIn.getByLabel('Publish the page').uncheck();
    await signedIn.getByRole('button', { name: 'Save', exact: true }).click();
    await signedIn.getByText('Published at').waitFor({ state: 'detached' });
  });

  test('a table of a dashboard shows its first number within its width', async () => {
    await signedIn.setViewportSize(DESKTOP);
    await signedIn.goto(`${url}/main/dashboards/${place.dashboard}?project=${place.project}`);
    const widget = signedIn.locator('[data-widget]').first();
    const heading = widget.getByRole('columnheader', { name: 'count()', exact: true });
    await heading.waitFor();
    const right = async (what: Locator) => {
      const box = await what.boundingBox();
      return box ? box.x + box.width : Number.NaN;
    };
    expect(await right(heading)).toBeLessThanOrEqual(await right(widget));
  });

  test('a flame graph has the colors of its legend where motion is reduced', async () => {
    await signedIn.emulateMedia({ colorScheme: 'light' });
    await signedIn.setViewportSize(DESKTOP);
    await signedIn.goto(`${url}/main/profiles/${place.project}/${place.profile}`);
    const canvas = signedIn.locator('main canvas').first();
    await canvas.waitFor();
    /** Of a point in the middle of the first row, from 0 to 255: text is dark, and the boxes behind it are not. */
    const brightness = () =>
      canvas.evaluate((element) => {
        const box = element as HTMLCanvasElement;
        const [red = 0, green = 0, blue = 0] =
          box.getContext('2d')?.getImageData(box.width / 2, 4, 1, 1).data ?? [];
        return (red + green + blue) / 3;
      });
    await expect.poll(brightness).toBeGreaterThan(120);
  });
});
