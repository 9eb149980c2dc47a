import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/api-client.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { type BuiltSite, buildSite, makeBuildToken } from '../../harness/build-site.ts';
import { encodeVlq } from '../../harness/encode-vlq.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { runBuildCli } from '../../harness/run-build-cli.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import type { ErrataHandle } from '../../harness/start-errata.ts';
import { type SentEvent, throwInBrowser } from '../../harness/throw-in-browser.ts';

type Map = { mappings: string; sourcesContent?: unknown };
type Frame = { filename?: string; colno?: number; data?: { source_problem?: { reason: string } } };
type StoredEvent = { exception: { values: { stacktrace: { frames: Frame[] } }[] } };

type Case = {
  /** What the page has to say, with the facts that it names. */
  problem: Readonly<Record<string, unknown>> & { reason: string };
  /** What goes wrong with the files, in a copy of them. */
  spoil?: (folder: string) => void;
  /** Of the upload; null: nothing is uploaded. */
  flags: readonly string[] | null;
  /** What the event says of itself. */
  event?: (sent: SentEvent) => Readonly<Record<string, unknown>>;
};

const hasBrowser = findChromium() !== null;
const SCRIPT = 'main.js';
const DEBUG_ID = '5f1dbe2a-8f52-4b0a-9d7d-6d0c3a1b2c3d';
const PREFIX = ['--url-prefix', '~/assets'] as const;

const withMap = (change: (map: Map) => Map) => (folder: string) => {
  const file = path.join(folder, `${SCRIPT}.map`);
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))));
};

const framesOf = (event: unknown): Frame[] =>
  (event as StoredEvent).exception.values[0]?.stacktrace.frames ?? [];

const CASES: readonly Case[] = [
  {
    problem: { reason: 'no_debug_id_and_no_release' },
    flags: null,
    event: () => ({ release: undefined }),
  },
  { problem: { reason: 'release_has_no_files' }, flags: null },
  {
    problem: { reason: 'debug_id_not_uploaded', debugId: DEBUG_ID },
    flags: null,
    event: (sent) => ({
      release: undefined,
      debug_meta: {
        images: [{ type: 'sourcemap', code_file: framesOf(sent).at(-1)?.filename, debug_id: DEBUG_ID }],
      },
    }),
  },
  {
    problem: { reason: 'other_dist', dist: 'b', uploadedDists: ['a'] },
    flags: [...PREFIX, '--dist', 'a'],
    event: () => ({ dist: 'b' }),
  },
  {
    problem: { reason: 'file_not_in_release', nearest: `~/elsewhere/${SCRIPT}` },
    flags: ['--url-prefix', '~/elsewhere'],
  },
  {
    problem: { reason: 'map_missing', file: `~/assets/${SCRIPT}`, mapUrl: `${SCRIPT}.map` },
    spoil: (folder) => rmSync(path.join(folder, `${SCRIPT}.map`)),
    flags: PREFIX,
  },
  {
    problem: { reason: 'map_invalid', detail: expect.stringContaining('not a base64 digit') },
    spoil: withMap((map) => ({ ...map, mappings: `!${map.mappings}` })),
    flags: [...PREFIX, '--no-rewrite'],
  },
  {
    problem: { reason: 'line_out_of_range', line: expect.any(Number) },
    spoil: withMap((map) => ({ ...map, mappings: '' })),
    flags: [...PREFIX, '--no-rewrite'],
  },
  {
    problem: { reason: 'column_out_of_range', column: expect.any(Number) },
    spoil: withMap((map) => ({
      ...map,
      mappings: Array(1_000)
        .fill(encodeVlq(2 ** 30))
        .join(';'),
    })),
    flags: [...PREFIX, '--no-rewrite'],
  },
  {
    problem: { reason: 'source_content_missing', source: expect.stringContaining('prices.ts') },
    spoil: withMap((map) => ({ ...map, sourcesContent: undefined })),
    flags: [...PREFIX, '--no-rewrite'],
  },
  {
    problem: { reason: 'no_position' },
    flags: PREFIX,
    event: (sent) => ({
      exception: {
        values: [
          {
            type: 'TypeError',
            value: 'without columns',
            stacktrace: { frames: framesOf(sent).map(({ colno: _colno, ...frame }) => frame) },
          },
        ],
      },
    }),
  },
];

let errata: ErrataHandle;
let api: ApiClient;
let slug: string;
let dsn: string;
let token: string;
let browser: Browser;
let page: Page;
let site: BuiltSite;
let sent: SentEvent;

describe.skipIf(!hasBrowser)(`an upload that is wrong${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  beforeAll(async () => {
    ({ errata, api, slug, dsn } = await makeProject('wrong'));
    token = await makeBuildToken(errata, slug);
    browser = await launchChromium();
    site = await buildSite('cli', null);
    await using served = await serveSite(site.folder);
    sent = await throwInBrowser(browser, served.url, { dsn });
    page = await signIn(browser, errata.url);
  });
  afterAll(async () => {
    site?.[Symbol.dispose]();
    await browser?.close();
  });

  test.each(CASES)('is named on the page and over the API: $problem.reason', async (wrong) => {
    const { reason } = wrong.problem;
    const release = `${slug}-${reason}@1.0.0`;
    if (wrong.flags) {
      const folder = path.join(site.home, `wrong-${reason}`);
      cpSync(path.join(site.folder, 'assets'), folder, { recursive: true });
      wrong.spoil?.(folder);
      const upload = { url: errata.url, token, slug };
      await runBuildCli(site, upload, ['sourcemaps', 'upload', '--release', release, ...wrong.flags, folder]);
    }
    const event = { ...sent, release, ...wrong.event?.(sent), event_id: newEventId() };
    await postEnvelope(parseDsn(dsn), eventEnvelope(event));

    const { issue } = await findEvent(api, slug, event.event_id, 20_000);
    const address = `/api/0/projects/main/${slug}/events/${event.event_id}`;
    const stored = await api.get<StoredEvent>(`${address}/json/`);
    expect(framesOf(stored).at(-1)?.data?.source_problem).toMatchObject(wrong.problem);
    expect(JSON.stringify(await api.get(`${address}/source-map-debug/`))).toContain(`"reason":"${reason}"`);
    await page.goto(`${errata.url}/main/issues/${issue.shortId}/events/${event.event_id}`);
    const told = page.locator(`#no-source-${reason.replaceAll('_', '-')}`).first();
    await told.waitFor({ timeout: 20_000 });
    expect(await told.textContent()).toMatch(/\w+ \w+.*\./);
  });
});
