import type { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import { type FormHandlers, type FormRules, MultipartForm } from '#lib/multipart-form.ts';
import { parseRequestJson, readBody } from '#lib/request-json.ts';

const JSON_BYTES_MAX = 64 * 1024;

/** The JSON body of a request, of the given shape. Throws Invalid, naming the field. */
export async function readJsonBody<Shape>(
  request: Request,
  schema: z.ZodType<Shape>,
  bytesMax = JSON_BYTES_MAX,
): Promise<Shape> {
  const body = await readBody(request, bytesMax);
  if (!body) throw invalid(`The body is larger than ${bytesMax} bytes`);
  const parsed = schema.safeParse(parseRequestJson(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw invalid(`${field === '' ? 'The body' : `"${field}"`}: ${issue?.message ?? 'invalid'}`, field);
}

const FIELDS_MAX = 100;
const FIELD_BYTES_MAX = 64 * 1024;

/**
 * Reads an uploaded form as it arrives, nothing of its files is held. Throws Invalid past the bounds, for what is no
 * form and when the connection breaks, and whatever a handler throws.
 */
export async function readForm(
  request: Request,
  { bytesMax, filesMax }: { bytesMax: number; filesMax: number },
  handlers: FormHandlers,
): Promise<void> {
  const form = new MultipartForm(request.headers.get('content-type') ?? '', { ...RULES, filesMax }, handlers);
  const body = new FormBody(request, bytesMax);
  try {
    for (let chunk = await body.next(); chunk; chunk = await body.next()) await form.write(chunk);
    await form.end();
  } catch (error) {
    form.abort();
    await body.readAway();
    throw error;
  }
}

const RULES: Omit<FormRules, 'filesMax'> = {
  filesAre: 'files',
  fieldsMax: FIELDS_MAX,
  fieldBytesMax: FIELD_BYTES_MAX,
  isFile: (_field, filename) => filename !== undefined,
  noBoundary: () => invalid('Send the files as multipart/form-data, as your HTTP library makes it'),
  unreadable: (reason) => invalid(`The form cannot be read: ${reason}`),
  tooMuch: (what) => invalid(`${what}: send less at once`),
};

/**
 * What arrives, up to a bound. The stream is never cancelled: that would close the connection, and with it the way of
 * the answer.
 */
class FormBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #bytesMax: number;
  #bytes = 0;
  #isOver = false;

  constructor({ body }: Request, bytesMax: number) {
    this.#reader = body?.getReader();
    this.#bytesMax = bytesMax;
    this.#isOver = !body;
  }

  /** null at the end. Throws Invalid past the bound, and when the sender went away, which is no defect of ours. */
  async next(): Promise<Uint8Array | null> {
    const chunk = await this.#read();
    this.#bytes += chunk?.byteLength ?? 0;
    if (this.#bytes <= this.#bytesMax) return chunk;
    this.#isOver = true;
    throw invalid(`The request is larger than ${this.#bytesMax} bytes: send less at once`);
  }

  /** The rest, within the bound: a client that is still sending may not look for the answer. */
  async readAway(): Promise<void> {
    while (!this.#isOver) await this.next().catch(() => {});
  }

  async #read(): Promise<Uint8Array | null> {
    if (this.#isOver || !this.#reader) return null;
    try {
      const { done, value } = await this.#reader.read();
      this.#isOver = done;
      return value ?? null;
    } catch {
      this.#isOver = true;
      throw invalid('The connection broke before the upload was complete: send it again');
    }
  }
}
