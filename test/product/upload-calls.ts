import { randomBytes } from 'node:crypto';
import { makeBundle } from '../harness/make-zip.ts';
import type { ApiScene } from './api-scene.ts';
import { formWith } from './api-scene.ts';
import { DEBUG_ID, sha1 } from './upload-scene.ts';

export const ORG = 'organizations/[org]';
export const PROJECT = 'projects/[org]/[project]';
export const CHUNKS = `${ORG}/chunk-upload`;
export const ASSEMBLE = `${ORG}/artifactbundle/assemble`;

export type Assembled = { state: string; missingChunks: string[]; detail: string | null };
export type Detail = { detail: string };

/** Different from every other one. */
export const newBundle = (): Buffer =>
  makeBundle([
    {
      url: '~/app.js',
      type: 'minified_source',
      content: `run("${randomBytes(8).toString('hex')}")`,
      headers: { 'debug-id': DEBUG_ID, sourcemap: 'app.js.map' },
    },
    { url: '~/app.js.map', type: 'source_map', content: '{}', headers: { 'debug-id': DEBUG_ID } },
  ]);

/** What uploading clients ask of the scene's organization. */
export function uploadCalls(scene: ApiScene) {
  const send = (content: string | Uint8Array, name = sha1(Buffer.from(content)), field = 'file') =>
    scene.answer<Detail>('POST', CHUNKS, { body: formWith({ field, name, content }) });

  const assemble = (bytes: Buffer, rest: object = {}) =>
    scene.answer<Assembled & Detail>('POST', ASSEMBLE, {
      json: { checksum: sha1(bytes), chunks: [sha1(bytes)], projects: ['web'], ...rest },
    });

  /** Throws unless it is taken. */
  async function uploadBundle(bytes: Buffer, rest: object = {}): Promise<void> {
    const answers = [await send(bytes), await assemble(bytes, rest)];
    if (answers[1]?.[1] && (answers[1][1] as Assembled).state === 'ok') return;
    throw new Error(`The upload was not taken: ${JSON.stringify(answers)}`);
  }

  return { send, assemble, uploadBundle };
}
