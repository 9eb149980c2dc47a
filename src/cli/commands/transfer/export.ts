import { type CliCommand, EXIT, JSON_OPTION, ORG_OPTION } from '#cli/cli-command.ts';
import { writeFolder } from '#cli/transfer/write-folder.ts';
import { withOrganization } from '#cli/with-connection.ts';
import { exportOrganization } from '#product/transfer/export/export-organization.ts';
import { TRANSFER_KINDS } from '#product/transfer/records.ts';
import { formatBytes, tellProgress } from '../backups/backup-options.ts';
import { RANGE_OPTIONS, readKinds, readRange, untilInterrupted } from './transfer-options.ts';

export const exportCommand: CliCommand = {
  name: 'export',
  positionals: [],
  options: {
    org: ORG_OPTION,
    to: {
      type: 'string',
      placeholder: '<folder>',
      isRequired: true,
      meaning: 'An empty folder, which is made when it is not there',
    },
    ...RANGE_OPTIONS,
    json: JSON_OPTION,
  },
  summary: 'Write everything of an organization into a folder, in a documented format and without secrets',
  run: (input, deps) =>
    withOrganization(input, deps, async (ctx) => {
      const { fromMs, toMs } = readRange(input);
      const kinds = readKinds(input) ?? new Set(TRANSFER_KINDS);
      const folder = input.option('to') ?? '';
      const timeOf = (name: string) => {
        const text = input.option(name);
        return text === undefined ? null : new Date(text).toISOString();
      };
      const manifest = await untilInterrupted((signal) =>
        writeFolder(
          folder,
          {
            source: {
              product: 'errata',
              version: null,
              url: ctx.publicUrl,
              organization: ctx.organization.slug,
            },
            from: timeOf('since'),
            to: timeOf('until'),
          },
          exportOrganization(ctx, { fromMs, toMs, kinds, progress: tellProgress(deps), signal }),
          ctx.stores.blobs,
          ctx.now,
        ),
      );
      if (input.isSet('json')) {
        deps.io.out(JSON.stringify(manifest));
        return EXIT.done;
      }
      for (const { name, records, bytes } of manifest.files) {
        deps.io.out(`${name}\t${records}\t${formatBytes(bytes)}`);
      }
      const { files, bytes } = manifest.attachments;
      deps.io.err(
        `${ctx.organization.slug} was written to ${folder}, with ${files} attachments (${formatBytes(bytes)})`,
      );
      return EXIT.done;
    }),
};
