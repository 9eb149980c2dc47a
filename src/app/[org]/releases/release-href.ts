/** The page of a release. A version may hold slashes: they stay, so that the address can be read. */
export function releaseHref(organizationSlug: string, version: string): string {
  const parts = version.split('/');
  // A browser would resolve such parts instead of sending them.
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  const path = (isPlain ? parts : [version]).map(encodePart).join('/');
  return `/${organizationSlug}/releases/${path}`;
}

/** The version that the segments of an address name. The framework hands them over as they were sent, or decoded. */
export function versionOfSegments(segments: readonly string[]): string {
  try {
    return segments.map(decodeURIComponent).join('/');
  } catch {
    return segments.join('/');
  }
}

/** These may stand in a path as they are. */
const encodePart = (part: string): string =>
  encodeURIComponent(part).replaceAll('%40', '@').replaceAll('%2B', '+').replaceAll('%3A', ':');
