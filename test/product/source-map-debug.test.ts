import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DigestedEvent } from '#protocol/event.ts';
import { makeBundle } from '../harness/make-zip.ts';
import { type ApiScene, openApiScene } from './api-scene.ts';
import { DEBUG_ID, upload } from './upload-scene.ts';

const PATH = 'projects/[org]/[project]/events/[event]/source-map-debug';
const SCRIPT = 'https://shop.example.com/assets/app.js';

type FrameDebug = {
  abs_path: string;
  is_symbolicated: boolean;
  uploaded: { file: string; found_by: string; source_map: string | null } | null;
  error: { type: string; message: string; data: Record<string, unknown> } | null;
};
type Debug = {
  errors: { type: string; data: Record<string, unknown> }[];
  release: string | null;
  has_debug_ids: boolean;
  exceptions: { frames: FrameDebug[] }[];
};

let scene: ApiScene;
let release: string;
let count = 0;
beforeAll(async () => {
  scene = await openApiScene();
});
beforeEach(() => {
  count += 1;
  release = `web@1.0.${count}`;
});
afterAll(() => scene?.close());

/** An error as it is stored when nothing had been uploaded. */
async function newEvent(
  options: { debugId?: string; dist?: string; contextLine?: string } = {},
): Promise<DigestedEvent> {
  const { contextLine } = options;
  const problem = { reason: 'release_has_no_files', release };
  const frame = { abs_path: SCRIPT, filename: '/assets/app.js', lineno: 1, colno: 10 };
  const [event] = await scene.product.ingest(scene.mine, [
    {
      projectId: scene.web.id,
      release,
      payload: {
        event_id: '',
        type: 'error',
        level: 'error',
        platform: 'javascript',
        timestamp: scene.product.clock.nowMs / 1000,
        received: scene.product.clock.nowMs / 1000,
        release,
        dist: options.dist ?? null,
        sdk: { name: 'sentry.javascript.browser', version: '11.1.0' },
        debug_meta: options.debugId
          ? { images: [{ type: 'sourcemap', code_file: SCRIPT, debug_id: options.debugId }] }
          : null,
        exception: {
          values: [
            {
              type: 'Error',
              stacktrace: {
                frames: [
                  { abs_path: '<anonymous>', function: 'Array.map' },
                  contextLine === undefined
                    ? { ...frame, data: { source_problem: problem } }
                    : { ...frame, context_line: contextLine },
                ],
              },
            },
          ],
        },
      },
    },
  ]);
  return event!;
}

const debug = async (event: DigestedEvent, query = ''): Promise<Debug> => {
  const [status, body] = await scene.answer<Debug>('GET', PATH, { params: { event: event.eventId }, query });
  expect(status).toBe(200);
  return body;
};

const bundle = (mapUrl: string | null, files: readonly string[] = ['app.js', 'app.js.map']): Buffer =>
  makeBundle(
    files.map((name) => ({
      url: `~/assets/${name}`,
      type: name.endsWith('.map') ? 'source_map' : 'minified_source',
      content: name.endsWith('.map') ? '{"version":3}' : `run(${count})`,
      headers: headersOf(name, mapUrl),
    })),
  );

const headersOf = (name: string, mapUrl: string | null): Record<string, string> =>
  name.endsWith('.map') || mapUrl === null ? {} : { sourcemap: mapUrl };

describe('why frames show no source', () => {
  test('is told with its next step, for frames of scripts only', async () => {
    const answer = await debug(await newEvent());
    expect(answer).toMatchObject({
      release,
      has_debug_ids: false,
      errors: [
        { type: 'no_sourcemaps_on_release', data: { reason: 'release_has_no_files', absPath: SCRIPT } },
      ],
    });
    const [anonymous, app] = answer.exceptions[0]!.frames;
    expect([anonymous?.error, anonymous?.uploaded]).toEqual([null, null]);
    expect(app?.error?.data.nextStep).toMatch(/\w/);
  });

  test('is what is wrong now: the upload has the script and not its map', async () => {
    const event = await newEvent();
    await upload(scene.owner, bundle('app.js.map', ['app.js']), { version: release });
    expect((await debug(event)).errors).toMatchObject([
      { type: 'sourcemap_not_found', data: { reason: 'map_missing', mapUrl: 'app.js.map' } },
    ]);
  });

  test('is another dist', async () => {
    const event = await newEvent({ dist: '8' });
    await upload(scene.owner, bundle('app.js.map'), { version: release, dist: '7' });
    expect((await debug(event)).errors).toMatchObject([
      { type: 'dist_mismatch', data: { dist: '8', uploadedDists: ['7'] } },
    ]);
  });

  test('is that the event came first, once all is there', async () => {
    const event = await newEvent();
    await upload(scene.owner, bundle('app.js.map'), { version: release });
    const answer = await debug(event);
    expect(answer.errors).toMatchObject([{ data: { reason: 'not_applied' } }]);
    expect(answer.exceptions[0]?.frames[1]?.uploaded).toEqual({
      file: '~/assets/app.js',
      found_by: 'release',
      source_map: '~/assets/app.js.map',
    });
  });

  test('is no question where the SDK sent the source itself', async () => {
    const answer = await debug(await newEvent({ contextLine: 'run(1);' }));
    expect(answer.errors).toEqual([]);
    expect(answer.exceptions[0]?.frames[1]).toMatchObject({ uploaded: null, error: null });
  });

  test.each([
    ['', {}],
    [', also where the SDK sent the built code', { contextLine: 'run(1);' }],
  ])('is a debug id that nobody uploaded%s', async (_, sent) => {
    const event = await newEvent({ debugId: DEBUG_ID, ...sent });
    const answer = await debug(event);
    expect(answer.has_debug_ids).toBe(true);
    expect(answer.errors).toMatchObject([{ data: { reason: 'debug_id_not_uploaded', debugId: DEBUG_ID } }]);
  });
});

describe('one frame', () => {
  test('is chosen by the numbers of its exception and its own', async () => {
    const event = await newEvent();
    expect((await debug(event, 'exception_idx=0&frame_idx=0')).errors).toEqual([]);
    expect((await debug(event, 'exception_idx=0&frame_idx=1')).errors).toHaveLength(1);
  });

  test.each(['exception_idx=0&frame_idx=9', 'exception_idx=1&frame_idx=0', 'frame_idx=first'])(
    'that is not there is refused: %s',
    async (query) => {
      const { eventId } = await newEvent();
      expect((await scene.answer('GET', PATH, { params: { event: eventId }, query }))[0]).toBe(400);
    },
  );
});

test('an event that is not there is not found', async () => {
  expect((await scene.answer('GET', PATH, { params: { event: 'a'.repeat(32) } }))[0]).toBe(404);
});

test('the whole event can be read as it is stored', async () => {
  const event = await newEvent();
  const path = 'projects/[org]/[project]/events/[event]/json';
  expect(await scene.answer('GET', path, { params: { event: event.eventId } })).toMatchObject([
    200,
    {
      event_id: event.eventId,
      release,
      project: scene.web.id,
      exception: { values: [{ stacktrace: { frames: [{}, { abs_path: SCRIPT }] } }] },
    },
  ]);
});
