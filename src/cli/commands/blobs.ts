import { type BlobAddress, describeBucket, parseBlobAddress } from '#lib/blob-address.ts';
import { messageOf } from '#lib/errors.ts';
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
  summary: 'Copy attachments, replays, profiles and dumps to a bucket or a folder, and verify each copy',
  async run(input, { io, openBlobs }) {
    const to = readAddress(input, 'to');
    const from = readAddress(input, 'from');
    const [source, target] = await Promise.all([openBlobs(from), openBlobs(to)]);
    if (to === null) throw new UsageError('--to is missing');
    await Promise.all([source.check(), target.check()]);
    let saidAt = performance.now();
    const done = await copyBlobs(source, target, {
      isPruning: input.isSet('prune'),
      onProgress(progress) {
        if (performance.now() - saidAt < PROGRESS_EVERY_MS) return;
        saidAt = performance.now();
        io.err(describe(progress));
      },
    });
    io.out(describe(done));
    io.out(
      done.copied === 0
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
