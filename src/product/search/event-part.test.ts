import { expect, test } from 'vitest';
import { eventPartOf } from './event-part.ts';

test.each([
  ['is:unresolved', ''],
  ['is:unresolved user.email:ana@example.com', 'user.email:ana@example.com'],
  [
    'is:unresolved release:web@1 coupon browser.name:"Mobile Safari"',
    'release:web@1 browser.name:"Mobile Safari"',
  ],
  ['!environment:staging AND level:error assigned:me', '!environment:staging level:error'],
  ['release:1 OR release:2', 'release:1 OR release:2'],
  ['is:unresolved OR release:2', ''],
  ['is:unresolved (release:1 OR environment:b)', '(release:1 OR environment:b)'],
  ['is:unresolved (release:1 OR is:archived)', ''],
  ['TypeError: x is undefined', ''],
  // A path is a value; what people paste is text.
  ['route:/checkout !route:/cart', 'route:/checkout !route:/cart'],
  ['https://shop.example/a C:\\x C:/x Foo::bar 12:30:05', ''],
  ['title:boom firstSeen:-24h', ''],
  ['((', ''],
  ['', ''],
])('of %o events are asked %o', (query, part) => {
  expect(eventPartOf(query)).toBe(part);
});
