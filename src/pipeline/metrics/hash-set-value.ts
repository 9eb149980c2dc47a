const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * A value of a set as a number: a 32-bit integer is itself, any other text its 32-bit FNV-1a hash, as in the reference
 * (relay-metrics/src/protocol.rs).
 */
export function hashSetValue(value: string): number {
  if (/^\d{1,10}$/.test(value) && Number(value) <= 0xffffffff) return Number(value);
  let hash = OFFSET;
  for (const byte of Buffer.from(value, 'utf8')) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0;
}
