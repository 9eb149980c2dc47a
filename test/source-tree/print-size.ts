// `npm run size`: how large the source is, and where it could be simpler.
//   --by-folder     files and lines of each folder
//   --folder PATH   only the lists of files below this folder of src
//   --all           every entry of the lists instead of the first few
import { parseArgs } from 'node:util';
import { countDuplicateLines, linesOf, type Place } from './find-duplicates.ts';
import { measureSize, type Size } from './measure-size.ts';

const SHOWN_MAX = 15;
const FOLDER_DEPTH = 2;

const { values: options } = parseArgs({
  options: {
    'by-folder': { type: 'boolean', default: false },
    folder: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
  },
});
const size = measureSize();
const isShown = (file: string) => file.startsWith(options.folder.replace(/^src\//, ''));
if (options['by-folder']) printFolders(size);
else printFigures(size);

function printFigures({ lines, median, p90, long, small, duplicates, fileKnots, folderKnots }: Size): void {
  console.log(`${lines.size} files, ${sum(lines.values())} lines, without tests`);
  console.log(`median ${median} lines, p90 ${p90}`);
  list(
    'files over 350 lines',
    long.filter(isShown).map((file) => `${file}: ${lines.get(file)}`),
  );
  list(
    'files under 30 lines with one importer',
    small.filter(({ file }) => isShown(file)).map((one) => `${one.file}: ${one.lines} ← ${one.importer}`),
  );
  const copies = duplicates.filter((places) => places.some(({ file }) => isShown(file)));
  list(`copied runs of six lines and more (${countDuplicateLines(copies)} lines)`, copies.map(describeCopy));
  list('cycles of files', fileKnots.filter((knot) => knot.some(isShown)).map(describeKnot));
  list('cycles of folders', folderKnots.filter((knot) => knot.some(isShown)).map(describeKnot));
}

function list(title: string, entries: readonly string[]): void {
  console.log(`\n${entries.length} ${title}`);
  const shown = options.all || options.folder !== '' ? entries : entries.slice(0, SHOWN_MAX);
  for (const entry of shown) console.log(`  ${entry}`);
  if (shown.length < entries.length) console.log(`  … and ${entries.length - shown.length} more: --all`);
}

function describeCopy(places: readonly Place[]): string {
  return `${linesOf(places[0]!)} lines: ${places.map(({ file, firstLine }) => `${file}:${firstLine}`).join(', ')}`;
}

function describeKnot(members: readonly string[]): string {
  return members.join(' ↔ ');
}

function printFolders({ lines }: Size): void {
  const folders = Map.groupBy(lines.keys(), (file) =>
    file.split('/').slice(0, -1).slice(0, FOLDER_DEPTH).join('/'),
  );
  for (const [folder, files] of [...folders].sort(([a], [b]) => a.localeCompare(b))) {
    const total = sum(files.map((file) => lines.get(file)!));
    const mean = Math.round(total / files.length);
    console.log(
      `${(folder || '(top)').padEnd(40)} ${cell(files.length)} files ${cell(total)} lines ${cell(mean)} each`,
    );
  }
}

function cell(value: number): string {
  return String(value).padStart(6);
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}
