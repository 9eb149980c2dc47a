import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The six digits that an authenticator app shows for the base32 secret at that time (RFC 6238, SHA-1). */
export function totpCode(secret: string, atMs = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / STEP_MS)));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 15;
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

/**
 * A code after that one, since each opens once: that of the next half minute when need be, as an app shows it whose clock
 * goes ahead a little, which is allowed for. Waits where that is not yet near enough.
 */
export async function nextTotpCode(secret: string, used: string): Promise<string> {
  const nowStep = () => Math.floor(Date.now() / STEP_MS);
  const codeOf = (step: number) => totpCode(secret, step * STEP_MS);
  const start = nowStep();
  const last = [start + 1, start, start - 1].find((step) => codeOf(step) === used);
  const next = last === undefined ? start : last + 1;
  while (nowStep() + 1 < next) await new Promise((resolve) => setTimeout(resolve, 250));
  return codeOf(next);
}

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const char of text.replace(/=+$/, '')) {
    bits += ALPHABET.indexOf(char.toUpperCase()).toString(2).padStart(5, '0');
  }
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
