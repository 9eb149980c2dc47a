import { describe, expect, it } from 'vitest';
import { isWebAddress } from './external-link.tsx';

describe('isWebAddress', () => {
  it('accepts http and https only', () => {
    expect(isWebAddress('https://shop.example/cart?x=1')).toBe(true);
    expect(isWebAddress('HTTP://shop.example')).toBe(true);
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      ' https://a',
      'https://',
      '//shop.example',
      '/cart',
      'java\nscript:alert(1)',
      'vbscript:x',
      'file:///etc/passwd',
    ]) {
      expect(isWebAddress(text), text).toBe(false);
    }
  });
});
