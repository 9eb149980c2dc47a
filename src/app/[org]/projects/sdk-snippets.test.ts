import { expect, test } from 'vitest';
import { PLATFORMS } from './platforms.ts';
import { sdkSnippet } from './sdk-snippets.ts';

const DSN = 'http://0123456789abcdef0123456789abcdef@localhost:9000/42';

test.each(PLATFORMS.map((platform) => platform.id))(
  '%s has its own snippet with the DSN and a way to verify',
  (id) => {
    const steps = sdkSnippet(id, DSN);
    const text = steps.map((step) => `${step.title} ${step.text}`).join('\n');
    expect(text).toContain(DSN);
    expect(text).toMatch(/verify/i);
    if (id !== 'other') expect(steps).not.toEqual(sdkSnippet('other', DSN));
  },
);

test('a platform that is not listed gets what every SDK understands', () => {
  expect(sdkSnippet('cobol', DSN)).toEqual(sdkSnippet('other', DSN));
  expect(sdkSnippet(null, DSN)).toEqual(sdkSnippet('other', DSN));
});

test('the event sent by hand goes to the project of the DSN, below a path too', () => {
  const text = (dsn: string) => sdkSnippet('other', dsn).at(-1)?.text;
  expect(text(DSN)).toContain(
    "'http://localhost:9000/api/42/store/?sentry_key=0123456789abcdef0123456789abcdef'",
  );
  expect(text('https://abc@example.com/errata/7')).toContain(
    "'https://example.com/errata/api/7/store/?sentry_key=abc'",
  );
});
