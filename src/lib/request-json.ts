import { JsonTooLarge, parseBoundedJson } from './bounded-json.ts';
import { invalid } from './errors.ts';

/** An escape that can make what no store keeps; valid UTF-8 has no other way to it but NUL itself, which JSON forbids. */
const UNSAFE_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** The JSON of a request body. Throws Invalid for bad JSON or UTF-8, U+0000, and lone surrogates. */
export function parseRequestJson(body: Uint8Array): unknown {
  const text = decodeUtf8(body);
  const value = parse(text);
  if (UNSAFE_ESCAPE.test(text) && !isStorable(value)) {
    throw invalid('The body contains the character U+0000 or an unpaired surrogate: remove it');
  }
  return value;
}

function decodeUtf8(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw invalid('The body is not UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch (error) {
    throw invalid(
      error instanceof JsonTooLarge ? `The body is too large: ${error.message}` : 'The body is not JSON',
    );
  }
}

/** Without recursion: a small text may be nested deeper than the stack is. */
function isStorable(root: unknown): boolean {
  const rest: unknown[] = [root];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, field] of Object.entries(value)) rest.push(key, field);
  }
  return true;
}

/** The bytes of a request; null when there are more than so many: what comes after the bound is not read. */
export async function readBody({ body }: Pick<Request, 'body'>, bytesMax: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
