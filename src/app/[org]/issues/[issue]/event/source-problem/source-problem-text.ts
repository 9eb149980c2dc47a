import { releaseHref } from '#app/[org]/release-name.tsx';
import { withQuery } from '#app/url-state.ts';
import { visibleStart } from '#lib/visible-text.ts';
import type { SourceProblem } from '#product/events/source-problem.ts';
import { formatBytes } from '#ui/format-number.ts';

type SourceProblemText = {
  /** Behind "No source:", on the frame itself. */
  short: string;
  /** A sentence. */
  what: string;
  /** What to do about it, in a sentence. */
  next: string;
  /** Where that is done; null where no page helps. */
  place: 'how-to' | 'release' | 'mappings' | 'debug-files' | null;
};

type Reason = SourceProblem['reason'];
type Texts = { [R in Reason]: (problem: Extract<SourceProblem, { reason: R }>) => SourceProblemText };

/** Names within a sentence; whole ones stand in the event's JSON. */
const NAME_CHARACTERS_MAX = 200;

const REBUILT = 'Upload the files of the deployed build. The uploaded files are from a different build.';

const TEXTS: Texts = {
  no_debug_id_and_no_release: () => ({
    short: 'the event has no debug ID and no release',
    what: 'The event has neither a debug ID for this script nor a release, so no source map can be matched to it.',
    next: 'Build with one of the bundler plugins, which add a debug ID to each file, or set a release in the SDK.',
    place: 'how-to',
  }),
  debug_id_not_uploaded: ({ debugId }) => ({
    short: 'no file was uploaded with its debug ID',
    what: `The script has the debug ID ${name(debugId)}, and no uploaded file has that ID.`,
    next: 'Upload the source maps from this exact build. Every new build has different debug IDs.',
    place: 'how-to',
  }),
  release_has_no_files: ({ release }) => ({
    short: 'the release has no uploaded files',
    what: `No files were uploaded for release ${name(release)}, and the script has no debug ID.`,
    next: 'Upload source maps for this release, or build with debug IDs, which don’t need a release.',
    place: 'how-to',
  }),
  file_not_in_release: ({ release, url, nearest }) => ({
    short: 'the file is not in the release',
    what: `Release ${name(release)} has uploaded files, but none is named ${name(url)}.${
      nearest === null ? '' : ` The closest match is ${name(nearest)}.`
    }`,
    next: 'Upload the files with the URL they are served from. In sentry-cli, use --url-prefix.',
    place: 'release',
  }),
  other_dist: ({ release, dist, uploadedDists }) => ({
    short: 'the file was uploaded for a different dist',
    what: `The event has ${distName(dist)}, but the files of release ${name(release)} were uploaded with ${uploadedDists
      .map(distName)
      .join(', ')}.`,
    next:
      dist === null
        ? 'Upload them without --dist, or set the same dist in the SDK.'
        : `Upload them with --dist ${name(dist)}, or set the matching dist in the SDK.`,
    place: 'release',
  }),
  map_missing: ({ file, mapUrl }) => ({
    short: 'its source map was not uploaded',
    what: `${name(file)} was uploaded, but its source map${mapUrl === null ? '' : ` ${name(mapUrl)}`} was not.`,
    next: 'Configure your bundler to generate source maps, and upload the folder that contains the scripts and their source maps.',
    place: 'how-to',
  }),
  map_invalid: ({ file, detail }) => ({
    short: 'its source map can’t be parsed',
    what: `The source map for ${name(file)} can’t be parsed: ${name(detail)}.`,
    next: 'Build and upload it again. A build step after the bundler may have damaged it.',
    place: 'release',
  }),
  map_too_large: ({ file, bytes }) => ({
    short: 'its source map is too large',
    what: `The source map for ${name(file)} is ${formatBytes(bytes)}, which is over the limit.`,
    next: 'Split the bundle, or exclude library sources from its source map.',
    place: 'how-to',
  }),
  fetch_refused: ({ url, detail }) => ({
    short: 'its source map couldn’t be fetched',
    what: `${name(url)} couldn’t be fetched: ${name(detail)}.`,
    next: 'Upload the source map instead, or allow its host in ERRATA_FETCH_SOURCE_MAPS_FROM.',
    place: 'how-to',
  }),
  not_loaded_in_time: ({ url }) => ({
    short: 'reading its source map timed out',
    what: `${name(url)} was uploaded, but reading it took too long.`,
    next: 'The upload is fine. Apply it to stored events.',
    place: null,
  }),
  mapping_not_uploaded: ({ debugId }) => ({
    short: 'its ProGuard mapping was not uploaded',
    what: `The event refers to the ProGuard mapping ${name(debugId)}, which was not uploaded.`,
    next: 'Upload the mapping.txt of this exact build with the UUID of the build.',
    place: 'mappings',
  }),
  mapping_invalid: ({ debugId, detail }) => ({
    short: 'its ProGuard mapping can’t be parsed',
    what: `The ProGuard mapping ${name(debugId)} can’t be parsed: ${name(detail)}.`,
    next: 'Build and upload it again.',
    place: 'mappings',
  }),
  debug_file_not_uploaded: ({ debugId, file }) => ({
    short: `${name(file)} has no symbols`,
    what: `Missing symbols: no debug file was uploaded for ${name(file)} (${name(debugId)}).`,
    next: 'Convert the debug information of this exact build with dump_syms, and upload it with sentry-cli debug-files upload.',
    place: 'debug-files',
  }),
  debug_file_invalid: ({ debugId, detail }) => ({
    short: 'its debug file can’t be parsed',
    what: `The debug file ${name(debugId)} can’t be parsed: ${name(detail)}.`,
    next: 'Create it again with dump_syms, and upload it.',
    place: 'debug-files',
  }),
  address_without_symbol: ({ debugId, file }) => ({
    short: 'its debug file has no function at this address',
    what: `The debug file of ${name(file)} (${name(debugId)}) has no function at this address.`,
    next: 'The code was generated at run time, or the debug file was created from a stripped binary. Use one with debug information.',
    place: 'debug-files',
  }),
  no_position: () => ({
    short: 'the frame has no line and column numbers',
    what: 'The frame has no line or column number, so its location in the bundle is unknown.',
    next: 'Some browsers don’t report them for code generated at run time. The upload is fine.',
    place: null,
  }),
  line_out_of_range: ({ file, line }) => ({
    short: 'its source map doesn’t include this line',
    what: `The source map for ${name(file)} ends before line ${line}.`,
    next: REBUILT,
    place: 'release',
  }),
  column_out_of_range: ({ file, line, column }) => ({
    short: 'its source map doesn’t include this column',
    what: `The source map for ${name(file)} has no mapping for line ${line}, column ${column}.`,
    next: REBUILT,
    place: 'release',
  }),
  source_content_missing: ({ source }) => ({
    short: 'its source map doesn’t include the source',
    what: `The source map lists ${name(source)} but doesn’t include its content, and the file was not uploaded separately.`,
    next: 'Configure your bundler to include sources in the source map (sourcesContent), or upload them alongside it.',
    place: 'how-to',
  }),
  source_lines_limit: () => ({
    short: 'the source limit for this event was reached',
    what: 'The location in the source is known, but other frames already used all the source lines one event can have.',
    next: 'The upload is fine. Open the file at the line shown on the frame.',
    place: null,
  }),
};

/** A reason in words, with the next step. What uploads and events name is shown as people can see all of it. */
export function sourceProblemText(problem: SourceProblem): SourceProblemText {
  const text = TEXTS[problem.reason] as (problem: SourceProblem) => SourceProblemText;
  return text(problem);
}

const name = (text: string): string => {
  const start = visibleStart(text, NAME_CHARACTERS_MAX);
  return text.length > NAME_CHARACTERS_MAX ? `${start}…` : start;
};

const distName = (dist: string | null): string => (dist === null ? 'no dist' : `dist ${name(dist)}`);

export type ProblemLink = { href: string; label: string };

/** Where the next step is done; null where no page helps. */
export function problemLink(
  problem: SourceProblem,
  {
    organizationSlug,
    projectSlug,
    release,
  }: { organizationSlug: string; projectSlug: string; release: string | null },
): ProblemLink | null {
  const { place } = sourceProblemText(problem);
  if (place === null) return null;
  if (place === 'release' && release !== null) {
    const href = withQuery(releaseHref(organizationSlug, release), {
      project: projectSlug,
      tab: 'artifacts',
    });
    return { href, label: 'Release artifacts' };
  }
  const settings = `/${organizationSlug}/settings/projects/${projectSlug}/source-maps`;
  if (place === 'mappings') return { href: `${settings}/mappings`, label: 'ProGuard mappings' };
  if (place === 'debug-files') return { href: `${settings}/debug-files`, label: 'Debug files' };
  return place === 'how-to'
    ? { href: `${settings}/how-to`, label: 'How to upload source maps' }
    : { href: settings, label: 'Project artifacts' };
}

/** Id of the place in the page where a reason is told in full. */
export const problemAnchor = (reason: string): string => `no-source-${reason.replaceAll('_', '-')}`;
