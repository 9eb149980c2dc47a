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
