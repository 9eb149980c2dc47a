import { expect, test } from 'vitest';
import { isOneClick } from './one-click.ts';

const asked = (body: BodyInit | null, type?: string) =>
  isOneClick(
    new Request('http://errata.example/unsubscribe/x', {
      method: 'POST',
      body,
      headers: type ? { 'content-type': type } : {},
    }),
  );

test('the field of a mail program, in both encodings', async () => {
  expect(await asked('List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded')).toBe(true);
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  expect(await asked(form)).toBe(true);
});

test('anything else is not', async () => {
  expect(await asked(null)).toBe(false);
  expect(await asked('List-Unsubscribe=No', 'application/x-www-form-urlencoded')).toBe(false);
  expect(await asked('a=b', 'application/x-www-form-urlencoded')).toBe(false);
  const form = new FormData();
  form.set('Other', 'One-Click');
  expect(await asked(form)).toBe(false);
});

test('a large body is not read to its end', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1_024;
      controller.enqueue(new Uint8Array(1_024).fill(97));
    },
  });
  const request = new Request('http://errata.example/', {
    method: 'POST',
    body: endless,
    duplex: 'half',
  } as RequestInit);
  expect(await isOneClick(request)).toBe(false);
  expect(sent).toBeLessThan(16_384);
});
