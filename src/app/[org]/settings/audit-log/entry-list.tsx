import { visibleText } from '#lib/visible-text.ts';
import { auditWords } from '#product/audit/audit-actions.ts';
import type { AuditEntry } from '#product/audit/audit-store.ts';
import { RelativeTime } from '#ui/relative-time.tsx';

export function EntryList({ entries, now }: { entries: readonly AuditEntry[]; now: number }) {
  return (
    <ol className="divide-y">
      {entries.map((entry) => (
        <li key={entry.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5 text-sm">
          <p className="break-anything min-w-0 flex-1 basis-72">
            <bdi className="font-medium">{entry.actor.name}</bdi> {auditWords(entry.action)}{' '}
            <bdi className="font-medium">{visibleText(entry.target.name)}</bdi>
            <Details data={entry.data} />
          </p>
          <p className="break-anything max-w-full text-text-muted text-xs">
            <span className="mono">{entry.action}</span>
            {' · '}
            {sourceOf(entry)}
            {' · '}
            <RelativeTime at={entry.at} now={now} />
          </p>
        </li>
      ))}
    </ol>
  );
}

/** What changed, one fact after the other. */
function Details({ data }: { data: AuditEntry['data'] }) {
  const facts = Object.entries(data).filter(([, value]) => !isNothing(value));
  if (facts.length === 0) return null;
  return (
    <span className="block text-text-muted text-xs">
      {facts.map(([name, value], index) => (
        <span key={name}>
          {index > 0 ? '; ' : ''}
          {name}: <bdi>{visibleText(describe(value))}</bdi>
        </span>
      ))}
    </span>
  );
}

const isNothing = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const VALUE_CHARACTERS_MAX = 300;

function describe(value: unknown): string {
  if (isChange(value)) return `${describe(value.from)} → ${describe(value.to)}`;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.join(', ') || 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text;
}

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

function sourceOf({ actor, ipAddress }: AuditEntry): string {
  const how = {
    user: 'signed in',
    token: `personal token ${actor.tokenId ?? ''}`.trim(),
    organization_token: `organization token ${actor.tokenId ?? ''}`.trim(),
    system: 'on the server',
  }[actor.kind];
  return ipAddress ? `${how}, ${ipAddress}` : how;
}
