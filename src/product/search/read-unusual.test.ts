import { describe, expect, it } from 'vitest';
import { readUnusual } from './read-unusual.ts';

describe('readUnusual', () => {
  it.each([
    ['levl:error', ['levl']],
    ['is:unresolved (plan:gold OR tags[tier]:a)', ['plan', 'tier']],
    ['has:custmer', ['custmer']],
    ['level:error release:1 user.email:a@b.c error.type:X is:new timesSeen:>1 device.arch:arm64', []],
    ['has:user.email !levl:error', []],
    ['https://example.com TypeError: x', []],
    ['path:/var/lib C:/Users', ['path']],
  ])('finds the keys of %s that can only be tags', (query, tags) => {
    expect(readUnusual(query).tags).toEqual(tags);
  });

  it.each([
    ['jane@example.com', ['jane@example.com']],
    ['is:unresolved crash of jane@example.com', ['jane@example.com']],
    ['user.email:jane@example.com', []],
    ['@example.com jane@ jane@localhost a@b@c.d web@2.', []],
  ])('finds the addresses among the words of %s', (query, addresses) => {
    expect(readUnusual(query).addresses).toEqual(addresses);
  });
});
