import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import {
  counted,
  escapeDiscord,
  escapeHtml,
  escapeMattermost,
  escapeSlack,
  plainLine,
  shorten,
  utcMinute,
} from './escape.ts';

test('HTML: no tag, no attribute and no entity is left', () => {
  expect(escapeHtml(`<a href="x">'&amp;`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;');
});

test('Slack: no mention and no link is left', () => {
  expect(escapeSlack('<!channel> & <@U1|ana>')).toBe('&lt;!channel&gt; &amp; &lt;@U1|ana&gt;');
});

describe('Markdown', () => {
  test.each([
    ['snake_case and *stars*', 'snake\\_case and \\*stars\\*'],
    ['[text](https://evil.example)', '\\[text\\](https://evil.example)'],
    ['# heading', '\\# heading'],
    ['> quote', '\\> quote'],
    ['- item', '\\- item'],
    ['1. item', '1\\. item'],
    ['a-b 1.2 #3', 'a-b 1.2 #3'],
    ['shop@1.2.3 ana@example.com', 'shop@1.2.3 ana@example.com'],
    ['@all, (@ana)', '@\u2060all, (@\u2060ana)'],
    [':tada: std::vector', ':\u2060tada: std::vector'],
    ['C:\\dir', 'C:\\\\dir'],
    ['||hidden|| ~~gone~~ `code`', '\\|\\|hidden\\|\\| \\~\\~gone\\~\\~ \\`code\\`'],
  ])('%j', (text, expected) => {
    expect(escapeMattermost(text)).toBe(expected);
    expect(escapeDiscord(text)).toBe(expected);
  });

  test('Discord: what stands in angle brackets is text', () => {
    expect(escapeDiscord('<@1> <#2> <:e:3> <t:4>')).toBe('\\<@1> \\<#2> \\<:\u2060e:3> \\<t:4>');
  });

  test('taking the escapes back gives the text', () => {
    const text = fc.string({
      unit: fc.constantFrom('@', 'a', ':', '*', '_', '\\', '[', '#', '1', '.', ' ', '<'),
    });
    fc.assert(
      fc.property(text, (value) => {
        for (const escapeText of [escapeDiscord, escapeMattermost]) {
          expect(
            escapeText(value)
              .replaceAll('\u2060', '')
              .replace(/\\([^A-Za-z0-9\s])/g, '$1'),
          ).toBe(value);
        }
      }),
    );
  });
});

test('a line is one line, cut at its end, and all of it can be seen', () => {
  expect(plainLine('  a\n\tb  ', 10)).toBe('a b');
  expect(plainLine('abcdefghij', 5)).toBe('abcd…');
  expect(plainLine('a\u202eb', 20)).toBe('a[U+202E]b');
});

test('nothing is cut in two', () => {
  expect(shorten('ab😀cd', 4)).toBe('ab…');
  expect(shorten('ab😀cd', 5)).toBe('ab😀…');
  expect(shorten('abcd', 4)).toBe('abcd');
  expect(plainLine('😀'.repeat(1_000), 6)).toBe('😀😀…');
});

test('a megabyte costs no more than a line', () => {
  withinMs(200, () => plainLine(' \u202e'.repeat(1_000_000), 100));
});

test('counts and moments in words', () => {
  expect([counted(1, 'issue'), counted(5_000, 'issue'), counted(0, 'event')]).toEqual([
    '1 issue',
    '5,000 issues',
    '0 events',
  ]);
  expect(utcMinute(Date.UTC(2026, 2, 1, 12, 34, 56))).toBe('2026-03-01 12:34 UTC');
});
