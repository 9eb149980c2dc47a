import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { anyPayload, normalizedPayload } from '../fixtures/arbitrary-event.ts';
import { compileGroupingRules } from './compile-grouping-rules.ts';
import { groupEvent, prepareAndGroupEvent } from './group-event.ts';

const RULES = compileGroupingRules({
  fingerprint: 'message:*a* -> {{ default }} {{ message }}\nstack.function:a -> {{ stack.module }}',
  stackTrace:
    'function:a +app\nmodule:*b* -group\nfamily:native [function:a] | function:* ^-group max-frames=3',
}).rules;

test('any event has a hash, the same after it was stored and grouped again', () => {
  fc.assert(
    fc.property(anyPayload, (sent) => {
      const event = normalizedPayload(sent);
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
    fc.property(anyPayload, (sent) => {
      const { variants, hashes } = groupEvent(normalizedPayload(sent), RULES);
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
