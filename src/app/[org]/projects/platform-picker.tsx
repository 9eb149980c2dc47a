'use client';

import { Search } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { Input } from '#ui/field.tsx';
import { PlatformLogo } from '#ui/platform-logo/platform-logo.tsx';
import { Select } from '#ui/select.tsx';
import { PLATFORMS } from './platforms.ts';

/** One platform out of the list, as a radio group that can be narrowed down by typing. */
export function PlatformPicker({
  name,
  value,
  onValueChange,
}: {
  name: string;
  value: string;
  onValueChange: (platform: string) => void;
}) {
  const [filter, setFilter] = useState('');
  const words = filter.trim().toLowerCase();
  const shown = PLATFORMS.filter(
    (platform) => platform.name.toLowerCase().includes(words) || platform.id.includes(words),
  );
  const isHidden = value !== '' && !shown.some((platform) => platform.id === value);
  return (
    <fieldset className="min-w-0">
      <div className="mb-2 flex flex-wrap items-end justify-between gap-2">
        <legend className="float-left font-medium text-sm">Platform</legend>
        <div className="relative w-full sm:w-56">
          <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-text-faint" />
          <Input
            type="search"
            aria-label="Search platforms"
            placeholder="Search platforms"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault();
            }}
            className="pl-8"
          />
        </div>
      </div>
      {isHidden ? <input type="hidden" name={name} value={value} /> : null}
      {shown.length === 0 ? (
        <p className="rounded-md border border-dashed px-3 py-6 text-center text-sm text-text-muted">
          No platforms match "{filter.trim()}". Choose "Other": every Sentry SDK works.
        </p>
      ) : (
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-4">
          {shown.map((platform) => (
            <label
              key={platform.id}
              className="flex items-center gap-2.5 rounded-md border bg-surface-raised p-2 text-sm transition-colors hover:bg-surface-hover has-checked:border-accent-line has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent-line has-focus-visible:outline-offset-1"
            >
              <input
                type="radio"
                name={name}
                value={platform.id}
                checked={value === platform.id}
                onChange={() => onValueChange(platform.id)}
                className="sr-only"
              />
              <PlatformLogo platform={platform.id} label={null} />
              <span className="min-w-0 truncate" title={platform.name}>
                {platform.name}
              </span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}

/** Shows the steps of another platform; the choice lives in the URL. */
export function PlatformSelect({ value }: { value: string }) {
  const router = useRouter();
  const pathname = usePathname();
  const [isPending, startTransition] = useTransition();
  return (
    <Select
      label="Platform"
      prefix="Platform:"
      value={value}
      disabled={isPending}
      options={PLATFORMS.map((platform) => ({ value: platform.id, label: platform.name }))}
      onValueChange={(platform) =>
        startTransition(() => router.replace(`${pathname}?platform=${platform}`, { scroll: false }))
      }
    />
  );
}
