import { compareReleases, parseReleaseVersion, parseSemanticVersion } from '#protocol/release-version.ts';
import type { SeenRelease, TextMatch } from '#storage/ports/search.ts';
import { filterProblem, problemAt, type SearchScope } from './search-problem.ts';
import type { FilterToken } from './syntax/search-tokens.ts';
import { readTexts, toMatch, unescapeText } from './text-match.ts';

/** Of the releases that a version, package or build asks for, the newest so many are searched for. */
export const RELEASE_MATCHES_MAX = 500;

export const RELEASE_KEYS: ReadonlySet<string> = new Set([
  'release',
  'release.version',
  'release.package',
  'release.build',
]);

/** Versions that match a release filter; `latest` is the newest of each project. Throws Invalid. */
export async function readReleases(filter: FilterToken, scope: SearchScope): Promise<readonly TextMatch[]> {
  if (filter.key.name !== 'release') return await releasesWhere(filter, scope);
  const matches: TextMatch[] = [];
  for (const value of readTexts(filter)) {
    if (value.text === 'latest') matches.push(...exactly(latestOf(await scope.releases())));
    else matches.push(toMatch(value.text, filter.operator));
  }
  return matches;
}

function latestOf(releases: readonly SeenRelease[]): readonly string[] {
  const latest = new Map<number, SeenRelease>();
  for (const release of releases) {
    const known = latest.get(release.projectId);
    if (!known || compareReleases(dated(release), dated(known)) > 0) latest.set(release.projectId, release);
  }
  return [...latest.values()].map((release) => release.version);
}

const dated = ({ version, firstSeen }: SeenRelease) => ({ version, dateMs: firstSeen });

async function releasesWhere(filter: FilterToken, scope: SearchScope): Promise<readonly TextMatch[]> {
  const isWanted = readTest(filter);
  const versions = new Set<string>();
  for (const { version } of await scope.releases()) {
    if (isWanted(version)) versions.add(version);
    if (versions.size === RELEASE_MATCHES_MAX) break;
  }
  return exactly([...versions]);
}

const exactly = (versions: readonly string[]): readonly TextMatch[] =>
  versions.map((text) => ({ kind: 'exact', text }));

type Test = (release: string) => boolean;

function readTest(filter: FilterToken): Test {
  const tests = readTexts(filter).map((value): Test => {
    const text = unescapeText(value.text);
    switch (filter.key.name) {
      case 'release.package':
        return textTest(value.text, (release) => parseReleaseVersion(release).package);
      case 'release.build':
        return buildTest(filter, text, value.text);
      default:
        return versionTest(filter, value, text);
    }
  });
  return (release) => tests.some((test) => test(release));
}

function versionTest(filter: FilterToken, value: { text: string; start: number }, text: string): Test {
  const versionOf = (release: string) => withoutBuild(parseReleaseVersion(release).raw);
  const { operator } = filter;
  const isCompared = operator === '>' || operator === '>=' || operator === '<' || operator === '<=';
  if (!isCompared && /(?:^|\.)(?:\*|x)$/i.test(text))
    return (release) => beginsLike(versionOf(release), text);
  const wanted = parseSemanticVersion(withoutBuild(text));
  if (!wanted) {
    if (isCompared) {
      throw problemAt(
        value,
        `"${text.slice(0, 80)}" at % is not a valid version: use a format such as 1.2.3 or 2.0.0-beta.1`,
      );
    }
    return textTest(value.text, versionOf);
  }
  return (release) => {
    const order = parseSemanticVersion(versionOf(release))?.order;
    if (order === undefined) return false;
    const isEqual = order === wanted.order;
    if (operator === '!=') return !isEqual;
    if (!isCompared) return isEqual;
    if (isEqual) return operator.endsWith('=');
    return operator.startsWith('>') ? order > wanted.order : order < wanted.order;
  };
}

/** `1.2.*`: everything that begins with these numbers. */
const beginsLike = (version: string, pattern: string): boolean => {
  const beginning = pattern.replace(/\.?[*xX]$/, '');
  return (
    beginning === '' ||
    version === beginning ||
    (/^[.-]/.test(version.slice(beginning.length)) && version.startsWith(beginning))
  );
};

const withoutBuild = (version: string): string => version.split('+', 1)[0] ?? version;

function buildTest(filter: FilterToken, text: string, written: string): Test {
  const buildOf = (release: string) => parseReleaseVersion(release).semver?.build ?? null;
  const { operator } = filter;
  if (operator === '' || operator === '=' || operator === '!=') {
    const test = textTest(written, buildOf);
    return operator === '!=' ? (release) => !test(release) : test;
  }
  const wanted = Number(text);
  if (text === '' || !Number.isFinite(wanted))
    throw filterProblem(filter, 'compares numbers: use a format such as >1000');
  return (release) => {
    const build = Number(buildOf(release) ?? Number.NaN);
    if (operator === '>') return build > wanted;
    if (operator === '>=') return build >= wanted;
    return operator === '<' ? build < wanted : build <= wanted;
  };
}

function textTest(written: string, textOf: (release: string) => string | null): Test {
  const match = toMatch(written);
  return (release) => {
    const text = textOf(release);
    if (text === null) return false;
    return match.kind === 'exact' ? text === match.text : containsInOrder(text, match.parts);
  };
}

/** Linear: each part is looked for once, after the one before. */
export function containsInOrder(text: string, parts: readonly string[]): boolean {
  const lower = text.toLowerCase();
  const wanted = parts.map((part) => part.toLowerCase());
  const first = wanted[0] ?? '';
  const last = wanted.at(-1) ?? '';
  if (!lower.startsWith(first)) return false;
  let at = first.length;
  for (const part of wanted.slice(1, -1)) {
    const found = lower.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return lower.length - last.length >= at && lower.endsWith(last);
}
