import { join } from 'node:path';
import { invalid } from '#lib/errors.ts';
import type { Checksum } from '#storage/ports/artifact-files.ts';
import type { FilePlace } from './durable-file.ts';

const CHECKSUM = /^[0-9a-f]{40}$/;
const ORGANIZATION = /^[1-9]\d{0,15}$/;
const SHARD = /^[0-9a-f]{2}$/;

/** `<root>/<organization>/<first two digits>/<checksum>`. Throws ErrataError 'invalid' for what names no file of ours. */
export function artifactPlace(root: string, organizationId: number, checksum: Checksum): FilePlace {
  if (!isChecksum(checksum) || !isOrganization(String(organizationId))) {
    throw invalid(
      `"${checksum.slice(0, 200)}" is no checksum: it must be a SHA-1 of 40 lower-case hex digits`,
    );
  }
  const folder = join(root, String(organizationId), checksum.slice(0, 2));
  return { folder, file: join(folder, checksum) };
}

export const isChecksum = (name: string): boolean => CHECKSUM.test(name);
export const isOrganization = (name: string): boolean => ORGANIZATION.test(name);
export const isShard = (name: string): boolean => SHARD.test(name);
