import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import { breadcrumbText, contextText, crashFrameText, fence, requestText, stackText } from './event-texts.ts';

const own = (name: string) => ({
  function: name,
  filename: 'cart.ts',
  lineno: 84,
  in_app: true,
  pre_context: ['const a = 1;'],
  context_line: 'return coupon.id;',
  vars: { cart: { items: [1, 2] } },
});
const library = { function: 'run', filename: 'node_modules/x.js', in_app: false };
const event: NormalizedEvent = {
  event_id: 'a'.repeat(32),
  type: 'error',
  level: 'error',
  platform: 'node',
  timestamp: 100,
  received: 100,
  exception: {
    values: [
      { type: 'Cause', value: 'first' },
      {
        type: 'TypeError',
        value: 'no id',
        mechanism: { type: 'onerror', handled: false },
        stacktrace: { frames: [library, library, own('main'), own('applyCoupon'), library] },
      },
    ],
  },
  breadcrumbs: {
    values: [{ timestamp: 97.5, category: 'http', level: 'info', data: { url: '/a', status: 500, size: 7 } }],
  },
  request: { method: 'POST', url: 'https://x.example/', headers: [['Accept', 'a\nb']], data: { a: 1 } },
  contexts: { os: { type: 'os', name: 'iOS', version: '17' } },
};

describe('an event in words', () => {
  it('names the guilty line with its source and variables', () => {
    expect(crashFrameText(event)).toBe(
      [
        'applyCoupon in cart.ts:84',
        '  83 | const a = 1;',
        '> 84 | return coupon.id;',
        'variables:',
        '  cart = {"items":[1,2]}',
      ].join('\n'),
    );
  });

  it('has own calls, counts those of libraries, and goes down to the cause', () => {
    expect(stackText(event)).toBe(
      [
        'TypeError: no id (not handled)',
        '    … 1 library frame',
        '    at applyCoupon in cart.ts:84',
        '    at main in cart.ts:84',
        '    … 2 library frames',
        '',
        'caused by',
        '',
        'Cause: first',
      ].join('\n'),
    );
  });

  it('has one line for each breadcrumb, header and fact', () => {
    expect(breadcrumbText(event)).toBe('-2.5 s info http /a [500] size=7');
    expect(requestText(event)).toBe('POST https://x.example/\nheader Accept: a b\nbody {"a":1}');
    expect(contextText(event)).toBe('os.name=iOS\nos.version=17');
  });

  it('is empty for what the event has not', () => {
    const bare = { ...event, exception: null, breadcrumbs: null, request: null, contexts: null };
    for (const write of [crashFrameText, stackText, breadcrumbText, requestText, contextText]) {
      expect(write(bare)).toBe('');
    }
  });
});

describe('a fence', () => {
  it('is longer than any run of backticks inside', () => {
    expect(fence('a', 10)).toBe('```text\na\n```');
    expect(fence('a\n````\n# b', 20)).toBe('`````text\na\n````\n# b\n`````');
  });

  it('is never ended by what stands inside', () => {
    const text = fc.string({ unit: fc.constantFrom('`', '```', '\n', '\r', '~', 'a', ' '), maxLength: 200 });
    fc.assert(
      fc.property(text, (inside) => {
        const lines = fence(inside, 500).split('\n');
        if (lines.length < 3) return;
        const mark = lines[0]?.replace('text', '') ?? '';
        expect(lines.slice(1, -1).filter((line) => line.trim().startsWith(mark))).toEqual([]);
        expect(lines.at(-1)).toBe(mark);
      }),
    );
  });

  it('shows what is unseen: turns of direction, escapes, ends of lines of its own', () => {
    expect(fence('a\u202eb\u001b[31m\u2028c\td', 50)).toContain('a[U+202E]b[U+001B][31m\nc\td');
  });

  it('is bounded and says what is left out', () => {
    const text = fence('`'.repeat(5_000), 1_000);
    expect(text.length).toBeLessThan(100);
    expect(text).toContain('4000 more characters');
    expect(fence(' \n', 10)).toBe('');
  });
});
