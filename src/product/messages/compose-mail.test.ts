import { expect, test } from 'vitest';
import { composeMail } from './compose-mail.ts';

const compose = (text: string) =>
  composeMail({
    to: 'ana@example.com',
    subject: text,
    heading: text,
    paragraphs: [text],
    button: { label: text, url: 'https://errors.example.com/invite/a?b=1&c=2' },
    footnote: text,
  });

test('texts are shown as they are and never become HTML', () => {
  const { html, text } = compose(`<script>alert("1")</script> & 'co'`);
  expect(html).not.toContain('<script');
  expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39;');
  expect(html).toContain('href="https://errors.example.com/invite/a?b=1&amp;c=2"');
  expect(text).toContain(`<script>alert("1")</script> & 'co'`);
  expect(text).toContain('https://errors.example.com/invite/a?b=1&c=2');
});

test('a subject is one line', () => {
  expect(compose('Join\r\nBcc: x').subject).toBe('Join Bcc: x');
});

test('nothing is loaded from anywhere', () => {
  expect(compose('x').html).not.toMatch(/\bsrc=|url\(|<link|<img/);
});

test('links stand on a light and on a dark ground', () => {
  const sections = [
    {
      title: 'Cart',
      url: 'https://h/1',
      lines: [
        { label: 'WEB-1', text: '<b>', url: 'https://h/"' },
        { label: 'Where', text: 'pay' },
        { label: null, text: 'and 2 more' },
      ],
    },
  ];
  const content = { subject: 'x', heading: 'x', paragraphs: [], button: null, footnote: 'x', sections };
  const { html, text } = composeMail({ to: 'ana@example.com', ...content, unsubscribeUrl: 'https://h/u' });
  expect(html).toContain('<a href="https://h/&quot;" style="color:inherit">WEB-1</a> &lt;b&gt;');
  expect(html).not.toMatch(/<a [^>]*color:#/);
  expect(text).toContain('* Cart\n  WEB-1: <b>\n  Where: pay\n  and 2 more\n  https://h/1');
});
