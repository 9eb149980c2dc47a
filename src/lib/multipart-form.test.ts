import { describe, expect, test } from 'vitest';
import { type FormHandlers, type FormRules, MultipartForm } from './multipart-form.ts';

const RULES: FormRules = {
  filesMax: 2,
  filesAre: 'files',
  fieldsMax: 2,
  fieldBytesMax: 20,
  isFile: (_field, filename) => filename !== undefined,
  noBoundary: () => new Error('no boundary'),
  unreadable: (reason) => new Error(`unreadable: ${reason}`),
  tooMuch: (what) => new Error(`too much: ${what}`),
};
const TYPE = 'multipart/form-data; boundary=x';

const file = (name: string, content: string): string =>
  `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n`;
const field = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const END = '--x--\r\n';

function collecting() {
  const files: Record<string, string> = {};
  const fields: [string, string][] = [];
  const handlers: FormHandlers = {
    async onFile({ filename, stream }) {
      let content = '';
      for await (const chunk of stream) content += String(chunk);
      files[filename] = content;
    },
    onField: (name, value) => void fields.push([name, value]),
  };
  return { files, fields, handlers };
}

async function readAll(body: string, handlers: FormHandlers, pieceBytes = 7): Promise<void> {
  const form = new MultipartForm(TYPE, RULES, handlers);
  for (let from = 0; from < body.length; from += pieceBytes) {
    await form.write(Buffer.from(body.slice(from, from + pieceBytes)));
  }
  await form.end();
}

describe('a form', () => {
  test('gives files and fields in whatever pieces it arrives', async () => {
    const { files, fields, handlers } = collecting();
    await readAll(file('a.js', 'one()') + field('name', '~/a.js') + file('b.js', '') + END, handlers);
    expect(files).toEqual({ 'a.js': 'one()', 'b.js': '' });
    expect(fields).toEqual([['name', '~/a.js']]);
  });

  test('without a boundary is refused', () => {
    expect(() => new MultipartForm('multipart/form-data', RULES, collecting().handlers)).toThrow(
      'no boundary',
    );
  });

  test.each([
    ['files', file('1', '') + file('2', '') + file('3', ''), /2 files/],
    ['fields', field('1', '') + field('2', '') + field('3', ''), /2 form fields/],
    ['bytes of one field', field('1', 'x'.repeat(21)), /20 bytes/],
    ['bytes of all fields', field('1', 'x'.repeat(11)) + field('2', 'x'.repeat(11)), /20 bytes/],
  ])('with too many %s is refused', async (_what, body, message) => {
    await expect(readAll(body + END, collecting().handlers)).rejects.toThrow(message);
  });

  test('that ends too early is refused', async () => {
    await expect(readAll(file('a.js', 'one()'), collecting().handlers)).rejects.toThrow(/unreadable/);
  });

  test('fails with what a handler throws', async () => {
    const handlers: FormHandlers = {
      onFile: () => Promise.reject(new Error('the disk is full')),
      onField: () => {},
    };
    await expect(readAll(file('a.js', 'x'.repeat(100_000)) + END, handlers)).rejects.toThrow(
      'the disk is full',
    );
  });

  test('that is given up fails whoever reads a file of it', async () => {
    let read: Promise<void> = Promise.resolve();
    const form = new MultipartForm(TYPE, RULES, {
      onFile({ stream }) {
        read = (async () => {
          for await (const _chunk of stream);
        })();
        return read;
      },
      onField: () => {},
    });
    await form.write(Buffer.from(file('a.js', 'half of it').slice(0, -10)));
    form.abort();
    await expect(read).rejects.toThrow('aborted');
  });
});
