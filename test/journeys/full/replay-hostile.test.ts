import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { type Dsn, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { hostileRecording } from '../../harness/hostile-recording.ts';
import { hydrated } from '../../harness/hydrated.ts';
import { element, replayEnvelope } from '../../harness/sample-replay.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

const hasBrowser = findChromium() !== null;
const NODES = 20_000;
const MANY_NODES = 1_000_000;
/** Of 20,000 elements each. */
const CHANGES = 50;
const LOADED_MS_MAX = 60_000;
/** A million elements take their time to be understood. */
const STORED = { timeoutMs: 180_000 };
/** The page answers again within this time, however large the recording is; other programs share the machine. */
const BLOCKED_MS_MAX = 10_000;

type Fields = Readonly<Record<string, unknown>>;

type Body = { id: number; childNodes: Fields[] };

/** The body of the page that a recording begins with. */
function bodyOf(events: readonly Fields[]): Body {
  const { data } = events[1] as { data: { node: { childNodes: { childNodes: Body[] }[] } } };
  return data.node.childNodes[1]!.childNodes[1]!;
}

const manyAdded = (parentId: number): Fields[] =>
  Array.from({ length: MANY_NODES / CHANGES }, () => ({ parentId, nextId: null, node: element('i') }));

describe.skipIf(!hasBrowser)(`a hostile recording${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let dsn: Dsn;
  let api: Awaited<ReturnType<typeof makeProject>>['api'];
  let connections = 0;
  /** Counts who connects, whatever they ask. */
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  let host: string;
  const startedAt = Date.now() - 60_000;

  beforeAll(async () => {
    const project = await makeProject('hostile-replay');
    ({ api } = project);
    ({ url } = project.errata);
    dsn = parseDsn(project.dsn);
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    host = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    browser = await launchChromium();
    page = await openAsOwner(browser);
  });
  afterAll(async () => {
    await browser?.close();
    listener.close();
  });

  async function store(...segments: (readonly Readonly<Record<string, unknown>>[])[]): Promise<string> {
    const replayId = newEventId();
    for (const [segmentId, events] of segments.entries()) {
      const endedAt = startedAt + 2_000;
      const envelope = replayEnvelope({ replayId, segmentId, startedAt, endedAt, events });
      expect((await postEnvelope(dsn, envelope)).status).toBe(200);
    }
    await until(
      'the replay is stored',
      async () => {
        const { status, body } = await api.request('GET', `/api/0/organizations/main/replays/${replayId}/`);
        return (
          status === 200 &&
          (body as { data: { count_segments: number } }).data.count_segments === segments.length
        );
      },
      STORED,
    );
    return replayId;
  }

  /** The document that shows the recording. */
  async function findRecorded(): Promise<Frame> {
    return until('the recording is shown', async () => {
      for (const frame of page.frames()) {
        if (frame.parentFrame()?.parentFrame() !== page.mainFrame()) continue;
        if (await frame.locator('h1', { hasText: 'Hostile page' }).count()) return frame;
      }
      return null;
    });
  }

  /** Does everything that a person could do to it, and more. */
  async function provoke(): Promise<void> {
    await page.evaluate(() => {
      const outer = document.querySelector<HTMLIFrameElement>('iframe[title="Recording"]')?.contentDocument;
      const recorded = outer?.querySelector('iframe')?.contentDocument;
      for (const link of recorded?.querySelectorAll('a') ?? []) link.click();
      for (const form of recorded?.querySelectorAll('form') ?? []) form.requestSubmit();
      for (const each of recorded?.querySelectorAll('*') ?? []) each.dispatchEvent(new Event('error'));
    });
    await page.waitForTimeout(1_500);
  }

  async function expectHarmless(foreign: readonly string[]): Promise<void> {
    expect(connections, 'somebody connected to the other host').toBe(0);
    expect(foreign).toEqual([]);
    const marks = await page.evaluate(() => {
      const outer = document.querySelector<HTMLIFrameElement>('iframe[title="Recording"]');
      const recorded = outer?.contentDocument?.querySelector('iframe');
      return [window, outer?.contentWindow, recorded?.contentWindow].map((each) => each && 'wasRun' in each);
    });
    expect(marks, 'in the page, the frame and the recording').toEqual([false, false, false]);
    expect(page.url()).toContain('/main/replays/');
    expect(page.context().pages()).toHaveLength(1);
  }

  /** How long the page did not answer, from now on. */
  const watchBlocked = () =>
    page.addInitScript(() => {
      if (window !== top) return;
      let before = performance.now();
      const state = globalThis as { blockedMs?: number };
      setInterval(() => {
        const now = performance.now();
        state.blockedMs = Math.max(state.blockedMs ?? 0, now - before);
        before = now;
      }, 50);
    });
  const readBlocked = () => page.evaluate(() => (globalThis as { blockedMs?: number }).blockedMs);

  function watchForeign(): string[] {
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (/^https?:/.test(request.url()) && !request.url().startsWith(url)) foreign.push(request.url());
    });
    return foreign;
  }

  test('runs nothing, loads nothing, and leaves the page answering', async () => {
    await keepingScreenshot(page, 'replay-hostile', async () => {
      const replayId = await store(hostileRecording(host, startedAt, NODES));
      const foreign = watchForeign();
      await watchBlocked();
      await page.goto(`${url}/main/replays/${replayId}`);
      await hydrated(page);
      const recorded = await findRecorded();
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.waitForTimeout(3_000);
      expect(await recorded.locator('div').count()).toBeGreaterThan(10_000);
      const left = await recorded.evaluate(() =>
        [...document.querySelectorAll('*')].flatMap((each) =>
          [...each.attributes]
            .filter(({ name, value }) => /^on/i.test(name) || /javascript:|127\.0\.0\.1/.test(value))
            .map(({ name, value }) => `${each.tagName} ${name}=${value}`),
        ),
      );
      expect(left).toEqual([]);
      expect(await recorded.locator('script, object, embed, base, meta, link, video, audio').count()).toBe(0);
      const frame = page.frameLocator('iframe[title="Recording"]').locator('iframe');
      expect(await frame.getAttribute('sandbox')).toBe('allow-same-origin');
      await provoke();
      await expectHarmless(foreign);
      expect(await readBlocked()).toBeLessThan(BLOCKED_MS_MAX);
    });
  });

  test('of a million elements at once is not stored, and the page says so', async () => {
    const events = hostileRecording(host, startedAt, 10);
    const { childNodes } = bodyOf(events);
    for (let count = 0; count < MANY_NODES; count++) childNodes.push(element('i'));
    const replayId = await store(events);
    const foreign = watchForeign();
    await watchBlocked();
    await page.goto(`${url}/main/replays/${replayId}`);
    await page.getByText('No recording is stored for this replay').waitFor({ timeout: LOADED_MS_MAX });
    expect(await readBlocked()).toBeLessThan(BLOCKED_MS_MAX);
    expect(foreign).toEqual([]);
  });

  test('of a million elements that are added bit by bit a part is shown, and the player says so', async () => {
    const base = hostileRecording(host, startedAt, 10);
    const additions = Array.from({ length: CHANGES }, (_, index) => ({
      type: 3,
      timestamp: startedAt + 400 + index * 10,
      data: { source: 0, removes: [], texts: [], attributes: [], adds: manyAdded(bodyOf(base).id) },
    }));
    const later = Array.from({ length: CHANGES / 5 }, (_, index) =>
      additions.slice(index * 5, index * 5 + 5),
    );
    const replayId = await store(base, ...later);
    const foreign = watchForeign();
    await watchBlocked();
    await page.goto(`${url}/main/replays/${replayId}`);
    await page.getByText('parts of it are left out').waitFor({ timeout: LOADED_MS_MAX });
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForTimeout(5_000);
    expect(await readBlocked()).toBeLessThan(BLOCKED_MS_MAX);
    const recorded = await findRecorded();
    expect(await recorded.locator('i').count()).toBeLessThan(MANY_NODES / 4);
    await expectHarmless(foreign);
  });

  test('is harmless even if nothing was taken out of it', async () => {
    await keepingScreenshot(page, 'replay-unsanitized', async () => {
      // A replay of which nothing is shown: the frame waits for events.
      const replayId = await store([
        { type: 5, timestamp: startedAt, data: { tag: 'options', payload: {} } },
      ]);
      await page.goto(`${url}/main/replays/${replayId}`);
      await hydrated(page);
      await page.evaluate(
        (events) => {
          const frame = document.querySelector<HTMLIFrameElement>('iframe[title="Recording"]');
          frame?.contentWindow?.postMessage({ kind: 'events', events }, location.origin);
          frame?.contentWindow?.postMessage({ kind: 'play', at: 0 }, location.origin);
        },
        hostileRecording(host, startedAt, 10),
      );
      await findRecorded();
      await page.waitForTimeout(3_000);
      await provoke();
      // What the policy stopped was asked for, and reached nobody.
      await expectHarmless([]);
    });
  });

  test('no page but the player can be framed, and the frame runs only its own scripts', async () => {
    const policyOf = async (path: string) =>
      (await fetch(`${url}${path}`, { redirect: 'manual' })).headers.get('content-security-policy') ?? '';
    expect(await policyOf('/login')).toContain("frame-ancestors 'none'");
    const frame = await policyOf('/replay-frame');
    expect(frame.replace(/nonce-[^']+/, 'nonce')).toBe(
      "default-src 'none'; script-src 'nonce'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    );
    expect(await policyOf('/replay-frame/video')).toContain('media-src blob:');
    expect((await fetch(`${url}/replay-frame/other.js`)).status).toBe(404);
  });
});
