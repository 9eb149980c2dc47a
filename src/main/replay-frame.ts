import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const ROOT = join(import.meta.dirname, '../..');
const NONCE_BYTES = 18;
const PATH = '/replay-frame';
const AGE_SECONDS = 365 * 24 * 3600;

type File = { content: Buffer; packed: Buffer; type: string; hash: string };

/** Read once, when the first replay is watched. */
const files = new Map<string, File>();
const FILES: Readonly<Record<string, { type: string; read: () => string }>> = {
  'rrweb.js': { type: 'text/javascript', read: () => readText('node_modules/rrweb/umd/rrweb.min.js') },
  'play.js': {
    type: 'text/javascript',
    read: () => stripTypeScriptTypes(readText('src/app/replay-frame/play-recording.ts')),
  },
  'video.js': {
    type: 'text/javascript',
    read: () => stripTypeScriptTypes(readText('src/app/replay-frame/play-video.ts')),
  },
};

type Kind = 'recording' | 'video';
/** What the document of each kind runs, in this order. */
const SCRIPTS: Readonly<Record<Kind, readonly string[]>> = {
  recording: ['rrweb.js', 'play.js'],
  video: ['video.js'],
};

const readText = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

function fileOf(name: string): File | null {
  const source = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!source) return null;
  const known = files.get(name);
  if (known) return known;
  const content = Buffer.from(source.read());
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const file = { content, packed: gzipSync(content), type: source.type, hash };
  files.set(name, file);
  return file;
}

/**
 * Answers the document that plays recordings, and its scripts; false for every other address. What was recorded is never
 * trusted: the document loads nothing but pictures and fonts that the recording itself has, runs nothing but its own two
 * scripts, and only pages of this origin can frame it. The frame that shows the recording inherits all of that.
 */
export function answerReplayFrame(request: IncomingMessage, response: ServerResponse): boolean {
  const [path = ''] = (request.url ?? '').split('?');
  if (path !== PATH && !path.startsWith(`${PATH}/`)) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
  } else if (path === PATH || path === `${PATH}/video`) {
    answerDocument(response, path === PATH ? 'recording' : 'video');
  } else {
    answerFile(request, response, path.slice(PATH.length + 1));
  }
  return true;
}

function answerDocument(response: ServerResponse, kind: Kind): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': framePolicy(nonce, kind),
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  // Modules run in their order, and rrweb puts itself into the global object only as a classic script.
  const scripts = SCRIPTS[kind].map((name) => {
    const type = name === 'rrweb.js' ? '' : ' type="module"';
    return `<script nonce="${nonce}"${type} src="${PATH}/${name}?v=${fileOf(name)?.hash}"></script>`;
  });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Replay</title><style>${STYLE}</style><body>${scripts.join('')}`,
  );
}

/** Source: https://www.w3.org/TR/CSP3/ */
export const framePolicy = (nonce: string, kind: Kind): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    ...(kind === 'video' ? ['media-src blob:'] : []),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');

const STYLE =
  'html,body{margin:0;height:100%;overflow:hidden}iframe{border:0;background:#fff}' +
  '.replayer-mouse{position:absolute;z-index:2;width:20px;height:20px;margin:-10px;border-radius:50%;background:#4950f680;border:2px solid #4950f6;box-sizing:border-box}' +
  '.replayer-mouse.active{background:#4950f6}.replayer-mouse-tail{position:absolute;pointer-events:none}' +
  'video{width:100%;height:100%;object-fit:contain;background:#000}';

function answerFile(request: IncomingMessage, response: ServerResponse, name: string): void {
  const file = fileOf(name);
  if (!file) {
    response.writeHead(404).end();
    return;
  }
  const isPacked = String(request.headers['accept-encoding'] ?? '').includes('gzip');
  const body = isPacked ? file.packed : file.content;
  response.writeHead(200, {
    'content-type': `${file.type}; charset=utf-8`,
    'content-length': body.length,
    'cache-control': `public, max-age=${AGE_SECONDS}, immutable`,
    vary: 'Accept-Encoding',
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(body);
}
