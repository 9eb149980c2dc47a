import { beforeEach, expect, test, vi } from 'vitest';

const ORIGIN = 'https://errata.test';
const script = (file: string) => ({ tagName: 'SCRIPT', src: `${ORIGIN}/_next/static/chunks/${file}` });
const style = (file: string) => ({
  tagName: 'LINK',
  rel: 'stylesheet',
  href: `${ORIGIN}/_next/static/chunks/${file}`,
});

let kept: Record<string, string> = {};
let nowMs = 0;
beforeEach(() => {
  kept = {};
  nowMs = 1_000_000;
});

/** A document of the tab: its modules are new, what the session storage keeps is not. */
async function openDocument({ storage = true } = {}) {
  vi.resetModules();
  const { createMissingFileListener, isReloadingForFiles } = await import('./missing-files.ts');
  const reload = vi.fn();
  const report = vi.fn();
  const listener = createMissingFileListener({
    origin: ORIGIN,
    storage: () => {
      if (!storage) throw new Error('The browser keeps nothing');
      return {
        getItem: (key) => kept[key] ?? null,
        setItem: (key, value) => {
          kept[key] = value;
        },
      };
    },
    now: () => nowMs,
    reload,
    report,
  });
  const fail = (target: object) => listener({ target } as unknown as Event);
  return { fail, reload, report, isReloadingForFiles };
}

test('a missing script brings one reload, and an error when it stays missing', async () => {
  const before = await openDocument();
  before.fail(script('old.js'));
  before.fail(script('old-too.js'));
  expect([before.reload.mock.calls.length, before.report.mock.calls.length]).toEqual([1, 0]);
  expect(before.isReloadingForFiles()).toBe(true);

  nowMs += 60_000;
  const after = await openDocument();
  after.fail(script('old.js'));
  expect(after.reload).not.toHaveBeenCalled();
  expect(after.report.mock.calls[0]?.[0]).toMatchObject({
    name: 'ScriptLoadError',
    message: 'The script /_next/static/chunks/old.js could not be loaded',
  });
});

test('two different files within ten seconds are no reason for two reloads', async () => {
  (await openDocument()).fail(script('one.js'));
  nowMs += 9_000;
  const soon = await openDocument();
  soon.fail(style('two.css'));
  expect(soon.reload).not.toHaveBeenCalled();
  expect(soon.report.mock.calls[0]?.[0]).toMatchObject({ name: 'StylesheetLoadError' });
  nowMs += 2_000;
  const later = await openDocument();
  later.fail(style('three.css'));
  expect(later.reload).toHaveBeenCalledTimes(1);
});

test('files of others, and images, are none of its business', async () => {
  const { fail, reload, report } = await openDocument();
  fail({ tagName: 'SCRIPT', src: 'https://elsewhere.test/_next/static/x.js' });
  fail({ tagName: 'SCRIPT', src: `${ORIGIN}/other.js` });
  fail({ tagName: 'IMG', src: `${ORIGIN}/_next/static/x.png` });
  fail({ tagName: 'LINK', rel: 'preload', href: `${ORIGIN}/_next/static/x.js` });
  expect([reload.mock.calls, report.mock.calls]).toEqual([[], []]);
});

test('where nothing is kept there is no reload, since it could not end', async () => {
  const { fail, reload, report } = await openDocument({ storage: false });
  fail(script('old.js'));
  expect([reload.mock.calls.length, report.mock.calls.length]).toEqual([0, 1]);
});
