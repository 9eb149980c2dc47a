const BLOCK_BYTES = 512;
/** In the name field; longer names are no names of ours. */
const NAME_CHARACTERS_MAX = 100;

/** The block before the content of a regular file. Source: POSIX ustar. */
export function tarHeader(name: string, bytes: number, modifiedAtMs: number): Uint8Array {
  if (!/^[\w./-]+$/.test(name) || name.length > NAME_CHARACTERS_MAX)
    throw new Error(`"${name}" cannot be archived`);
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, 'latin1');
  const octal = (value: number, at: number, digits: number) =>
    header.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes, 124, 11);
  octal(Math.floor(modifiedAtMs / 1_000), 136, 11);
  header.write('        0', 148, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  let sum = 0;
  for (const byte of header) sum += byte;
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1');
  return header;
}

/** What follows content of so many bytes. */
export const tarPadding = (bytes: number): Uint8Array =>
  Buffer.alloc((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES);

/** Ends an archive. */
export const tarEnd = (): Uint8Array => Buffer.alloc(2 * BLOCK_BYTES);
