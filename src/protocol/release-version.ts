/**
 * Names of releases, `package@1.2.3-rc.1+42`, and the order of their versions.
 * Source of the syntax: https://github.com/getsentry/sentry-release-parser. Unlike there, a version may stand without a
 * package when it has a dot.
 */
type ReleaseVersion = {
  /** `web` of `web@1.2.3`; null when the name has none. */
  package: string | null;
  /** What follows the package; the whole name without one. */
  raw: string;
  /** null when it is no semantic version, such as a commit's hash. */
  semver: SemanticVersion | null;
};

type SemanticVersion = {
  /** Major, minor, patch, revision; zero for those that the name leaves out. */
  numbers: readonly number[];
  /** How many of them the name has. */
  components: number;
  /** `rc.1`; null for a final version. */
  prerelease: string | null;
  /** What follows the plus sign; null when nothing does. */
  build: string | null;
  /**
   * Text that sorts by code points as the versions do: numbers by their value, a pre-release before its final version,
   * builds by their number. Builds that are no numbers do not count.
   */
  order: string;
};

/** A release with the moment (milliseconds) it was released, or else first seen. */
type DatedRelease = { version: string; dateMs: number };

/** Longer release names are not parsed. */
const NAME_CHARACTERS_MAX = 250;
/** Digits of one number in a version; a longer one is not a version. */
const NUMBER_DIGITS_MAX = 20;

export const RELEASE_NAME_EXPECTED = `at most ${NAME_CHARACTERS_MAX} characters, no line breaks or other control characters, and not ".", "..", or "latest"`;
const RESTRICTED_NAMES: ReadonlySet<string> = new Set(['.', '..', 'latest']);

/** Whether a release can be called so. Source: Relay's rules for the field; unlike there, a slash may be in it. */
export const isReleaseName = (name: string): boolean =>
  name.length <= NAME_CHARACTERS_MAX && !/\p{Cc}/u.test(name) && !RESTRICTED_NAMES.has(name.toLowerCase());

export function parseReleaseVersion(name: string): ReleaseVersion {
  const at = name.indexOf('@', 1);
  const hasPackage = at > 0 && at < name.length - 1;
  const raw = hasPackage ? name.slice(at + 1) : name;
  const isReadable = name.length <= NAME_CHARACTERS_MAX && (hasPackage || raw.includes('.'));
  return {
    package: hasPackage ? name.slice(0, at) : null,
    raw,
    semver: isReadable ? parseSemanticVersion(raw) : null,
  };
}

/** `web` of `web@1.2.3`; null for a name without a package. */
export const releasePackage = (name: string): string | null => parseReleaseVersion(name).package;

/** null for what is none, commit hashes that happen to be digits included. */
export function parseSemanticVersion(text: string): SemanticVersion | null {
  if (HASH_LENGTHS.has(text.length) && /^[0-9a-fA-F]+$/.test(text)) return null;
  const match = VERSION.exec(text);
  if (!match) return null;
  const numbers = [match[1], match[2], match[3], match[4]].map((digits) => trimZeros(digits ?? ''));
  if (numbers.some((digits) => digits.length > NUMBER_DIGITS_MAX)) return null;
  const prerelease = (match[5] ?? '').replace(/^-/, '') || null;
  const build = match[6] ?? null;
  const given = [match[1], match[2], match[3], match[4]].filter((digits) => digits !== undefined);
  return {
    numbers: numbers.map(Number),
    components: given.length,
    prerelease,
    build,
    order: numbers.map(orderOfDigits).join('') + orderOfRest(prerelease, build),
  };
}

/**
 * Less than zero when `a` is older. By semantic version within a package, else by date; releases of the same name are
 * equal.
 */
export function compareReleases(a: DatedRelease, b: DatedRelease): number {
  if (a.version === b.version) return 0;
  return compareReleaseNames(a.version, b.version) ?? a.dateMs - b.dateMs;
}

/** null when the names alone do not tell which is older. */
export function compareReleaseNames(a: string, b: string): number | null {
  if (a === b) return 0;
  const [first, second] = [parseReleaseVersion(a), parseReleaseVersion(b)];
  if (!first.semver || !second.semver || first.package !== second.package) return null;
  if (first.semver.order === second.semver.order) return null;
  return first.semver.order < second.semver.order ? -1 : 1;
}

/** Lengths of what is a hash rather than a number when it is hexadecimal. */
const HASH_LENGTHS: ReadonlySet<number> = new Set([12, 16, 20, 32, 40, 64]);

const VERSION =
  /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?((?:-|[a-z])[0-9A-Za-z-]*(?:\.[0-9A-Za-z-]+)*)?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

function orderOfRest(prerelease: string | null, build: string | null): string {
  const stage = prerelease === null ? '1' : `0${prerelease.split('.').map(orderOfIdentifier).join('')} `;
  const number = build !== null && isNumber(build) ? `+${orderOfDigits(trimZeros(build))}` : '';
  return stage + number;
}

/** Numbers come before words. The space that ends a word comes before everything a longer one could go on with. */
const orderOfIdentifier = (identifier: string): string =>
  isNumber(identifier) ? `1${orderOfDigits(trimZeros(identifier))}` : `2${identifier} `;

/** More digits are a larger number: `a` stands for none (zero), `b` for one, and so on. */
const orderOfDigits = (digits: string): string => String.fromCharCode(97 + digits.length) + digits;

const isNumber = (text: string): boolean => text.length <= NUMBER_DIGITS_MAX && /^\d+$/.test(text);

const trimZeros = (digits: string): string => digits.replace(/^0+/, '');

/** Name of an environment. */
const CHARACTERS_MAX = 64;

export const ENVIRONMENT_EXPECTED = 'at most 64 characters, no line breaks, no slashes, and not "none"';

/** Whether an environment can be called so. Source: Relay's rules for the field. */
export const isEnvironmentName = (name: string): boolean =>
  name.length <= CHARACTERS_MAX && !/[/\p{Cc}]/u.test(name) && name.toLowerCase() !== 'none';
