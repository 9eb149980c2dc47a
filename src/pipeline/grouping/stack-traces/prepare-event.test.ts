import { expect, test } from 'vitest';
import type { Frame } from '#protocol/event.ts';
import { digestFixture } from '../../fixtures/digest-fixture.ts';
import { compileStackTraceRules } from '../stack-trace-rules/compile-stack-trace-rules.ts';
import { prepareEvent, RULED_FRAMES_MAX } from './prepare-event.ts';

const event = (platform: string, frames: readonly object[]) =>
  digestFixture({ platform, exception: { type: 'E', stacktrace: { frames } } }).payload;

const prepared = (rules: string, platform: string, frames: readonly object[]): readonly Frame[] =>
  prepareEvent(event(platform, frames), compileStackTraceRules(rules).rules).event.exception?.values[0]
    ?.stacktrace?.frames ?? [];

test('in_app is what the rules decide, and what the SDK had sent stays beside it', () => {
  const frames = [
    { function: 'silent' },
    { function: 'own', in_app: false, data: { sourcemap: 'a.map' } },
    { function: 'foreign', in_app: true },
    { function: 'kept', in_app: true },
  ];
  expect(
    prepared('function:silent +app\nfunction:own +app\nfunction:foreign -app', 'python', frames),
  ).toMatchObject([
    { in_app: true, data: { orig_in_app: -1 } },
    { in_app: true, data: { orig_in_app: 0, sourcemap: 'a.map' } },
    { in_app: false, data: { orig_in_app: 1 } },
    { in_app: true, data: undefined },
  ]);
});

test('other rules start from what the SDK had sent', () => {
  const stored = prepareEvent(
    event('python', [{ function: 'pay', in_app: true }]),
    compileStackTraceRules('function:pay -app').rules,
  ).event;
  const again = prepareEvent(stored, compileStackTraceRules('').rules).event;
  expect(again.exception?.values[0]?.stacktrace?.frames[0]?.in_app).toBe(true);
});

test('functions of native code lose their signature, and keep it beside', () => {
  expect(prepared('', 'native', [{ function: 'void shop::pay(int)' }, { function: 'pay' }])).toMatchObject([
    { function: 'shop::pay', raw_function: 'void shop::pay(int)' },
    { function: 'pay', raw_function: undefined },
  ]);
  expect(prepared('', 'native', [{ function: 'f(x)', raw_function: 'void f(x)' }])).toMatchObject([
    { function: 'f(x)' },
  ]);
});

test('the stacks of threads and raw stacks are marked as well', () => {
  const frames = [{ function: 'pay' }];
  const { payload } = digestFixture({
    platform: 'python',
    threads: [{ id: 1, stacktrace: { frames } }, { id: 2 }],
    exception: { type: 'E', stacktrace: { frames }, raw_stacktrace: { frames } },
  });
  const marked = prepareEvent(payload, compileStackTraceRules('function:pay +app').rules).event;
  expect(JSON.stringify(marked).match(/"in_app":true/g)).toHaveLength(3);
});

test('of more frames than are looked at, the crashed thread comes first', () => {
  const stacktrace = { frames: Array.from({ length: 250 }, () => ({ function: 'pay' })) };
  const threads = Array.from({ length: RULED_FRAMES_MAX / 250 + 1 }, (_, id) => ({ id, stacktrace }));
  const { payload } = digestFixture({
    platform: 'python',
    threads: [...threads, { crashed: true, stacktrace }],
  });
  const marked = prepareEvent(payload, compileStackTraceRules('function:pay +app').rules).event;
  const own = marked.threads?.values.map((thread) => thread.stacktrace?.frames[0]?.in_app);
  expect(own?.at(-1)).toBe(true);
  expect(own?.filter((inApp) => inApp === true)).toHaveLength(RULED_FRAMES_MAX / 250);
  expect(own?.at(-2)).toBeNull();
});
