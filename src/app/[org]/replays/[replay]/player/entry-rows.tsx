import {
  Angry,
  CircleAlert,
  Compass,
  Dot,
  Keyboard,
  type LucideIcon,
  MousePointerClick,
  Network,
  SquareTerminal,
} from 'lucide-react';
import { cx } from '#ui/cx.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatBytes } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import type { Entry, EntryKind } from '../../recording/timeline.ts';

const ICONS: Readonly<Record<EntryKind, LucideIcon>> = {
  click: MousePointerClick,
  'dead-click': MousePointerClick,
  'rage-click': Angry,
  navigation: Compass,
  input: Keyboard,
  console: SquareTerminal,
  network: Network,
  error: CircleAlert,
  memory: Dot,
  other: Dot,
};

const TONES: Readonly<Record<Entry['level'], string>> = {
  error: 'text-danger',
  warning: 'text-warning',
  info: 'text-text-muted',
};

/** One line: what it was, and what it says. An error leads to its event. */
export function EntryRow({ entry }: { entry: Entry }) {
  const Icon = ICONS[entry.kind];
  return (
    <>
      <Icon aria-hidden className={cx('size-3.5 shrink-0', TONES[entry.level])} />
      <span className={cx('shrink-0 font-medium', entry.level !== 'info' && TONES[entry.level])}>
        {entry.title}
      </span>
      <bdi className="min-w-0 flex-1 truncate text-text-muted" title={entry.text}>
        {entry.text}
      </bdi>
      {entry.href === undefined ? null : (
        <Link href={entry.href} className="link shrink-0">
          View event
        </Link>
      )}
    </>
  );
}

/** Only what was written, in the type of code. */
export function ConsoleRow({ entry }: { entry: Entry }) {
  return (
    <bdi
      className={cx(
        'min-w-0 flex-1 truncate font-mono',
        entry.level === 'info' ? 'text-text' : TONES[entry.level],
      )}
      title={entry.text}
    >
      {entry.text}
    </bdi>
  );
}

const US_PER_MS = 1_000;

/** Method, status, address, size and time of a request. */
export function NetworkRow({ entry }: { entry: Entry }) {
  const { request } = entry;
  if (!request) return null;
  const { path, host } = splitAddress(entry.text);
  return (
    <>
      <span className="w-12 shrink-0 truncate font-medium">{request.method}</span>
      <span className={cx('numbers w-8 shrink-0', TONES[entry.level])}>{request.status || '–'}</span>
      <bdi className="min-w-0 flex-1 truncate" title={entry.text}>
        {path} <span className="text-text-muted">{host}</span>
      </bdi>
      <span className="numbers w-14 shrink-0 text-right text-text-muted max-sm:hidden">
        {request.bytes === null ? '–' : formatBytes(request.bytes)}
      </span>
      <span className="numbers w-14 shrink-0 text-right text-text-muted">
        {formatElapsed(request.durationMs * US_PER_MS)}
      </span>
    </>
  );
}

/** What tells requests apart comes first, where a line is cut: most go to one host. */
function splitAddress(text: string): { path: string; host: string } {
  const url = URL.parse(text);
  return url?.host ? { path: `${url.pathname}${url.search}`, host: url.host } : { path: text, host: '' };
}
