import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../src');

/** Everything else that is parsed came from outside, and goes through `lib/bounded-json`. Each with the reason. */
const PARSES_BY_ITSELF: Readonly<Record<string, string>> = {
  'app/[org]/alerts/rule-form/preview-card.tsx': 'the form of this page, in the browser',
  'app/[org]/issues/visited-list.ts': 'what the browser kept',
  'app/[org]/replays/recording/read-recording.ts': 'a line that the server wrote, in the browser',
  'app/[org]/search-box/recent-searches.ts': 'what the browser kept',
  'app/[org]/search-box/use-suggestions.ts': 'what it wrote itself',
  'app/[org]/traces/[trace]/waterfall/span-events.ts':
    'an attribute of bounded length, which digest wrote itself',
  'app/api/0/openapi/build-document.ts': 'what it wrote itself',
  'app/shell/palette/recent-places.ts': 'what the browser kept',
  'app/share/feedback/[token]/feedback-form.tsx': 'what the server sent, in the browser',
  'app/live/live-state.ts': 'what the server sent, in the browser',
  'app/live/use-live-changes.tsx': 'what the server sent, in the browser',
  'app/mcp/oauth/register/route.ts': 'at most 16 KiB',
  'cli/commands/doctor.ts': 'what the own server answers',
  'cli/commands/status.ts': 'what the own server answers',
  'cli/run-cli.ts': 'the package of this program',
  'ingest/accept/crash-event.ts': 'a copy of MessagePack that was bounded before',
  'ingest/attempt-file.ts': 'what digest wrote itself',
  'ingest/understanding/pack-records.ts': 'what another thread of digest wrote',
  'ingest/uptime-file.ts': 'our own file, of a fixed size',
  'ingest/key-table.ts': 'what edge wrote itself',
  'ingest/spool-record.ts': 'what edge wrote itself',
  'ingest/tunnel.ts': 'a header of at most 64 KiB',
  'instrumentation-client.ts': 'what the server wrote into the page',
  'lib/bounded-json.ts': 'after it looked',
  'main/data-dir.ts': 'what this program wrote itself',
  'main/start-web.ts': 'what the build wrote',
  'pipeline/profiles/profile-skimmer.ts': 'fields of at most 16 KiB, and what edge wrote itself',
  'pipeline/replays/read-replay.ts': 'a header of at most 4 KiB',
  'pipeline/scrub/bodies/json-strings.ts': 'one string of bounded length',
  'product/backups/file-packs.ts': 'the index of a pack, of a known hash, which a schema then checks',
  'product/backups/manifest-file.ts':
    'a file of a known hash and a bounded length, which a schema then checks',
  'product/cursor.ts': 'a parameter of an address, at most 32 KiB',
  'product/data-requests/store/data-request-store.ts': 'identifiers that this program sealed',
  'product/data-requests/write-export.ts': 'a column of the store',
  'product/destinations/destination-store.ts': 'what was sealed here',
  'product/explain/read-explain-settings.ts': 'a file of the person who runs the command',
  'product/explain/read-grouping-rules.ts': 'a file of the person who runs the command',
  'product/explain/read-input.ts': 'a file of the person who runs the command',
  'product/notifications/unsubscribe-links.ts': 'what was sealed here',
  'product/uptime/store/uptime-monitor-store.ts': 'what was sealed here',
  'protocol/envelope.ts': 'a header of at most 64 KiB',
  'storage/clickhouse/event-row.ts': 'what digest stored',
  'storage/clickhouse/regroup/read-events.ts': 'what digest stored',
  'storage/clickhouse/reprocess/stage-events.ts': 'what digest stored',
  'storage/clickhouse/telemetry/columns.ts': 'what digest stored',
  'storage/clickhouse/telemetry/read-check-ins.ts': 'what digest stored',
  'storage/postgres/feeds.ts': 'what the database sent for this program',
  'storage/postgres/auth/devices.ts': 'what was sealed here',
  'storage/postgres/auth/single-sign-on.ts': 'what was sealed here',
  'storage/spool-files/identity.ts': 'what edge wrote itself',
  'ui/navigation/load-data.ts': 'what the server sent, in the browser',
  'ui/navigation/missing-files.ts': 'what the browser kept',
};

test('JSON from outside is parsed within bounds, or the file is listed with the reason why not', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .filter((file) => /\bJSON\.parse\(|\.json\(\)/.test(readFileSync(path.join(SRC, file), 'utf8')));
  expect(files.sort()).toEqual(Object.keys(PARSES_BY_ITSELF).sort());
});
