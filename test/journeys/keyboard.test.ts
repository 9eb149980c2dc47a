import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHORTCUTS, type ShortcutId } from '#app/shell/shortcuts.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { hydrated } from '../harness/hydrated.ts';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { element, mouseMove, replayEnvelope, snapshot, windowSize } from '../harness/sample-replay.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';

/** Other programs share the machine. */
const poll = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 15_000 });

const hasBrowser = findChromium() !== null;
const ISSUES = 4;
/** They go the way of another shortcut that is tried, or are used by another test; the full run tries them too. */
const LIKE_ANOTHER: readonly ShortcutId[] = [
  'palette',
  'search',
  'help',
  'go.explore',
  'go.feedback',
  'go.performance',
  'go.dashboards',
  'list.open',
  'list.clear',
  'issue.assign',
  'issue.previous',
  'issue.back',
  'go.projects',
  'go.replays',
  'replay.play',
  'replay.back',
  'replay.forward',
  'replay.slower',
  'replay.faster',
  'replay.fullscreen',
  'go.releases',
  'go.alerts',
  'go.overview',
  'go.monitors',
  'go.stats',
  'go.settings',
  'issue.resolve',
  'issue.next',
  'list.previous',
  'list.archive',
  'list.assign',
  'issue.previous-event',
  'issue.archive',
];
const TRIED = IS_FULL ? SHORTCUTS : SHORTCUTS.filter(({ id }) => !LIKE_ANOTHER.includes(id));

describe.skipIf(!hasBrowser)(`the keyboard${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let replayDsn: ReturnType<typeof parseDsn>;
  /** Of one issue with two events. */
  let issuePage: string;

  beforeAll(async () => {
    const { errata, api, dsn, ...project } = await makeProject('keyboard');
    ({ url } = errata);
    ({ slug } = project);
    replayDsn = parseDsn(dsn);
    let shortId = '';
    for (const issue of [0, 0, ...Array.from({ length: ISSUES - 1 }, (_, index) => index + 1)]) {
      const event = { ...makeJavascriptError({ issue, bytes: 2_000 }), event_id: newEventId() };
      expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
      const found = await findEvent(api, slug, event.event_id);
      if (issue === 0) shortId = found.issue.shortId;
    }
    issuePage = `${url}/main/issues/${shortId}`;
    browser = await launchChromium();
    page = await openAsOwner(browser);
  });
  afterAll(async () => browser?.close());

  const rows = () => page.locator('section[aria-label="Issues"] li');
  const focusedRow = () =>
    page.evaluate(
      () => document.activeElement?.closest('li')?.querySelector('a')?.getAttribute('href') ?? null,
    );
  const path = () => new URL(page.url()).pathname;

  async function openList(query = 'is:unresolved'): Promise<void> {
    await page.goto(`${url}/main/issues?project=${slug}&query=${encodeURIComponent(query)}`);
    await poll(() => rows().count()).toBeGreaterThan(0);
    await ready();
  }
  /** From the first issue of a list to the second and back. */
  async function stepsThroughIssues(next: string, previous: string): Promise<void> {
    await EFFECTS['list.open']();
    const first = path();
    await page.getByRole('navigation', { name: 'Issues in the list' }).waitFor();
    await page.keyboard.press(next);
    await page.waitForURL((address) => address.pathname !== first);
    await page.getByRole('navigation', { name: 'Issues in the list' }).getByText(/^2 of/).waitFor();
    await page.keyboard.press(previous);
    await page.waitForURL((address) => address.pathname === first);
  }
  async function openIssue(): Promise<void> {
    await page.goto(issuePage);
    await ready();
  }
  /** Keys do nothing before the page runs its code. */
  const ready = () => hydrated(page);

  /** What each key does, seen from outside. A shortcut without a line here does not compile. */
  const EFFECTS: Record<ShortcutId, () => Promise<void>> = {
    palette: async () => {
      await openList();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Command palette' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
    search: async () => {
      await openList();
      await page.keyboard.press('/');
      await poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
        'Search issues',
      );
    },
    help: async () => {
      await openList();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts and search' }).waitFor();
    },
    'go.issues': () => goes('g', 'i', '/main/issues'),
    'go.feedback': () => goes('g', 'b', '/main/feedback'),
    'go.replays': () => goes('g', 'y', '/main/replays'),
    'go.projects': () => goes('g', 'p', '/main/projects'),
    'go.releases': () => goes('g', 'r', '/main/releases'),
    'go.alerts': () => goes('g', 'a', '/main/alerts'),
    'go.overview': () => goes('g', 'w', '/main/overview'),
    'go.explore': () => goes('g', 'e', '/main/explore/errors'),
    'go.performance': () => goes('g', 'f', '/main/performance'),
    'go.dashboards': () => goes('g', 'd', '/main/dashboards'),
    'go.monitors': () => goes('g', 'm', '/main/monitors/crons'),
    'go.stats': () => goes('g', 's', '/main/stats'),
    'go.settings': () => goes('g', ',', '/main/settings'),
    'list.next': async () => {
      await openList();
      await page.keyboard.press('j');
      const first = await focusedRow();
      expect(first).toContain('/main/issues/');
      await page.keyboard.press('j');
      expect(await focusedRow()).not.toBe(first);
    },
    'list.previous': async () => {
      await openList();
      await page.keyboard.press('j');
      const first = await focusedRow();
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      expect(await focusedRow()).toBe(first);
    },
    'list.open': async () => {
      await openList();
      await page.keyboard.press('j');
      const href = await focusedRow();
      await page.keyboard.press('o');
      await page.waitForURL((address) => address.pathname === href?.split('?')[0]);
    },
    'list.select': async () => {
      await openList();
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.getByRole('toolbar', { name: 'Selected issues' }).waitFor();
    },
    'list.clear': async () => {
      await EFFECTS['list.select']();
      await page.keyboard.press('Escape');
      await page.getByRole('toolbar', { name: 'Selected issues' }).waitFor({ state: 'detached' });
    },
    'list.resolve': () => takesAway('e', /^Resolved: /),
    'list.archive': () => takesAway('a', /^Archived until it escalates: /),
    'list.assign': () => takesAway('m', /^Assigned to you: /, 'is:unresolved is:unassigned'),
    'issue.next-event': () => stepsThroughEvents('[', ']'),
    'issue.previous-event': () => stepsThroughEvents('[', ']'),
    'issue.resolve': async () => {
      await openIssue();
      await page.keyboard.press('e');
      await page.getByText(/^Resolved: /).waitFor();
      await page.keyboard.press('e');
      await page.getByText(/^Marked as unresolved: /).waitFor();
    },
    'issue.archive': async () => {
      await openIssue();
      await page.keyboard.press('a');
      await page.getByText(/^Archived until it escalates: /).waitFor();
      await page.keyboard.press('a');
      await page.getByText(/^Unarchived: /).waitFor();
    },
    'issue.assign': async () => {
      await openIssue();
      await page.keyboard.press('m');
      await page.getByText(/^Assigned to you: /).waitFor();
    },
    'issue.next': () => stepsThroughIssues('j', 'k'),
    'issue.previous': () => stepsThroughIssues('j', 'k'),
    'replay.play': async () => {
      await openReplay();
      await page.keyboard.press('Space');
      await poll(clock).toBeGreaterThan(20_000);
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    },
    'replay.back': async () => {
      await openReplay();
      await page.keyboard.press('ArrowLeft');
      await poll(clock).toBe(15_000);
    },
    'replay.forward': async () => {
      await openReplay();
      await page.keyboard.press('ArrowRight');
      await poll(clock).toBe(25_000);
    },
    'replay.slower': async () => {
      await EFFECTS['replay.faster']();
      await page.keyboard.press('<');
      await page.getByRole('combobox', { name: 'Speed' }).getByText('1×').waitFor();
    },
    'replay.faster': async () => {
      await openReplay();
      await page.keyboard.press('>');
      await page.getByRole('combobox', { name: 'Speed' }).getByText('2×').waitFor();
    },
    'replay.fullscreen': async () => {
      await openReplay();
      await page.keyboard.press('f');
      await poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
    },
    'issue.back': async () => {
      await openIssue();
      await page.keyboard.press('u');
      await page.waitForURL((address) => address.pathname === '/main/issues');
      for (const view of ['events', 'tags', 'activity']) {
        await page.goto(`${issuePage}/${view}`);
        await ready();
        await page.keyboard.press('u');
        await page.waitForURL((address) => address.pathname === '/main/issues');
      }
    },
  };

  /** A replay of a minute that holds at its 20th second. */
  async function openReplay(): Promise<void> {
    const replayId = newEventId();
    const startedAt = Date.now() - 120_000;
    const events = [windowSize(startedAt), snapshot(startedAt, [], [element('h1')])];
    for (let second = 1; second <= 60; second++)
      events.push(mouseMove(startedAt + second * 1_000, second, 1));
    const envelope = replayEnvelope({
      replayId,
      segmentId: 0,
      startedAt,
      endedAt: startedAt + 60_000,
      events,
    });
    expect((await postEnvelope(replayDsn, envelope)).status).toBe(200);
    const slider = page.getByRole('slider', { name: 'Time in the replay' });
    await poll(async () => {
      await page.goto(`${url}/main/replays/${replayId}?t=20`);
      await slider.or(page.getByText('Page not found')).first().waitFor();
      return slider.count();
    }).toBe(1);
    await page.getByText('Loading the recording…').waitFor({ state: 'detached' });
    // The header answers before the player does.
    await hydrated(page, 'input[type="range"]');
  }
  const clock = () => page.getByRole('slider', { name: 'Time in the replay' }).inputValue().then(Number);

  async function goes(first: string, second: string, target: string): Promise<void> {
    await page.goto(`${url}/main/settings/teams`);
    await ready();
    await page.keyboard.press(first);
    await page.keyboard.press(second);
    await page.waitForURL(
      (address) => address.pathname.startsWith(target) && address.pathname !== '/main/settings/teams',
    );
  }

  async function takesAway(key: string, said: RegExp, query?: string): Promise<void> {
    await openList(query);
    const before = await rows().count();
    await page.keyboard.press('j');
    await page.keyboard.press(key);
    await page.getByText(said).waitFor();
    await poll(() => rows().count()).toBe(before - 1);
    await poll(focusedRow).toContain('/main/issues/');
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await poll(() => rows().count()).toBe(before);
  }

  async function stepsThroughEvents(back: string, on: string): Promise<void> {
    await page.goto(`${issuePage}/events/latest`);
    // The header answers before what is below it.
    await hydrated(page, 'nav[aria-label="Events"]');
    await page.keyboard.press(back);
    await page.waitForURL((address) => /\/events\/[0-9a-f]{32}$/.test(address.pathname));
    const older = path();
    await ready();
    // The next event's page takes a moment until it has keys of its own.
    await poll(async () => {
      await page.keyboard.press(on);
      return path();
    }).not.toBe(older);
  }

  test.each(TRIED)('$keys: $label', async ({ id }) => {
    await keepingScreenshot(page, `keyboard-${id}`, EFFECTS[id]);
  });

  test('the sheet lists every key of the table, and the focus returns from it', async () => {
    await keepingScreenshot(page, 'keyboard-sheet', async () => {
      await openList();
      await page.keyboard.press('j');
      const row = await focusedRow();
      await page.keyboard.press('?');
      const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts and search' });
      await sheet.waitFor();
      const listed = await sheet
        .locator('[data-shortcut]')
        .evaluateAll((lines) => lines.map((line) => (line as HTMLElement).dataset.shortcut));
      expect(listed.toSorted()).toEqual(SHORTCUTS.map((shortcut) => shortcut.id).toSorted());
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
      await poll(focusedRow).toBe(row);
    });
  });

  testInFull('the sheet leaves out the search of a page that has none', async () => {
    await keepingScreenshot(page, 'keyboard-sheet-tab', async () => {
      await page.goto(`${issuePage}/similar`);
      await ready();
      await page.keyboard.press('?');
      const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts and search' });
      await sheet.waitFor();
      expect(await sheet.locator('[data-shortcut="issue.back"]').count()).toBe(1);
      expect(await sheet.locator('[data-shortcut="search"]').count()).toBe(0);
      await page.keyboard.press('Escape');
    });
  });

  testInFull(
    'the badge of an issue says what was done, and undone, before the server has answered',
    async () => {
      await keepingScreenshot(page, 'keyboard-badge', async () => {
        await openIssue();
        const badge = page.getByTitle('Resolved', { exact: true });
        let answer = () => {};
        const hold = async () => {
          const held = new Promise<void>((resolve) => {
            answer = resolve;
          });
          await page.route('**/issues/**', async (route) => {
            if (route.request().method() === 'POST') await held;
            await route.continue();
          });
        };
        await hold();
        await page.keyboard.press('e');
        await badge.waitFor();
        answer();
        const undo = page.getByRole('button', { name: 'Undo' }).first();
        await undo.waitFor();
        await page.unrouteAll({ behavior: 'wait' });
        await hold();
        await undo.click();
        await badge.waitFor({ state: 'detached' });
        answer();
        await page.unrouteAll({ behavior: 'wait' });
      });
    },
  );

  test('no key does anything while somebody types', async () => {
    await keepingScreenshot(page, 'keyboard-typing', async () => {
      await openList();
      const count = await rows().count();
      const field = page.getByRole('combobox', { name: 'Search issues' });
      await field.fill('');
      await field.pressSequentially('jxeamgs?');
      expect(await field.inputValue()).toBe('jxeamgs?');
      expect(path()).toBe('/main/issues');
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await rows().count()).toBe(count);
    });
  });
});
