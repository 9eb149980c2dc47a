import { describe, expect, it } from 'vitest';
import { initials } from './avatar.tsx';

describe('initials', () => {
  it('takes the first and the last word, of any script', () => {
    expect(initials('Ana María López')).toBe('AL');
    expect(initials('ana')).toBe('a');
    expect(initials('ana.lopez@example.com')).toBe('ac');
    expect(initials('李 小龙')).toBe('李小');
    expect(initials('😀 grin')).toBe('😀g');
    expect(initials('  ')).toBe('?');
  });
});
