'use client';

import {
  Clock,
  CornerDownLeft,
  FolderKanban,
  Keyboard,
  Link2,
  LogOut,
  Settings,
  SquareArrowOutUpRight,
  SunMoon,
  Zap,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useRef, useState } from 'react';
import { applyTheme } from '#app/shell/keep-cookie.ts';
import { visibleText } from '#lib/visible-text.ts';
import { CommandDialog } from '#ui/command-dialog.tsx';
import { writeClipboard } from '#ui/copy-button.tsx';
import { Kbd } from '#ui/kbd.tsx';
import { LevelMark } from '#ui/level-badge.tsx';
import { asksBeforeLeaving } from '#ui/navigation/leave-guards.ts';
import { showToast } from '#ui/toast.tsx';
import { signOutAction } from '../../(account)/sign-out.ts';
import { KeyCombination } from '../key-combination.tsx';
import { SECTIONS } from '../navigation-sections.ts';
import { listAnswered, runShortcut } from '../use-shortcuts.ts';
import { findDsn } from './find-dsn-action.ts';
import type { PaletteAct, PaletteItem } from './palette-item.ts';
import { findItems, paletteItems } from './palette-items.ts';
import { readRecent } from './recent-places.ts';
import { usePaletteAnswer } from './use-palette-answer.ts';

/** The command palette; open from the moment it is rendered, until `onClosed`. */
export function Palette({ organizationSlug, onClosed }: { organizationSlug: string; onClosed: () => void }) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(true);
  const [text, setText] = useState('');
  // As it was when the palette was opened: by now the focus is in the palette.
  const [answered] = useState(listAnswered);
  const [recent] = useState(() => readRecent(localStorage, organizationSlug));
  const { answer, isBusy, hasFailed } = usePaletteAnswer(organizationSlug, text);
  /** What is done once the palette is gone, since it may need the focus where it was. */
  const chosen = useRef<PaletteAct | null>(null);

  const found = findItems(paletteItems({ organizationSlug, answer, answered, recent, text }), text);
  const all = found.flatMap((group) => group.items);

  function choose(id: string) {
    const item = all.find((each) => each.id === id);
    if (!item) return;
    chosen.current = item.act;
    setIsOpen(false);
    if (item.act.kind === 'go' && !asksBeforeLeaving(item.act.href)) router.push(item.act.href);
  }

  function finish() {
    onClosed();
    const act = chosen.current;
    if (act) requestAnimationFrame(() => void perform(act, organizationSlug));
  }

  return (
    <CommandDialog
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
      onClosed={finish}
      label="Command palette"
      placeholder="Search for a page, project, issue, monitor, dashboard, user, or command…"
      text={text}
      onTextChange={setText}
      isBusy={isBusy}
      groups={found.map(({ group, items }) => ({
        label: group,
        items: items.map((item) => ({
          id: item.id,
          icon: iconOf(item, answer?.issues),
          label: <bdi>{visibleText(item.label)}</bdi>,
          hint: item.keys ? <KeyCombination keys={item.keys} /> : item.detail,
        })),
      }))}
      empty={
        hasFailed
          ? 'Can’t reach the server. Only pages can be found. Try again in a moment.'
          : 'No results. Try part of the title or an issue ID.'
      }
      footer={
        <>
          <span className="flex items-center gap-1.5">
            <Kbd>↑</Kbd>
            <Kbd>↓</Kbd> move
          </span>
          <span className="flex items-center gap-1.5">
            <Kbd>
              <CornerDownLeft aria-label="Enter" className="size-3" />
            </Kbd>
            choose
          </span>
          <span className="flex items-center gap-1.5">
            <Kbd>Esc</Kbd> close
          </span>
        </>
      }
      onChoose={choose}
    />
  );
}

async function perform(act: PaletteAct, organizationSlug: string): Promise<void> {
  switch (act.kind) {
    case 'go':
      return;
    case 'shortcut':
      return runShortcut(act.id);
    case 'theme':
      return applyTheme(act.theme);
    case 'copy-address':
      return copy('Link', async () => location.href);
    case 'copy-dsn':
      return copy('DSN', () => findDsn({ organizationSlug, projectSlug: act.projectSlug }));
    case 'sign-out':
      await signOutAction();
  }
}

async function copy(what: string, read: () => Promise<string | null>): Promise<void> {
  try {
    const text = await read();
    if (text === null) {
      showToast({
        title: 'This project has no active client keys. Create one in the project settings.',
        tone: 'danger',
      });
      return;
    }
    await writeClipboard(text);
    showToast({ title: `${what} copied` });
  } catch {
    showToast({ title: `Couldn’t copy. Try again.`, tone: 'danger' });
  }
}

function iconOf(
  item: PaletteItem,
  issues: readonly { shortId: string; level: Parameters<typeof LevelMark>[0]['level'] }[] = [],
): ReactNode {
  if (item.group === 'Issues') {
    const level = issues.find((issue) => issue.shortId === item.words)?.level;
    return level ? (
      <span className="grid size-4 place-items-center">
        <LevelMark level={level} />
      </span>
    ) : null;
  }
  if (item.group === 'Recent') return <Clock aria-hidden />;
  if (item.group === 'Projects') return <FolderKanban aria-hidden />;
  if (item.group === 'Settings') return <Settings aria-hidden />;
  const section = SECTIONS.find(({ label }) => item.group === 'Go to' && label === item.label);
  if (section) return <section.Icon aria-hidden />;
  if (item.act.kind === 'theme') return <SunMoon aria-hidden />;
  if (item.act.kind === 'sign-out') return <LogOut aria-hidden />;
  if (item.act.kind === 'copy-dsn' || item.act.kind === 'copy-address') return <Link2 aria-hidden />;
  if (item.id === 'help') return <Keyboard aria-hidden />;
  return item.act.kind === 'go' ? <SquareArrowOutUpRight aria-hidden /> : <Zap aria-hidden />;
}
