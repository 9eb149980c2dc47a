import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useTransition } from 'react';
import { withFilters } from '#app/url-state.ts';

/** The search that a page is narrowed by, which stands in its address; `usual` is the one of an address without any. */
export function useAddressSearch(usual = '') {
  const router = useRouter();
  const pathname = usePathname();
  const parameters = useSearchParams();
  const [isPending, startTransition] = useTransition();
  const search = (query: string) =>
    startTransition(() =>
      router.push(
        withFilters(pathname, parameters, ['query', 'offset'], { query: query === usual ? null : query }),
        { scroll: false },
      ),
    );
  return { isPending, search };
}
