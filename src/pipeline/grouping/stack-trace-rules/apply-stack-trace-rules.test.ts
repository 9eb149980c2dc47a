import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import type { Frame } from '#protocol/event.ts';
import { applyFrameLimits } from '../stack-traces/variant-frames.ts';
import { applyStackTraceRules } from './apply-stack-trace-rules.ts';
import { compileStackTraceRules } from './compile-stack-trace-rules.ts';
import type { RuleException } from './rule-types.ts';
import { sentInApp, withInApp } from './sent-in-app.ts';

function verdictOf(
  text: string,
  frames: readonly Frame[],
  platform = 'python',
  exception: RuleException | null = null,
) {
  const { rules, problems } = compileStackTraceRules(text);
  expect(problems).toEqual([]);
  return applyStackTraceRules(rules, frames, { platform, exception });
}

/** `+` own code, `-` foreign, `?` unsaid; then `g` grouped by, `i` ignored, `?` unsaid. */
function flags(text: string, frames: readonly Frame[], platform?: string, exception?: RuleException): string {
  const sign = (value: boolean | null, yes: string, no: string): string =>
    value === null ? '?' : value ? yes : no;
  return verdictOf(text, frames, platform, exception)
    .frames.map(({ inApp, contributes }) => sign(inApp, '+', '-') + sign(contributes, 'g', 'i'))
    .join(' ');
}

const named = (...names: readonly string[]): Frame[] => names.map((name) => ({ function: name }));
const STACK = named('main', 'work', 'fail');

test('an action is for the frame, for those above it, or for those below it', () => {
  expect(flags('function:work +app', STACK)).toBe('?? +? ??');
  expect(flags('function:work ^+app', STACK)).toBe('?? ?? +?');
  expect(flags('function:work v-group', STACK)).toBe('?i ?? ??');
  expect(flags('function:work ^-group -group v+app', STACK)).toBe('+? ?i ?i');
});

test('all matchers must hold; a negated one holds where its pattern does not', () => {
  const frames = [
    { function: 'a', module: 'm' },
    { function: 'a', module: 'n' },
    { function: 'b', module: 'm' },
  ];
  expect(flags('function:a module:m +app', frames)).toBe('+? ?? ??');
  expect(flags('function:a !module:m +app', frames)).toBe('?? +? ??');
  expect(flags('!function:a +app', [{ module: 'x' }])).toBe('+?');
});

test('a rule may ask for the frame that called and for the one that was called', () => {
  expect(flags('[ function:main ] | function:* +app', STACK)).toBe('?? +? ??');
  expect(flags('function:* | [ function:fail ] +app', STACK)).toBe('?? +? ??');
  expect(flags('[ function:main ] | function:work | [ function:fail ] +app', STACK)).toBe('?? +? ??');
  // The outermost frame has no caller, whatever is asked of it.
  expect(flags('[ !function:nothing ] | function:main +app', STACK)).toBe('?? ?? ??');
});

test('the last rule decides, and overrides what the SDK said', () => {
  expect(flags('function:a +app\nfunction:a -app', named('a'))).toBe('-?');
  expect(flags('function:a -app', [{ function: 'a', in_app: true }])).toBe('-?');
  expect(flags('function:a -group\nfunction:* +group', named('a'))).toBe('?g');
});

test('what is grouped by is decided after all flags are', () => {
  expect(flags('app:yes -group\nfunction:a +app', named('a', 'b'))).toBe('+i ??');
});

test('a category is set on one frame, and later rules see it on its neighbors', () => {
  const text =
    'function:a category=x\nfunction:b category=x\n[ category:x ] | category:x category=y\ncategory:y +app';
  expect(flags(text, named('a', 'b', 'c'))).toBe('?? +? ??');
  expect(verdictOf(text, named('a', 'b')).frames.map(({ category }) => category)).toEqual(['x', 'y']);
  expect(flags(`${text}\ncategory:[xy] -group`, named('a', 'b', 'c'))).toBe('?i +i ??');
});

test('a rule does not feed itself', () => {
  const text = 'function:* category=x\ncategory:x | [ category:x ] category=z';
  expect(verdictOf(text, named('a', 'b', 'c')).frames.map(({ category }) => category)).toEqual([
    'z',
    'z',
    'x',
  ]);
});

test('paths ignore case and kind of slash, names do not', () => {
  const frame = { abs_path: 'C:\\App\\Shop\\cart.CS', function: 'Pay' };
  expect(flags('path:c:/app/** +app', [frame])).toBe('+?');
  expect(flags('path:"C:\\\\App\\\\**" +app', [frame])).toBe('+?');
  expect(flags('function:pay +app', [frame])).toBe('??');
  expect(flags('path:/lib/** +app', [{ filename: 'lib/a.rb' }])).toBe('+?');
});

test('a family is of the frame’s own platform', () => {
  const frames = [{ function: 'a', platform: 'native' }, { function: 'a' }];
  expect(flags('family:native function:a +app', frames, 'csharp')).toBe('+? ??');
  expect(flags('family:javascript,other function:a +app', frames, 'node')).toBe('?? +?');
  expect(flags('family:all function:a +app', frames)).toBe('+? +?');
});

test('a rule may ask for the exception; what that lacks is unknown', () => {
  const exception = { type: 'IOError', value: null, mechanism: 'onerror' };
  expect(flags('type:IO* mechanism:onerror function:a +app', named('a'), 'python', exception)).toBe('+?');
  expect(flags('error.type:Other function:a +app', named('a'), 'python', exception)).toBe('??');
  expect(flags('value:<unknown> function:a +app', named('a'), 'python', exception)).toBe('+?');
  expect(flags('type:IO* function:a +app', named('a'))).toBe('??');
});

test('limits are set by the last rule that matches a frame', () => {
  const verdict = verdictOf(
    'function:a max-frames=2 min-frames=1\nfunction:b max-frames=5\nfunction:z min-frames=9',
    named('a', 'b'),
  );
  expect(verdict.maxFrames).toEqual({
    value: 5,
    rule: { text: 'function:b max-frames=5', origin: 'project' },
  });
  expect(verdict.minFrames?.value).toBe(1);
  expect(verdict.invertStacktrace).toBeNull();
});

test('a verdict names the rule that changed something', () => {
  const [frame] = verdictOf('function:a -app', [{ function: 'a', in_app: true }]).frames;
  expect(frame?.inAppRule).toEqual({ text: 'function:a -app', origin: 'project' });
  const [same] = verdictOf('function:a -app', [{ function: 'a', in_app: false }]).frames;
  expect(same?.inAppRule).toBeNull();
});

test('of contributing frames those nearest to the crash stay, and too few are none', () => {
  const rule = { text: 'family:native max-frames=2', origin: 'project' } as const;
  const contributes = [true, false, true, true];
  expect(applyFrameLimits(contributes, { maxFrames: { value: 2, rule }, minFrames: null })).toEqual({
    contributes: [false, false, true, true],
    cutBy: rule,
    discardedBy: null,
  });
  expect(
    applyFrameLimits(contributes, { maxFrames: { value: 0, rule }, minFrames: { value: 4, rule } }),
  ).toEqual({
    contributes,
    cutBy: null,
    discardedBy: rule,
  });
});

test('rules see what the SDK sent, also in an event that they have changed before', () => {
  const { rules } = compileStackTraceRules('app:yes function:a category=own\ncategory:own -app');
  const sent: Frame = { function: 'a', in_app: true };
  const context = { platform: 'python', exception: null };
  const first = applyStackTraceRules(rules, [sent], context).frames[0]?.inApp ?? null;
  const stored = withInApp(sent, first);
  expect(stored).toMatchObject({ in_app: false, data: { orig_in_app: 1 } });
  expect(sentInApp(stored)).toBe(true);
  expect(applyStackTraceRules(rules, [stored], context).frames[0]?.inApp).toBe(false);
  expect(withInApp(stored, true)).toMatchObject({ in_app: true });
});

const text = fc.option(fc.oneof(fc.string(), fc.constantFrom('main', 'std::terminate', '/usr/lib/a.so')));
const frame: fc.Arbitrary<Frame> = fc.record({
  function: text,
  module: text,
  package: text,
  abs_path: text,
  in_app: fc.option(fc.boolean()),
  platform: fc.option(fc.constantFrom('native', 'java', 'node')),
});

test('a module is not taken for the path of the same name', () => {
  const { rules } = compileStackTraceRules('path:**/app.so +app');
  const named = { function: 'run', module: '/usr/lib/app.so', platform: 'native' };
  const inApp = (frame: Frame) =>
    applyStackTraceRules(rules, [frame], { platform: 'native', exception: null }).frames[0]?.inApp ?? null;
  expect(inApp(named)).toBeNull();
  expect(inApp({ ...named, abs_path: '/usr/lib/app.so' })).toBe(true);
  expect(inApp(named)).toBeNull();
});

test('any frames get a verdict each, and the same one every time', () => {
  const { rules } = compileStackTraceRules('function:m* ^-group\n!path:** +app\ncategory:throw +group');
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 12 }), (frames) => {
      const apply = () => applyStackTraceRules(rules, frames, { platform: 'native', exception: null });
      const verdict = apply();
      expect(verdict.frames).toHaveLength(frames.length);
      expect(apply()).toEqual(verdict);
    }),
  );
});

test('a deep stack of names that nothing knows costs little', () => {
  const frames = Array.from({ length: 250 }, (_, index) => ({
    function: `f${index}${'_'.repeat(2_000)}`,
    abs_path: `${'a/'.repeat(1_000)}${index}`,
  }));
  const { rules } = compileStackTraceRules('path:**/x*y*z/** -app\nfunction:*a*b*c* -app');
  withinMs(1_000, () => applyStackTraceRules(rules, frames, { platform: 'native', exception: null }));
});
