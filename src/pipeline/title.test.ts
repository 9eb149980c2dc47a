import { expect, test } from 'vitest';
import { digestFixture } from './fixtures/digest-fixture.ts';

const frames = [{ function: 'handle', filename: 'a.py', in_app: true }];

test.each([
  ['type and first line of the value', { exception: { type: 'E', value: '  one\n two' } }, 'E: one'],
  ['the type alone', { exception: { type: 'E', value: '' } }, 'E'],
  ['the function when the type is missing', { exception: { stacktrace: { frames } } }, 'handle'],
  ['the value when there is no more', { exception: { value: 'just text' } }, 'just text'],
  ['the message beside an empty exception', { exception: { mechanism: { type: 'x' } }, message: 'm' }, 'm'],
  ['what cannot be known', { exception: { mechanism: { type: 'x' } } }, '<unknown>'],
  [
    'a message that came with a stack trace',
    {
      message: 'The card was refused',
      exception: { value: 'The card was refused', mechanism: { synthetic: true }, stacktrace: { frames } },
    },
    'The card was refused',
  ],
  ['the first line of a message', { message: 'first\r\nsecond' }, 'first'],
  ['a formatted message', { logentry: { message: 'hi %s', params: ['you'] } }, 'hi you'],
  ['nothing', {}, '<unlabeled event>'],
  [
    'a synthetic exception of a language',
    {
      platform: 'javascript',
      exception: { type: 'Error', value: 'text', mechanism: { synthetic: true }, stacktrace: { frames } },
    },
    'Error: text',
  ],
  [
    'a signal in unnamed code',
    { platform: 'native', exception: { type: 'SIGSEGV', value: 'Segfault', mechanism: { synthetic: true } } },
    'SIGSEGV: Segfault',
  ],
  [
    'a blocked script',
    { csp: { effective_directive: 'script-src-elem', blocked_uri: 'https://evil.example/x.js' } },
    "Blocked 'script' from 'evil.example'",
  ],
  [
    'a blocked inline style',
    { csp: { violated_directive: "style-src 'self'", blocked_uri: 'inline' } },
    "Blocked inline 'style'",
  ],
])('the title is made of %s', (_, payload, title) => {
  expect(digestFixture(payload).title).toBe(title);
});

test('a long title is cut at 256 characters', () => {
  const { title } = digestFixture({ message: 'x'.repeat(1_000) });
  expect(title).toHaveLength(256);
  expect(title.endsWith('…')).toBe(true);
});
