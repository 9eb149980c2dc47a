'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useTransition } from 'react';
import { withFilters } from '#app/url-state.ts';
import { Select, type SelectOption } from '#ui/select.tsx';

/** A choice that goes into the address as a parameter. */
export function ReleaseSelect({
  label,
  parameter,
  value,
  options,
}: {
  label: string;
  parameter: string;
  value: string;
  options: readonly SelectOption<string>[];
}) {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const [isPending, startTransition] = useTransition();
  return (
    <span aria-busy={isPending} className="min-w-0">
      <Select
        label={label}
        prefix={label}
        value={value}
        options={options}
        disabled={isPending}
        onValueChange={(next) =>
          startTransition(() =>
            router.push(withFilters(pathname, parameters, [parameter], { [parameter]: next }), {
              scroll: false,
            }),
          )
        }
      />
    </span>
  );
}
