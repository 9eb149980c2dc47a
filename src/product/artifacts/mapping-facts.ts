import { createHash, type Hash } from 'node:crypto';
import type { ArtifactFileReader } from '#storage/ports/artifact-files.ts';
import { toDebugId } from './check-upload.ts';
import { piecesOf } from './pieces-of.ts';

/** Where a line of a class must have come, unless the file is none. */
const HEAD_BYTES = 256 * 1024;
const LINE_CHARACTERS_MAX = 2_000;
const CLASS_LINE = /^\S+ -> \S+:\s*$/;
/** Names under which mappings are uploaded: `/proguard/<id>.txt`. */
const MAPPING_NAME = /(?:^|\/)proguard\/(?:mapping-)?([0-9a-fA-F-]{32,36})\.txt$/;
/** Of names of hosts: RFC 9562, section 6.6. */
const HOSTS_NAMESPACE = Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex');
/** Mappings have their ids by content in the namespace of this host. */
const NAMESPACE = uuid5Of(createHash('sha1').update(HOSTS_NAMESPACE).update('guardsquare.com'));

/** null when the name says no debug id. */
export const debugIdOfName = (name: string): string | null => toDebugId(MAPPING_NAME.exec(name)?.[1]);

/** Whether clients would take it for a mapping by its name. */
export const looksLikeMapping = (name: string): boolean => name.endsWith('.txt') || MAPPING_NAME.test(name);

/** Whether there is a class in it, near its beginning. */
export async function isMapping(reader: ArtifactFileReader): Promise<boolean> {
  const head = (await reader.read(0, Math.min(reader.bytes, HEAD_BYTES))).toString('utf8');
  return head.split('\n').some((line) => line.length <= LINE_CHARACTERS_MAX && CLASS_LINE.test(line));
}

/** The id that build tools give a mapping by its content. Source: https://github.com/getsentry/rust-proguard */
export async function debugIdOfContent(reader: ArtifactFileReader): Promise<string> {
  const hash = createHash('sha1').update(NAMESPACE);
  for await (const piece of piecesOf(reader)) hash.update(piece);
  const digits = uuid5Of(hash).toString('hex');
  return toDebugId(digits) ?? digits;
}

/** UUID version 5: the first 16 bytes with the version and the variant of RFC 9562. */
function uuid5Of(hash: Hash): Buffer {
  const bytes = hash.digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}
