import type { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import { parseRequestJson, readBody } from '#lib/request-json.ts';

const BODY_BYTES_MAX = 64 * 1024;

/** The JSON body of a request, of the given shape. Throws Invalid, naming the field. */
export async function readJsonBody<Shape>(
  request: Request,
  schema: z.ZodType<Shape>,
  bytesMax = BODY_BYTES_MAX,
): Promise<Shape> {
  const body = await readBody(request, bytesMax);
  if (!body) throw invalid(`The body is larger than ${bytesMax} bytes`);
  const parsed = schema.safeParse(parseRequestJson(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw invalid(`${field === '' ? 'The body' : `"${field}"`}: ${issue?.message ?? 'invalid'}`, field);
}
