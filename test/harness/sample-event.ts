import { newEventId } from './envelope.ts';

export type SampleEvent = Record<string, unknown> & { event_id: string };

export const SAMPLE_RELEASE = 'shop-web@4.11.2';

/** Path of the script that the errors of an issue come from. */
export const scriptOf = (issue: number): string => `/assets/${wordOf(issue)}.js`;

/**
 * A JavaScript error as a browser SDK sends it: stack with source context, breadcrumbs, request, contexts.
 * Events with the same `issue` number belong together, others do not; `bytes` is the size of the JSON, about.
 */
export function makeJavascriptError(options: {
  issue: number;
  bytes: number;
  eventId?: string;
}): SampleEvent {
  const word = wordOf(options.issue);
  const event: SampleEvent = {
    event_id: options.eventId ?? newEventId(),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'error',
    environment: 'production',
    release: SAMPLE_RELEASE,
    transaction: `/checkout/${word}`,
    sdk: {
      name: 'sentry.javascript.browser',
      version: '11.1.0',
      integrations: ['Breadcrumbs', 'GlobalHandlers'],
    },
    user: { id: String(1000 + (options.issue % 500)), email: `customer-${options.issue % 500}@example.com` },
    tags: { cart: word, region: 'eu-west' },
    request: {
      url: `https://shop.example.com/checkout/${word}?step=payment`,
      headers: { 'User-Agent': USER_AGENT, Referer: 'https://shop.example.com/cart' },
    },
    contexts: { culture: { locale: 'en-GB', timezone: 'Europe/Paris' }, trace: TRACE },
    exception: {
      values: [
        {
          type: 'TypeError',
          value: `Cannot read properties of undefined (reading '${word}Total')`,
          mechanism: { type: 'onerror', handled: false },
          stacktrace: { frames: FUNCTIONS.map((name, index) => makeFrame(name, word, index)) },
        },
      ],
    },
    breadcrumbs: [],
  };
  return fill(event, options.bytes);
}

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const TRACE = { trace_id: '4c79f60c11214eb38604f4ae0781bfb2', span_id: 'b7ad6b7169203331' };
const FUNCTIONS = ['dispatchEvent', 'onSubmit', 'submitOrder', 'computeTotals', 'applyCoupon'];

/** Letters only: numbers in names may be folded by grouping. */
function wordOf(number: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  let word = '';
  for (let rest = number; word.length < 3; rest = Math.floor(rest / 26)) word += letters[rest % 26];
  return `cart${word}`;
}

function makeFrame(name: string, word: string, index: number): Record<string, unknown> {
  const inApp = index > 0;
  return {
    function: inApp ? `${name}_${word}` : name,
    filename: inApp ? `https://shop.example.com/assets/${word}.js` : 'https://cdn.example.com/framework.js',
    abs_path: inApp ? `https://shop.example.com/assets/${word}.js` : 'https://cdn.example.com/framework.js',
    lineno: 100 + index,
    colno: 17,
    in_app: inApp,
    pre_context: ['function total(cart) {', '  const lines = cart.lines ?? [];'],
    context_line: `  return lines.reduce((sum, line) => sum + line.${word}Total, 0);`,
    post_context: ['}', ''],
  };
}

/** Adds breadcrumbs, then extra data, until the JSON has about the wanted size. */
function fill(event: SampleEvent, bytes: number): SampleEvent {
  const breadcrumbs: Record<string, unknown>[] = [];
  let size = JSON.stringify(event).length;
  const noteLength = bytes > 20_000 ? 250 : 20;
  for (let index = 0; size < bytes - 200 - noteLength && breadcrumbs.length < 100; index++) {
    const crumb = {
      timestamp: Date.now() / 1000 - 60 + index / 10,
      type: 'http',
      category: 'fetch',
      data: { method: 'GET', url: `/api/cart/${index}`, status_code: 200, note: makeText(noteLength) },
    };
    breadcrumbs.push(crumb);
    size += JSON.stringify(crumb).length + 1;
  }
  const missing = bytes - size - 40;
  const lines = missing > 0 ? Math.ceil(missing / 1003) : 0;
  const state = Array.from({ length: lines }, (_, line) => makeText(Math.min(1000, missing - line * 1003)));
  return { ...event, breadcrumbs, extra: { state } };
}

/** Words and numbers in random order, so that it compresses about as well as real text does. */
function makeText(length: number): string {
  let text = '';
  while (text.length < length) {
    text += `${WORDS[Math.floor(Math.random() * WORDS.length)]} ${Math.floor(Math.random() * 1000)} `;
  }
  return text.slice(0, Math.max(0, length));
}

const WORDS =
  'order cart customer payment refused while loading the total of an item from session with token'.split(' ');
