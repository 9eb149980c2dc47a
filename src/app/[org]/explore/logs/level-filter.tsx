'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { withFilters } from '#app/url-state.ts';
import { Select } from '#ui/select.tsx';
import { LOG_LEVELS, type LogLevel } from '../../traces/log-levels.ts';

const OPTIONS = LOG_LEVELS.map((value, index) => ({
  value,
  label: index === 0 ? 'All levels' : index === LOG_LEVELS.length - 1 ? value : `${value} and above`,
}));

/** The lowest level that is listed; it goes into the address. */
export function LevelFilter({ level }: { level: LogLevel }) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  return (
    <Select
      label="Level"
      value={level}
      options={OPTIONS}
      onValueChange={(next) =>
        router.push(
          withFilters(pathname, parameters, ['level'], { level: next === LOG_LEVELS[0] ? null : next }),
        )
      }
    />
  );
}
