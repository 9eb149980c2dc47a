import { type BlobAddress, describeBucket, parseBlobAddress } from '#lib/blob-address.ts';
import { messageOf } from '#lib/errors.ts';
import { type ArtifactCopyProgress, copyArtifacts } from '../blobs/copy-artifacts.ts';
import { type CopyProgress, copyBlobs } from '../blobs/copy-blobs.ts';
import { type CliCommand, type CliInput, EXIT, UsageError } from '../cli-command.ts';

const PROGRESS_EVERY_MS = 2_000;

export const blobsMigrate: CliCommand = {
  name: 'blobs migrate',
  positionals: [],
  options: {
    to: {
      type: 'string',
      placeholder: '<url>',
      isRequired: true,
      meaning: 'Where to copy to: s3://bucket/prefix?endpoint=…, or file:///folder',
    },
    from: {
      type: 'string',
      placeholder: '<url>',
      meaning: 'Where to copy from, instead of where the server keeps its blobs now',
    },
    prune: { type: 'boolean', meaning: 'Also delete from the target what the source no longer has' },
  },
  summary:
    'Copy attachments, replays, profiles, dumps and uploads to a bucket or a folder, and verify each copy',
  async run(input, { io, openFiles }) {
    const to = readAddress(input, 'to');
    const from = readAddress(input, 'from');
    const [source, target] = await Promise.all([openFiles(from), openFiles(to)]);
    if (to === null) throw new UsageError('--to is missing');
    await Promise.all([source.blobs.check(), target.blobs.check()]);
    const isPruning = input.isSet('prune');
    let saidAt = performance.now();
    const say = (text: string) => {
      if (performance.now() - saidAt < PROGRESS_EVERY_MS) return;
      saidAt = performance.now();
      io.err(text);
    };
    const blobs = await copyBlobs(source.blobs, target.blobs, {
      isPruning,
      onProgress: (progress) => say(describe(progress)),
    });
    io.out(describe(blobs));
    const uploads = await copyArtifacts(source.artifactFiles, target.artifactFiles, {
      isPruning,
      onProgress: (progress) => say(describeUploads(progress)),
    });
    io.out(describeUploads(uploads));
    io.out(
      blobs.copied + uploads.copied === 0
        ? `Everything is in ${nameOf(to)}: set ERRATA_BLOBS_URL to it, and start the server`
        : 'Run this again with the server stopped, so that nothing is added meanwhile: it copies what is missing',
    );
    return EXIT.done;
  },
};

/** null when the option is absent. */
function readAddress(input: CliInput, name: 'to' | 'from'): BlobAddress | null {
  const text = input.option(name);
  if (text === undefined) return null;
  try {
    return parseBlobAddress(text);
  } catch (error) {
    throw new UsageError(`--${name}: ${messageOf(error)}`);
  }
}

const nameOf = (address: BlobAddress): string =>
  address.kind === 'folder' ? address.folder : describeBucket(address);

const describeUploads = ({ seen, copied, copiedBytes, pruned }: ArtifactCopyProgress): string =>
  `${seen} source maps and other uploads seen, ${copied} copied and verified (${(copiedBytes / 1e6).toFixed(1)} MB)${pruned > 0 ? `, ${pruned} pruned` : ''}`;

function describe({ seen, copied, copiedBytes, present, gone, pruned }: CopyProgress): string {
  const parts = [
    `${seen} blobs seen`,
    `${copied} copied and verified (${(copiedBytes / 1e6).toFixed(1)} MB)`,
    `${present} already there`,
  ];
  if (gone > 0) parts.push(`${gone} deleted meanwhile`);
  if (pruned > 0) parts.push(`${pruned} pruned`);
  return parts.join(', ');
}
