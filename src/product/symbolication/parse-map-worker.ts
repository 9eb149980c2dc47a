import { parentPort } from 'node:worker_threads';
import { packMapping } from '#pipeline/symbolicate/java/packed-mapping.ts';
import { nameFunctions } from '#pipeline/symbolicate/javascript/name-functions.ts';
import { parseBreakpad } from '#pipeline/symbolicate/native/parse-breakpad.ts';
import { InvalidSymbols } from '#pipeline/symbolicate/native/symbol-tables.ts';
import { packSourceMap } from '#pipeline/symbolicate/source-map/packed-map.ts';
import { parseSourceMap } from '#pipeline/symbolicate/source-map/parse-source-map.ts';
import { InvalidSourceMap } from '#pipeline/symbolicate/source-map/source-map.ts';
import type { ParseAnswer, ParseRequest } from './map-parser.ts';

/** The thread of a `MapParser`: takes the UTF-8 of a map or a mapping, answers it packed, or what is wrong with it. */
parentPort?.on('message', (request: ParseRequest) => {
  switch (request.what) {
    case 'map':
      answerMap(request.bytes, request.script);
      break;
    case 'mapping':
      answerMapping(request.bytes);
      break;
    case 'symbols':
      answerSymbols(request.bytes);
  }
});

function answerMap(bytes: Uint8Array, script: Uint8Array | null): void {
  try {
    const parsed = parseSourceMap(new TextDecoder().decode(bytes));
    // A map that knows the functions of its sources belongs to bytecode, mostly.
    const functions =
      script && !parsed.functions ? nameFunctions(new TextDecoder().decode(script), parsed) : null;
    answer({ kind: 'parsed', parsed: packSourceMap(parsed, functions) });
  } catch (error) {
    if (!(error instanceof InvalidSourceMap)) throw error;
    answer({ kind: 'invalid', detail: error.message });
  }
}

function answerMapping(bytes: ParseRequest['bytes']): void {
  const mapping = packMapping(bytes);
  if (mapping) answer({ kind: 'parsed', parsed: mapping });
  else answer({ kind: 'invalid', detail: 'It contains no classes' });
}

function answerSymbols(bytes: ParseRequest['bytes']): void {
  try {
    answer({ kind: 'parsed', parsed: parseBreakpad(bytes) });
  } catch (error) {
    if (!(error instanceof InvalidSymbols)) throw error;
    answer({ kind: 'invalid', detail: error.message });
  }
}

const answer = (message: ParseAnswer<unknown>): void => parentPort?.postMessage(message);
