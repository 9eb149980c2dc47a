import type { z } from 'zod';
import { invalid } from '#lib/errors.ts';

const BODY_BYTES_MAX = 64 * 1024;

/** The JSON body of a request, of the given shape. Throws Invalid, naming the field. */
export async function readJsonBody<Shape>(request: Request, schema: z.ZodType<Shape>): Promise<Shape> {
  const parsed = schema.safeParse(parseJson(await readText(request)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw invalid(`${field === '' ? 'The body' : `"${field}"`}: ${issue?.message ?? 'invalid'}`, field);
}

async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > BODY_BYTES_MAX) throw invalid(`The body is larger than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('The body is not JSON');
  }
}
