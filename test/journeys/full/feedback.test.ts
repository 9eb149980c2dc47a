import { expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { buildEnvelope, eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('what people write arrives in the inbox, leads to its error, and is resolved, reopened and marked as spam', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, slug, dsn } = await makeProject('feedback');
  const send = async (body: Buffer) => expect((await postEnvelope(parseDsn(dsn), body)).status).toBe(200);
  const error = makeJavascriptError({ issue: 1, bytes: 2_000 });
  await send(eventEnvelope(error));
  await findEvent(api, slug, error.event_id);
  const write = async (message: string, about: string | null) => {
    const id = newEventId();
    const feedback = {
      event_id: id,
      platform: 'javascript',
      timestamp: Date.now() / 1_000,
      contexts: {
        feedback: {
          message,
          name: 'Ana Lopez',
          contact_email: 'ana@example.com',
          url: 'https://shop.example.com/cart',
          ...(about && { associated_event_id: about }),
        },
      },
    };
    await send(
      buildEnvelope({ event_id: id }, [
        { type: 'feedback', payload: JSON.stringify(feedback) },
        {
          type: 'attachment',
          payload: PIXEL,
          headers: { filename: 'screenshot.png', content_type: 'image/png' },
        },
      ]),
    );
  };
  await write('The button does nothing.\nI clicked it twice.', error.event_id);
  await write('Buy cheap watches', null);

  await using browser = await launchChromium();
  const page = await openAsOwner(browser);
  const inbox = `${errata.url}/main/feedback?project=${slug}`;
  const rows = page.getByRole('list', { name: 'Feedback' }).getByRole('listitem');
  await keepingScreenshot(page, 'feedback-inbox', async () => {
    await until('both in the inbox', async () => {
      await page.goto(inbox);
      return (await rows.count()) === 2;
    });
    await page.goto(`${errata.url}/main/issues?project=${slug}`);
    await page
      .getByText(/TypeError/)
      .first()
      .waitFor();
    expect(await page.getByText('Buy cheap watches').count()).toBe(0);

    await page.goto(inbox);
    await rows.filter({ hasText: 'watches' }).getByRole('button', { name: /^Spam/ }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('link', { name: 'Spam', exact: true }).click();
    await rows
      .filter({ hasText: 'watches' })
      .getByRole('button', { name: /^Not spam/ })
      .click();
    await expect.poll(() => rows.count()).toBe(0);
    await page.getByRole('link', { name: 'Unresolved', exact: true }).click();
    await expect.poll(() => rows.count()).toBe(2);
    // Without the toasts of before.
    await page.goto(inbox);
    await rows
      .filter({ hasText: 'button' })
      .getByRole('button', { name: /^Resolve/ })
      .click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect.poll(() => rows.count()).toBe(2);
  });
  await keepingScreenshot(page, 'feedback-issue', async () => {
    await page.getByRole('link', { name: 'The button does nothing.' }).click();
    await page.getByText('I clicked it twice.').first().waitFor();
    await page.getByText('ana@example.com').first().waitFor();
    await page.getByText('screenshot.png').first().waitFor();
    await page.getByRole('link', { name: 'View the error' }).click();
    await page.waitForURL(new RegExp(`/issues/[^/]+/events/${error.event_id}$`));
  });
});
