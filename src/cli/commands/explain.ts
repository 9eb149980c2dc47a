import { createReadStream } from 'node:fs';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { type CliCommand, EXIT, UsageError } from '#cli/cli-command.ts';
import { EXPLAIN_BYTES_MAX, explain } from '#product/explain/explain.ts';
import { readExplainSettings } from '#product/explain/read-explain-settings.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';

const SETTINGS_BYTES_MAX = 1024 * 1024;

export const explainCommand: CliCommand = {
  name: 'explain',
  positionals: ['<file>'],
  options: {
    settings: {
      type: 'string',
      placeholder: '<file>',
      meaning: 'JSON with "filters" and "privacy" as a project has them; else those of a new project',
    },
    ip: { type: 'string', placeholder: '<address>', meaning: 'The address that it is sent from' },
    'user-agent': { type: 'string', placeholder: '<text>', meaning: 'The program that it is sent by' },
  },
  summary:
    'Tell what would become of an event or envelope and why; - reads standard input, no server is needed',
  async run(input, { io }) {
    const [file = '-'] = input.positionals;
    const clientIp = input.option('ip') ?? null;
    if (clientIp !== null && isIP(clientIp) === 0) throw new UsageError(`"${clientIp}" is no IP address`);
    const settingsFile = input.option('settings');
    const settings =
      settingsFile === undefined
        ? DEFAULT_INGEST_SETTINGS
        : readExplainSettings((await readBounded(settingsFile, SETTINGS_BYTES_MAX)).toString('utf8'));
    const bytes = await readBounded(file, EXPLAIN_BYTES_MAX);
    if (bytes.length === 0) throw new Error(`${nameOf(file)} is empty: there is nothing to explain`);
    const explanation = explain({
      bytes,
      settings,
      receivedAtMs: Date.now(),
      clientIp,
      userAgent: input.option('user-agent') ?? null,
    });
    io.out(JSON.stringify(explanation, null, 2));
    return EXIT.done;
  },
};

/** Throws an Error that names the file when it cannot be read, or is too large. */
async function readBounded(file: string, bytesMax: number): Promise<Buffer> {
  const stream: Readable = file === '-' ? process.stdin : createReadStream(file);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      const part = chunk as Buffer;
      bytes += part.length;
      if (bytes > bytesMax) break;
      chunks.push(part);
    }
  } catch (error) {
    throw new Error(`${nameOf(file)} cannot be read: ${REASONS[codeOf(error)] ?? String(error)}`);
  }
  if (bytes > bytesMax) throw new Error(`${nameOf(file)} is larger than ${bytesMax} bytes`);
  return Buffer.concat(chunks);
}

const nameOf = (file: string): string => (file === '-' ? 'Standard input' : file);

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a folder',
};
