import { createReadStream } from 'node:fs';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { explain, explainGrouping } from '#product/explain/explain.ts';
import { parameterizeMessage } from '#product/explain/explain-items.ts';
import { readExplainSettings } from '#product/explain/read-explain-settings.ts';
import { type ReadGroupingRules, readGroupingRules } from '#product/explain/read-grouping-rules.ts';
import { EXPLAIN_BYTES_MAX } from '#product/explain/read-input.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { type CliCommand, type CliInput, type CliIo, EXIT, UsageError } from '../cli-command.ts';

const SETTINGS_BYTES_MAX = 1024 * 1024;

export const explainCommand: CliCommand = {
  name: 'explain',
  positionals: ['<file>'],
  options: {
    grouping: {
      type: 'boolean',
      meaning: 'Show only how it is grouped: every variant with its hash and tree',
    },
    'fingerprint-rules': {
      type: 'string',
      placeholder: '<file>',
      meaning: 'Fingerprint rules of the project, as lines or as JSON from Sentry’s API',
    },
    'stack-trace-rules': {
      type: 'string',
      placeholder: '<file>',
      meaning: 'Stack-trace rules of the project',
    },
    settings: {
      type: 'string',
      placeholder: '<file>',
      meaning: 'JSON with the "filters" and "privacy" of a project; defaults to those of a new project',
    },
    ip: { type: 'string', placeholder: '<address>', meaning: 'The IP address it is sent from' },
    'user-agent': { type: 'string', placeholder: '<text>', meaning: 'The user agent it is sent by' },
  },
  summary:
    'Show what would happen to an event or envelope, and why; - reads standard input; no server is needed',
  async run(input, { io }) {
    const [file = '-'] = input.positionals;
    const clientIp = input.option('ip') ?? null;
    if (clientIp !== null && isIP(clientIp) === 0) throw new UsageError(`"${clientIp}" is not an IP address`);
    const settingsText = await readText(input, 'settings');
    const settings = settingsText === null ? null : readExplainSettings(settingsText);
    const groupingRules = await readRules(input, io);
    const bytes = await readBounded(file, EXPLAIN_BYTES_MAX);
    if (bytes.length === 0) throw new Error(`${inputName(file)} is empty: there is nothing to explain`);
    const explained = {
      bytes,
      groupingRules,
      receivedAtMs: Date.now(),
      clientIp,
      userAgent: input.option('user-agent') ?? null,
    };
    if (!input.isSet('grouping')) {
      const explanation = explain({ ...explained, settings: settings ?? DEFAULT_INGEST_SETTINGS });
      io.out(JSON.stringify(explanation, null, 2));
      return EXIT.done;
    }
    const grouping = explainGrouping({ ...explained, settings });
    if (grouping === null) throw new Error(`${inputName(file)} contains no event that can be grouped`);
    io.out(JSON.stringify(grouping, null, 2));
    return EXIT.done;
  },
};

/** A rule that cannot be read is reported, with its position, and left out. */
async function readRules(input: CliInput, io: CliIo): Promise<ReadGroupingRules['rules']> {
  const { rules, problems } = readGroupingRules({
    fingerprint: await readText(input, 'fingerprint-rules'),
    stackTrace: await readText(input, 'stack-trace-rules'),
  });
  const options = [
    ['fingerprint-rules', problems.fingerprint],
    ['stack-trace-rules', problems.stackTrace],
  ] as const;
  for (const [option, list] of options) {
    for (const { line, column, message } of list) {
      io.err(`${input.option(option)}:${line}:${column}: ${message}`);
    }
  }
  return rules;
}

async function readText(input: CliInput, option: string): Promise<string | null> {
  const file = input.option(option);
  return file === undefined ? null : (await readBounded(file, SETTINGS_BYTES_MAX)).toString('utf8');
}

const BYTES_MAX = 32 * 1024 * 1024;

export const parameterizeCommand: CliCommand = {
  name: 'parameterize',
  positionals: [],
  options: { lines: { type: 'boolean', meaning: 'Treat each line of the input as a separate message' } },
  summary: 'Print a message from standard input as it is grouped, with the variable parts replaced',
  async run(input, { io }) {
    const text = (await readBounded('-', BYTES_MAX)).toString('utf8').replace(/\r?\n$/, '');
    const messages = input.isSet('lines') ? text.split(/\r?\n/) : [text];
    io.out(messages.map(parameterizeMessage).join('\n'));
    return EXIT.done;
  },
};

/** Reads a file, or standard input for `-`. Throws an Error that names it when it cannot be read, or is too large. */
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
    throw new Error(`${inputName(file)} cannot be read: ${REASONS[codeOf(error)] ?? String(error)}`);
  }
  if (bytes > bytesMax) throw new Error(`${inputName(file)} is larger than ${bytesMax} bytes`);
  return Buffer.concat(chunks);
}

const inputName = (file: string): string => (file === '-' ? 'Standard input' : file);

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
};
