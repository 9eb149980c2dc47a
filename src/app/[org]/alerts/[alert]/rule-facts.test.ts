import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AlertReceiver, AlertRule } from '#domain/alerts/alert-rule.ts';
import { RuleNotices } from './rule-facts.tsx';

const KNOWN = { users: [], teams: [{ id: 3, slug: 'web', name: 'Web' }], destinations: [] };

const shown = (receivers: readonly AlertReceiver[]) => {
  const rule = { isEnabled: true, snoozedUntil: null, metric: null, definition: { receivers } };
  return renderToStaticMarkup(
    createElement(RuleNotices, { rule: rule as unknown as AlertRule, known: KNOWN, now: 0 }),
  );
};

test('says when everybody whom the rule told is gone', () => {
  const gone: AlertReceiver = { kind: 'destination', destinationId: 7 };
  expect(shown([gone])).toContain('This rule doesn’t notify anyone');
  expect(shown([gone, { kind: 'team', teamId: 3 }])).not.toContain('This rule doesn’t notify anyone');
});
