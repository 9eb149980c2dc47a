import { expect, test } from 'vitest';
import { REQUEST_BOUNDS } from '#ingest/request-bounds.ts';
import { EVENT_BYTES_MAX } from '#product/explain/explain-items.ts';

test('errata explain refuses as large an event as the edge does', () => {
  expect(EVENT_BYTES_MAX).toBe(REQUEST_BOUNDS.eventBytesMax);
});
