import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { eventEnvelope } from '../harness/envelope.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';

/** What the bench tells this process. */
export type ToGenerator =
  | {
      type: 'start';
      port: number;
      projectId: string;
      publicKey: string;
      eventBytes: number;
      issues: number;
      connections: number;
      /** Events that may be sent; raised by `allow`. null for as fast as it goes. */
      allowance: number | null;
    }
  | { type: 'allow'; total: number }
  | { type: 'stop' };

/** What it tells: `progress` every 100 ms, `done` after a stop once every answer has come. */
export type FromGenerator = {
  type: 'ready' | 'progress' | 'done';
  answered: number;
  refused: number;
  bytesPerEvent: number;
  /** From sending to the answer; a sample of those since the last message. */
  latenciesMs: number[];
};

const PROGRESS_INTERVAL_MS = 100;
const LATENCY_SAMPLES_MAX = 2000;

/** Bytes of one request with the places that differ from request to request. */
type Template = { bytes: Buffer; idOffsets: number[]; timeOffset: number; sentAtOffset: number };

let templates: Template[] = [];
let sockets: Socket[] = [];
let parked: (() => void)[] = [];
let sent = 0;
let answered = 0;
let refused = 0;
let allowance = Number.POSITIVE_INFINITY;
let isStopping = false;
let latenciesMs: number[] = [];
/** Of this run: ids must not come again in the next. */
let idPrefix = '';

process.on('message', (message: ToGenerator) => {
  if (message.type === 'start') start(message);
  else if (message.type === 'allow') {
    allowance = message.total;
    wake();
  } else isStopping = true;
});
process.on('disconnect', () => process.exit(0));
tell('ready');

function start(settings: Extract<ToGenerator, { type: 'start' }>): void {
  templates = Array.from({ length: settings.issues }, (_, issue) => makeTemplate(settings, issue));
  allowance = settings.allowance ?? Number.POSITIVE_INFINITY;
  isStopping = false;
  idPrefix = randomBytes(8).toString('hex');
  sent = 0;
  answered = 0;
  refused = 0;
  sockets = Array.from({ length: settings.connections }, (_, index) => open(settings.port, index));
  const timer = setInterval(() => {
    if (isStopping && sent === answered + refused) {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      parked = [];
      tell('done');
    } else {
      tell('progress');
    }
  }, PROGRESS_INTERVAL_MS);
}

/** One connection with one request at a time, as an SDK has it; another one where the server closes it. */
function open(port: number, index: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let startedAt = 0;
  let pending = '';
  const send = () => {
    if (isStopping) return;
    if (sent >= allowance) {
      parked.push(send);
      return;
    }
    startedAt = performance.now();
    socket.write(nextRequest());
  };
  socket.once('connect', send);
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    pending += chunk;
    const headEnd = pending.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const length = Number(/content-length: *(\d+)/i.exec(pending)?.[1] ?? 0);
    if (pending.length < headEnd + 4 + length) return;
    if (pending.startsWith('HTTP/1.1 200')) answered++;
    else refused++;
    if (latenciesMs.length < LATENCY_SAMPLES_MAX) latenciesMs.push(performance.now() - startedAt);
    const isClosing = /^connection: *close/im.test(pending.slice(0, headEnd));
    pending = '';
    if (!isClosing) return send();
    socket.destroy();
    sockets[index] = open(port, index);
  });
  socket.on('error', (error) => {
    process.stderr.write(`The load generator lost a connection: ${error.message}\n`);
    process.exit(1);
  });
  return socket;
}

function wake(): void {
  const waiting = parked;
  parked = [];
  for (const send of waiting) send();
}

function nextRequest(): Buffer {
  const template = templates[sent % templates.length];
  if (!template) throw new Error('The load generator was not started');
  // A copy: the socket may still hold the bytes of the request before.
  const bytes = Buffer.from(template.bytes);
  const id = idPrefix + sent.toString(16).padStart(16, '0');
  for (const offset of template.idOffsets) bytes.write(id, offset, 'latin1');
  const now = new Date();
  bytes.write((now.getTime() / 1000).toFixed(3), template.timeOffset, 'latin1');
  bytes.write(now.toISOString(), template.sentAtOffset, 'latin1');
  sent++;
  return bytes;
}

function makeTemplate(settings: Extract<ToGenerator, { type: 'start' }>, issue: number): Template {
  const id = 'f'.repeat(32);
  const event = makeJavascriptError({ issue, bytes: settings.eventBytes, eventId: id });
  const body = eventEnvelope({ ...event, timestamp: Number((Date.now() / 1000).toFixed(3)) + 0.0001 });
  const head = [
    `POST /api/${settings.projectId}/envelope/ HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/x-sentry-envelope',
    `X-Sentry-Auth: Sentry sentry_version=7, sentry_client=errata-bench/1.0, sentry_key=${settings.publicKey}`,
    `Content-Length: ${body.length}`,
    '\r\n',
  ].join('\r\n');
  const bytes = Buffer.concat([Buffer.from(head), body]);
  return {
    bytes,
    idOffsets: findAll(bytes, id),
    timeOffset: offsetAfter(bytes, '"timestamp":'),
    sentAtOffset: offsetAfter(bytes, '"sent_at":"'),
  };
}

function findAll(bytes: Buffer, text: string): number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) offsets.push(at);
  return offsets;
}

function offsetAfter(bytes: Buffer, text: string): number {
  const at = bytes.indexOf(text);
  if (at === -1) throw new Error(`The sample has no ${text}`);
  return at + text.length;
}

function tell(type: FromGenerator['type']): void {
  const bytesPerEvent = templates[0]?.bytes.length ?? 0;
  process.send?.({ type, answered, refused, bytesPerEvent, latenciesMs } satisfies FromGenerator);
  latenciesMs = [];
}
