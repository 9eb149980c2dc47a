import { expect, test } from 'vitest';
import { digestFixture } from '../fixtures/digest-fixture.ts';

function framesOf(platform: string, frames: readonly object[]) {
  const { payload } = digestFixture({ platform, exception: { type: 'E', stacktrace: { frames } } });
  return payload.exception?.values[0]?.stacktrace?.frames ?? [];
}

test.each([
  ['https://cdn.example.com/a/b.js?v=1#x', '/a/b.js'],
  ['webpack:///./src/a.ts', 'webpack:///./src/a.ts'],
  ['app:///main.js', 'app:///main.js'],
  ['file:///srv/a.js', '/srv/a.js'],
  ['applewebdata://0A/b.js', '/b.js'],
  ['https://example.com/', 'https://example.com/'],
  ['node:internal/process', 'node:internal/process'],
  ['C:\\app\\a.cs', 'C:\\app\\a.cs'],
  ['/srv/app/a.py', '/srv/app/a.py'],
])('a frame of %s alone has it as address, and %s as file name', (sent, filename) => {
  const expected = { abs_path: sent, filename };
  expect(framesOf('javascript', [{ filename: sent }])).toMatchObject([expected]);
  expect(framesOf('javascript', [{ abs_path: sent }])).toMatchObject([expected]);
});

test('positions are numbers from 1, addresses are hexadecimal', () => {
  const [frame] = framesOf('native', [
    { function: 'f', lineno: '12', colno: 0, instruction_addr: 4096, symbol_addr: '0xff' },
  ]);
  expect(frame).toMatchObject({ lineno: 12, instruction_addr: '0x1000', symbol_addr: '0xff' });
  expect(frame?.colno).toBeUndefined();
});

test('the source lines nearest to the frame are kept', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const [frame] = framesOf('python', [
    { function: 'f', pre_context: lines, context_line: 'here', post_context: [null, ...lines] },
  ]);
  expect(frame?.pre_context).toEqual(lines.slice(-20));
  expect(frame?.post_context).toEqual([null, ...lines.slice(0, 19)]);
});

test('what the SDK did not say of a frame stays unsaid', () => {
  const frames = framesOf('brainfuck', [
    { function: 'f', filename: 'a.bf' },
    { function: 'g', in_app: true },
  ]);
  expect(frames.map((frame) => frame.in_app)).toEqual([null, true]);
  expect(frames[0]?.data).toBeUndefined();
});

test('what was sent of in_app is what counts, not what another server says of it', () => {
  const frames = framesOf('brainfuck', [
    { function: 'f', in_app: true, data: { orig_in_app: 0, offset: 7 } },
    { function: 'g', in_app: true, data: { orig_in_app: -1 } },
  ]);
  expect(frames.map(({ in_app: inApp, data }) => [inApp, data])).toEqual([
    [true, { offset: 7 }],
    [true, undefined],
  ]);
});
