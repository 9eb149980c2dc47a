'use client';

import { Search } from 'lucide-react';
import { usePathname, useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { platformName, searchPlatforms } from '#domain/platforms.ts';
import { Button } from '#ui/button.tsx';
import { Input } from '#ui/field.tsx';
import { PlatformLogo } from '#ui/platform-logo/platform-logo.tsx';

/** One platform out of the groups of the list, which can be searched. */
export function PlatformPicker({
  name,
  value,
  onValueChange,
}: {
  name: string;
  value: string;
  onValueChange: (platform: string) => void;
}) {
  const [search, setSearch] = useState('');
  const groups = searchPlatforms(search);
  const isHidden = !groups.some(({ platforms }) => platforms.some(({ id }) => id === value));
  return (
    <fieldset className="min-w-0">
      <div className="mb-2 flex flex-wrap items-end justify-between gap-2">
        <legend className="float-left font-medium text-sm">
          Platform <span className="font-normal text-text-muted">· {platformName(value)}</span>
        </legend>
        <div className="relative w-full sm:w-56">
          <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-text-faint" />
          <Input
            type="search"
            aria-label="Search platforms"
            placeholder="Search platforms"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault();
            }}
            className="pl-8"
          />
        </div>
      </div>
      {isHidden ? <input type="hidden" name={name} value={value} /> : null}
      <div className="max-h-[26rem] overflow-y-auto rounded-md border bg-surface-raised p-3">
        {groups.length === 0 ? (
          <p className="py-6 text-center text-sm text-text-muted">
            No platforms match "{search.trim()}". Choose "Other": every Sentry SDK works.
          </p>
        ) : (
          groups.map(({ label, platforms }) => (
            // biome-ignore lint/a11y/useSemanticElements: the fieldset around all groups names the choice
            <div key={label} role="group" aria-label={label} className="mb-4 last:mb-0">
              <p aria-hidden className="mb-1.5 text-text-muted text-xs">
                {label}
              </p>
              <div className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-4">
                {platforms.map((platform) => (
                  <label
                    key={platform.id}
                    className="relative flex items-center gap-2.5 rounded-md border p-2 text-sm transition-colors hover:bg-surface-hover has-checked:border-accent-line has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent-line has-focus-visible:outline-offset-1"
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
            </div>
          ))
        )}
      </div>
    </fieldset>
  );
}

/** Opens the picker to show the steps of another platform; the choice lives in the URL. */
export function PlatformSwitch({ value }: { value: string }) {
  const router = useRouter();
  const pathname = usePathname();
  const [isOpen, setIsOpen] = useState(false);
  const [isPending, startTransition] = useTransition();
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <PlatformLogo platform={value} label={null} />
        <p className="min-w-0 flex-1 truncate font-medium text-sm">{platformName(value)}</p>
        <Button size="sm" aria-expanded={isOpen} disabled={isPending} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Change platform'}
        </Button>
      </div>
      {isOpen ? (
        <PlatformPicker
          name="platform"
          value={value}
          onValueChange={(platform) =>
            startTransition(() => router.replace(`${pathname}?platform=${platform}`, { scroll: false }))
          }
        />
      ) : null}
    </div>
  );
}
