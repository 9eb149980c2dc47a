import { expect, test } from 'vitest';
import { qrCode } from './qr-code.ts';

test('a code is square, has a light border and the three marks that readers look for', () => {
  const { size, path } = qrCode('otpauth://totp/Errata:ana@example.com?secret=JBSWY3DPEHPK3PXP');
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`));
  expect(dark.size * 'M0 0h1v1h-1z'.length).toBeLessThanOrEqual(path.length);
  const isDark = (x: number, y: number) => dark.has(`${x} ${y}`);
  for (let at = 0; at < size; at++) {
    expect([isDark(at, 0), isDark(at, 3), isDark(0, at), isDark(3, at)]).toEqual(Array(4).fill(false));
  }
  for (const [x, y] of [
    [4, 4],
    [size - 11, 4],
    [4, size - 11],
  ] as const) {
    for (let step = 0; step < 7; step++) expect(isDark(x + step, y) && isDark(x, y + step)).toBe(true);
    expect(isDark(x + 1, y + 1)).toBe(false);
  }
});
