import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { normalizeEvent } from '../normalize/normalize-event.ts';
import { compileGroupingRules } from './compile-grouping-rules.ts';
import { groupEvent, prepareAndGroupEvent } from './group-event.ts';

const RULES = compileGroupingRules({
  fingerprint: 'message:*a* -> {{ default }} {{ message }}\nstack.function:a -> {{ stack.module }}',
  stackTrace:
    'function:a +app\nmodule:*b* -group\nfamily:native [function:a] | function:* ^-group max-frames=3',
}).rules;

const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'a.b',
    '<anonymous>',
    'https://h/a.js?b=1',
    'void a<b>(c) const &',
    '{{ default }}',
    '$_1',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const frame = fc.record({
  function: some(text),
  raw_function: some(text),
  module: some(text),
  filename: some(text),
  abs_path: some(text),
  package: some(text),
  context_line: some(text),
  lineno: some(fc.nat(3)),
  in_app: fc.constantFrom(true, false, null, undefined),
  platform: some(fc.constantFrom('java', 'native', 'javascript', 'php')),
  data: some(fc.record({ orig_in_app: fc.constantFrom(-1, 0, 1, 'x', undefined), sourcemap: some(text) })),
});
const stacktrace = fc.record({ frames: fc.array(frame, { maxLength: 6 }) });
const mechanism = fc.record({
  type: fc.constantFrom('generic', 'minidump'),
  synthetic: some(fc.boolean()),
  exception_id: some(fc.nat(4)),
  parent_id: some(fc.nat(4)),
  is_exception_group: some(fc.boolean()),
  meta: some(fc.record({ ns_error: fc.constantFrom(null, {}, { domain: 'a', code: 1 }, 'x') })),
});
const exception = fc.record({
  type: some(text),
  value: some(text),
  mechanism: some(mechanism),
  stacktrace: some(stacktrace),
});
const payload = fc.record({
  platform: fc.constantFrom(
    'java',
    'cocoa',
    'javascript',
    'node',
    'python',
    'ruby',
    'php',
    'csharp',
    'go',
    undefined,
  ),
  message: some(text),
  fingerprint: some(fc.array(text, { maxLength: 3 })),
  checksum: some(text),
  exception: some(fc.array(exception, { maxLength: 5 })),
  stacktrace: some(stacktrace),
  threads: some(
    fc.array(fc.record({ crashed: some(fc.boolean()), stacktrace: some(stacktrace) }), { maxLength: 3 }),
  ),
  csp: some(fc.record({ blocked_uri: some(text), effective_directive: some(text) })),
  sdk: some(fc.record({ name: fc.constant('x'), version: fc.constantFrom('2.1', '3.0') })),
});

const normalized = (sent: Record<string, unknown>): NormalizedEvent =>
  normalizeEvent(sent, {
    bytes: new Uint8Array(),
    envelopeEventId: null,
    sentAtMs: null,
    receivedAtMs: 1_790_000_000_000,
    clientIp: null,
    userAgent: null,
    unsafeText: true,
  });

test('any event has a hash, the same after it was stored and grouped again', () => {
  fc.assert(
    fc.property(payload, (sent) => {
      const event = normalized(sent);
      const before = JSON.stringify(event);
      const { event: prepared, grouping } = prepareAndGroupEvent(event, RULES);
      expect(JSON.stringify(event)).toBe(before);
      expect(grouping.hashes.length).toBeGreaterThan(0);
      for (const hash of grouping.hashes) expect(hash).toMatch(/^[0-9a-f]{32}$/);
      expect(groupEvent(event, RULES)).toEqual(grouping);
      const stored = JSON.parse(JSON.stringify(prepared)) as NormalizedEvent;
      const again = prepareAndGroupEvent(stored, RULES);
      expect(again.grouping).toEqual(grouping);
      expect(JSON.parse(JSON.stringify(again.event))).toEqual(stored);
    }),
    { numRuns: 1_500 },
  );
});

test('what contributes in the tree is what was hashed', () => {
  fc.assert(
    fc.property(payload, (sent) => {
      const { variants, hashes } = groupEvent(normalized(sent), RULES);
      const contributing = Object.values(variants).filter((variant) => variant.contributes);
      expect(new Set(hashes)).toEqual(new Set(contributing.map((variant) => variant.hash)));
      for (const variant of Object.values(variants)) {
        expect(variant.hash === null).toBe(!variant.contributes);
        if (variant.tree) expect(variant.tree.contributes).toBe(variant.contributes);
      }
    }),
    { numRuns: 500 },
  );
});
