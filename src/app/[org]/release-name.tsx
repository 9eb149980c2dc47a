import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import { parseReleaseVersion } from '#protocol/release-version.ts';

/**
 * A version with its package in the background, since that is the same for most of a list, and its hashes shortened
 * unless it is shown in full. The full version is the title.
 */
export function ReleaseName({ version: named, isFull = false }: { version: string; isFull?: boolean }) {
  const version = visibleText(named);
  const { package: name, raw, semver } = parseReleaseVersion(isFull ? version : shortenHashes(version));
  // `1.2.0` and its build are told apart only when the name can be read as a semantic version.
  const build = semver?.build ? `+${semver.build}` : '';
  const main = build && raw.endsWith(build) ? raw.slice(0, -build.length) : raw;
  return (
    <bdi className="break-anything" title={version}>
      {name ? <span className="font-normal text-text-muted">{name}@</span> : null}
      {main}
      {build && main !== raw ? <span className="font-normal text-text-muted">{build}</span> : null}
    </bdi>
  );
}

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
