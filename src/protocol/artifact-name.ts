import { invalid } from '#lib/errors.ts';

const CHECKSUM = /^[0-9a-f]{40}$/;
const ORGANIZATION = /^[1-9]\d{0,15}$/;
const SHARD = /^[0-9a-f]{2}$/;
const NAME = /^([1-9]\d{0,15})\/([0-9a-f]{2})\/([0-9a-f]{40})$/;

export const isChecksum = (name: string): boolean => CHECKSUM.test(name);
export const isOrganization = (name: string): boolean => ORGANIZATION.test(name);
export const isShard = (name: string): boolean => SHARD.test(name);

/**
 * Where the bytes of an upload lie, in folders and in buckets: `<organization>/<first two digits>/<checksum>`. Throws
 * ErrataError 'invalid' for what names no upload.
 */
export function artifactName(organizationId: number, checksum: string): string {
  if (!isChecksum(checksum) || !isOrganization(String(organizationId))) {
    throw invalid(
      `"${checksum.slice(0, 200)}" is not a valid checksum: it must be a SHA-1 of 40 lowercase hex digits`,
    );
  }
  return `${organizationId}/${checksum.slice(0, 2)}/${checksum}`;
}

/** null for every other name. */
export function parseArtifactName(name: string): { organizationId: number; checksum: string } | null {
  const [, organization, shard, checksum = ''] = NAME.exec(name) ?? [];
  return organization !== undefined && checksum.startsWith(shard ?? '')
    ? { organizationId: Number(organization), checksum }
    : null;
}
