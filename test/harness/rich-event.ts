import { crc32, deflateSync } from 'node:zlib';
import { buildEnvelope, type EnvelopeItem, newEventId } from './envelope.ts';

export type RichEvent = Record<string, unknown> & { event_id: string };

export const TRACE_ID = '4c79f60c11214eb38604f4ae0781bfb2';

/** Eight library calls around two own ones, the innermost own one with source and variables. */
const FRAMES = [
  { function: 'main', filename: 'src/index.ts', lineno: 12, in_app: true, context_line: 'await main();' },
  ...Array.from({ length: 8 }, (_, index) => ({
    function: `dispatch${index}`,
    filename: 'node_modules/express/router.js',
    lineno: 100 + index,
    in_app: false,
  })),
  {
    function: 'applyCoupon',
    filename: 'src/checkout/cart.ts',
    lineno: 84,
    colno: 17,
    in_app: true,
    pre_context: [
      '/** Throws for a code that is not known. */',
      'export function applyCoupon(cart: Cart, code: string) {',
      '  // A cart has at most one coupon.',
      "  if (code === '') return null;",
      '  const coupon = cart.coupons.find((each) => each.code === code);',
    ],
    context_line: '  return coupon.id.toUpperCase();',
    post_context: ['}', '', 'export const RATE = 0.21;', ''],
    vars: { code: 'SPRING', cart: { coupons: [], total: 42 } },
  },
  { function: 'Array.map', filename: '<anonymous>', in_app: false },
];

/** An error with everything that the page of an issue shows. `mark` stands in its title and makes it an issue of its own. */
export function makeRichEvent(mark: string, over: Record<string, unknown> = {}): RichEvent {
  const now = Date.now() / 1000;
  return {
    event_id: newEventId(),
    timestamp: now,
    platform: 'node',
    level: 'error',
    release: 'shop@2.1.0',
    environment: 'production',
    transaction: 'POST /cart',
    server_name: 'web-3',
    fingerprint: [mark],
    sdk: { name: 'sentry.javascript.node', version: '11.1.0', integrations: ['Http', 'Console'] },
    user: { id: 'u_17', email: 'marta@example.com' },
    tags: { plan: 'pro', region: 'eu-west' },
    extra: { cart: { items: [{ sku: 'A-1', count: 2 }] } },
    modules: { express: '5.1.0', zod: '4.6.7' },
    request: {
      url: 'https://shop.example/cart?coupon=SPRING',
      method: 'POST',
      headers: {
        'User-Agent':
          'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      },
    },
    contexts: {
      trace: { trace_id: TRACE_ID, span_id: 'b7ad6b7169203331', op: 'http.server' },
      device: { model: 'MacBookPro18,3', memory_size: 17_179_869_184, battery_level: 62, type: 'device' },
    },
    breadcrumbs: {
      values: [
        { timestamp: now - 62, type: 'navigation', category: 'navigation', data: { from: '/', to: '/cart' } },
        { timestamp: now - 30, category: 'ui.click', message: 'button.apply-coupon' },
        { timestamp: now - 4, type: 'http', category: 'fetch', data: { url: '/api/cart', status_code: 200 } },
        { timestamp: now - 3, category: 'console', level: 'warning', message: 'coupon SPRING has expired' },
        {
          timestamp: now - 2,
          type: 'http',
          category: 'fetch',
          level: 'error',
          data: { url: '/api/coupon', status_code: 404 },
        },
        { timestamp: now - 1, category: 'query', message: 'SELECT * FROM coupons WHERE code = $1' },
      ],
    },
    exception: {
      values: [
        {
          type: 'FetchError',
          value: 'coupon service answered 404',
          stacktrace: { frames: FRAMES.slice(0, 2) },
        },
        {
          type: 'TypeError',
          value: `Cannot read properties of undefined (reading 'id') ${mark}`,
          mechanism: { type: 'onuncaughtexception', handled: false },
          stacktrace: { frames: FRAMES },
        },
      ],
    },
    ...over,
  };
}

/** The event with a screenshot, a log, a drawing that could run a program, and what a person said about it. */
export function richEnvelopes(event: RichEvent): readonly Buffer[] {
  const file = (name: string, contentType: string, payload: Uint8Array | string): EnvelopeItem => ({
    type: 'attachment',
    payload,
    headers: { filename: name, content_type: contentType, attachment_type: 'event.attachment' },
  });
  const header = { event_id: event.event_id, sent_at: new Date().toISOString() };
  const feedbackId = newEventId();
  return [
    buildEnvelope(header, [
      { type: 'event', payload: JSON.stringify(event) },
      file('screenshot.png', 'image/png', makePng(64, 48)),
      file('server.log', 'text/plain', 'line one\nline two\n'),
      file('drawing.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    ]),
    buildEnvelope({ event_id: feedbackId }, [
      {
        type: 'feedback',
        payload: JSON.stringify({
          event_id: feedbackId,
          timestamp: Date.now() / 1000,
          platform: 'javascript',
          contexts: {
            feedback: {
              message: 'The coupon button did nothing.',
              name: 'Marta',
              contact_email: 'marta@example.com',
              associated_event_id: event.event_id,
            },
          },
        }),
      },
    ]),
  ];
}

/** A group of two exceptions with a cause, as SDKs for Python send it. */
export function makeExceptionGroup() {
  const one = (id: number, parent: number | null, type: string, value: string, more = {}) => ({
    type,
    value,
    mechanism: { type: 'chained', exception_id: id, parent_id: parent, ...more },
    stacktrace: { frames: [{ function: 'run', filename: 'jobs.py', lineno: id + 1, in_app: true }] },
  });
  return {
    values: [
      one(3, 0, 'OSError', 'why', { source: '__cause__' }),
      one(2, 0, 'KeyError', 'second', { source: 'exceptions[1]' }),
      one(1, 0, 'ValueError', 'first', { source: 'exceptions[0]' }),
      one(0, null, 'ExceptionGroup', 'two failed', { is_exception_group: true, handled: false }),
    ],
  };
}

/** A grey picture. Source: https://www.w3.org/TR/png-3/ */
export function makePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = Buffer.alloc((width + 1) * height, 0x99);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
