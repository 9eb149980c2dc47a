import { visibleText } from '#lib/visible-text.ts';
import { parseReleaseVersion } from '#protocol/release-version.ts';

/** A version with its package in the background, since that is the same for most of a list. */
export function ReleaseName({ version: named }: { version: string }) {
  const version = visibleText(named);
  const { package: name, raw, semver } = parseReleaseVersion(version);
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
