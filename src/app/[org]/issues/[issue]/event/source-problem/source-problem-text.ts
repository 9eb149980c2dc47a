import { visibleStart } from '#lib/visible-text.ts';
import type { SourceProblem } from '#product/events/source-problem.ts';
import { formatBytes } from '#ui/format-number.ts';

export type SourceProblemText = {
  /** Behind "No source:", on the frame itself. */
  short: string;
  /** A sentence. */
  what: string;
  /** What to do about it, in a sentence. */
  next: string;
  /** Where that is done; null where no page helps. */
  place: 'how-to' | 'release' | 'mappings' | null;
};

type Reason = SourceProblem['reason'];
type Texts = { [R in Reason]: (problem: Extract<SourceProblem, { reason: R }>) => SourceProblemText };

/** Names within a sentence; whole ones stand in the event's JSON. */
const NAME_CHARACTERS_MAX = 200;

const REBUILT = 'Upload the files of the build that is deployed: those that were uploaded are of another.';

const TEXTS: Texts = {
  no_debug_id_and_no_release: () => ({
    short: 'the event names no debug id and no release',
    what: 'The event names neither a debug id of this script nor a release, so nothing says which source map belongs to it.',
    next: 'Build with one of the bundler plugins, which give each file a debug id, or set a release in the SDK.',
    place: 'how-to',
  }),
  debug_id_not_uploaded: ({ debugId }) => ({
    short: 'nothing was uploaded with its debug id',
    what: `The script has the debug id ${name(debugId)}, and no upload has it.`,
    next: 'Upload the source maps of exactly this build. A build that is run again has other debug ids.',
    place: 'how-to',
  }),
  release_has_no_files: ({ release }) => ({
    short: 'the release has no uploaded files',
    what: `Nothing was uploaded for the release ${name(release)}, and the script has no debug id.`,
    next: 'Upload the source maps of this release, or build with debug ids, which need no release.',
    place: 'how-to',
  }),
  file_not_in_release: ({ release, url, nearest }) => ({
    short: 'the release has no such file',
    what: `The release ${name(release)} has uploaded files, and none of them is called ${name(url)}.${
      nearest === null ? '' : ` The nearest is ${name(nearest)}.`
    }`,
    next: 'Upload the files under the address that they are served from: sentry-cli has --url-prefix for it.',
    place: 'release',
  }),
  other_dist: ({ release, dist, uploadedDists }) => ({
    short: 'the file was uploaded for another dist',
    what: `The event has ${distName(dist)}; the files of the release ${name(release)} were uploaded with ${uploadedDists
      .map(distName)
      .join(', ')}.`,
    next:
      dist === null
        ? 'Upload them without --dist, or set the same dist in the SDK.'
        : `Upload them with --dist ${name(dist)}, or set the dist in the SDK that they were uploaded with.`,
    place: 'release',
  }),
  map_missing: ({ file, mapUrl }) => ({
    short: 'its source map was not uploaded',
    what: `${name(file)} was uploaded, and its source map${mapUrl === null ? '' : ` ${name(mapUrl)}`} was not.`,
    next: 'Have the bundler write source maps, and upload the folder that holds the scripts and their maps.',
    place: 'how-to',
  }),
  map_invalid: ({ file, detail }) => ({
    short: 'its source map cannot be read',
    what: `The source map of ${name(file)} cannot be read: ${name(detail)}.`,
    next: 'Build and upload it again; a step behind the bundler may have damaged it.',
    place: 'release',
  }),
  map_too_large: ({ file, bytes }) => ({
    short: 'its source map is too large',
    what: `The source map of ${name(file)} has ${formatBytes(bytes)}, which is more than Errata reads.`,
    next: 'Split the bundle, or leave the texts of libraries out of its source map.',
    place: 'how-to',
  }),
  fetch_refused: ({ url, detail }) => ({
    short: 'its source map was not fetched',
    what: `${name(url)} was not fetched: ${name(detail)}.`,
    next: 'Upload the source map instead, or let its host be read with ERRATA_FETCH_SOURCE_MAPS_FROM.',
    place: 'how-to',
  }),
  not_loaded_in_time: ({ url }) => ({
    short: 'its source map was not read in time',
    what: `${name(url)} was uploaded, and reading it took longer than the event could wait.`,
    next: 'Nothing is wrong with the upload: apply it to stored events.',
    place: null,
  }),
  mapping_not_uploaded: ({ debugId }) => ({
    short: 'its ProGuard mapping was not uploaded',
    what: `The event names the ProGuard mapping ${name(debugId)}, which was not uploaded.`,
    next: 'Upload the mapping.txt of exactly this build, with the id that the build has.',
    place: 'mappings',
  }),
  mapping_invalid: ({ debugId, detail }) => ({
    short: 'its ProGuard mapping cannot be read',
    what: `The ProGuard mapping ${name(debugId)} cannot be read: ${name(detail)}.`,
    next: 'Build and upload it again.',
    place: 'mappings',
  }),
  no_position: () => ({
    short: 'the frame has no line and column',
    what: 'The frame has no line or no column, so its place in the bundle is not known.',
    next: 'Some browsers tell none for code that was made at run time. Nothing else is wrong with the upload.',
    place: null,
  }),
  line_out_of_range: ({ file, line }) => ({
    short: 'its source map has no such line',
    what: `The source map of ${name(file)} ends before line ${line}.`,
    next: REBUILT,
    place: 'release',
  }),
  column_out_of_range: ({ file, line, column }) => ({
    short: 'its source map has no such column',
    what: `The source map of ${name(file)} says nothing of line ${line}, column ${column}.`,
    next: REBUILT,
    place: 'release',
  }),
  source_content_missing: ({ source }) => ({
    short: 'the source map holds no text of it',
    what: `The source map names ${name(source)} and holds no text of it, and it was not uploaded by itself.`,
    next: 'Have the bundler put the sources into the map (sourcesContent), or upload them beside it.',
    place: 'how-to',
  }),
  source_lines_limit: () => ({
    short: 'other frames of the event took all the room for source',
    what: 'The place in the source is known, and the frames before it hold as many source lines as one event may have.',
    next: 'Nothing is wrong with the upload: open the file at the line that the frame names.',
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
