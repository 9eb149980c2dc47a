import { type CliCommand, type CliInput, EXIT, UsageError } from '#cli/cli-command.ts';
import { withConnection } from '#cli/with-connection.ts';
import { notFound } from '#lib/errors.ts';
import type { QuarantinedItem } from '#storage/ports/digest.ts';
import { JSON_OPTION } from '../cli-command.ts';

const ITEMS_LISTED_MAX = 1_000;

export const quarantineList: CliCommand = {
  name: 'quarantine list',
  positionals: [],
  options: { json: JSON_OPTION },
  summary: 'List quarantined items, newest first: number, time, project, category, reason, event ID',
  run: (input, deps) =>
    withConnection(deps, async ({ stores }) => {
      const items = await stores.quarantine.list(null, ITEMS_LISTED_MAX);
      if (input.isSet('json')) deps.io.out(JSON.stringify(items.map(describeItem)));
      else for (const item of items) deps.io.out(describeLine(item));
      return EXIT.done;
    }),
};

export const quarantineShow: CliCommand = {
  name: 'quarantine show',
  positionals: ['<id>'],
  options: { json: JSON_OPTION },
  summary: 'Show why an item was quarantined; with --json, also the item itself in base64',
  async run(input, deps) {
    const id = readId(input);
    return withConnection(deps, async ({ stores }) => {
      const item = await stores.quarantine.find(id);
      if (!item) throw notInQuarantine(id);
      const { record, ...rest } = item;
      const described = describeItem(rest);
      if (input.isSet('json')) {
        deps.io.out(JSON.stringify({ ...described, record: Buffer.from(record).toString('base64') }));
      } else {
        for (const [name, value] of Object.entries(described)) deps.io.out(`${name}: ${value ?? '-'}`);
        deps.io.out(`recordBytes: ${record.byteLength}`);
      }
      return EXIT.done;
    });
  },
};

export const quarantineReplay: CliCommand = {
  name: 'quarantine replay',
  positionals: ['<id>'],
  options: {},
  summary: 'Send a quarantined item to digest again',
  async run(input, deps) {
    const id = readId(input);
    return withConnection(deps, async ({ replayRecord }) => {
      await replayRecord(id);
      deps.io.out(`Item ${id} is waiting for digest again`);
      return EXIT.done;
    });
  },
};

function readId({ positionals }: CliInput): number {
  const [text = ''] = positionals;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`"${text}" is not a number: see errata quarantine list`);
  return Number(text);
}

const notInQuarantine = (id: number) =>
  notFound(`There is no item ${id} in quarantine: see errata quarantine list`);

function describeLine(item: QuarantinedItem): string {
  return [
    item.id,
    new Date(item.quarantinedAt).toISOString(),
    `project=${item.projectId}`,
    item.category,
    item.reason,
    item.eventId ?? '-',
    item.replayedAt === null ? 'waiting' : 'replayed',
  ].join('  ');
}

/** Times in ISO 8601. */
function describeItem({ receivedAt, quarantinedAt, replayedAt, ...item }: QuarantinedItem) {
  return {
    ...item,
    receivedAt: new Date(receivedAt).toISOString(),
    quarantinedAt: new Date(quarantinedAt).toISOString(),
    replayedAt: replayedAt === null ? null : new Date(replayedAt).toISOString(),
  };
}
