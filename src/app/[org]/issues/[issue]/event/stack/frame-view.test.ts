import { expect, it } from 'vitest';
import { stackView } from './frame-view.ts';

it('names the class with the function where the file does not tell it', () => {
  const nameOf = (frame: { module: string; function: string; filename: string }) =>
    stackView({ frames: [frame] }).frames[0]?.functionName;
  expect(nameOf({ module: 'com.shop.Cache', function: 'grow', filename: 'Cache.java' })).toBe(
    'com.shop.Cache.grow',
  );
  expect(nameOf({ module: 'orders.views', function: 'get', filename: 'orders/views.py' })).toBe('get');
});

it('numbers the source lines around the call', () => {
  const [frame] = stackView({
    frames: [{ lineno: 84, pre_context: ['const a = 1;'], context_line: '  return coupon.id;' }],
  }).frames;
  expect(frame?.source).toEqual([
    { number: 83, text: 'const a = 1;', isCalled: false },
    { number: 84, text: '  return coupon.id;', isCalled: true },
  ]);
});

it('knows source without a line number', () => {
  expect(stackView({ frames: [{ context_line: 'x' }] }).frames[0]?.source).toEqual([
    { number: null, text: 'x', isCalled: true },
  ]);
});

it('says how many frames the SDK left out', () => {
  expect(stackView({ frames: [], frames_omitted: [3, 10] }).omitted).toBe(7);
});

it('keeps what is around the column of a long line', () => {
  const line = `${'a'.repeat(50_000)}THROWN${'b'.repeat(50_000)}`;
  const [frame] = stackView({ frames: [{ lineno: 1, colno: 50_001, context_line: line }] }).frames;
  const text = frame?.source[0]?.text ?? '';
  expect(text).toMatch(/^… a+THROWNb+ …$/);
  expect(text.length).toBeLessThan(1_010);
});

it('says why a frame was not taken to its source', () => {
  const data = { source_problem: { reason: 'map_missing', file: 'a.js', mapUrl: null } };
  const [bare, built, none] = stackView({
    frames: [{ data }, { data, context_line: 'x' }, { data: { source_problem: 'x' } }],
  }).frames;
  expect(bare?.problem?.words).toBe('No source: its source map was not uploaded');
  expect(built?.problem?.words).toBe('Minified: its source map was not uploaded');
  expect(none?.problem).toBeNull();
});

it('links frames that a code mapping fits', () => {
  const link = (frame: { filename?: string | null }) =>
    frame.filename === 'a.ts' ? 'https://git.example/a.ts' : null;
  const { frames } = stackView({ frames: [{ filename: 'a.ts' }, { filename: 'b.ts' }] }, undefined, link);
  expect(frames.map(({ repositoryHref }) => repositoryHref)).toEqual(['https://git.example/a.ts', null]);
});

it('says whether a stack has nothing but addresses', () => {
  const isBare = (...frames: { function?: string; instruction_addr?: string }[]) =>
    stackView({ frames }).hasOnlyAddresses;
  expect(isBare({ instruction_addr: '0x1' }, { instruction_addr: '0x2' })).toBe(true);
  expect(isBare({ instruction_addr: '0x1' }, { instruction_addr: '0x2', function: 'pay' })).toBe(false);
  expect(isBare({})).toBe(false);
  expect(isBare()).toBe(false);
});
