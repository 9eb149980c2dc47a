import { expect, test } from 'vitest';
import { CLIENT_DISCARD_LABELS } from './client-discard.ts';

test('what an event processor dropped is explained by those that SDKs bring along', () => {
  expect(CLIENT_DISCARD_LABELS.event_processor?.meaning).toMatch(/Dedupe.*ignoreErrors/);
});
