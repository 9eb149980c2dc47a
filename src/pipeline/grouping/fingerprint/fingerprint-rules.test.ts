import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NormalizedEvent } from '#protocol/event.ts';
import {
  compileFingerprintRules,
  compileStructuredFingerprintRules,
  printFingerprintRule,
} from './compile-fingerprint-rules.ts';
import type { FingerprintMatcher, FingerprintRule } from './fingerprint-types.ts';
import { matchFingerprintRule } from './match-fingerprint-rule.ts';
import { parseFingerprintRule } from './parse-fingerprint-rule.ts';

const EVENT: NormalizedEvent = {
  event_id: '0'.repeat(32),
  type: 'error',
  level: 'warning',
  platform: 'python',
  timestamp: 0,
  received: 0,
  logger: 'shop.cart',
  release: 'shop@1.2.0',
  transaction: '/pay',
  sdk: { name: 'sentry.python.django' },
  tags: [
    ['color', 'Deep Red'],
    ['a:b', 'c'],
  ],
  exception: {
    values: [
      {
        type: 'KeyError',
        value: 'sku',
        stacktrace: { frames: [{ function: 'lookup', module: 'db', in_app: false }] },
      },
      {
        type: 'PaymentError',
        value: 'Card 4711 refused',
        stacktrace: {
          frames: [
            { function: 'main', module: 'shop', abs_path: '/srv/shop/main.py', in_app: true },
            { function: 'pay', module: 'shop.pay', abs_path: '/srv/shop/pay.py', in_app: true },
            { function: 'send', module: 'http', package: '/usr/lib/libhttp.so', in_app: false },
          ],
        },
      },
    ],
  },
};

function match(text: string, event: NormalizedEvent = EVENT) {
  const { rules, problems } = compileFingerprintRules(text);
  expect(problems).toEqual([]);
  return matchFingerprintRule(rules, event);
}

describe('matchers', () => {
  test.each([
    ['error.type:Payment*', true],
    ['type:payment*', false],
    ['error.value:"card * REFUSED"', true],
    ['type:KeyError value:sku', true],
    ['type:KeyError value:"Card*"', false],
    ['message:"*refused"', true],
    ['logger:shop.*', true],
    ['level:WARNING', true],
    ['level:error', false],
    ['release:shop@1.2.*', true],
    ['release:"shop@1.[0-1].*"', false],
    ['sdk:sentry.python', true],
    ['sdk:sentry.java,sentry.python', true],
    ['family:other', true],
    ['family:native,javascript', false],
    ['tags.color:"Deep *"', true],
    ['tags.color:deep*', false],
    ['tags.size:*', false],
    ['"tags.a:b":c', true],
    ['path:**/shop/*.py', true],
    ['stack.function:pay module:shop.pay app:yes', true],
    ['stack.function:pay module:http', false],
    ['package:**/libhttp.so app:no', true],
    ['!type:Timeout', true],
    ['!level:warning', false],
    ['!tags.size:big', true],
    ['!path:**', true],
    ['thread.name:main', false],
    ['!thread.name:main', false],
  ])('%s: %s', (matchers, expected) => {
    expect(match(`${matchers} -> x`) !== null).toBe(expected);
  });

  test('frames beside a frame', () => {
    expect(match('[ function:send ] | function:pay -> x')).not.toBeNull();
    expect(match('function:pay | [ function:main ] -> x')).not.toBeNull();
    expect(match('[ function:main ] | function:pay -> x')).toBeNull();
    expect(match('[ !function:nothing ] | function:send -> x')).toBeNull();
  });

  test('threads, and the only one that crashed for its frames', () => {
    const frames = [{ function: 'poll' }];
    const event: NormalizedEvent = {
      ...EVENT,
      exception: null,
      threads: {
        values: [
          { id: 1, name: 'Main', crashed: true, stacktrace: { frames } },
          { id: 2, name: 'IO', state: 'RUNNABLE' },
        ],
      },
    };
    expect(match('thread.name:io thread.state:run* -> x', event)).not.toBeNull();
    expect(match('thread.id:1 thread.crashed:yes function:poll -> x', event)).not.toBeNull();
    expect(match('thread.id:2 thread.crashed:yes -> x', event)).toBeNull();
  });

  test('the first rule that fits is taken', () => {
    const found = match('type:No -> a\ntype:KeyError -> b\ntype:KeyError -> c');
    expect(found).toMatchObject({ fingerprint: ['b'], isBuiltIn: false, rule: 'type:"KeyError" -> b' });
  });
});

describe('the fingerprint', () => {
  test.each([
    ['{{ type }}, {{error.value}}', ['PaymentError', 'Card 4711 refused']],
    ['{{ message }}', ['Card <int> refused']],
    ['{{ raw_message }}', ['Card 4711 refused']],
    ['"Card 4711 refused"', ['Card <int> refused']],
    ['{{ function }} {{ module }} {{ path }}', ['pay', 'shop.pay', '/srv/shop/pay.py']],
    ['{{ package }}', ['<no-package>']],
    ['{{ transaction }}, {{ level }}, {{ logger }}', ['/pay', 'warning', 'shop.cart']],
    ['{{ tags.color }}, {{ tags.size }}', ['Deep Red', '<no-value-for-tag-size>']],
    ['{{ nonsense }}', ['<unrecognized-variable-nonsense>']],
    ['{{default}}, a', ['{{ default }}', 'a']],
    ['a{{ level }}', ['a', 'warning']],
    ['"a {{ level }}"', ['a {{ level }}']],
  ])('%s is %j', (written, values) => {
    expect(match(`level:* -> ${written}`)?.values).toEqual(values);
  });

  test('what is missing has a name', () => {
    const bare: NormalizedEvent = { ...EVENT, exception: null, tags: [], transaction: null, logger: null };
    const written = 'type value message function module path stack.filename package transaction logger';
    const entries = written.split(' ').map((name) => `{{ ${name} }}`);
    expect(match(`level:* -> ${entries.join(', ')}`, bare)?.values).toEqual([
      ...['<no-type>', '<no-value>', '<no-message>', '<no-function>', '<no-module>', '<no-abs-path>'],
      ...['<no-filename>', '<no-package>', '<no-transaction>', '<no-logger>'],
    ]);
  });

  test('the title has its variables filled in, from the message as sent', () => {
    expect(match('level:* -> a title="{{ message }} in {{function}}"')?.title).toBe(
      'Card 4711 refused in pay',
    );
    expect(match('level:* -> a')?.title).toBeNull();
  });
});

describe('the text', () => {
  test.each([
    ['-> a', 1, 'must start with a matcher'],
    ['type:a', 7, '"->"'],
    ['type:a ->', 10, 'Expected a fingerprint'],
    ['colour:red -> a', 1, 'Unknown matcher "colour"'],
    ['app:perhaps -> a', 5, 'yes or no'],
    ['type:[a -> x', 6, 'unclosed'],
    ['type:a -> "x', 11, 'Unclosed quote'],
    ['type:a -> x name="y"', 13, 'only supported attribute'],
    ['type:a -> {{ a b }}', 11, 'Write variables as'],
    ['[ level:error ] | function:a -> x', 3, 'Only frame matchers'],
  ])('%s: at column %i, it needs %s', (line, column, message) => {
    const { problems, rules } = compileFingerprintRules(`# ours\n${line}\ntype:ok -> ok`);
    expect(problems).toEqual([{ line: 2, column, message: expect.stringContaining(message) }]);
    expect(rules.filter(({ isBuiltIn }) => !isBuiltIn)).toHaveLength(1);
  });

  test('a rule of the API is the same as one of text', () => {
    const { rules, problems } = compileStructuredFingerprintRules([
      {
        matchers: [
          ['!error.type', 'a b'],
          ['[function]|', 'main'],
        ],
        fingerprint: ['{{default}}'],
        attributes: { title: 'T' },
      },
      { matchers: [['colour', 'red']], fingerprint: ['x'] },
    ]);
    expect(problems).toEqual([{ line: 2, column: 1, message: 'Unknown matcher "colour"' }]);
    expect(rules[0]).toMatchObject({
      text: '[ function:"main" ] | !type:"a b" -> {{ default }} title="T"',
      fingerprint: ['{{ default }}'],
      title: 'T',
    });
  });
});

describe('Errata’s own rules', () => {
  const browser = (type: string, value: string, tags: NormalizedEvent['tags'] = []): NormalizedEvent => ({
    ...EVENT,
    platform: 'javascript',
    tags,
    exception: { values: [{ type, value }] },
  });

  test('a part that could not be loaded is one issue, whichever part it was', () => {
    const values = [
      browser('ChunkLoadError', 'Loading chunk 7 failed'),
      browser('Error', 'ChunkLoadError: 9'),
    ].map((event) => match('', event));
    for (const found of values) expect(found).toMatchObject({ isBuiltIn: true, values: ['chunkloaderror'] });
    expect(match('', { ...EVENT, exception: { values: [{ type: 'ChunkLoadError' }] } })).toBeNull();
  });

  test('a page that does not hydrate is one issue for each transaction', () => {
    const event = browser('Error', 'Text content does not match server-rendered HTML.', [
      ['transaction', '/pay'],
    ]);
    expect(match('', event)?.values).toEqual(['hydrationerror', '/pay']);
    expect(match('', { ...event, tags: [] })).toBeNull();
  });

  test('those of a project come first', () => {
    expect(match('type:ChunkLoadError -> mine', browser('ChunkLoadError', ''))).toMatchObject({
      isBuiltIn: false,
      values: ['mine'],
    });
  });
});

const matcher: fc.Arbitrary<FingerprintMatcher> = fc.record({
  key: fc.constantFrom('type', 'message', 'function', 'path', 'release', 'tags.a', 'tags.a:b', 'logger'),
  pattern: fc.stringMatching(/^[\w./:*? "'\n-]{0,20}$/),
  isNegated: fc.boolean(),
  frame: fc.constant('own'),
});
const entry = fc.oneof(
  fc.constantFrom('{{ default }}', '{{ type }}', '{{tags.a}}'),
  fc.stringMatching(/^[\w ,{}"#>=-]{1,12}$/),
);
const rule: fc.Arbitrary<FingerprintRule> = fc.record({
  matchers: fc.array(matcher, { minLength: 1, maxLength: 4 }),
  fingerprint: fc.array(entry, { minLength: 1, maxLength: 4 }),
  title: fc.option(fc.string()),
});

test('a printed rule reads back as the same rule', () => {
  fc.assert(
    fc.property(rule, (written) => {
      expect(parseFingerprintRule(printFingerprintRule(written))).toEqual(written);
    }),
  );
});

test('no text makes compiling throw, and no rule makes matching throw', () => {
  const parts = [
    'type:',
    'message',
    ':',
    '[',
    ']',
    '|',
    '!',
    '"',
    '\\',
    '->',
    '{{',
    '}}',
    ' ',
    '\n',
    ',',
    'title=',
    '*',
    '#',
  ];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 40 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.string(), text), (written) => {
      matchFingerprintRule(compileFingerprintRules(written).rules, EVENT);
    }),
  );
});
