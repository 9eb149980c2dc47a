import { describe, expect, test } from 'vitest';
import type { ExplainedFrame } from '#product/artifacts/explain-source-maps.ts';
import type { SourceProblem } from '#product/events/source-problem.ts';
import { serializeFrameDebug } from './frame-debug.ts';

const URL = 'https://shop.example.com/assets/app.js';
const explained = (given: Partial<ExplainedFrame>): ExplainedFrame => ({
  frame: { abs_path: URL, lineno: 1, colno: 20 },
  isSymbolicated: false,
  problem: null,
  debugId: null,
  now: null,
  ...given,
});
const missing: SourceProblem = { reason: 'release_has_no_files', release: 'web@1' };
const located = {
  kind: 'located',
  file: '~/assets/app.js',
  foundBy: 'release',
  map: '~/assets/app.js.map',
} as const;

describe('the error of a frame', () => {
  test('is none where its source is shown', () => {
    const debug = serializeFrameDebug(explained({ isSymbolicated: true, now: located }));
    expect([debug.error, debug.is_symbolicated]).toEqual([null, true]);
    expect(debug.uploaded).toEqual({
      file: '~/assets/app.js',
      found_by: 'release',
      source_map: '~/assets/app.js.map',
    });
  });

  test('is what the uploads of now lack, whatever was the reason before', () => {
    const now = {
      kind: 'absent',
      problem: { reason: 'map_missing', file: '~/assets/app.js', mapUrl: null },
    } as const;
    expect(serializeFrameDebug(explained({ problem: missing, now })).error).toEqual({
      type: 'sourcemap_not_found',
      message: expect.stringContaining('~/assets/app.js'),
      data: expect.objectContaining({
        reason: 'map_missing',
        absPath: URL,
        nextStep: expect.stringMatching(/\w/),
      }),
    });
  });

  test('says that uploads came later than the event', () => {
    const { error } = serializeFrameDebug(explained({ problem: missing, now: located }));
    expect(error?.data).toMatchObject({ reason: 'not_applied', absPath: URL });
  });

  test('stays where the files are there and do not fit', () => {
    const problem: SourceProblem = { reason: 'line_out_of_range', file: '~/assets/app.js', line: 1 };
    const { error } = serializeFrameDebug(explained({ problem, now: located }));
    expect(error?.data).toMatchObject({ reason: 'line_out_of_range', line: 1 });
  });

  test.each<[SourceProblem, string]>([
    [{ reason: 'no_debug_id_and_no_release' }, 'no_release_on_event'],
    [missing, 'no_sourcemaps_on_release'],
    [{ reason: 'file_not_in_release', release: '1', url: URL, nearest: null }, 'no_url_match'],
    [{ reason: 'file_not_in_release', release: '1', url: URL, nearest: '~/app.js' }, 'partial_match'],
    [{ reason: 'other_dist', release: '1', dist: null, uploadedDists: ['7'] }, 'dist_mismatch'],
    [{ reason: 'debug_id_not_uploaded', debugId: 'a' }, 'sourcemap_not_found'],
  ])('has a type that Sentry has: %o', (problem, type) => {
    expect(serializeFrameDebug(explained({ now: { kind: 'absent', problem } })).error?.type).toBe(type);
  });
});
