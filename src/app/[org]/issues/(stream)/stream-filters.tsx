'use client';

import { CalendarRange, Check, ChevronDown, FolderKanban } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { Menu, MenuCheckboxItem, MenuItem, MenuSeparator } from '#ui/menu.tsx';
import { Select } from '#ui/select.tsx';
import { RANGE_LABELS, RANGES } from '../../../url-state.ts';
import type { StreamState } from '../stream-url.ts';
import type { StreamProject } from './stream-content.ts';

const RANGE_OPTIONS = RANGES.map((value) => ({ value, label: RANGE_LABELS[value] }));

/** Which projects and which time, at the top of the page. */
export function StreamFilters({
  state,
  projects,
  onChange,
  live,
}: {
  state: StreamState;
  projects: readonly StreamProject[];
  onChange: (change: Partial<StreamState>) => void;
  live: ReactNode;
}) {
  const label =
    state.projects.length === 0
      ? 'All projects'
      : state.projects.length === 1
        ? state.projects[0]
        : `${state.projects.length} projects`;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <Menu
        trigger={
          <Button className="max-w-56 font-normal">
            <FolderKanban aria-hidden className="size-3.5 text-text-muted" />
            <span className="truncate">{label}</span>
            <ChevronDown aria-hidden className="size-3.5 text-text-muted" />
          </Button>
        }
      >
        <MenuItem
          onSelect={() => onChange({ projects: [] })}
          hint={state.projects.length === 0 ? <Check aria-label="chosen" /> : null}
        >
          All projects
        </MenuItem>
        <MenuSeparator />
        {projects.map((project) => (
          <MenuCheckboxItem
            key={project.slug}
            checked={state.projects.includes(project.slug)}
            onCheckedChange={(isChosen) =>
              onChange({
                projects: isChosen
                  ? [...state.projects, project.slug]
                  : state.projects.filter((slug) => slug !== project.slug),
              })
            }
          >
            {project.slug}
          </MenuCheckboxItem>
        ))}
      </Menu>
      <Select
        label="Time range"
        icon={<CalendarRange aria-hidden className="size-3.5 text-text-muted" />}
        options={RANGE_OPTIONS}
        value={state.range}
        onValueChange={(range) => onChange({ range })}
      />
      <div className="ml-auto">{live}</div>
    </div>
  );
}
