import type { z } from 'zod';
import { invalid } from '#lib/errors.ts';

const BODY_BYTES_MAX = 64 * 1024;

/** The JSON body of a request, of the given shape. Throws Invalid, naming the field. */
export async function readJsonBody<Shape>(
  request: Request,
  schema: z.ZodType<Shape>,
  bytesMax = BODY_BYTES_MAX,
): Promise<Shape> {
  const parsed = schema.safeParse(parseJson(await readText(request, bytesMax)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw invalid(`${field === '' ? 'The body' : `"${field}"`}: ${issue?.message ?? 'invalid'}`, field);
}

async function readText(request: Request, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw invalid(`The body is larger than ${bytesMax} bytes`);
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
