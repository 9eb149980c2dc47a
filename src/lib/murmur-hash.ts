/** MurmurHash3, 32 bits for x86, of the bytes of a text in UTF-8: as ClickHouse's `murmurHash3_32`. */
export function murmurHash(text: string): number {
  const bytes = Buffer.from(text);
  const blocks = bytes.length >>> 2;
  let hash = 0;
  for (let block = 0; block < blocks; block++) {
    hash ^= mix(bytes.readUInt32LE(block * 4));
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let index = bytes.length - 1; index >= blocks * 4; index--) tail = (tail << 8) | (bytes[index] ?? 0);
  if (bytes.length % 4 > 0) hash ^= mix(tail);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function mix(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}
