import { expect, test } from 'vitest';
import { LIMITS } from '#ingest/limits.ts';
import { EVENT_BYTES_MAX } from '#product/explain/explain-items.ts';

test('errata explain refuses as large an event as the edge does', () => {
  expect(EVENT_BYTES_MAX).toBe(LIMITS.eventBytesMax);
});
