import { expect, test, vi } from 'vitest';
import { readDocumentTrace, withTraceHeaders } from './trace-headers.ts';

const TRACE_ID = '0123456789abcdef0123456789abcdef';
const trace = { traceId: TRACE_ID, parentSpanId: '0123456789abcdef', baggage: 'sentry-trace_id=x' };

test('reads what the meta tags say', () => {
  const tags = new Map([
    ['sentry-trace', `${TRACE_ID}-0123456789abcdef`],
    ['baggage', 'sentry-trace_id=x'],
  ]);
  expect(readDocumentTrace((name) => tags.get(name) ?? null)).toEqual(trace);
  tags.set('sentry-trace', 'nonsense');
  expect(readDocumentTrace((name) => tags.get(name) ?? null)).toBeNull();
});

test('requests of the origin carry the trace, those to others do not', async () => {
  const send = vi.fn(async (..._: Parameters<typeof fetch>) => new Response());
  const traced = withTraceHeaders(send, trace, 'https://errata.test');
  await traced('/main/state', { headers: { rsc: '1' } });
  await traced('https://elsewhere.test/');
  const [own, foreign] = send.mock.calls.map(([, init]) => Object.fromEntries(new Headers(init?.headers)));
  expect(own).toEqual({
    rsc: '1',
    baggage: 'sentry-trace_id=x',
    'sentry-trace': expect.stringMatching(new RegExp(`^${TRACE_ID}-[0-9a-f]{16}$`)),
    traceparent: expect.stringMatching(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`)),
  });
  expect(foreign).toEqual({});
});
