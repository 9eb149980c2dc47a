import type { Browser, Request } from 'playwright-core';

export type SentEvent = { event_id: string } & Record<string, unknown>;

const SENT_MS_MAX = 20_000;
const CLICK_EVERY_MS = 300;

/** Opens the shop of test/builds and checks out, which throws; answers the event as the SDK sent it. */
export async function throwInBrowser(
  browser: Browser,
  siteUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<SentEvent> {
  const page = await browser.newPage();
  try {
    const deadline = performance.now() + SENT_MS_MAX;
    const isEvent = (request: Request) => eventOf(request.postData()) !== null;
    const sent = page.waitForRequest(isEvent, { timeout: SENT_MS_MAX });
    await page.goto(`${siteUrl}/?${new URLSearchParams(settings)}`);
    // A page of a framework shows its button before anything listens to it.
    let isSent = false;
    sent.then(
      () => (isSent = true),
      () => {},
    );
    while (!isSent && performance.now() < deadline) {
      await page.getByRole('button', { name: 'Check out' }).click();
      await page.waitForTimeout(CLICK_EVERY_MS);
    }
    const request = await sent;
    const response = await request.response();
    if (response?.status() !== 200) throw new Error(`The event was answered ${response?.status()}`);
    return eventOf(request.postData()) as SentEvent;
  } finally {
    await page.close();
  }
}

/** The event of an envelope; null when it holds none. */
function eventOf(envelope: string | null): SentEvent | null {
  const [, header = '', payload = ''] = (envelope ?? '').split('\n');
  return /"type":"event"/.test(header) ? (JSON.parse(payload) as SentEvent) : null;
}
