'use client';

import { CalendarRange, Check, ChevronDown, FolderKanban, Server } from 'lucide-react';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { type ReactNode, useOptimistic, useState, useTransition } from 'react';
import { visibleText } from '#lib/visible-text.ts';
import { Button } from '#ui/button.tsx';
import { formatMoments } from '#ui/format-time.ts';
import { Menu, MenuCheckboxItem, MenuItem, MenuRadioGroup, MenuSeparator } from '#ui/menu.tsx';
import { onDemand, usePopupOnDemand } from '#ui/on-demand/on-demand.ts';
import { useTimeZone } from '#ui/relative-time.tsx';
import {
  FILTER_PARAMETERS,
  type PageFilters as Filters,
  filterEntries,
  periodLabel,
  RANGE_LABELS,
  RANGES,
  type TimeRange,
  withFilters,
} from '../url-state.ts';

const customRange = onDemand(() => import('./custom-range-dialog.tsx'));

/**
 * Which projects, which environments and which time a page shows. A choice goes into the address, where everything else
 * stays as it is; only `cursor` goes, since another list has other pages.
 */
export function PageFilters({
  filters: given,
  projects,
  environments,
  hasTime = true,
  trailing,
}: {
  filters: Filters;
  /** null where the page is about one project. */
  projects: readonly { slug: string; name: string; platform: string | null }[] | null;
  /** Names that were seen; null where the page cannot be narrowed to one. */
  environments: readonly string[] | null;
  hasTime?: boolean;
  /** Stands at the end of the line. */
  trailing?: ReactNode;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const [isPending, startTransition] = useTransition();
  const [filters, show] = useOptimistic(given);

  function choose(change: Partial<Filters>) {
    const next = { ...filters, ...change };
    startTransition(() => {
      show(next);
      router.push(withFilters(pathname, parameters, FILTER_PARAMETERS, filterEntries(next)), {
        scroll: false,
      });
    });
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a line that wraps
    <div
      role="group"
      aria-label="Page filters"
      aria-busy={isPending}
      className="mb-3 flex flex-wrap items-center gap-2"
    >
      {projects ? (
        <ManyMenu
          label="Projects"
          all="All projects"
          many="projects"
          icon={<FolderKanban aria-hidden className="size-3.5 text-text-muted" />}
          options={projects.map((project) => project.slug)}
          platformOf={(slug) => projects.find((project) => project.slug === slug)?.platform ?? null}
          chosen={filters.projects}
          onChoose={(slugs) => choose({ projects: slugs })}
        />
      ) : null}
      {environments ? (
        <ManyMenu
          label="Environments"
          all="All environments"
          many="environments"
          icon={<Server aria-hidden className="size-3.5 text-text-muted" />}
          options={environments}
          chosen={filters.environments}
          onChoose={(names) => choose({ environments: names })}
        />
      ) : null}
      {hasTime ? <TimeMenu time={filters.time} onChoose={(time) => choose({ time })} /> : null}
      {trailing ? <div className="ml-auto">{trailing}</div> : null}
    </div>
  );
}

function ManyMenu({
  label,
  all,
  many,
  icon,
  options,
  platformOf,
  chosen,
  onChoose,
}: {
  label: string;
  all: string;
  many: string;
  icon: ReactNode;
  options: readonly string[];
  platformOf?: (option: string) => string | null;
  chosen: readonly string[];
  onChoose: (chosen: readonly string[]) => void;
}) {
  const words = chosen.length === 0 ? all : chosen.length === 1 ? chosen[0] : `${chosen.length} ${many}`;
  // What the address names stays in the list, so that it can be taken out.
  const listed = [...options, ...chosen.filter((each) => !options.includes(each))];
  return (
    <Menu
      trigger={
        <Button className="max-w-56 font-normal" aria-label={`${label}: ${words}`}>
          {icon}
          <bdi className="truncate">{visibleText(words ?? '')}</bdi>
          <ChevronDown aria-hidden className="size-3.5 text-text-muted" />
        </Button>
      }
    >
      <MenuItem
        onSelect={() => onChoose([])}
        hint={chosen.length === 0 ? <Check aria-label="selected" /> : null}
      >
        {all}
      </MenuItem>
      <MenuSeparator />
      {listed.map((option) => (
        <MenuCheckboxItem
          key={option}
          platform={platformOf?.(option)}
          checked={chosen.includes(option)}
          onCheckedChange={(isChosen) =>
            onChoose(isChosen ? [...chosen, option] : chosen.filter((each) => each !== option))
          }
        >
          <bdi>{visibleText(option)}</bdi>
        </MenuCheckboxItem>
      ))}
    </Menu>
  );
}

function TimeMenu({ time, onChoose }: { time: TimeRange; onChoose: (time: TimeRange) => void }) {
  const timeZone = useTimeZone();
  const [isAsking, setIsAsking] = useState(false);
  const custom = usePopupOnDemand(customRange, isAsking, () => setIsAsking(false));
  const words =
    periodLabel(time) ??
    (time.kind === 'between' ? formatMoments(time.fromMs, time.toMs, timeZone, Date.now()) : '');
  return (
    <>
      <Menu
        trigger={
          <Button className="max-w-full font-normal" aria-label={`Time range: ${words}`}>
            <CalendarRange aria-hidden className="size-3.5 text-text-muted" />
            <span className="truncate">{words}</span>
            <ChevronDown aria-hidden className="size-3.5 text-text-muted" />
          </Button>
        }
      >
        <MenuRadioGroup
          label="Relative"
          value={time.kind === 'last' ? time.period : ''}
          onValueChange={(period) => onChoose({ kind: 'last', period })}
          options={RANGES.map((range) => ({ value: range, label: RANGE_LABELS[range] }))}
        />
        <MenuSeparator />
        <MenuItem onSelect={() => setIsAsking(true)}>Custom range…</MenuItem>
      </Menu>
      {custom && isAsking ? (
        <custom.CustomRangeDialog time={time} onClose={() => setIsAsking(false)} onChoose={onChoose} />
      ) : null}
    </>
  );
}
