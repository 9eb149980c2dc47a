/** A mail program sends one field; the rest would be somebody else's idea. */
const BODY_BYTES_MAX = 4_096;

/**
 * Whether a request says what mail programs say when their own button is pressed.
 * Source: https://www.rfc-editor.org/rfc/rfc8058#section-3.1
 */
export async function isOneClick(request: Request): Promise<boolean> {
  const body = await readStart(request);
  if (/^multipart\/form-data/i.test(request.headers.get('content-type') ?? '')) {
    return body.includes('name="List-Unsubscribe"') && body.includes('One-Click');
  }
  return new URLSearchParams(body.trim()).get('List-Unsubscribe') === 'One-Click';
}

async function readStart({ body }: Request): Promise<string> {
  if (!body) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes > BODY_BYTES_MAX) break;
  }
  return Buffer.concat(parts).subarray(0, BODY_BYTES_MAX).toString('utf8');
}
