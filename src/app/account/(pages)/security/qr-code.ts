import { encode } from 'uqr';

/** A QR code as one path of unit squares in a square of `size`. */
export type QrCode = { size: number; path: string };

/** Light squares around a code that readers need to find it. */
const BORDER = 4;

export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { border: BORDER, ecc: 'M' });
  const runs = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: runs.join('') };
}
