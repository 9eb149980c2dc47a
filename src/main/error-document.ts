import type { ServerResponse } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { applicationErrorTitle, SERVER_ERROR_HINT } from '#app/error-reporting/error-words.ts';

/** The framework's document for a failed page is some kilobytes; a larger one passes as it is. */
const DOCUMENT_BYTES_MAX = 1024 * 1024;
/** In the data for the scripts, where quotes are escaped. */
const DIGEST = /digest\\*":\\*"([\w@-]{1,64})/;

type Chunk = string | Uint8Array;

/**
 * The framework answers a page that failed with an empty document, which says what happened only once its scripts run.
 * This writes the same words into the document for readers without scripts; the scripts replace them.
 */
export function sayErrorInDocument(response: ServerResponse): void {
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  const held: Buffer[] = [];
  let heldBytes = 0;
  /** null until the head says what the answer is. */
  let isHolding: boolean | null = null;

  function holds(): boolean {
    isHolding ??= isErrorDocument(response);
    // The length was that of the document without the words.
    if (isHolding && !response.headersSent) response.removeHeader('content-length');
    return isHolding;
  }

  function hold(chunk: Chunk): void {
    const bytes = Buffer.from(chunk as Uint8Array);
    held.push(bytes);
    heldBytes += bytes.length;
    if (heldBytes <= DOCUMENT_BYTES_MAX) return;
    isHolding = false;
    write(Buffer.concat(held));
  }

  response.write = ((chunk: Chunk, ...rest: unknown[]) => {
    if (!holds()) return write(chunk, ...rest);
    hold(chunk);
    return true;
  }) as ServerResponse['write'];

  response.end = ((...args: unknown[]) => {
    if (!holds()) return end(...args);
    const [last] = args;
    if (typeof last === 'string' || last instanceof Uint8Array) hold(last);
    if (!isHolding) return end();
    return end(addWords(Buffer.concat(held), String(response.getHeader('content-encoding') ?? 'identity')));
  }) as ServerResponse['end'];
}

const isErrorDocument = (response: ServerResponse): boolean =>
  response.statusCode === 500 && String(response.getHeader('content-type')).startsWith('text/html');

function addWords(body: Buffer, encoding: string): Buffer {
  const coder = CODERS[encoding];
  if (!coder) return body;
  try {
    return coder.encode(Buffer.from(writeErrorIntoDocument(coder.decode(body).toString('utf8'))));
  } catch {
    return body;
  }
}

const CODERS: Record<string, { decode(body: Buffer): Buffer; encode(body: Buffer): Buffer }> = {
  identity: { decode: (body) => body, encode: (body) => body },
  gzip: { decode: (body) => gunzipSync(body, { maxOutputLength: 8 * DOCUMENT_BYTES_MAX }), encode: gzipSync },
  br: {
    decode: (body) => brotliDecompressSync(body, { maxOutputLength: 8 * DOCUMENT_BYTES_MAX }),
    encode: brotliCompressSync,
  },
};

/** The document with the words at the start of its body; unchanged when it is not the framework's for a failure. */
export function writeErrorIntoDocument(html: string): string {
  const body = html.indexOf('<body>');
  if (!html.includes('<html id="__next_error__"') || body < 0) return html;
  const at = body + '<body>'.length;
  const digest = DIGEST.exec(html)?.[1];
  const words = [
    `<h1 style="font-size:20px">${applicationErrorTitle('server')}</h1>`,
    `<p>${SERVER_ERROR_HINT}</p>`,
    digest ? `<p>Digest: <code>${digest}</code></p>` : '',
  ].join('');
  return `${html.slice(0, at)}<main style="font-family:system-ui;max-width:40em;margin:20vh auto;padding:0 16px">${words}</main>${html.slice(at)}`;
}
